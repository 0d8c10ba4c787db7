# Cross-validation: models, predictions and scores of scikit-learn in lists.
import numpy as np
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold


def evaluate(x, y, folds=5):
    models, predictions, losses = [], [], []
    for train, test in StratifiedKFold(folds).split(x, y):
        model = SGDClassifier(loss="log_loss")
        for _ in range(20):
            model.partial_fit(x[train], y[train], classes=np.unique(y))
        output = model.predict_proba(x[test])
        loss = log_loss(y[test], output)
        models.append(model)
        predictions.append(output)
        losses.append(loss)
    return models, np.concatenate(predictions), np.mean(losses)
