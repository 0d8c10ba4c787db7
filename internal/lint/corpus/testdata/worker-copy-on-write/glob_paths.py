# Millions of file names in a Python list.
import glob
import os

from PIL import Image
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, root, transform):
        self.files = sorted(glob.glob(os.path.join(root, "**", "*.jpg"), recursive=True))  # finding: worker-copy-on-write
        self.transform = transform

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return self.transform(Image.open(self.files[i]).convert("RGB"))


def make(root, transform):
    return DataLoader(Images(root, transform), batch_size=256, num_workers=16, pin_memory=True)
