# States of an imagined roll-out inside one update: made, used and dropped.
import torch


def imagine(world, actor, state, horizon):
    states, log_probs = [], []
    for _ in range(horizon):
        dist = actor(state.detach())
        action = dist.rsample()
        state = world.step(state, action)
        states.append(state)
        log_probs.append(dist.log_prob(action))
    return torch.stack(states), torch.stack(log_probs)


def update(world, actor, critic, start, optimizer, horizon=15):
    states, log_probs = imagine(world, actor, start, horizon)
    value = critic(states)
    loss = -value.mean() + 1e-3 * log_probs.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return {"loss": loss.item(), "value": value.mean().item()}
