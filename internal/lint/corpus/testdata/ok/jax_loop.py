# JAX: values are arrays, gradients are functions.
import jax
import jax.numpy as jnp
import optax


def loss_fn(params, x, y):
    pred = jnp.tanh(x @ params["w"]) @ params["v"]
    return jnp.mean((pred - y) ** 2)


def train(params, batches, lr=1e-3):
    optimizer = optax.adam(lr)
    state = optimizer.init(params)
    step = jax.jit(jax.value_and_grad(loss_fn))
    losses, total = [], 0.0
    for x, y in batches:
        loss, grads = step(params, x, y)
        updates, state = optimizer.update(grads, state)
        params = optax.apply_updates(params, updates)
        losses.append(loss)
        total += loss
    return params, losses, total / len(losses)
