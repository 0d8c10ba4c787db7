# A few outputs for a picture: the loop ends after eight of them.
import torch
from torchvision.utils import make_grid, save_image


def picture(model, loader, path):
    rows = []
    model.eval()
    with torch.no_grad():
        for x, _ in loader:
            rows.append(torch.cat([x[:1], model(x)[:1]]))
            if len(rows) == 8:
                break
    save_image(make_grid(torch.cat(rows), nrow=2), path)
