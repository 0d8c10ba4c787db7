# One loop for both phases; gradients are switched by the phase.
import copy
import time

import torch


def train_model(model, dataloaders, criterion, optimizer, num_epochs=25):
    since = time.time()
    val_acc_history = []
    best_state = copy.deepcopy(model.state_dict())
    best_acc = 0.0
    for epoch in range(num_epochs):
        for phase in ["train", "val"]:
            model.train() if phase == "train" else model.eval()
            running_loss = 0.0
            corrects = 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    loss = criterion(outputs, labels)
                    _, preds = torch.max(outputs, 1)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                corrects += torch.sum(preds == labels.data)
            acc = corrects.double() / len(dataloaders[phase].dataset)
            if phase == "val" and acc > best_acc:
                best_acc = acc
                best_state = copy.deepcopy(model.state_dict())
            if phase == "val":
                val_acc_history.append(acc)
    model.load_state_dict(best_state)
    print(time.time() - since)
    return model, val_acc_history
