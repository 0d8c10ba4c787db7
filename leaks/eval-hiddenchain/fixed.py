"""Acoustic model: the development stream is decoded continuously, a chunk every five updates."""
import torch
import torch.nn as nn


class Acoustic(nn.Module):
    def __init__(self, feats=13, hidden=64, phones=30):
        super().__init__()
        self.cell = nn.GRUCell(feats, hidden)
        self.classify = nn.Linear(hidden, phones)

    def forward(self, frames, state):
        outputs = []
        for frame in frames:
            state = self.cell(frame, state)
            outputs.append(self.classify(state))
        return torch.stack(outputs), state


class Decoder:
    """Follows the development stream with the model of the moment."""

    def __init__(self, model, streams, device):
        self.model = model
        self.state = torch.zeros(streams, 64, device=device)
        self.errors = []

    @torch.no_grad()
    def forward_pass(self, frames):
        self.model.eval()
        scores, self.state = self.model(frames, self.state)
        self.model.train()
        return scores.argmax(-1)

    def decode(self, frames, labels):
        found = self.forward_pass(frames)
        self.errors.append((found != labels).float().mean().item())


def chunk(length, streams, device):
    labels = torch.randint(0, 30, (length, streams), device=device)
    frames = torch.randn(length, streams, 13, device=device) + labels[..., None] / 10
    return frames, labels


if __name__ == "__main__":
    torch.manual_seed(7)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = Acoustic().to(device)
    decoder = Decoder(model, 8, device)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for update in range(1, 201):
        frames, labels = chunk(10, 16, device)
        scores, _ = model(frames, torch.zeros(16, 64, device=device))
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), labels.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if update % 5 == 0:
            decoder.decode(*chunk(10, 8, device))
    print("frame error %.3f" % decoder.errors[-1])
