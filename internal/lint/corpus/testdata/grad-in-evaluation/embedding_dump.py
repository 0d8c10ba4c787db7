# Embeddings of a whole data set are gathered after the training; every one keeps its forward.
import torch
import timm


def embed(loader, checkpoint):
    model = timm.create_model("resnet50", num_classes=0)
    model.load_state_dict(torch.load(checkpoint, map_location="cpu"))
    model.eval()
    vectors, names = [], []
    for images, paths in loader:
        features = model(images)  # finding: grad-in-evaluation
        vectors.append(features)  # also: grad-in-evaluation|kept-output
        names.extend(paths)
    return torch.cat(vectors), names
