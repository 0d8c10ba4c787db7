"""The mode by which torch tells of every operator."""

import importlib
import sys


def make_mode(recorder):
    """A mode for this recorder. Its class is made here: torch's own is there only once torch is."""
    module = sys.modules.get("torch.utils._python_dispatch") or importlib.import_module("torch.utils._python_dispatch")
    core = sys.modules["torch._C"]

    class Mode(module.TorchDispatchMode):
        """Lets every operator pass, and tells the recorder of it."""

        supports_higher_order_operators = True

        @classmethod
        def _should_skip_dynamo(cls):
            return False  # skipping would import torch's compiler into a program that does not use it

        @classmethod
        def ignore_compile_internals(cls):
            return True  # compiled code runs as it does without us

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            kwargs = kwargs or {}
            if not recorder.sees():
                return func(*args, **kwargs)
            if any(_takes_apart(tp) for tp in types):
                return NotImplemented  # its class makes other operators of it, which we see
            # In autograd's own threads nothing of Python stands below.
            op = recorder.before(func, args, kwargs, sys._getframe().f_back)
            if op is None:
                return func(*args, **kwargs)
            result = recorder.call(op, func, args, kwargs)
            recorder.after(op, result)
            return result

        def on_top(self):
            """Whether no other mode was begun behind this one and still lasts, in this thread."""
            count = core._len_torch_dispatch_stack()
            return count > 0 and core._get_dispatch_stack_at(count - 1) is self

    disabled = core._disabled_torch_dispatch_impl

    def _takes_apart(tp):
        handler = getattr(tp, "__torch_dispatch__", disabled)
        return getattr(handler, "__func__", handler) is not disabled and handler is not disabled

    return Mode()
