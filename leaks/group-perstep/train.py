"""Data-parallel skeleton, one rank here, gradients reduced by hand."""
import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn

from reduce import mean_over_ranks


def main(rank=0, world=1, steps=120):
    with tempfile.TemporaryDirectory() as folder:
        dist.init_process_group("gloo", init_method="file://" + os.path.join(folder, "rendezvous"), rank=rank, world_size=world)
        torch.manual_seed(0)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        model = nn.Sequential(nn.Linear(16, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1)).to(device)
        optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
        for step in range(steps):
            x = torch.randn(64, 16, device=device)
            loss = (model(x) - x.sin().sum(1, keepdim=True)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            if world > 1:
                for p in model.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= world
            optimizer.step()
            if step % 2:
                mean = mean_over_ranks(loss)  # leak?
        print("loss %.3f" % mean)
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
