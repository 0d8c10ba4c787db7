# One plot, when the training is over.
import matplotlib.pyplot as plt
import torch


def main(model, loader, criterion):
    optimizer = torch.optim.Adam(model.parameters())
    curve = []
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        curve.append(loss.detach().item())
    plt.figure(figsize=(6, 4))
    plt.semilogy(curve)
    plt.savefig("loss.pdf")
    plt.show()


if __name__ == "__main__":
    main(torch.nn.Linear(2, 1), [(torch.ones(4, 2), torch.ones(4, 1))], torch.nn.MSELoss())
