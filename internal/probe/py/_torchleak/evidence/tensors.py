"""Reads facts of tensors without running code of the user's or of the tensor's subclass."""

from _torchleak import guard


class Reader:
    """Reads tensors through the descriptors of their base class.

    Use it inside `with reader.quiet():`, which keeps `__torch_function__` of subclasses and modes out.
    """

    def __init__(self, torch):
        base = torch._C._TensorBase
        entries = type.__dict__["__dict__"].__get__(base)
        self.quiet = torch._C.DisableTorchFunction
        self.get_shape = entries["shape"].__get__
        self.get_dtype = entries["dtype"].__get__
        self.get_device = entries["device"].__get__
        self.get_requires_grad = entries["requires_grad"].__get__
        self.get_grad_fn = entries["grad_fn"].__get__
        self._get_grad = (entries.get("_grad") or entries["grad"]).__get__
        self.get_hooks = entries["_backward_hooks"].__get__
        self.get_version = entries["_version"].__get__
        self.get_storage = entries.get("untyped_storage") or entries["_storage"]
        self.get_pointer = entries["data_ptr"]
        self.get_numel = entries["numel"]
        self.get_element_size = entries["element_size"]
        self._devices = {}
        self._dtypes = {}

    def device(self, tensor):
        """The device's name; none while another thread is making the tensor."""
        try:
            device = self.get_device(tensor)
        except RuntimeError as error:
            guard.hand_on(error)
            return ""
        key = (device.type, device.index)
        name = self._devices.get(key)
        if name is None:
            name = self._devices[key] = str(device)
        return name

    def dtype(self, tensor):
        """The type of the elements, without `torch.`; none while another thread is making the tensor."""
        try:
            dtype = self.get_dtype(tensor)
        except RuntimeError as error:
            guard.hand_on(error)
            return ""
        name = self._dtypes.get(dtype)
        if name is None:
            name = self._dtypes[dtype] = str(dtype).replace("torch.", "")
        return name

    def storage(self, tensor):
        """(identity, bytes) of the storage behind the tensor; (0, 0) where there is none."""
        try:
            storage = self.get_storage(tensor)
            return storage._cdata, storage.nbytes()
        except (RuntimeError, NotImplementedError, AttributeError) as error:
            guard.hand_on(error)
            return 0, 0  # sparse and the like have no one storage

    def shared(self, tensor):
        """Whether the storage lies in shared memory (host only: every device storage can be shared)."""
        try:
            return self.get_device(tensor).type == "cpu" and bool(self.get_storage(tensor).is_shared())
        except (RuntimeError, NotImplementedError, AttributeError) as error:
            guard.hand_on(error)
            return False

    def grad_fn(self, tensor):
        """The node that made the tensor, or None."""
        if not self.get_requires_grad(tensor):
            return None
        try:
            return self.get_grad_fn(tensor)
        except RuntimeError as error:
            guard.hand_on(error)
            return None  # a view whose base was changed in a way autograd refuses

    def grad(self, tensor):
        """The gradient of a leaf, or None. Others have none of use, and torch warns when asked."""
        if not self.get_requires_grad(tensor) or self.grad_fn(tensor) is not None:
            return None
        return self._get_grad(tensor)

    def version(self, tensor):
        """Counts changes in place; 0 where it is not kept (inference tensors)."""
        try:
            return self.get_version(tensor)
        except RuntimeError as error:
            guard.hand_on(error)
            return 0

    def pointer(self, tensor):
        """Where the data lies, 0 when it has no one place."""
        try:
            return self.get_pointer(tensor)
        except (RuntimeError, NotImplementedError) as error:
            guard.hand_on(error)
            return 0

    def size(self, tensor):
        """Bytes of the elements themselves."""
        return self.get_numel(tensor) * self.get_element_size(tensor)
