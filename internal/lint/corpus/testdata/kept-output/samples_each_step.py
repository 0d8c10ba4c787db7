# A generator's samples are put aside in every step to make a film of them.
import torch


def train_generator(generator, critic, opt_g, steps, batch=64, dim=128):
    frames = []
    for step in range(steps):
        noise = torch.randn(batch, dim)
        images = generator(noise)
        loss = -critic(images).mean()
        opt_g.zero_grad()
        loss.backward()
        opt_g.step()
        frames.append(images)  # finding: kept-output
        if step % 500 == 0:
            torch.save(generator.state_dict(), f"gen_{step}.pt")
    return frames
