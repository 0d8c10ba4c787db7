"""Records what small trainings on a CPU do to the heap: python3 record.py VARIANT OUT.csv [STEPS]

One row per optimizer step: step, live bytes of the C heap, bytes it holds, Python's allocated blocks, flags
(4: the collector's oldest generation ran). The figures go into arrays made beforehand, so that recording itself
moves nothing. NAME_torch1.csv came from PyTorch 1.13 and NAME_torch2.csv from 2.15, 300 steps each, one thread,
glibc. What each variant is and the right answer for it stand in cpu_test.go.
"""
import array
import copy
import ctypes
import gc
import io
import random
import sys
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

STEPS = int(sys.argv[3]) if len(sys.argv) > 3 else 300


class MallInfo(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = MallInfo
used, held, blocks, flags = (array.array("q", [0]) * STEPS for _ in range(4))
n = 0
flag = 0


class Done(Exception):
    """The last step was recorded."""


def collected(phase, info):
    global flag
    if phase == "stop" and info["generation"] == 2:
        flag |= 4


def tick():
    global n, flag
    m = mallinfo2()
    used[n] = m.uordblks + m.hblkhd
    held[n] = m.arena + m.hblkhd
    blocks[n] = sys.getallocatedblocks()
    flags[n] = flag
    flag = 0
    n += 1
    if n >= STEPS:
        raise Done


def hook(opt):
    """Records after every step of opt."""
    step = opt.step

    def recorded(*args, **kwargs):
        result = step(*args, **kwargs)
        tick()
        return result

    opt.step = recorded
    return opt


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4)
        )
        self.h = nn.Linear(256, 10)

    def forward(self, x):
        return self.h(self.f(x).flatten(1))


def mlp():
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))


def train_cnn(variant):
    m = CNN()
    o = hook(torch.optim.SGD(m.parameters(), 0.01, momentum=0.9))
    keep = []
    tot = 0
    while True:
        s = 32 if variant != 'cnn_varlen' else random.randrange(16, 48)
        x = torch.randn(8, 3, s, s)
        y = torch.randint(0, 10, (8,))
        out = m(x)
        l = F.cross_entropy(out, y)
        o.zero_grad()
        l.backward()
        if variant == 'cnn_append':
            keep.append(l)
        if variant == 'cnn_total':
            tot = tot + l
        if variant == 'cnn_feat':
            keep.append(out)
        if variant.startswith('cnn_eval') and n % 10 == 9:
            m.eval()
            vs = []
            with torch.set_grad_enabled(variant != 'cnn_eval'):
                for _ in range(3):
                    (keep if variant == 'cnn_evalgrad' else vs).append(F.cross_entropy(m(x), y))
            m.train()
        o.step()


def train_mlp(variant):
    m = mlp()
    o = hook(torch.optim.AdamW(m.parameters()))
    hist = []
    while True:
        x = torch.randn(32, 64)
        y = torch.randint(0, 10, (32,))
        l = F.cross_entropy(m(x), y)
        o.zero_grad()
        l.backward()
        if variant == 'mlp_hist':
            hist.append(l.item())
        if variant == 'mlp_dict':
            hist.append({'loss': l.item(), 'step': n})
        if variant == 'mlp_detach':
            hist.append(l.detach())
        if variant == 'mlp_tolist':
            hist.append(x[0].tolist())
        if variant == 'mlp_print':
            print(f'step {n} loss {l.item():.4f}', file=sys.stderr)
        o.step()


def train_rnn(variant):
    e = nn.Embedding(100, 32)
    r = nn.LSTM(32, 64, batch_first=True)
    h = nn.Linear(64, 100)
    o = hook(torch.optim.Adam([*e.parameters(), *r.parameters(), *h.parameters()]))
    while True:
        T = random.randrange(8, 40) if variant == 'rnn_varlen' else 24
        x = torch.randint(0, 100, (8, T))
        y, _ = r(e(x))
        l = F.cross_entropy(h(y).flatten(0, 1), x.flatten())
        o.zero_grad()
        l.backward()
        o.step()


def train_tf(variant):
    l1 = nn.TransformerEncoderLayer(32, 2, 64, batch_first=True)
    e = nn.Embedding(100, 32)
    h = nn.Linear(32, 100)
    o = hook(torch.optim.AdamW([*e.parameters(), *l1.parameters(), *h.parameters()]))
    while True:
        T = random.randrange(8, 40) if variant == 'tf_varlen' else 24
        x = torch.randint(0, 100, (8, T))
        l = F.cross_entropy(h(l1(e(x))).flatten(0, 1), x.flatten())
        o.zero_grad()
        l.backward()
        nn.utils.clip_grad_norm_(l1.parameters(), 1.0)
        o.step()


def train_loader(variant):
    ds = TensorDataset(torch.randn(320, 64), torch.randint(0, 10, (320,)))
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    best = None
    recs = []
    while True:
        for x, y in DataLoader(ds, batch_size=16, shuffle=True):
            l = F.cross_entropy(m(x), y)
            o.zero_grad()
            l.backward()
            o.step()
        if variant == 'loader_ckpt':
            best = copy.deepcopy(m.state_dict())
        if variant == 'loader_ckptkeep':
            recs.append(copy.deepcopy(m.state_dict()))


def train_gan(variant):
    g = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64))
    d = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(), nn.Linear(64, 1))
    og = hook(torch.optim.Adam(g.parameters()))
    od = torch.optim.Adam(d.parameters())
    while True:
        z = torch.randn(32, 16)
        fk = g(z)
        re = torch.randn(32, 64)
        od.zero_grad()
        (F.softplus(d(fk.detach())).mean() + F.softplus(-d(re)).mean()).backward()
        od.step()
        og.zero_grad()
        F.softplus(-d(fk)).mean().backward()
        og.step()


def train_accum(variant):
    m = CNN()
    o = hook(torch.optim.Adam(m.parameters()))
    while True:
        o.zero_grad()
        for _ in range(4):
            F.cross_entropy(m(torch.randn(4, 3, 32, 32)), torch.randint(0, 10, (4,))).div(4).backward()
        o.step()


def train_gp(variant):
    d = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
    o = hook(torch.optim.Adam(d.parameters()))
    while True:
        x = torch.randn(32, 64, requires_grad=True)
        y = d(x).sum()
        g, = torch.autograd.grad(y, x, create_graph=True)
        l = y.mean() + ((g.norm(dim=1) - 1) ** 2).mean()
        o.zero_grad()
        l.backward()
        o.step()


def train_cycle(variant):

    class Fn(torch.autograd.Function):

        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.y = y
            return y

        @staticmethod
        def backward(ctx, g):
            return g * 2
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    while True:
        x = torch.randn(256, 64)
        l = F.cross_entropy(Fn.apply(m(x)), torch.randint(0, 10, (256,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_replay(variant):
    buf = deque(maxlen=60)
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    while True:
        buf.append(torch.randn(8, 64))
        x = torch.cat([random.choice(buf) for _ in range(4)])
        l = F.cross_entropy(m(x), torch.randint(0, 10, (32,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_sched(variant):
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    s = torch.optim.lr_scheduler.CosineAnnealingLR(torch.optim.SGD(m.parameters(), 0.1), 50)
    while True:
        l = F.cross_entropy(m(torch.randn(32, 64)), torch.randint(0, 10, (32,)))
        o.zero_grad()
        l.backward()
        o.step()
        o.param_groups[0]['lr'] = 0.1 * 0.99 ** n


def train_save(variant):
    m = CNN()
    o = hook(torch.optim.Adam(m.parameters()))
    while True:
        l = F.cross_entropy(m(torch.randn(8, 3, 32, 32)), torch.randint(0, 10, (8,)))
        o.zero_grad()
        l.backward()
        if n % 25 == 24:
            b = io.BytesIO()
            torch.save({'m': m.state_dict(), 'o': o.state_dict()}, b)
        o.step()


def train_workers(variant):
    ds = TensorDataset(torch.randn(640, 64), torch.randint(0, 10, (640,)))
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    while True:
        for x, y in DataLoader(ds, batch_size=16, shuffle=True, num_workers=1):
            l = F.cross_entropy(m(x), y)
            o.zero_grad()
            l.backward()
            o.step()


def train_ema(variant):
    m = CNN()
    e = [p.detach().clone() for p in m.parameters()]
    o = hook(torch.optim.Adam(m.parameters()))
    avg = 0.0
    while True:
        l = F.cross_entropy(m(torch.randn(8, 3, 32, 32)), torch.randint(0, 10, (8,)))
        o.zero_grad()
        l.backward()
        for a, p in zip(e, m.parameters()):
            a.mul_(0.99).add_(p.detach(), alpha=0.01)
        avg = 0.9 * avg + 0.1 * l.item()
        o.step()


def train_preds(variant):
    m = CNN()
    o = hook(torch.optim.Adam(m.parameters()))
    preds = []
    while True:
        out = m(torch.randn(8, 3, 32, 32))
        y = torch.randint(0, 10, (8,))
        l = F.cross_entropy(out, y)
        o.zero_grad()
        l.backward()
        preds.append(out.detach())
        if n % 40 == 39:
            acc = torch.cat(preds).mean().item()
            preds.clear()
        o.step()


def train_ckpt(variant):
    a = nn.Sequential(nn.Linear(64, 128), nn.ReLU())
    h = nn.Linear(128, 10)
    o = hook(torch.optim.Adam([*a.parameters(), *h.parameters()]))
    while True:
        x = torch.randn(32, 64, requires_grad=True)
        l = F.cross_entropy(h(checkpoint(a, x)), torch.randint(0, 10, (32,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_rollout(variant):
    p = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 4))
    o = hook(torch.optim.Adam(p.parameters()))
    returns = []
    while True:
        logs, rew = ([], [])
        for _ in range(random.randrange(5, 60)):
            d = torch.distributions.Categorical(logits=p(torch.randn(8)))
            a = d.sample()
            logs.append(d.log_prob(a))
            rew.append(random.random())
        l = -(torch.stack(logs) * torch.tensor(rew)).sum()
        returns.append(sum(rew))
        o.zero_grad()
        l.backward()
        o.step()


def train_amp(variant):
    m = CNN()
    o = hook(torch.optim.SGD(m.parameters(), 0.01))
    while True:
        with torch.autocast('cpu', dtype=torch.bfloat16):
            l = F.cross_entropy(m(torch.randn(8, 3, 32, 32)), torch.randint(0, 10, (8,)))
        o.zero_grad()
        l.float().backward()
        o.step()


def train_bn(variant):
    m = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Dropout(0.1), nn.Conv2d(32, 32, 3, stride=2), nn.BatchNorm2d(32), nn.ReLU(), nn.Flatten(), nn.Linear(7200, 10))
    o = hook(torch.optim.AdamW(m.parameters()))
    while True:
        l = F.cross_entropy(m(torch.randn(4, 3, 32, 32)), torch.randint(0, 10, (4,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_retain(variant):
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    while True:
        y = m(torch.randn(32, 64))
        a = y.pow(2).mean()
        b = y.abs().mean()
        o.zero_grad()
        a.backward(retain_graph=True)
        b.backward()
        o.step()


def train_hookout(variant):
    m = CNN()
    o = hook(torch.optim.SGD(m.parameters(), 0.01))
    store = {}
    m.f[2].register_forward_hook(lambda mod, i, out: store.__setitem__('f', out))
    while True:
        l = F.cross_entropy(m(torch.randn(8, 3, 32, 32)), torch.randint(0, 10, (8,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_hookgrow(variant):
    m = CNN()
    o = hook(torch.optim.SGD(m.parameters(), 0.01))
    store = {}
    while True:
        m.f[2].register_forward_hook(lambda mod, i, out: store.__setitem__('f', out))
        l = F.cross_entropy(m(torch.randn(8, 3, 32, 32)), torch.randint(0, 10, (8,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_bptt(variant):
    r = nn.GRUCell(16, 32)
    h = nn.Linear(32, 1)
    o = hook(torch.optim.SGD([*r.parameters(), *h.parameters()], 0.01))
    s = torch.zeros(4, 32)
    w = torch.zeros(1)
    while True:
        s = r(torch.randn(4, 16), s.detach())
        w = w + h(s).mean()
        l = h(s).pow(2).mean()
        o.zero_grad()
        l.backward()
        o.step()


def train_text(variant):
    vocab = {}
    e = nn.EmbeddingBag(2000, 32)
    h = nn.Linear(32, 4)
    o = hook(torch.optim.Adagrad([*e.parameters(), *h.parameters()]))
    src = open(random.__file__).read().split()
    while True:
        words = [random.choice(src) for _ in range(200)]
        ids = torch.tensor([vocab.setdefault(w, len(vocab)) % 2000 for w in words]).view(8, 25)
        l = F.cross_entropy(h(e(ids)), torch.randint(0, 4, (8,)))
        o.zero_grad()
        l.backward()
        o.step()


def train_objcycle(variant):

    class Node:
        pass
    m = mlp()
    o = hook(torch.optim.SGD(m.parameters(), 0.1))
    while True:
        for _ in range(20):
            a = Node()
            a.me = a
        l = F.cross_entropy(m(torch.randn(32, 64)), torch.randint(0, 10, (32,)))
        o.zero_grad()
        l.backward()
        o.step()


def main():
    variant, path = sys.argv[1], sys.argv[2]
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    gc.callbacks.append(collected)
    train = globals().get("train_" + variant) or globals()["train_" + variant.split("_")[0]]
    try:
        train(variant)
    except Done:
        pass
    with open(path, "w") as w:
        w.write("step,used,held,python_blocks,flags\n")
        for i in range(STEPS):
            w.write(f"{i + 1},{used[i]},{held[i]},{blocks[i]},{flags[i]}\n")


if __name__ == "__main__":
    main()
