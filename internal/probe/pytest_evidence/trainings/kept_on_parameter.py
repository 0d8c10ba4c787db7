from common import Net, fit

# A list that is an attribute of a parameter, which C++ holds too once there was a backward.
net = Net()
weight = next(net.parameters())
weight.past = []
fit(net, lambda step, x, out, loss: weight.past.append(weight.grad.clone()))  # leak
