"""Handwritten digits: a two-layer perceptron in plain NumPy, trained with derivatives from s2sad.

Run it:        python examples/digits.py
Derivative:    examples/digits_grad.py
"""

from __future__ import annotations

import pathlib
import time

import numpy as np
import numpy.typing as npt

from s2sad import value_and_grad

Array = npt.NDArray[np.float64]
PICTURES = pathlib.Path(__file__).parent / "pictures"
HIDDEN = 64


def log_softmax(z: Array) -> Array:
    z = z - np.max(z, axis=1, keepdims=True)
    return z - np.log(np.sum(np.exp(z), axis=1, keepdims=True))


def scores(W1: Array, b1: Array, W2: Array, b2: Array, images: Array) -> Array:
    hidden = np.tanh(images @ W1 + b1)
    return hidden @ W2 + b2


def loss(W1: Array, b1: Array, W2: Array, b2: Array, images: Array, labels: Array, decay: float) -> float:
    """Mean cross-entropy of one-hot labels, with weight decay."""
    logp = log_softmax(scores(W1, b1, W2, b2, images))
    cross_entropy = -np.sum(labels * logp) / len(images)
    return cross_entropy + 0.5 * decay * (np.sum(W1**2) + np.sum(W2**2))


def load() -> tuple[Array, Array, Array, Array]:
    """Training images and labels, held-out images and labels (a quarter)."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(images))
    images, labels = images[order] / 16.0, labels[order]
    cut = len(images) // 4
    return images[cut:], labels[cut:], images[:cut], labels[:cut]


def train(
    images: Array, labels: Array, epochs: int = 30, batch: int = 64, rate: float = 0.4
) -> tuple[tuple[Array, ...], list[float]]:
    """Stochastic gradient descent with momentum; the parameters and the loss of each epoch."""
    rng = np.random.default_rng(1)
    pixels, classes = images.shape[1], 10
    one_hot = np.eye(classes)[labels]
    parameters = (
        rng.normal(size=(pixels, HIDDEN)) / np.sqrt(pixels),
        np.zeros(HIDDEN),
        rng.normal(size=(HIDDEN, classes)) / np.sqrt(HIDDEN),
        np.zeros(classes),
    )
    velocity = tuple(np.zeros_like(p) for p in parameters)
    loss_and_slopes = value_and_grad(loss, wrt=("W1", "b1", "W2", "b2"))
    history = []
    for _ in range(epochs):
        total, batches = 0.0, 0
        order = rng.permutation(len(images))
        for start in range(0, len(images) - batch + 1, batch):
            rows = order[start : start + batch]
            value, slopes = loss_and_slopes(*parameters, images[rows], one_hot[rows], 1e-4)
            velocity = tuple(0.8 * v - rate * g for v, g in zip(velocity, slopes, strict=True))
            parameters = tuple(p + v for p, v in zip(parameters, velocity, strict=True))
            total, batches = total + value, batches + 1
        history.append(total / batches)
    return parameters, history


def draw(parameters: tuple[Array, ...], history: list[float], images: Array, labels: Array, file: pathlib.Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    guesses = np.argmax(scores(*parameters, images), axis=1)
    figure = plt.figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.4])
    axes = left.subplots()
    axes.semilogy(history)
    axes.set(xlabel="epoch", ylabel="training loss")
    wrong_first = np.argsort(guesses == labels, kind="stable")[:24]
    for cell, k in zip(right.subplots(4, 6).flat, wrong_first, strict=True):
        cell.imshow(images[k].reshape(8, 8), cmap="gray_r")
        cell.set_title(f"{guesses[k]}", color="tab:green" if guesses[k] == labels[k] else "tab:red", fontsize=9)
        cell.set_axis_off()
    right.suptitle("held-out digits, the wrong ones first")
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=120)


def main() -> float:
    images, labels, held_out, held_out_labels = load()
    began = time.perf_counter()
    parameters, history = train(images, labels)
    seconds = time.perf_counter() - began
    guesses = np.argmax(scores(*parameters, held_out), axis=1)
    accuracy = float(np.mean(guesses == held_out_labels))
    print(f"trained on {len(images)} digits in {seconds:.1f} s: loss {history[0]:.3f} -> {history[-1]:.4f}")
    print(f"held out: {accuracy:.1%} of {len(held_out)} right")
    draw(parameters, history, held_out, held_out_labels, PICTURES / "digits.png")
    return accuracy


if __name__ == "__main__":
    main()
