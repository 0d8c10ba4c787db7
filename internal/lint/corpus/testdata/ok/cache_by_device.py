# Filter banks and windows by setting and device: as many as there are devices.
import torch

mel_basis = {}
hann_window = {}


def mel_spectrogram(y, n_fft, fmax):
    key = str(fmax) + "_" + str(y.device)
    if key not in mel_basis:
        mel_basis[key] = torch.rand(80, n_fft // 2 + 1, device=y.device)
        hann_window[str(y.device)] = torch.hann_window(n_fft).to(y.device)
    spec = torch.stft(y, n_fft, window=hann_window[str(y.device)], return_complex=True).abs()
    return mel_basis[key] @ spec


def train(generator, loader, optimizer):
    for x, y in loader:
        mel = mel_spectrogram(generator(x), 1024, 8000)
        loss = (mel - mel_spectrogram(y, 1024, 8000)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
