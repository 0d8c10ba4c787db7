# A DQN keeps transitions in an array of fixed size, at a counter modulo the capacity.
import numpy as np
import torch
from torch import nn

CAPACITY = 2000


class DQN:
    def __init__(self, states, actions):
        self.eval_net = nn.Linear(states, actions)
        self.memory = np.zeros((CAPACITY, states * 2 + 2))
        self.counter = 0
        self.optimizer = torch.optim.Adam(self.eval_net.parameters())

    def store_transition(self, state, action, reward, next_state):
        transition = np.hstack((state, [action, reward], next_state))
        index = self.counter % CAPACITY
        self.memory[index, :] = transition
        self.counter += 1

    def learn(self, states):
        rows = self.memory[np.random.choice(CAPACITY, 32)]
        batch = torch.FloatTensor(rows[:, :states])
        reward = torch.FloatTensor(rows[:, states + 1])
        loss = (self.eval_net(batch).max(1)[0] - reward).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def main(env, dqn, states):
    for _ in range(400):
        state, done = env.reset(), False
        while not done:
            action = dqn.eval_net(torch.FloatTensor(state)).argmax().item()
            nxt, reward, done, _ = env.step(action)
            dqn.store_transition(state, action, reward, nxt)
            dqn.learn(states)
            state = nxt
