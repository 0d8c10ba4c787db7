# A wrapper compiles its module in its own set-up, when it is asked to.
import torch


class Net:
    def __init__(self, module, compile=False, **options):
        self.module = module
        self.compile = compile
        self.options = options

    def initialize(self):
        self.module_ = self._maybe_compile(self.module())
        self.optimizer_ = torch.optim.SGD(self.module_.parameters(), lr=0.1)
        return self

    def _maybe_compile(self, module):
        if not self.compile:
            return module
        return torch.compile(module, **self.options)

    def fit(self, loader, loss_fn, epochs):
        self.initialize()
        for _ in range(epochs):
            for x, y in loader:
                self.optimizer_.zero_grad()
                loss_fn(self.module_(x), y).backward()
                self.optimizer_.step()
