# Five parts of a detector's loss, each in a sum of its own over the whole epoch.
import torch


def fit_one_epoch(train_util, optimizer, gen, epoch_size, cuda=False):
    total_loss = 0
    rpn_loc_loss = 0
    rpn_cls_loss = 0
    for iteration, batch in enumerate(gen):
        if iteration >= epoch_size:
            break
        images, boxes, labels = batch
        if cuda:
            images = images.cuda()
        optimizer.zero_grad()
        rpn_loc, rpn_cls, total = train_util.forward(images, boxes, labels, 1)
        total.backward()
        optimizer.step()
        total_loss += total  # finding: summed-loss
        rpn_loc_loss += rpn_loc  # finding: summed-loss
        rpn_cls_loss += rpn_cls  # finding: summed-loss
        print(total_loss / (iteration + 1))
    torch.save(train_util.model.state_dict(), "logs/last.pth")


class FasterRCNNTrainer(torch.nn.Module):
    def __init__(self, model, rpn_loss):
        super().__init__()
        self.model = model
        self.rpn_loss = rpn_loss

    def forward(self, images, boxes, labels, scale):
        loc, cls = self.model(images, scale)
        a, b = self.rpn_loss(loc, cls, boxes, labels)
        return a, b, a + b
