"""Gaussian-process regression by marginal likelihood, with derivatives from s2sad.

Run it:        python examples/gaussian_process.py
Derivative:    examples/gaussian_process_grad.py
"""

from __future__ import annotations

import pathlib

import numpy as np
import numpy.typing as npt

from s2sad import value_and_grad

Array = npt.NDArray[np.float64]
PICTURES = pathlib.Path(__file__).parent / "pictures"


def kernel(a: Array, b: Array, amplitude: float, length: float) -> Array:
    """Squared-exponential covariance between the points a and the points b."""
    d = (a[:, None] - b[None, :]) / length
    return amplitude**2 * np.exp(-0.5 * d**2)


def negative_log_likelihood(theta: Array, x: Array, y: Array) -> float:
    """-log p(y | x); theta holds the logarithms of amplitude, length and noise."""
    amplitude, length, noise = np.exp(theta)
    K = kernel(x, x, amplitude, length) + noise**2 * np.eye(len(x))
    alpha = np.linalg.solve(K, y)
    _, logdet = np.linalg.slogdet(K)
    return 0.5 * (y @ alpha) + 0.5 * logdet + 0.5 * len(x) * np.log(2.0 * np.pi)


def data(n: int = 60) -> tuple[Array, Array]:
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(0.0, 10.0, n))
    return x, 1.5 * np.sin(1.3 * x) + 0.5 * np.cos(2.9 * x) + 0.3 * rng.normal(size=n)


def predict(theta: Array, x: Array, y: Array, new: Array) -> tuple[Array, Array]:
    """Mean and standard deviation at new points."""
    amplitude, length, noise = np.exp(theta)
    K = kernel(x, x, amplitude, length) + noise**2 * np.eye(len(x))
    k = kernel(new, x, amplitude, length)
    mean = k @ np.linalg.solve(K, y)
    variance = amplitude**2 - np.sum(k * np.linalg.solve(K, k.T).T, axis=1)
    return mean, np.sqrt(np.maximum(variance, 0.0))


def draw(theta: Array, x: Array, y: Array, file: pathlib.Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    new = np.linspace(-1.0, 11.0, 300)
    mean, deviation = predict(theta, x, y, new)
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    axes.fill_between(new, mean - 2 * deviation, mean + 2 * deviation, alpha=0.2, label="two standard deviations")
    axes.plot(new, mean, label="mean")
    axes.plot(x, y, "k.", label="data")
    axes.legend(ncols=3)
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=120)


def main() -> float:
    from scipy.optimize import minimize

    x, y = data()
    start = np.log([1.0, 2.0, 1.0])
    fit = minimize(value_and_grad(negative_log_likelihood), start, args=(x, y), jac=True, method="BFGS")
    amplitude, length, noise = np.exp(fit.x)
    before = negative_log_likelihood(start, x, y)
    print(f"-log p {before:.2f} -> {fit.fun:.4f} in {fit.nit} iterations, {fit.nfev} gradients")
    print(f"amplitude {amplitude:.3f}, length {length:.3f}, noise {noise:.3f} (the data were made with noise 0.3)")
    draw(fit.x, x, y, PICTURES / "gaussian_process.png")
    return float(fit.fun)


if __name__ == "__main__":
    main()
