from common import Net, fit
from meters import History

history = History()
fit(Net(), lambda step, x, out, loss: history.update("loss", loss))
