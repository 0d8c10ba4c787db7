# Names as in a training, and nothing to do with one: a list of outputs of a shell.
import subprocess

history = []


def loss(lines):
    return sum(1 for line in lines if "lost" in line)


class Model:
    def __init__(self):
        self.outputs = []

    def forward(self, command):
        output = subprocess.run(command, capture_output=True, text=True).stdout
        self.outputs.append(output)
        return output

    def train(self, commands):
        total_loss = 0
        for command in commands:
            output = self.forward(command)
            total_loss += loss(output.splitlines())
            history.append(total_loss)
        return total_loss
