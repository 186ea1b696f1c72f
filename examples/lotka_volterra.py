"""Hares and lynxes: Lotka-Volterra fitted to the Hudson Bay pelts of 1900-1920, with derivatives from s2sad.

Run it:        python examples/lotka_volterra.py
Derivative:    examples/lotka_volterra_grad.py
"""

from __future__ import annotations

import math
import pathlib

import numpy as np
import numpy.typing as npt

from s2sad import value_and_grad

Array = npt.NDArray[np.float64]
PICTURES = pathlib.Path(__file__).parent / "pictures"

YEARS = np.arange(1900, 1921)
# thousands of pelts
HARE = np.array([30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1, 40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6,
                 14.6, 16.2, 24.7])  # fmt: skip
LYNX = np.array([4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4, 8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1,
                 8.6])  # fmt: skip


def rates(x: float, y: float, a: float, b: float, c: float, d: float) -> tuple[float, float]:
    """Growth of hares x and lynxes y."""
    return a * x - b * x * y, c * x * y - d * y


def rk4_year(x: float, y: float, a: float, b: float, c: float, d: float, steps: int) -> tuple[float, float]:
    """The populations one year later."""
    h = 1.0 / steps
    for _ in range(steps):
        k1x, k1y = rates(x, y, a, b, c, d)
        k2x, k2y = rates(x + 0.5 * h * k1x, y + 0.5 * h * k1y, a, b, c, d)
        k3x, k3y = rates(x + 0.5 * h * k2x, y + 0.5 * h * k2y, a, b, c, d)
        k4x, k4y = rates(x + h * k3x, y + h * k3y, a, b, c, d)
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x)
        y += h / 6.0 * (k1y + 2.0 * k2y + 2.0 * k3y + k4y)
    return x, y


def misfit(p: Array, hare: Array, lynx: Array, steps: int) -> float:
    """Squared error of log populations; p holds the logarithms of a, b, c, d and the initial hares and lynxes."""
    a, b, c, d = math.exp(p[0]), math.exp(p[1]), math.exp(p[2]), math.exp(p[3])
    x, y = math.exp(p[4]), math.exp(p[5])
    total = (math.log(x) - math.log(hare[0])) ** 2 + (math.log(y) - math.log(lynx[0])) ** 2
    for year in range(1, len(hare)):
        x, y = rk4_year(x, y, a, b, c, d, steps)
        total += (math.log(x) - math.log(hare[year])) ** 2
        total += (math.log(y) - math.log(lynx[year])) ** 2
    return total


def populations(p: Array, years: int, per_year: int) -> Array:
    """A fine curve for the picture: one row (hares, lynxes) every 1/per_year."""
    a, b, c, d, x, y = np.exp(p)
    curve = [(x, y)]
    for _ in range(years * per_year):
        # a step of 1/per_year in the model's time is a year of a model with rates that much smaller
        x, y = rk4_year(x, y, *(np.array([a, b, c, d]) / per_year), 2)
        curve.append((x, y))
    return np.array(curve)


def draw(p: Array, file: pathlib.Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    curve = populations(p, 20, 20)
    t = np.linspace(1900, 1920, len(curve))
    figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
    for k, (name, data, colour) in enumerate([("hare", HARE, "tab:blue"), ("lynx", LYNX, "tab:red")]):
        axes.plot(YEARS, data, "o", color=colour, label=f"{name} pelts")
        axes.plot(t, curve[:, k], color=colour, label=f"{name} model")
    axes.set(xlabel="year", ylabel="thousands", xticks=range(1900, 1921, 5))
    axes.legend()
    file.parent.mkdir(exist_ok=True)
    figure.savefig(file, dpi=120)


def main() -> float:
    from scipy.optimize import minimize

    start = np.log([0.6, 0.03, 0.03, 0.7, 30.0, 4.0])
    fit = minimize(value_and_grad(misfit), start, args=(HARE, LYNX, 20), jac=True, method="L-BFGS-B")
    a, b, c, d, x, y = np.exp(fit.x)
    print(f"misfit {misfit(start, HARE, LYNX, 20):.2f} -> {fit.fun:.4f} in {fit.nit} iterations, {fit.nfev} gradients")
    print(f"hares:  growth {a:.3f}, eaten {b:.4f} a lynx, {x:.1f} thousand in 1900")
    print(f"lynxes: growth {c:.4f} a hare, death {d:.3f}, {y:.1f} thousand in 1900")
    print(f"slope left at the minimum: {np.max(np.abs(fit.jac)):.1e}")
    draw(fit.x, PICTURES / "lotka_volterra.png")
    return float(fit.fun)


if __name__ == "__main__":
    main()
