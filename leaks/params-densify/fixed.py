import torch

from fixed_splats import Splats


def target(t):
    return torch.sign(torch.sin(12 * t)) * (1 - t)


def main(iterations=200, densify_every=5):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    splats = Splats(100, device)
    for iteration in range(1, iterations + 1):
        t = torch.rand(64, device=device)
        loss = (splats.render(t) - target(t)).pow(2).mean()
        loss.backward()
        splats.optimizer.step()
        splats.optimizer.zero_grad(set_to_none=True)
        if iteration % densify_every == 0:
            splats.densify()
    print("loss %.3f" % loss.item())


if __name__ == "__main__":
    main()
