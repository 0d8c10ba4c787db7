import numpy as np
from common import Net, fit

# One row of a large array keeps the whole array.
rows = []
fit(Net(), lambda step, x, out, loss: rows.append(np.zeros((64, 1024))[0, :8]))  # leak
