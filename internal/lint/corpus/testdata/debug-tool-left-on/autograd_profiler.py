# The old profiler, entered by hand and left when the training is over.
import torch


class ProfiledTrainer:
    def __init__(self, model, optimizer, criterion):
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion

    def fit(self, loader):
        with torch.autograd.profiler.profile(use_cuda=True, profile_memory=True) as prof:  # finding: debug-tool-left-on
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = self.criterion(self.model(x), y)
                loss.backward()
                self.optimizer.step()
        print(prof.key_averages().table(sort_by="self_cuda_time_total"))
