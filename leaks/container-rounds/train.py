"""Federated averaging in one process: in each round three clients train a few steps from the server's weights."""
import torch
from torch import nn

from server import Server, Update

STEPS = 4


def weights(net):
    return [v.detach().cpu().numpy().copy() for v in net.state_dict().values()]


def fit(client, net, received):
    net.load_state_dict({k: torch.from_numpy(v.copy()) for k, v in zip(net.state_dict(), received)})
    device = next(net.parameters()).device
    opt = torch.optim.SGD(net.parameters(), 0.05)
    for _ in range(STEPS):
        x = torch.randn(20, 24, device=device) + 0.1 * client
        loss = nn.functional.mse_loss(net(x), x.sum(1, keepdim=True))
        opt.zero_grad()
        loss.backward()
        opt.step()
    return Update(client, weights(net), 20 * STEPS, loss.item())


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = nn.Sequential(nn.Linear(24, 128), nn.ReLU(), nn.Linear(128, 1)).to(device)
    server = Server(weights(net))
    for number in range(20):
        server.aggregate(number, [fit(client, net, server.weights) for client in range(3)])
        if number % 5 == 4:
            print("round %d loss %.4f" % (number, server.history.losses[-1]))


main()
