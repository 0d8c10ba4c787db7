# The first of two backwards through one forward needs the flag.
import torch


def train(encoder, task_head, domain_head, loader, opt_task, opt_domain):
    ce = torch.nn.CrossEntropyLoss()
    for x, y, d in loader:
        z = encoder(x)
        task_loss = ce(task_head(z), y)
        domain_loss = ce(domain_head(z), d)
        opt_task.zero_grad()
        opt_domain.zero_grad()
        task_loss.backward(retain_graph=True)
        domain_loss.backward()
        opt_task.step()
        opt_domain.step()
        print(task_loss.item(), domain_loss.item())
