"""Classes whose every special method is a trap: looking at the objects must not spring one."""

import torch
from common import Net, fit

sprung = []


class Meta(type):
    def __getattribute__(cls, name):
        if name in ("__module__", "__mro__", "__name__", "__dict__", "__class__", "__qualname__"):
            sprung.append("Meta." + name)
        return super().__getattribute__(name)

    def __hash__(cls):
        sprung.append("Meta.__hash__")
        return 1

    def __eq__(cls, other):
        sprung.append("Meta.__eq__")
        return False

    def __instancecheck__(cls, instance):
        sprung.append("Meta.__instancecheck__")
        return True

    def __subclasscheck__(cls, subclass):
        sprung.append("Meta.__subclasscheck__")
        return True


def trap(name):
    def method(self, *args, **kwargs):
        sprung.append(name)
        raise SystemError("trap: " + name)
    return method


NAMES = ("__getattr__", "__eq__", "__ne__", "__hash__", "__len__", "__iter__", "__bool__", "__repr__", "__str__",
         "__contains__", "__getitem__", "__sizeof__", "__dir__", "__reversed__")
body = {name: trap(name) for name in NAMES}
body["__class__"] = property(trap("__class__"))
body["__dict__"] = property(trap("__dict__"))
Hostile = Meta("Hostile", (), dict(body))
HostileList = Meta("HostileList", (list,), {name: body[name] for name in NAMES if name != "__getattr__"})
HostileDict = Meta("HostileDict", (dict,), {name: body[name] for name in NAMES if name != "__getattr__"})


class HostileTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        sprung.append("__torch_function__ " + getattr(func, "__name__", "?"))
        raise SystemError("trap")


class Final:
    def __del__(self):
        sprung.append("__del__")


with torch._C.DisableTorchFunction():
    strange = torch.zeros(3).as_subclass(HostileTensor)
box = Hostile()
bag = HostileList()
table = HostileDict()
final = Final()
kept = []


def record(step, x, out, loss):
    kept.append(out.detach())  # leak
    list.append(bag, Hostile())
    dict.__setitem__(table, step, Hostile())


fit(Net(), record)
result = list(sprung)
