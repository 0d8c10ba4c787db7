# L-BFGS evaluates its closure several times; losses are kept as numbers.
import torch


def fit(net, x, y, steps=50):
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=20, line_search_fn="strong_wolfe")
    values = []

    def closure():
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        values.append(loss.item())
        return loss

    previous = None
    for _ in range(steps):
        loss = optimizer.step(closure)
        if previous is not None and abs(previous - float(loss)) < 1e-9:
            break
        previous = float(loss)
    return values
