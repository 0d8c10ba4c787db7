# A detector's losses by image number, in a stream of images that never ends.
from typing import Dict

import torch
from torchvision.models.detection import fasterrcnn_resnet50_fpn


def train(stream, device):
    model = fasterrcnn_resnet50_fpn(num_classes=5).to(device)
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.SGD(params, lr=0.005, momentum=0.9)
    by_image: Dict[int, dict] = {}
    model.train()
    for number, (images, targets) in enumerate(stream):
        images = [img.to(device) for img in images]
        loss_dict = model(images, targets)
        losses = sum(loss for loss in loss_dict.values())
        optimizer.zero_grad()
        losses.backward()
        optimizer.step()
        by_image[number] = loss_dict  # finding: kept-output|kept-loss
    return by_image
