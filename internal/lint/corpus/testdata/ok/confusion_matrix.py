# A confusion matrix is filled in place, from class numbers.
import torch


class ConfusionMatrix:
    def __init__(self, num_classes):
        self.num_classes = num_classes
        self.mat = torch.zeros(num_classes, num_classes, dtype=torch.int64)

    def update(self, target, pred):
        with torch.inference_mode():
            k = (target >= 0) & (target < self.num_classes)
            index = self.num_classes * target[k] + pred[k]
            self.mat += torch.bincount(index, minlength=self.num_classes**2).reshape(self.mat.shape)


def train(model, loader, criterion, optimizer):
    confmat = ConfusionMatrix(21)
    for image, target in loader:
        output = model(image)["out"]
        loss = criterion(output, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        confmat.update(target.flatten(), output.argmax(1).flatten())
    return confmat.mat
