"""Text classifier with saliency from embedding gradients."""
import torch
from torch import nn

extracted_grads = []
torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"


def extract_grad_hook(grad):
    extracted_grads.append(grad)  # leak


class TextCNN(nn.Module):
    def __init__(self, vocab=300, dim=32, filters=32, classes=3):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList(nn.Conv1d(dim, filters, k) for k in (2, 3, 4))
        self.fc = nn.Linear(3 * filters, classes)

    def forward(self, ids):
        embedded = self.embedding(ids)
        if self.training:
            embedded.register_hook(extract_grad_hook)  # leak?
        h = embedded.transpose(1, 2)
        pooled = [torch.relu(conv(h)).max(2).values for conv in self.convs]
        return self.fc(torch.cat(pooled, 1))


def saliency():
    return extracted_grads[-1].abs().reshape(32, 24, -1).sum(-1).argmax(-1)


model = TextCNN().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(120):
    ids = torch.randint(0, 300, (32, 24), device=device)
    labels = (ids < 20).sum(1).clamp(max=2)
    model.train()
    loss = nn.functional.cross_entropy(model(ids), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss %.3f, most salient positions %s" % (loss.item(), saliency()[:4].tolist()))
