from dataclasses import dataclass, field
from typing import Dict, List

import numpy as np


@dataclass
class Update:
    client: int
    weights: List[np.ndarray]
    examples: int
    loss: float


@dataclass
class History:
    losses: List[float] = field(default_factory=list)
    rounds: Dict[int, list] = field(default_factory=dict)

    def add(self, number, updates):
        self.rounds[number] = [(u.client, u.loss) for u in updates]
        self.losses.append(sum(u.loss for u in updates) / len(updates))


class Server:
    def __init__(self, weights):
        self.weights, self.history = weights, History()

    def aggregate(self, number, updates):
        total = sum(u.examples for u in updates)
        self.weights = [sum(u.weights[i] * np.float32(u.examples / total) for u in updates) for i in range(len(self.weights))]
        self.history.add(number, updates)
