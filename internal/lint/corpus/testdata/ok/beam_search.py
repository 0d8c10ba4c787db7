# Beams are lists of tensors that each search makes anew.
import torch


class Beam:
    def __init__(self, size):
        self.scores = torch.zeros(size)
        self.tokens = [torch.zeros(size, dtype=torch.long)]
        self.parents = []

    def advance(self, logp):
        flat = (logp + self.scores[:, None]).view(-1)
        best, index = flat.topk(len(self.scores))
        self.scores = best
        self.parents.append(index // logp.size(1))
        self.tokens.append(index % logp.size(1))


@torch.no_grad()
def translate(model, sources, width=4, length=40):
    for source in sources:
        beam = Beam(width)
        memory = model.encode(source)
        for _ in range(length):
            beam.advance(model.decode(beam.tokens[-1], memory))
        yield torch.stack(beam.tokens)
