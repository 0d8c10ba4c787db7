# Figures are closed after they were saved or logged.
import matplotlib.pyplot as plt


def curve(values, path):
    fig, ax = plt.subplots()
    ax.plot(values)
    fig.savefig(path)
    plt.close(fig)


def confusion(matrix, writer, epoch):
    plt.figure()
    plt.imshow(matrix)
    writer.add_figure("confusion", plt.gcf(), epoch)
    plt.close("all")


def train(run_epoch, writer, epochs):
    values = []
    for epoch in range(epochs):
        loss, matrix = run_epoch()
        values.append(float(loss))
        curve(values, f"curve_{epoch}.png")
        confusion(matrix, writer, epoch)
