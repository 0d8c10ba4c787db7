"""A toy generation engine with continuous batching."""
import torch


class SequenceGroup:
    def __init__(self, request_id, prompt):
        self.request_id = request_id
        self.tokens = list(prompt)
        self.scores = []
        self.finished = False


class Engine:
    def __init__(self, model, max_length, device):
        self.model, self.max_length, self.device = model, max_length, device
        self.seq_groups = {}
        self.running = []
        self.completed = 0

    def add_request(self, request_id, prompt):
        group = SequenceGroup(request_id, prompt)
        self.seq_groups[request_id] = group
        self.running.append(group)

    @torch.inference_mode()
    def step(self):
        width = max(len(g.tokens) for g in self.running)
        ids = torch.tensor([[0] * (width - len(g.tokens)) + g.tokens for g in self.running], device=self.device)
        logits = self.model(ids)
        for group, row in zip(self.running, logits):
            group.tokens.append(int(row.argmax()))
            group.scores.append(row.log_softmax(-1))
            if len(group.tokens) >= self.max_length:
                group.finished = True
                del self.seq_groups[group.request_id]
                self.completed += 1
        self.running = [g for g in self.running if not g.finished]
