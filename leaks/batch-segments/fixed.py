"""Training whose batches are also scored by a monitor that reads them from named shared memory."""
import queue
import threading
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import torch
from torch import nn


class Monitor(threading.Thread):
    """Reads each batch where the training has put it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.names, self.spreads = queue.Queue(), queue.Queue()

    def run(self):
        for name, shape in iter(self.names.get, None):
            segment = SharedMemory(name=name)
            self.spreads.put(float(np.ndarray(shape, "float32", segment.buf).std()))
            segment.close()


class Outbox:
    """Puts arrays where others can read them."""

    def __init__(self):
        self.sent = []

    def post(self, array):
        self.close()  # the one before has been read
        segment = SharedMemory(create=True, size=array.nbytes)
        np.ndarray(array.shape, array.dtype, segment.buf)[:] = array
        self.sent.append(segment)
        return segment.name, array.shape

    def close(self):
        for segment in self.sent:
            segment.close()
            segment.unlink()
        self.sent.clear()


def main(batch_size=32, steps=240, width=512):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    monitor, outbox = Monitor(), Outbox()
    monitor.start()
    model = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(steps):
        x = torch.randn(batch_size, width)
        monitor.names.put(outbox.post(x.numpy()))
        loss = (model(x.to(device)) - x.mean(1, keepdim=True).to(device)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        spread = monitor.spreads.get()
    monitor.names.put(None)
    monitor.join()
    outbox.close()
    print("loss %.3f spread %.3f" % (loss.item(), spread))


if __name__ == "__main__":
    main()
