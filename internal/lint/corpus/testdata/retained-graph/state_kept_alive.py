# The context vector of the previous batch keeps the retained graph of that batch.
import torch


class Reader:
    def __init__(self, encoder, decoder):
        self.encoder, self.decoder = encoder, decoder
        params = [*encoder.parameters(), *decoder.parameters()]
        self.opt = torch.optim.Adam(params)
        self.context = torch.zeros(1, 128)

    def train_batch(self, tokens, target):
        self.context = self.encoder(tokens, self.context)  # also: carried-state
        loss = torch.nn.functional.cross_entropy(self.decoder(self.context), target)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # finding: retained-graph|carried-state
        self.opt.step()
        return loss.item()
