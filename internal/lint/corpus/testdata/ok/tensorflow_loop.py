# TensorFlow: the same names, no autograd graph behind a value.
import tensorflow as tf


@tf.function
def train_step(model, optimizer, loss_fn, x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(model, dataset, epochs):
    optimizer = tf.keras.optimizers.Adam()
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    losses = []
    for epoch in range(epochs):
        total = 0.0
        for x, y in dataset:
            loss = train_step(model, optimizer, loss_fn, x, y)
            total += loss
            losses.append(loss)
        print(epoch, float(total))
    return losses
