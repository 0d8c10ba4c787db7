# The engine is what a call of another package returns: it runs, backwards and steps itself.
import deepspeed
import torch
from utils import get_training_utilities


def train(accelerator):
    model, optimizer, train_loader, scheduler = get_training_utilities(accelerator=accelerator)
    model, optimizer, _, scheduler = deepspeed.initialize(model=model, optimizer=optimizer, lr_scheduler=scheduler)
    model_outputs = []
    for batch in train_loader:
        outputs = model(**batch)
        model_outputs.append(outputs.logits.to("cpu"))  # finding: kept-output
        loss = outputs.loss
        model.backward(loss)
        model.step()
