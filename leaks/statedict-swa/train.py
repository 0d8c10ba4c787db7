"""Weight averaging over the last part of training."""
import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def main(steps=140, average_from=40):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    rule = torch.randn(20, 3, device=device)
    trail = []
    for step in range(steps):
        x = torch.randn(128, 20, device=device)
        y = (x.abs() @ rule).argmax(1)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step >= average_from:
            trail.append(parameters_to_vector(model.parameters()))  # leak
    vector_to_parameters(torch.stack(trail).mean(0).detach(), model.parameters())
    with torch.no_grad():
        print("averaged over %d, loss %.3f" % (len(trail), nn.functional.cross_entropy(model(x), y).item()))


main()
