# A context object of a command line, not of an autograd function.
import click
import torch


class Context:
    pass


@click.command()
@click.pass_context
def cli(ctx):
    ctx.obj = Context()
    ctx.batch = torch.zeros(4)
    ctx.model = torch.nn.Linear(4, 4)
    print(ctx.model(ctx.batch).sum().item())


if __name__ == "__main__":
    cli()
