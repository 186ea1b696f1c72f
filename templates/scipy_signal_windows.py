"""SciPy's windows in their parameters: symmetric ones."""

import numpy as np
from scipy import signal

from s2sad.rules import definition


def only_symmetric(sym):
    if not sym:
        raise NoDerivative("sym=False has no rule", "take the symmetric window of one sample more without its last")


def steps_from_middle(M):
    return np.arange(M) - (M - 1.0) / 2.0


@definition(signal.windows.gaussian)
def gaussian_window(M, std, sym=True, *, xp=None, device=None):
    """With sym=True, as the following ones."""
    only_symmetric(sym)
    return np.exp(-((steps_from_middle(M) / std) ** 2) / 2.0)


@definition(signal.windows.general_gaussian)
def general_gaussian_window(M, p, sig, sym=True, *, xp=None, device=None):
    only_symmetric(sym)
    n = np.abs(steps_from_middle(M))
    return np.where(n == 0.0, 1.0, np.exp(-0.5 * np.abs(np.where(n == 0.0, 1.0, n) / sig) ** (2.0 * p)))


@definition(signal.windows.general_hamming)
def general_hamming_window(M, alpha, sym=True, *, xp=None, device=None):
    only_symmetric(sym)
    return alpha + (1.0 - alpha) * np.cos(2.0 * np.pi * steps_from_middle(M) / (M - 1.0))


@definition(signal.windows.kaiser)
def kaiser_window(M, beta, sym=True, *, xp=None, device=None):
    only_symmetric(sym)
    return np.i0(beta * np.sqrt(np.maximum(1.0 - (2.0 * steps_from_middle(M) / (M - 1.0)) ** 2, 0.0))) / np.i0(beta)


@definition(signal.windows.exponential)
def exponential(M, center=None, tau=1.0, sym=True, *, xp=None, device=None):
    only_symmetric(sym)
    return np.exp(-np.abs(np.arange(M) - (0.5 * (M - 1) if center is None else center)) / tau)


@definition(signal.windows.tukey)
def tukey(M, alpha=0.5, sym=True, *, xp=None, device=None):
    """Between 0 and 1."""
    only_symmetric(sym)
    near = np.minimum(np.arange(M), np.arange(M)[::-1])
    width = 0.5 * alpha * (M - 1)
    return np.where(near <= np.floor(width), 0.5 - 0.5 * np.cos(np.pi * near / width), 1.0)


@definition(signal.windows.general_cosine)
def general_cosine(M, a, sym=True):
    only_symmetric(sym)
    return np.cos(np.linspace(-np.pi, np.pi, M)[:, None] * np.arange(len(a))) @ a
