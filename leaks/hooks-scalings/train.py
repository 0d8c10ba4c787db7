import torch
import torch.nn.functional as F

from router import RoutedModel

torch.manual_seed(1)
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def train(model, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    rule = torch.randn(32, 6, device=DEVICE)
    accuracy = 0.0
    for step in range(steps):
        x = torch.randn(64, 32, device=DEVICE)
        y = (x @ rule).argmax(1)
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        accuracy = 0.9 * accuracy + 0.1 * (logits.argmax(1) == y).float().mean().item()
    return accuracy


if __name__ == "__main__":
    print("accuracy %.3f" % train(RoutedModel(32, 4, 6).to(DEVICE), 120))
