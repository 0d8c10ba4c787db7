# A loop with Accelerate; what goes to the list for the report is the loss itself.
import torch
from accelerate import Accelerator


def main(model, train_loader, num_epochs=3):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
    model, optimizer, train_loader = accelerator.prepare(model, optimizer, train_loader)
    report = []
    for epoch in range(num_epochs):
        model.train()
        for batch in train_loader:
            with accelerator.accumulate(model):
                outputs = model(**batch)
                loss = outputs.loss
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            report.append((epoch, loss))  # finding: kept-loss
    if accelerator.is_main_process:
        print(report[-1])
