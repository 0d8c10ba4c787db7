# The server of a federated training keeps the client models of all rounds.
import copy

import torch


class Server:
    def __init__(self, model, clients):
        self.model = model
        self.clients = clients
        self.received = []

    def round(self, fraction=0.1):
        updates = []
        for client in self.clients:
            local = copy.deepcopy(self.model)
            client.train(local)
            updates.append(local.state_dict())
        self.received.append(updates)  # finding: kept-state-dict
        mean = {
            k: torch.stack([u[k].float() for u in updates]).mean(0)
            for k in self.model.state_dict()
        }
        self.model.load_state_dict(mean)

    def run(self, rounds):
        for _ in range(rounds):
            self.round()
