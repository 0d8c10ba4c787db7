# Process groups of a parallel layout are made once, in loops over the ranks.
import torch.distributed as dist


class Topology:
    def __init__(self, tensor_parallel):
        dist.init_process_group("nccl")
        world, rank = dist.get_world_size(), dist.get_rank()
        for i in range(world // tensor_parallel):
            ranks = range(i * tensor_parallel, (i + 1) * tensor_parallel)
            group = dist.new_group(ranks)
            if rank in ranks:
                self.tensor_group = group
        for i in range(tensor_parallel):
            ranks = range(i, world, tensor_parallel)
            group = dist.new_group(ranks)
            if rank in ranks:
                self.data_group = group


def train(model, loader, step, topology):
    for batch in loader:
        loss = step(model, batch)
        dist.all_reduce(loss, group=topology.data_group)
