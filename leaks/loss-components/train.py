"""Two-stage detector heads on precomputed features: five losses are logged per epoch."""
import torch
from torch import nn
from torch.nn import functional as F


class Heads(nn.Module):
    def __init__(self, channels=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(channels, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.rpn_loc = nn.Linear(256, 4)
        self.rpn_cls = nn.Linear(256, 2)
        self.roi_loc = nn.Linear(256, 4)
        self.roi_cls = nn.Linear(256, 7)

    def forward(self, features):
        hidden = self.trunk(features)
        return self.rpn_loc(hidden), self.rpn_cls(hidden), self.roi_loc(hidden), self.roi_cls(hidden)


class FasterTrainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def forward(self, features, boxes, labels):
        rpn_loc, rpn_cls, roi_loc, roi_cls = self.model(features)
        losses = {
            "rpn_loc": F.smooth_l1_loss(rpn_loc, boxes),
            "rpn_cls": F.cross_entropy(rpn_cls, (labels > 0).long()),
            "roi_loc": F.smooth_l1_loss(roi_loc, boxes),
            "roi_cls": F.cross_entropy(roi_cls, labels),
        }
        losses["total"] = sum(losses.values())
        return losses

    def train_step(self, *batch):
        self.optimizer.zero_grad()
        losses = self.forward(*batch)
        losses["total"].backward()
        self.optimizer.step()
        return losses


def fit_one_epoch(trainer, epoch_size, device):
    sums = dict.fromkeys(("rpn_loc", "rpn_cls", "roi_loc", "roi_cls", "total"), 0)
    for iteration in range(epoch_size):
        features = torch.randn(80, 64, device=device)
        boxes = features[:, :4] * 0.5
        labels = features[:, 4:11].argmax(1)
        for key, value in trainer.train_step(features, boxes, labels).items():
            sums[key] = sums[key] + value  # leak
        if iteration % 40 == 39:
            print({key: round(float(value) / (iteration + 1), 4) for key, value in sums.items()})


if __name__ == "__main__":
    torch.manual_seed(11)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = Heads().to(device)
    fit_one_epoch(FasterTrainer(net, torch.optim.Adam(net.parameters(), 1e-3)), 120, device)
