"""Language model training with samples drawn in the background."""
import queue
import threading

import torch
from torch import nn

VOCAB = 64


class CharModel(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, ids, state=None):
        out, state = self.rnn(self.embed(ids), state)
        return self.head(out), state


class Sampler(threading.Thread):
    def __init__(self, model):
        super().__init__(daemon=True)
        self.model = model
        self.requests = queue.Queue()
        self.answers = queue.Queue()
        self.finished = []

    def run(self):
        while True:
            prompt = self.requests.get()
            if prompt is None:
                return
            logits, state = self.model(prompt)  # leak?
            self.finished.append((prompt, logits[:, -1]))  # leak
            self.answers.put(logits[:, -1].argmax(-1))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = CharModel().to(device)
    sampler = Sampler(model)
    sampler.start()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    agreement = 0
    for step in range(120):
        start = torch.randint(0, VOCAB, (8, 1))
        ids = ((start + 3 * torch.arange(25)) % VOCAB).to(device)
        logits, _ = model(ids[:, :-1])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            sampler.requests.put(ids[:2, :-1])
            agreement += (sampler.answers.get() == ids[:2, -1]).sum().item()
    sampler.requests.put(None)
    sampler.join()
    print("agreement", agreement / 240)


if __name__ == "__main__":
    main()
