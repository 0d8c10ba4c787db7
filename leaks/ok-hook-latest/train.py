"""Feature matching between a student and a frozen reference."""
import torch
from torch import nn


def tap(model, store):
    def hook_for(name):
        def hook(module, args, output):
            store[name] = output
        return hook
    for name, module in model.named_modules():
        if isinstance(module, nn.ReLU):
            module.register_forward_hook(hook_for(name))


def mlp():
    return nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 6))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    student, reference = mlp().to(device), mlp().to(device).eval()
    theirs, ours = {}, {}
    tap(student, ours)
    tap(reference, theirs)
    optimizer = torch.optim.Adam(student.parameters(), lr=1e-3)
    for step in range(120):
        x = torch.randn(96, 24, device=device)
        with torch.no_grad():
            target = reference(x)
        loss = (student(x) - target).pow(2).mean()
        loss = loss + sum((ours[k] - theirs[k]).pow(2).mean() for k in ours)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
