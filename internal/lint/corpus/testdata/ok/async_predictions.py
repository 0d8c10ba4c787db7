# Predictions for requests are lists of numbers.
import asyncio
import torch


class Server:
    def __init__(self, model):
        self.model = model.eval()
        self.requests = {}

    async def predict(self, request_id, x):
        with torch.no_grad():
            out = self.model(x)
        return out.tolist()


async def main(server, stream):
    async for rid, x in stream:
        await server.predict(rid, x)
