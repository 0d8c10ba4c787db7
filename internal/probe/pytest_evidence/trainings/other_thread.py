import queue
import threading

from common import Net, fit

work = queue.Queue()
answers = queue.Queue()


def collect():
    kept = []
    while True:
        item = work.get()
        if item is None:
            return
        kept.append(item)  # leak
        answers.put(len(kept))


worker = threading.Thread(target=collect, daemon=True)
worker.start()


def record(step, x, out, loss):
    work.put(out.detach())
    answers.get()


fit(Net(), record)
work.put(None)
worker.join()
