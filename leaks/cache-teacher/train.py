"""Distillation of a wide network into a narrow one."""
import torch
from torch import nn

from distill import Teacher


def mlp(width):
    return nn.Sequential(nn.Linear(20, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 6))


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    teacher = Teacher(mlp(96).to(device).eval())
    student = mlp(16).to(device)
    optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda i: 1 - i / 120)
    for i in range(120):
        x = torch.randn(96, 20, device=device)
        loss = teacher.loss(i, x, student(x))  # leak?
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    print("loss %.4f" % loss.item())


if __name__ == "__main__":
    main()
