# The evaluation that the training loop in the other file calls; nobody turns gradients off.


def evaluate(model, loader, criterion, record):
    model.eval()
    for x, y in loader:
        prediction = model(x)  # finding: grad-in-evaluation
        record.append(criterion(prediction, y))
    model.train()
