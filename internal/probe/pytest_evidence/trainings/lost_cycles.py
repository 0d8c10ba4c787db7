import gc

from common import Net, fit


class Node:
    def __init__(self, payload):
        self.payload = payload
        self.me = self  # leak


gc.disable()
fit(Net(), lambda step, x, out, loss: Node(out.detach()))
