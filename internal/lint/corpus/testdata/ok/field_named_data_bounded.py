# The same memory takes what .data gives of a tensor, and not more than ten.
import torch


class Memory:
    def __init__(self):
        self.data = []

    def push(self, value):
        self.data.append(value.data)
        if len(self.data) > 10:
            self.data.pop(0)


def train(critic, loader, optimizer):
    memory = Memory()
    for state in loader:
        value = critic(state)
        loss = value.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        memory.push(value)
    print(len(memory.data))
