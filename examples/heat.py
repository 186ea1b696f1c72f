"""A bar's initial temperature from its final one, through a solver that works in place, with derivatives from s2sad.

Run it:        python examples/heat.py
Derivative:    examples/heat_grad.py
"""

from __future__ import annotations

import pathlib

import numpy as np
import numpy.typing as npt

from s2sad import value_and_grad

Array = npt.NDArray[np.float64]
PICTURES = pathlib.Path(__file__).parent / "pictures"

POINTS, STEPS, R = 60, 60, 0.4


def step(u: Array, r: float) -> None:
    """One explicit step of the heat equation, in place; the ends keep their temperature."""
    u[1:-1] += r * (u[2:] - 2.0 * u[1:-1] + u[:-2])


def solve(u: Array, r: float, steps: int) -> Array:
    for _ in range(steps):
        step(u, r)
    return u


def misfit(u: Array, final: Array, r: float, steps: int, weight: float) -> float:
    """How far u evolves from the measured final state, and how rough it is. u is overwritten."""
    rough = np.sum((u[1:] - u[:-1]) ** 2)
    solve(u, r, steps)
    return np.sum((u - final) ** 2) + weight * rough


def measured() -> tuple[Array, Array]:
    """The true initial temperature and a noisy measurement of the final one."""
    x = np.linspace(0.0, 1.0, POINTS)
    initial = np.exp(-(((x - 0.3) / 0.08) ** 2)) + 0.6 * (np.abs(x - 0.7) < 0.1)
    final = solve(initial.copy(), R, STEPS)
    return initial, final + 1e-3 * np.random.default_rng(0).normal(size=POINTS)


def draw(truth: Array, final: Array, found: Array, file: pathlib.Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    x = np.linspace(0.0, 1.0, POINTS)
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    axes.plot(x, truth, "k--", label="true initial temperature")
    axes.plot(x, final, ".", color="tab:blue", label="measured in the end")
    axes.plot(x, found, color="tab:red", label="recovered")
    axes.set(xlabel="place on the bar", ylabel="temperature")
    axes.legend()
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=120)


def main() -> float:
    from scipy.optimize import minimize

    truth, final = measured()
    start = np.zeros(POINTS)
    fit = minimize(
        value_and_grad(misfit), start, args=(final, R, STEPS, 3e-5), jac=True, method="L-BFGS-B",
        options={"maxiter": 300, "maxfun": 1000, "ftol": 1e-12},
    )  # fmt: skip
    error = float(np.sqrt(np.mean((fit.x - truth) ** 2)))
    print(f"misfit {np.sum(final**2):.3f} -> {fit.fun:.2e} in {fit.nit} iterations, {fit.nfev} gradients")
    print(f"recovered initial temperature: {error:.3f} off (root mean square), {np.sqrt(np.mean(truth**2)):.3f} before")
    draw(truth, final, fit.x, PICTURES / "heat.png")
    return error


if __name__ == "__main__":
    main()
