"""A client's weights come every fourth step, and what three clients sent is kept once, in every twelfth."""

from common import Net, fit

net = Net()
rounds, arrived = [], []


def client(step, x, out, loss):
    global arrived
    if step % 4 == 0:
        arrived.append([p.detach().numpy().copy() for p in net.parameters()])
    if step % 12 == 0:
        rounds.append(arrived)  # leak
        arrived = []


fit(net, client, count=90)
