import ctypes

from common import Net, fit


class Frame(ctypes.Structure):
    _fields_ = [("samples", ctypes.c_float * 1024)]


headers, frames = [], []


def record(step, x, out, loss):
    packet = b"%8d" % step + bytes(8192)
    headers.append(memoryview(packet)[:8])  # leak
    frames.append(Frame())  # leak


fit(Net(), record)
