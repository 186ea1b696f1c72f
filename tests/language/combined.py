"""Programs that combine three or more constructs, a few lines to a page, as users write them."""

import functools
import itertools
import math
from collections import namedtuple
from dataclasses import dataclass, field

import numpy as np

from tests.language.corpus import normal, program, uniform

Body = namedtuple("Body", "mass position velocity")


@dataclass
class Parameters:
    growth: float
    capacity: float
    harvest: float = 0.1


@dataclass
class State:
    u: np.ndarray
    t: float = 0.0
    history: list = field(default_factory=list)


@program("combined", args=lambda: (normal(4, 2), normal(4, 2, seed=1) * 0.1, uniform(4), 2))
def n_body(positions, velocities, masses, steps):
    """Leapfrog with softened gravity, in place."""
    n = len(masses)

    def accelerations(x):
        a = np.zeros_like(x)
        for i, j in itertools.combinations(range(n), 2):
            d = x[j] - x[i]
            r3 = (d @ d + 0.1) ** 1.5
            a[i] += masses[j] * d / r3
            a[j] -= masses[i] * d / r3
        return a

    a = accelerations(positions)
    for _ in range(steps):
        velocities += 0.5 * 0.01 * a
        positions += 0.01 * velocities
        a = accelerations(positions)
        velocities += 0.5 * 0.01 * a
    kinetic = 0.5 * np.sum(masses[:, None] * velocities**2)
    return kinetic + np.sum(positions[0] ** 2)


@program("combined", args=lambda: ([Body(1.0, 0.5, 0.1), Body(2.0, -0.4, 0.0)], 3))
def bodies_on_a_line(bodies, steps):
    for _ in range(steps):
        forces = [0.0] * len(bodies)
        for i, a in enumerate(bodies):
            for j, b in enumerate(bodies):
                if i == j:
                    continue
                d = b.position - a.position
                forces[i] += b.mass * d / (abs(d) + 0.1) ** 3
        bodies = [
            Body(b.mass, b.position + 0.01 * b.velocity, b.velocity + 0.01 * f)
            for b, f in zip(bodies, forces, strict=True)
        ]
    return sum(b.mass * b.velocity**2 for b in bodies) + bodies[0].position ** 2


@program("combined", args=lambda: (Parameters(0.8, 2.0), 0.3, 6))
def harvested_population(p, n0, years):
    n = n0
    record = {}
    for year in range(years):
        growth = p.growth * n * (1.0 - n / p.capacity)
        catch = p.harvest * n if n > 0.5 else 0.0
        n = n + growth - catch
        if n < 0.01:
            return 0.0
        record[year] = catch
    return n + sum(v for v in record.values())


@program("combined", args=lambda: (State(uniform(8)), 0.2, 4))
def diffusion_object(state, r, steps):
    for k in range(steps):
        u = state.u
        u[1:-1] += r * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[0], u[-1] = u[1], u[-2]
        state.t += 0.1
        if k % 2 == 0:
            state.history.append(np.sum(u**2))
    return state.history[-1] * state.t + state.history[0]


@program("combined", args=lambda: ({"W": [normal(3, 4), normal(4, 2)], "b": [normal(4), normal(2)]}, normal(5, 3), np.array([0, 1, 1, 0, 1])))
def classifier(params, x, labels):
    """Cross-entropy of a network with batch normalisation."""
    h = x
    depth = len(params["W"])
    for k, (W, b) in enumerate(zip(params["W"], params["b"])):
        h = h @ W + b
        if k < depth - 1:
            mean, var = h.mean(axis=0), h.var(axis=0)
            h = (h - mean) / np.sqrt(var + 1e-3)
            h = np.where(h > 0, h, 0.1 * h)
    h = h - h.max(axis=1, keepdims=True)
    logp = h - np.log(np.exp(h).sum(axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(labels)), labels])


@program("combined", args=lambda: (normal(6, 3), normal(3, 3, seed=1) / 2, normal(3, 3, seed=2) / 2, normal(3)))
def recurrent_cell(xs, Wx, Wh, b):
    def cell(x, h):
        z = x @ Wx + h @ Wh + b
        gate = 1.0 / (1.0 + np.exp(-z))
        return gate * np.tanh(z) + (1.0 - gate) * h

    h = np.zeros(3)
    outputs = []
    for t, x in enumerate(xs):
        h = cell(x, h)
        if t >= 2:
            outputs.append(h)
    return np.mean(np.stack(outputs) ** 2)


@program("combined", args=lambda: (normal(4, 3), normal(3, 3), normal(3, 3, seed=1), normal(3, 3, seed=2)))
def attention(X, Q, K, V):
    q, k, v = (X @ M for M in (Q, K, V))
    scores = q @ k.T / np.sqrt(q.shape[-1])
    n = len(X)
    mask = np.triu(np.ones((n, n), dtype=bool), 1)
    scores[mask] = -1e9
    scores -= scores.max(axis=-1, keepdims=True)
    w = np.exp(scores)
    w /= w.sum(axis=-1, keepdims=True)
    return np.sum((w @ v) ** 2)


@program("combined", args=lambda: (normal(6, 6), normal(3, 3), 2))
def convolution_layer(image, kernel, stride=1):
    kh, kw = kernel.shape
    h = (image.shape[0] - kh) // stride + 1
    w = (image.shape[1] - kw) // stride + 1
    out = np.empty((h, w))
    for i in range(h):
        for j in range(w):
            patch = image[i * stride : i * stride + kh, j * stride : j * stride + kw]
            out[i, j] = np.sum(patch * kernel)
    out[out < 0] *= 0.1
    return out.max() + np.mean(out**2)


@program("combined", args=lambda: (uniform(5, 5) + 5 * np.eye(5), normal(5)))
def lu_solve_with_pivoting(A, b):
    A, b = A.copy(), b.copy()
    n = len(b)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k + 1 :] -= f * A[k, k + 1 :]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in reversed(range(n)):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x @ x


@program("combined", args=lambda: (normal(5, 3),))
def gram_schmidt_qr(A):
    m, n = A.shape
    Q, R = np.zeros((m, n)), np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = Q[:, i] @ v
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return np.sum(np.log(np.diag(R))) + Q[0, 0] * R[0, 1]


@program("combined", args=lambda: (uniform(4, 4), normal(4), 1e-12), wrt=(0, 1))
def conjugate_gradients(S, b, tol):
    A = S @ S.T + 4 * np.eye(len(b))
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rr = r @ r
    for _ in range(4):
        Ap = A @ p
        alpha = rr / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        if new < tol:
            break
        p = r + (new / rr) * p
        rr = new
    return x @ b


@program("combined", args=lambda: (0.5, 1.5, {"rtol": 1e-10, "maxiter": 40, "method": "secant"}), wrt=(0, 1))
def root_finder_with_options(a, b, options):
    def f(x):
        return math.exp(a * x) - b + x * x

    x0, x1 = 0.0, 1.0
    f0, f1 = f(x0), f(x1)
    for _ in range(options.get("maxiter", 10)):
        if options["method"] == "secant":
            x2 = x1 - f1 * (x1 - x0) / (f1 - f0)
        else:
            raise ValueError(options["method"])
        x0, f0 = x1, f1
        x1, f1 = x2, f(x2)
        if abs(x1 - x0) < options["rtol"]:
            break
    else:
        raise RuntimeError("no convergence")
    return x1


@program("combined", args=lambda: (np.array([1.2, 0.9]), 8))
def newton_in_two_dimensions(c, maxiter):
    def system(v):
        x, y = v
        return np.array([x**2 + y**2 - c[0] - 3.0, x * y - c[1]])

    def jacobian(v):
        x, y = v
        return np.array([[2 * x, 2 * y], [y, x]])

    v = np.array([1.8, 0.5])
    for k in range(maxiter):
        r = system(v)
        if k > 2 and np.max(np.abs(r)) < 1e-14:
            break
        v = v - np.linalg.solve(jacobian(v), r)
    return v[0] * v[1] ** 2


@program("combined", args=lambda: (1.1, 0.4, 0.1, 0.4))
def adaptive_runge_kutta(a, b, c, d):
    def rates(y):
        return np.array([a * y[0] - b * y[0] * y[1], c * y[0] * y[1] - d * y[1]])

    y, t, h = np.array([3.0, 1.0]), 0.0, 0.1
    rejected = 0
    while t < 0.99:
        k1 = rates(y)
        k2 = rates(y + h * k1)
        error = float(np.max(np.abs(0.5 * h * (k2 - k1))))
        if error > 0.01 and rejected < 3:
            h = 0.05
            rejected += 1
            continue
        y = y + 0.5 * h * (k1 + k2)
        t += h
    return y[0] * y[1]


@program("combined", args=lambda: (normal(5) * 0.3, 0.4, 3))
def leapfrog_hamiltonian(q, step, n):
    def potential_gradient(x):
        g = x**3
        g[1:] += x[1:] - x[:-1]
        g[:-1] -= x[1:] - x[:-1]
        return g

    p = np.ones_like(q)
    energies = []
    for _ in range(n):
        p -= 0.5 * step * potential_gradient(q)
        q = q + step * p
        p -= 0.5 * step * potential_gradient(q)
        energies.append(0.5 * (p @ p) + 0.25 * np.sum(q**4))
    return sum(e * w for e, w in zip(energies, (1.0, 0.5, 0.25)))


@program("combined", args=lambda: (normal(7), 0.6, 0.3))
def holt_winters(series, alpha, beta):
    level, trend = series[0], series[1] - series[0]
    errors = []
    for y in series[2:]:
        forecast = level + trend
        errors.append(y - forecast)
        level, last = alpha * y + (1 - alpha) * forecast, level
        trend = beta * (level - last) + (1 - beta) * trend
    return sum(e**2 for e in errors) / len(errors)


@program("combined", args=lambda: (uniform(8), 0.1, 0.2, 0.6))
def garch_likelihood(returns, omega, alpha, beta):
    r = returns - np.mean(returns)
    h = np.empty_like(r)
    h[0] = np.var(r)
    for t in range(1, len(r)):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    if np.any(h <= 0):
        return math.inf
    return 0.5 * np.sum(np.log(h) + r**2 / h)


@program("combined", args=lambda: (normal(6), 0.5, 0.3, 0.9))
def kalman_filter(observations, q, r, phi):
    m, P = 0.0, 1.0
    loglik = 0.0
    for z in observations:
        m, P = phi * m, phi**2 * P + q**2
        S = P + r**2
        K = P / S
        innovation = z - m
        loglik -= 0.5 * (math.log(2 * math.pi * S) + innovation**2 / S)
        m += K * innovation
        P *= 1 - K
    return loglik


@program("combined", args=lambda: (normal(4, 2), normal(2, 2) / 3, uniform(2)))
def matrix_kalman_filter(zs, F, noise):
    m, P = np.zeros(2), np.eye(2)
    total = 0.0
    for z in zs:
        m = F @ m
        P = F @ P @ F.T + np.diag(noise)
        S = P + 0.5 * np.eye(2)
        gain = np.linalg.solve(S, P).T
        e = z - m
        _, logdet = np.linalg.slogdet(S)
        total += e @ np.linalg.solve(S, e) + logdet
        m = m + gain @ e
        P = P - gain @ P
    return total


@program("combined", args=lambda: (uniform(3), uniform(3, 3), uniform(3, 2, seed=4), np.array([0, 1, 1, 0])))
def hidden_markov_forward(start, transition, emission, observed):
    start = start / start.sum()
    T = transition / transition.sum(axis=1, keepdims=True)
    E = emission / emission.sum(axis=1, keepdims=True)
    alpha = start * E[:, observed[0]]
    loglik = 0.0
    for o in observed[1:]:
        c = alpha.sum()
        loglik += np.log(c)
        alpha = (alpha / c) @ T * E[:, o]
    return loglik + np.log(alpha.sum())


@program("combined", args=lambda: (uniform(4, 3), [0, 2, 1, 0]))
def viterbi_score(scores, labels):
    best = [scores[0, k] for k in range(3)]
    for t in range(1, len(scores)):
        best = [max(b - 0.1 * abs(j - k) for j, b in enumerate(best)) + scores[t, k] for k in range(3)]
    gold = sum(scores[t, k] for t, k in enumerate(labels))
    return max(best) - gold**2


@program("combined", args=lambda: (uniform(4), uniform(5, seed=1), 0.5))
def soft_dynamic_time_warping(x, y, gamma):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), 1e3)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            a, b, c = D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]
            low = min(a, b, c)
            soft = low - gamma * math.log(sum(math.exp((low - v) / gamma) for v in (a, b, c)))
            D[i, j] = (x[i - 1] - y[j - 1]) ** 2 + soft
    return D[n, m]


@program("combined", args=lambda: (normal(6), [(0, 1), (1, 2), (0, 3), (3, 4), (2, 5)], 0.5))
def graph_smoothing(values, edges, weight):
    neighbours = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    smoothed = values.copy()
    for node, others in sorted(neighbours.items()):
        smoothed[node] = (1 - weight) * values[node] + weight * sum(smoothed[o] for o in others) / len(others)
    return np.sum((smoothed - values) ** 2) + smoothed[0] ** 2


@program("combined", args=lambda: ({"op": "add", "args": [{"op": "mul", "args": [{"leaf": 0.5}, {"leaf": 1.5}]}, {"leaf": 2.0}]},))
def expression_tree(tree):
    match tree:
        case {"leaf": v}:
            return v * v
        case {"op": "add", "args": args}:
            return sum(expression_tree(a) for a in args)
        case {"op": "mul", "args": [a, b]}:
            return expression_tree(a) * expression_tree(b)
    raise ValueError(tree)


@program("combined", args=lambda: (0.7, "dup * swap sin +", 1.2))
def stack_language(x, text, y):
    stack = [y, x]
    words = {"sin": math.sin, "exp": math.exp}
    for word in text.split():
        if word == "dup":
            stack.append(stack[-1])
        elif word == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        elif word in words:
            stack.append(words[word](stack.pop()))
        else:
            b, a = stack.pop(), stack.pop()
            stack.append({"+": lambda p, q: p + q, "*": lambda p, q: p * q}[word](a, b))
    return math.prod(stack)


@program("combined", args=lambda: (uniform(4), uniform(4, seed=1)))
def portfolio_with_constraints(weights, mu):
    w = np.exp(weights) / np.sum(np.exp(weights))
    cov = np.outer(mu, mu) * 0.1 + np.diag(mu**2)
    expected, variance = w @ mu, w @ cov @ w
    penalties = [max(0.0, wi - 0.3) ** 2 for wi in w]
    return -expected + 0.5 * variance + 10.0 * sum(penalties)


@program("combined", args=lambda: (100.0, 0.05, 0.2, 6))
def binomial_option_tree(spot, rate, sigma, n):
    dt = 1.0 / n
    up = math.exp(sigma * math.sqrt(dt))
    p = (math.exp(rate * dt) - 1 / up) / (up - 1 / up)
    discount = math.exp(-rate * dt)
    values = np.array([max(spot * up ** (n - 2 * k) - 97.0, 0.0) for k in range(n + 1)])
    for step in range(n - 1, -1, -1):
        values = discount * (p * values[:-1] + (1 - p) * values[1:])
        exercise = np.array([spot * up ** (step - 2 * k) - 97.0 for k in range(step + 1)])
        values = np.maximum(values, exercise)
    return values[0]


@program("combined", args=lambda: (100.0, 0.05, 0.2, np.random.default_rng(0)))
def monte_carlo_asian_option(spot, rate, sigma, rng):
    total = 0.0
    for _ in range(5):
        s, path_sum = spot, 0.0
        for z in rng.normal(size=4):
            s *= math.exp((rate - 0.5 * sigma**2) * 0.25 + sigma * 0.5 * z)
            path_sum += s
        payoff = path_sum / 4 - 98.0
        total += payoff if payoff > 0 else 0.0
    return math.exp(-rate) * total / 5


@program("combined", args=lambda: ([1000.0, 20.0, 500.0, 800.0], 0.07))
def annuities(cashflows, rate):
    def npv(r, flows=tuple(cashflows)):
        return sum(c / (1 + r) ** (k + 1) for k, c in enumerate(flows) if c > 50.0)

    base, shifted = npv(rate), npv(rate + 0.01)
    duration = -(shifted - base) / (0.01 * base)
    return base * 1e-3 + duration**2


@program("combined", args=lambda: (0.02, 0.12, 1.2e5, None))
def pipe_pressure_drop(roughness, diameter, reynolds, viscosity=None):
    """Colebrook friction by fixed point, laminar and turbulent."""
    if viscosity is None:
        viscosity = 1e-3
    if reynolds < 2300:
        return 64.0 / reynolds
    f = 0.02
    for _ in range(30):
        inner = roughness / diameter / 3.7 + 2.51 / (reynolds * math.sqrt(f))
        new = 0.25 / math.log10(inner) ** 2
        if abs(new - f) < 1e-14:
            break
        f = new
    return f * reynolds * viscosity / diameter


@program("combined", args=lambda: (350.0, 10.0, [("water", 0.6), ("ethanol", 0.4)]))
def mixture_enthalpy(T, P, composition):
    table = {"water": (4.18, 2257.0, 373.15), "ethanol": (2.44, 841.0, 351.4)}
    total, moles = 0.0, 0.0
    for name, x in composition:
        if name not in table:
            raise KeyError(name)
        cp, latent, boiling = table[name]
        h = cp * (T - 298.15)
        if T > boiling:
            h += latent
        total += x * h * (1 + 1e-4 * P)
        moles += x
    return total / moles


@program("combined", args=lambda: (uniform(6), uniform(6, seed=1)))
def least_squares_spline(x, y):
    knots = [0.5, 1.0, 1.5]
    columns = [np.ones_like(x), x] + [np.where(x > k, (x - k) ** 3, 0.0) for k in knots[:1]]
    X = np.column_stack(columns)
    beta = np.linalg.solve(X.T @ X + 1e-1 * np.eye(X.shape[1]), X.T @ y)
    r = y - X @ beta
    return r @ r + beta[0] ** 2


@program("combined", args=lambda: (normal(8), 2))
def fast_fourier_by_recursion(x, keep):
    def fft(re, im):
        n = len(re)
        if n == 1:
            return re, im
        er, ei = fft(re[::2], im[::2])
        dr, di = fft(re[1::2], im[1::2])
        k = np.arange(n // 2)
        c, s = np.cos(2 * np.pi * k / n), -np.sin(2 * np.pi * k / n)
        tr, ti = c * dr - s * di, c * di + s * dr
        return np.concatenate([er + tr, er - tr]), np.concatenate([ei + ti, ei - ti])

    re, im = fft(x, np.zeros_like(x))
    return np.sum((re**2 + im**2)[:keep] ** 2)


@program("combined", args=lambda: (uniform(8),))
def merge_sort(values):
    def merge(a, b):
        out = []
        i = j = 0
        while i < len(a) and j < len(b):
            if a[i] <= b[j]:
                out.append(a[i])
                i += 1
            else:
                out.append(b[j])
                j += 1
        return out + a[i:] + b[j:]

    def sort(v):
        if len(v) < 2:
            return v
        m = len(v) // 2
        return merge(sort(v[:m]), sort(v[m:]))

    return sum((k + 1) * v * v for k, v in enumerate(sort(list(values))))


@program("combined", args=lambda: (normal(5), 3))
def quick_select(x, k):
    values = list(x)
    while True:
        pivot = values[0]
        smaller = [v for v in values if v < pivot]
        larger = [v for v in values if v > pivot]
        if k < len(smaller):
            values = smaller
        elif k == len(smaller):
            return pivot**3
        else:
            k -= len(smaller) + 1
            values = larger


@program("combined", args=lambda: (uniform(3, 3),))
def determinant_by_cofactors(A):
    n = A.shape[0]
    if n == 1:
        return A[0, 0]
    total = 0.0
    for j in range(n):
        minor = np.delete(A[1:], j, axis=1)
        total += (-1) ** j * A[0, j] * determinant_by_cofactors(minor)
    return total


@program("combined", args=lambda: (normal(6, 2), normal(2, 2), 2))
def k_means_steps(points, centres, steps):
    for _ in range(steps):
        d = np.sum((points[:, None, :] - centres[None, :, :]) ** 2, axis=2)
        nearest = np.argmin(d, axis=1)
        new = centres.copy()
        for k in range(len(centres)):
            members = points[nearest == k]
            if len(members):
                new[k] = members.mean(axis=0)
        centres = new
    return np.sum(centres**2) + np.sum(np.min(d, axis=1))


@program("combined", args=lambda: (normal(5, 2), uniform(2), normal(2, 2), 2))
def mixture_of_gaussians_em(X, weights, means, steps):
    w = weights / weights.sum()
    for _ in range(steps):
        logp = np.stack([np.log(wk) - 0.5 * ((X - m) ** 2).sum(axis=1) for wk, m in zip(w, means)], axis=1)
        top = logp.max(axis=1, keepdims=True)
        r = np.exp(logp - top)
        r /= r.sum(axis=1, keepdims=True)
        n = r.sum(axis=0)
        w, means = n / len(X), (r.T @ X) / n[:, None]
    return np.sum(means**2) + w[0]


@program("combined", args=lambda: (normal(8), 0.3, "soft"))
def wavelet_shrinkage(signal, threshold, kind="soft"):
    coefficients = []
    s = signal
    while len(s) > 1:
        average, detail = 0.5 * (s[::2] + s[1::2]), 0.5 * (s[::2] - s[1::2])
        if kind == "soft":
            detail = np.sign(detail) * np.maximum(np.abs(detail) - threshold, 0.0)
        elif kind == "hard":
            detail = detail * (np.abs(detail) > threshold)
        coefficients.append(detail)
        s = average
    for detail in reversed(coefficients):
        out = np.empty(2 * len(s))
        out[::2], out[1::2] = s + detail, s - detail
        s = out
    return np.sum((s - signal) ** 2) + s[0]


@program("combined", args=lambda: (normal(6, 6), 0.1, 2))
def anisotropic_diffusion(image, kappa, steps):
    u = image.copy()
    for _ in range(steps):
        padded = np.pad(u, 1, mode="edge")
        total = np.zeros_like(u)
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            d = padded[1 + di : 7 + di, 1 + dj : 7 + dj] - u
            total += d * np.exp(-((d * kappa) ** 2))
        u += 0.2 * total
    return np.sum(u**2)


@program("combined", args=lambda: (normal(5, 5), 1.5, 3))
def sor_with_residual_check(f, omega, sweeps):
    n = len(f)
    u = np.zeros((n + 2, n + 2))
    for sweep in range(sweeps):
        change = 0.0
        for i in range(1, n + 1):
            for j in range(1, n + 1):
                r = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - f[i - 1, j - 1]) - u[i, j]
                u[i, j] += omega * r
                change = max(change, abs(r))
        if sweep > 0 and change < 1e-8:
            break
    return np.sum(u**2) + change


@program("combined", args=lambda: (uniform(7), 0.5, 4))
def upwind_advection_with_limiter(u, courant, steps):
    def limiter(r):
        return max(0.0, min(1.0, r))

    for _ in range(steps):
        flux = np.zeros(len(u) + 1)
        for i in range(1, len(u) - 1):
            up, down = u[i] - u[i - 1], u[i + 1] - u[i]
            phi = limiter(up / down) if abs(down) > 1e-9 else 0.0
            flux[i + 1] = u[i] + 0.5 * phi * (1 - courant) * down
        u = u - courant * (flux[1:] - flux[:-1])
        u[0] = 1.0
    return np.sum(u**2)


@program("combined", args=lambda: (0.3, 0.05, 4), second=False)
def epidemic_summary(beta, gamma, weeks):
    s, i, r = 0.99, 0.01, 0.0
    peak, series = 0.0, []
    for _ in range(weeks * 7):
        new, recovered = beta * s * i, gamma * i
        s, i, r = s - new, i + new - recovered, r + recovered
        peak = max(peak, i)
        series.append(i)
    return {"peak": peak, "weekly": [sum(series[k : k + 7]) / 7 for k in range(0, len(series), 7)], "final": (s, i, r)}


@program("combined", args=lambda: (normal(3), {"a": 0.5, "b": normal(3)}, None, "l2"))
def objective_with_everything(x, p, mask=None, norm="l2", *, weight=0.3):
    def residual(v):
        r = p["a"] * v**2 - p["b"]
        return r if mask is None else r[mask]

    r = residual(x)
    try:
        term = {"l1": lambda v: np.sum(np.abs(v)), "l2": lambda v: v @ v}[norm](r)
    except KeyError:
        raise ValueError(norm) from None
    if (size := np.sqrt(x @ x)) > 0.5:
        term += weight * (size - 0.5) ** 2
    return term


@program("combined", args=lambda: (0.5, 1.2))
def memoised_recursion(x, y):
    memo = {}

    def f(n, k):
        if n == 0 or k == 0:
            return x
        if (n, k) not in memo:
            memo[n, k] = f(n - 1, k) * y + 0.5 * f(n, k - 1)
        return memo[n, k]

    return f(3, 3)


@program("combined", args=lambda: (0.5, 1.2))
def event_driven_simulation(rate, gain):
    events = [(0.1, "start"), (0.5, "kick"), (0.9, "stop")]
    t, x, running = 0.0, 0.2, False
    while events:
        when, what = events.pop(0)
        if running:
            x = x * math.exp(rate * (when - t))
        t = when
        match what:
            case "start":
                running = True
            case "kick":
                x += gain
                if x < 5.0 and len(events) < 2:
                    events.append((t + 0.2 * x, "kick2"))
                    events.sort()
            case "stop":
                running = False
            case _:
                x = x * x
    return x + t


@program("combined", args=lambda: ([normal(2, 2), normal(2, 2, seed=1)], 0.1, 3))
def optimiser_class(weights, rate, steps):
    class Momentum:
        def __init__(self, rate, decay=0.9):
            self.rate, self.decay = rate, decay
            self.velocity = None

        def step(self, params, grads):
            if self.velocity is None:
                self.velocity = [np.zeros_like(p) for p in params]
            for v, p, g in zip(self.velocity, params, grads):
                v *= self.decay
                v -= self.rate * g
                p += v

    optimiser = Momentum(rate)
    for _ in range(steps):
        grads = [w**3 + w for w in weights]
        optimiser.step(weights, grads)
    return sum(np.sum(w * w) for w in weights)


@program("combined", args=lambda: (normal(5, 2), 0.2, 2))
def adam_by_dicts(x, rate, steps):
    params = {"w": np.array([0.3, -0.2]), "b": np.zeros(1)}
    m = {k: np.zeros_like(v) for k, v in params.items()}
    s = {k: np.zeros_like(v) for k, v in params.items()}
    for t in range(1, steps + 1):
        e = x @ params["w"] + params["b"] - 1.0
        grads = {"w": 2 * x.T @ e / len(x), "b": np.array([2 * np.mean(e)])}
        for k, g in grads.items():
            m[k] = 0.9 * m[k] + 0.1 * g
            s[k] = 0.99 * s[k] + 0.01 * g**2
            params[k] = params[k] - rate * (m[k] / (1 - 0.9**t)) / (np.sqrt(s[k] / (1 - 0.99**t)) + 1e-3)
    return np.sum((x @ params["w"] + params["b"] - 1.0) ** 2)


@program("combined", args=lambda: (uniform(5), 2.0, 0.7))
def hill_climbing_print(x, scale, decay):
    best, where = -math.inf, None
    for i, v in enumerate(x):
        candidate = scale * math.sin(v) - decay**i
        if candidate <= best:
            print(f"{i}: no")
            continue
        best, where = candidate, i
        print(f"{i}: better")
    assert where is not None
    return best * x[where]


@program("combined", args=lambda: (normal(3, 3), 4))
def matrix_exponential_by_squaring(A, squarings):
    X = A / 2**squarings
    term = total = np.eye(3)
    for k in itertools.count(1):
        term = term @ X / k
        total = total + term
        if k >= 6:
            break
    return np.trace(functools.reduce(lambda T, _: T @ T, range(squarings), total))


@program("combined", args=lambda: ((0.5, 0.2), (1.4, 1.1), 5))
def cubic_bezier_length(p, q, n):
    def point(t):
        control = [p, (p[0], q[1]), (q[0], p[1]), q]
        while len(control) > 1:
            control = [
                tuple((1 - t) * a + t * b for a, b in zip(u, v)) for u, v in itertools.pairwise(control)
            ]
        return control[0]

    pts = [point(k / n) for k in range(n + 1)]
    return sum(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(pts, pts[1:]))


@program("combined", args=lambda: (0.9, 0.4, 1.3))
def triangle_and_units(a, b, gamma):
    def rad(angle, unit="rad"):
        return angle * math.pi / 180 if unit == "deg" else angle

    c = math.sqrt(a * a + b * b - 2 * a * b * math.cos(rad(gamma)))
    s = (a + b + c) / 2
    try:
        area = math.sqrt(s * (s - a) * (s - b) * (s - c))
    except ValueError:
        area = 0.0
    return area / c + rad(30.0 * a, unit="deg")


@program("combined", args=lambda: (normal(4), normal(4, seed=1), 0.5))
def views_closures_and_swaps(x, y, c):
    work = np.zeros((2, 4))
    old, new = work

    def advance(k):
        new[:] = c * old + np.sin(x * k)
        new[::2] *= y[::2]

    for k in range(3):
        advance(k)
        old[:], new[:] = new, old.copy()
    return np.sum(work[0] * y) + np.sum(work[1] ** 2)


@program("combined", args=lambda: (uniform(3, 4), "row", True))
def normalise_by_option(A, by="row", centre=False, eps=1e-12):
    if by not in ("row", "column"):
        raise ValueError(f"by={by!r}")
    axis = 1 if by == "row" else 0
    B = np.array(A, dtype=float, copy=True)
    if centre:
        B -= B.mean(axis=axis, keepdims=True)
    norms = np.linalg.norm(B, axis=axis, keepdims=True)
    norms[norms < eps] = 1.0
    B /= norms
    return np.sum(B[:, 0] * A[:, 1]) + np.sum(norms)


@program("combined", args=lambda: (uniform(6), [2, 3, 1]))
def ragged_groups(x, sizes):
    groups, start = [], 0
    for size in sizes:
        groups.append(x[start : (start := start + size)])
    means = [g.mean() for g in groups]
    between = sum(len(g) * (m - x.mean()) ** 2 for g, m in zip(groups, means))
    within = sum(((g - m) ** 2).sum() for g, m in zip(groups, means))
    return between / (within + 0.1)


@program("combined", args=lambda: (normal(5), 0.8, 0.1))
def ising_mean_field(h, J, damping):
    m = np.tanh(h)
    for sweep in range(6):
        previous = m.copy()
        for i in range(len(m)):
            field_ = h[i]
            if i > 0:
                field_ += J * m[i - 1]
            if i < len(m) - 1:
                field_ += J * m[i + 1]
            m[i] = damping * m[i] + (1 - damping) * np.tanh(field_)
        if np.max(np.abs(m - previous)) < 1e-9:
            break
    return np.mean(m) * np.sum(m * h)


@program("combined", args=lambda: (0.3, 0.7, 0.2, [1.0, 2.0, 3.5]))
def pharmacokinetics(ka, ke, volume, doses):
    def concentration(t):
        total = 0.0
        for dose_time, dose in zip((0.0, 6.0, 12.0), doses):
            if t <= dose_time:
                break
            dt = t - dose_time
            total += dose * ka / (volume * (ka - ke)) * (math.exp(-ke * dt) - math.exp(-ka * dt))
        return total

    samples = {t: concentration(t) for t in (1.0, 7.0, 15.0)}
    return sum(c * c for c in samples.values()) + max(samples.values())


@program("combined", args=lambda: (normal(4, 3), uniform(3)))
def weighted_statistics(X, w):
    n, _ = X.shape
    w = w / w.sum()
    mean = np.zeros(n)
    var = np.zeros(n)
    for i, row in enumerate(X):
        mean[i] = row @ w
        var[i] = ((row - mean[i]) ** 2) @ w
    z = [(a - mean.mean()) / math.sqrt(b + 0.1) for a, b in zip(mean, var)]
    return sum(abs(v) ** 1.5 for v in z if abs(v) > 1e-3)


@program("combined", args=lambda: (uniform(3), uniform(3, seed=1), 0.4))
def catmull_rom_and_bisect(ys, xs, t):
    nodes = sorted(zip(xs, ys), key=lambda p: p[0])
    lo, hi = 0, len(nodes) - 1
    target = nodes[0][0] + t * (nodes[-1][0] - nodes[0][0])
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if nodes[mid][0] <= target:
            lo = mid
        else:
            hi = mid
    (x0, y0), (x1, y1) = nodes[lo], nodes[hi]
    u = (target - x0) / (x1 - x0)
    return y0 + (3 * u**2 - 2 * u**3) * (y1 - y0)


@program("combined", args=lambda: (0.4, 1.1, 3))
def decorated_pipeline(x, y, repeats):
    def repeated(n):
        def decorate(f):
            @functools.wraps(f)
            def wrapper(value, *args, **kwargs):
                for _ in range(n):
                    value = f(value, *args, **kwargs)
                return value

            return wrapper

        return decorate

    @repeated(repeats)
    def relax(v, target, rate=0.5):
        return v + rate * (target - v) * v

    stages = [relax, functools.partial(relax, rate=0.1), lambda v, t: v * t]
    for stage in stages:
        x = stage(x, y)
    return x


@program("combined", args=lambda: (normal(3), normal(3, 3), 4))
def hopfield_updates(state, W, steps):
    S = 0.5 * (W + W.T)
    np.fill_diagonal(S, 0.0)
    energy = []
    for k, i in zip(range(steps), itertools.cycle(range(3))):
        state[i] = np.tanh(S[i] @ state)
        energy.append(-0.5 * state @ S @ state)
        if k and energy[-1] > energy[-2] + 10:
            return energy[-1]
    return energy[-1] + energy[0] ** 2


@program("combined", args=lambda: (2.0, 3.0, 0.5))
def geometry_dispatch(a, b, depth):
    shapes = [("rect", a, b), ("circle", a), ("prism", ("rect", b, b), depth)]

    def measure(shape):
        kind, *dims = shape
        if kind == "rect":
            return dims[0] * dims[1]
        elif kind == "circle":
            return math.pi * dims[0] ** 2
        elif kind == "prism":
            base, d = dims
            return measure(base) * d
        raise ValueError(kind)

    return functools.reduce(lambda p, q: p + q**0.5, map(measure, shapes), 0.0)


@program("combined", args=lambda: (np.linspace(0.1, 1.0, 8), 0.5, 1.5))
def signal_chain(x, cutoff, gain):
    y = np.empty_like(x)
    state = {"low": 0.0, "peak": 0.0}
    for n, v in enumerate(x):
        state["low"] += cutoff * (v - state["low"])
        out = gain * (v - state["low"])
        out = math.tanh(out) if abs(out) > 0.3 else out
        state["peak"] = max(state["peak"] * 0.9, abs(out))
        y[n] = out / (1.0 + state["peak"])
    return np.sum(y**2) + state["peak"]


@program("combined", args=lambda: (uniform(5), 0.3))
def scan_with_early_result(x, limit):
    def running(values):
        total, out = 0.0, []
        for v in values:
            total = 0.7 * total + v
            if total > 3.5:
                return out, True
            out.append(total)
        return out, False

    sums, stopped = running(x)
    scale = 2.0 if stopped else 1.0
    head, *_, last = sums
    return scale * head * last + limit * len(sums) * last
