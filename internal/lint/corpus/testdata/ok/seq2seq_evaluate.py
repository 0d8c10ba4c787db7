# Decoding one sentence carries the decoder's state from word to word, within one call.
import torch


def evaluate(encoder, decoder, words, start, end, max_length=20):
    encoder.eval()
    decoder.eval()
    outputs, hidden = encoder(words)
    decoder_input = torch.tensor([start])
    decoded, attentions = [], torch.zeros(max_length, max_length)
    for di in range(max_length):
        output, hidden, attention = decoder(decoder_input, hidden, outputs)
        attentions[di, : attention.size(-1)] += attention.squeeze(0).detach()
        top = output.argmax(-1).item()
        if top == end:
            break
        decoded.append(top)
        decoder_input = torch.tensor([top])
    return decoded, attentions


def show(encoder, decoder, sentences, start, end):
    for words in sentences:
        decoded, _ = evaluate(encoder, decoder, words, start, end)
        print(" ".join(str(w) for w in decoded))
