import weakref

from common import Net, fit

net = Net()


def release(scratch):
    scratch.zero_()


def give_back_at_the_end(step, x, out, loss):
    weakref.finalize(net, release, out.detach())  # leak


fit(net, give_back_at_the_end)
