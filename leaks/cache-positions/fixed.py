"""Next-value prediction on an endless stream of segments."""
import torch
from torch import nn

from fixed_attention import StreamingAttention


class StreamModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.inp = nn.Linear(1, dim)
        self.attention = StreamingAttention(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, x, offset):
        h = self.inp(x)
        return self.out(h + self.attention(h, offset))


def main(segments=120, length=48):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    stream = torch.sin(torch.arange(segments * length + 1) / 7.0) + 0.1 * torch.randn(segments * length + 1)
    model = StreamModel().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for segment in range(segments):
        offset = segment * length
        window = stream[offset:offset + length + 1].to(device)
        x = window[:-1].repeat(4, 1)[..., None]
        loss = (model(x, offset)[..., 0] - window[1:]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
