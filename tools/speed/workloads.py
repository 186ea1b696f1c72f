"""What `tools/speed` runs: numeric programs with the gradient that an expert writes for them.

A workload is a class. Its members:

    group       what dominates: scalar, vector, loop, stencil, linear algebra, gather, small matrices, containers
    wrt         the parameters that the gradient is taken for
    inputs      the arguments, for a size (each workload has one that takes microseconds to milliseconds)
    primal      the program as a NumPy user writes it: NumPy is `np`, so that peers can put theirs in its place
    expert      its gradient, as an expert writes it in NumPy
    native      the same for Numba, where loops dominate: it is compiled with njit (absent: expert is, or nothing)
    jax, torch  the program for a peer that cannot run the primal as it stands (loops as scans, no stores in place)
    looped      the expert has turned a loop of the primal into array code: not held against ours
"""

# mypy: ignore-errors
from __future__ import annotations

import math

import numpy as np

WORKLOADS: list[type] = []


def workload(cls: type) -> type:
    WORKLOADS.append(cls)
    return cls


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


# --- scalar programs ------------------------------------------------------------------------------------------------


@workload
class growth:
    """Logistic growth by Euler steps."""

    group, wrt = "scalar", ("x", "r")

    def inputs(n=2000):
        return 0.1, 1.3, 0.001, n

    def primal(x, r, h, n):
        for _ in range(n):
            x = x + h * r * x * (1.0 - x)
        return x

    def expert(x, r, h, n):
        tape = []
        for _ in range(n):
            tape.append(x)
            x = x + h * r * x * (1.0 - x)
        bx, br = 1.0, 0.0
        for _ in range(n):
            x = tape.pop()
            br += bx * h * x * (1.0 - x)
            bx += bx * h * r * (1.0 - 2.0 * x)
        return bx, br

    native = expert

    def jax(x, r, h, n):
        import jax

        return jax.lax.fori_loop(0, 2000, lambda _, x: x + h * r * x * (1.0 - x), x)


@workload
class newton:
    """Newton's iteration for a p-th root, until it has converged."""

    group, wrt = "scalar", ("a", "p")

    def inputs():
        return 7.0, 3.0

    def primal(a, p):
        x = a
        while abs(x**p - a) > 1e-12 * a:
            x = x - (x**p - a) / (p * x ** (p - 1.0))
        return x

    def expert(a, p):
        x, tape = a, []
        while abs(x**p - a) > 1e-12 * a:
            tape.append(x)
            x = x - (x**p - a) / (p * x ** (p - 1.0))
        bx, ba, bp = 1.0, 0.0, 0.0
        while tape:
            x = tape.pop()
            xp, xq, log = x**p, x ** (p - 1.0), math.log(x)
            d = p * xq
            u = (xp - a) / d
            bn, bd = -bx / d, bx * u / d
            ba -= bn
            bp += bn * xp * log + bd * (xq + p * xq * log)
            bx += bn * d + bd * p * (p - 1.0) * x ** (p - 2.0)
        return ba + bx, bp

    def native(a, p):
        x, tape = a, [a]
        tape.clear()
        while abs(x**p - a) > 1e-12 * a:
            tape.append(x)
            x = x - (x**p - a) / (p * x ** (p - 1.0))
        bx, ba, bp = 1.0, 0.0, 0.0
        while len(tape) > 0:
            x = tape.pop()
            xp, xq, log = x**p, x ** (p - 1.0), math.log(x)
            d = p * xq
            u = (xp - a) / d
            bn, bd = -bx / d, bx * u / d
            ba -= bn
            bp += bn * xp * log + bd * (xq + p * xq * log)
            bx += bn * d + bd * p * (p - 1.0) * x ** (p - 2.0)
        return ba + bx, bp

    jax = None  # reverse mode through a while loop is not differentiated there


@workload
class option:
    """The price of an option by the formula of Black and Scholes, one at a time."""

    group, wrt = "scalar", ("s", "sigma", "r")

    def inputs():
        return 100.0, 0.2, 0.03, 105.0, 0.5

    def primal(s, sigma, r, k, t):
        v = sigma * math.sqrt(t)
        d1 = (math.log(s / k) + (r + 0.5 * sigma**2) * t) / v
        d2 = d1 - v
        n1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
        n2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
        return s * n1 - k * math.exp(-r * t) * n2

    def expert(s, sigma, r, k, t):
        root = math.sqrt(t)
        v = sigma * root
        d1 = (math.log(s / k) + (r + 0.5 * sigma**2) * t) / v
        d2 = d1 - v
        n1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
        n2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
        discount = k * math.exp(-r * t)
        pdf = 1.0 / math.sqrt(2.0 * math.pi)
        b1, b2 = s * pdf * math.exp(-0.5 * d1 * d1), -discount * pdf * math.exp(-0.5 * d2 * d2)
        bd1 = b1 + b2
        bv = -b2 - bd1 * d1 / v
        return n1 + bd1 / (v * s), bv * root + bd1 * sigma * t / v, discount * n2 * t + bd1 * t / v

    native = expert

    def jax(s, sigma, r, k, t):
        import jax.numpy as jnp
        from jax.scipy.special import erf

        v = sigma * jnp.sqrt(t)
        d1 = (jnp.log(s / k) + (r + 0.5 * sigma**2) * t) / v
        d2 = d1 - v
        n1, n2 = 0.5 * (1.0 + erf(d1 / jnp.sqrt(2.0))), 0.5 * (1.0 + erf(d2 / jnp.sqrt(2.0)))
        return s * n1 - k * jnp.exp(-r * t) * n2


# --- vectors --------------------------------------------------------------------------------------------------------


@workload
class logistic:
    """The loss of logistic regression."""

    group, wrt = "vector", ("w", "b")

    def inputs(n=1000, d=20):
        g = rng()
        X = g.normal(size=(n, d))
        return g.normal(size=d) / 4, 0.1, X, np.sign(X[:, 0] + 0.1)

    def primal(w, b, X, y):
        margin = y * (X @ w + b)
        return np.mean(np.log1p(np.exp(-margin))) + 0.01 * np.sum(w * w)

    def expert(w, b, X, y):
        e = np.exp(-y * (X @ w + b))
        g = -y * e / (1.0 + e) / len(y)
        return X.T @ g + 0.02 * w, np.sum(g)

    def jax(w, b, X, y):
        import jax.numpy as jnp

        return jnp.mean(jnp.log1p(jnp.exp(-y * (X @ w + b)))) + 0.01 * jnp.sum(w * w)


@workload
class mixture:
    """The log likelihood of a mixture of normal distributions."""

    group, wrt = "vector", ("mu", "log_sigma", "logits")

    def inputs(n=2000, k=4):
        g = rng()
        return g.normal(size=k) * 2, g.normal(size=k) / 5, g.normal(size=k), g.normal(size=n) * 2

    def primal(mu, log_sigma, logits, x):
        weights = logits - np.log(np.sum(np.exp(logits)))
        z = (x[:, None] - mu) * np.exp(-log_sigma)
        terms = weights - log_sigma - 0.5 * z * z
        top = np.max(terms, axis=1)
        return np.sum(top + np.log(np.sum(np.exp(terms - top[:, None]), axis=1)))

    def expert(mu, log_sigma, logits, x):
        soft = np.exp(logits - np.max(logits))
        soft /= np.sum(soft)
        inv = np.exp(-log_sigma)
        z = (x[:, None] - mu) * inv
        terms = np.log(soft) - log_sigma - 0.5 * z * z
        p = np.exp(terms - np.max(terms, axis=1)[:, None])
        p /= np.sum(p, axis=1)[:, None]
        share = np.sum(p, axis=0)
        pz = p * z
        return np.sum(pz, axis=0) * inv, np.sum(pz * z, axis=0) - share, share - len(x) * soft


@workload
class options:
    """Black and Scholes for a book of options at once."""

    group, wrt = "vector", ("sigma", "r")

    def inputs(n=5000):
        g = rng()
        return 0.2 + 0.1 * g.random(n), 0.03, 100.0 + g.normal(size=n), 95.0 + 10.0 * g.random(n), 0.5

    def primal(sigma, r, s, k, t):
        v = sigma * np.sqrt(t)
        d1 = (np.log(s / k) + (r + 0.5 * sigma**2) * t) / v
        d2 = d1 - v
        n1 = 1.0 / (1.0 + np.exp(-1.702 * d1))
        n2 = 1.0 / (1.0 + np.exp(-1.702 * d2))
        return np.sum(s * n1 - k * np.exp(-r * t) * n2)

    def expert(sigma, r, s, k, t):
        root = np.sqrt(t)
        v = sigma * root
        d1 = (np.log(s / k) + (r + 0.5 * sigma**2) * t) / v
        n1 = 1.0 / (1.0 + np.exp(-1.702 * d1))
        n2 = 1.0 / (1.0 + np.exp(-1.702 * (d1 - v)))
        kd = k * np.exp(-r * t)
        b1 = 1.702 * s * n1 * (1.0 - n1)
        b2 = -1.702 * kd * n2 * (1.0 - n2)
        bd1 = (b1 + b2) / v
        return bd1 * (sigma * t - d1 * root) - b2 * root, np.sum(bd1) * t + t * np.sum(kd * n2)


# --- loops ----------------------------------------------------------------------------------------------------------


@workload
class alignment:
    """A smoothed alignment of two sequences (soft dynamic time warping)."""

    group, wrt = "loop", ("cost",)

    def inputs(n=40, m=50):
        return (rng().random((n, m)),)

    def primal(cost):
        n, m = cost.shape
        D = np.full((n + 1, m + 1), 1e10)
        D[0, 0] = 0.0
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                a, b, c = D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]
                low = min(a, b, c)
                soft = low - math.log(math.exp(low - a) + math.exp(low - b) + math.exp(low - c))
                D[i, j] = cost[i - 1, j - 1] + soft
        return D[n, m]

    def expert(cost):
        n, m = cost.shape
        D = np.full((n + 1, m + 1), 1e10)
        D[0, 0] = 0.0
        P = np.empty((n + 1, m + 1, 3))
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                a, b, c = D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]
                low = min(a, b, c)
                ea, eb, ec = math.exp(low - a), math.exp(low - b), math.exp(low - c)
                total = ea + eb + ec
                P[i, j, 0], P[i, j, 1], P[i, j, 2] = ea / total, eb / total, ec / total
                D[i, j] = cost[i - 1, j - 1] + low - math.log(total)
        bD = np.zeros_like(D)
        bD[n, m] = 1.0
        for i in range(n, 0, -1):
            for j in range(m, 0, -1):
                g = bD[i, j]
                bD[i - 1, j] += g * P[i, j, 0]
                bD[i, j - 1] += g * P[i, j, 1]
                bD[i - 1, j - 1] += g * P[i, j, 2]
        return bD[1:, 1:]

    native = expert

    def jax(cost):
        import jax
        import jax.numpy as jnp

        def row(above, costs):
            def cell(left, at):
                a, c, cost = at
                left = cost - jax.nn.logsumexp(-jnp.stack([a, left, c]))
                return left, left

            _, new = jax.lax.scan(cell, 1e10, (above[1:], above[:-1], costs))
            new = jnp.concatenate([jnp.full(1, 1e10), new])
            return new, None

        first = jnp.full(cost.shape[1] + 1, 1e10).at[0].set(0.0)
        last, _ = jax.lax.scan(row, first, cost)
        return last[-1]


@workload
class lotka:
    """Predators and prey by steps of Runge and Kutta."""

    group, wrt = "loop", ("a", "b", "c", "d")

    def inputs(n=300):
        return 1.1, 0.4, 0.1, 0.4, 10.0, 5.0, 0.02, n

    def primal(a, b, c, d, x, y, h, n):
        def rates(x, y):
            return a * x - b * x * y, c * x * y - d * y

        for _ in range(n):
            kx1, ky1 = rates(x, y)
            kx2, ky2 = rates(x + 0.5 * h * kx1, y + 0.5 * h * ky1)
            kx3, ky3 = rates(x + 0.5 * h * kx2, y + 0.5 * h * ky2)
            kx4, ky4 = rates(x + h * kx3, y + h * ky3)
            x = x + h / 6.0 * (kx1 + 2.0 * kx2 + 2.0 * kx3 + kx4)
            y = y + h / 6.0 * (ky1 + 2.0 * ky2 + 2.0 * ky3 + ky4)
        return x * y

    def expert(a, b, c, d, x, y, h, n):
        tape = []
        for _ in range(n):
            kx1, ky1 = a * x - b * x * y, c * x * y - d * y
            x2, y2 = x + 0.5 * h * kx1, y + 0.5 * h * ky1
            kx2, ky2 = a * x2 - b * x2 * y2, c * x2 * y2 - d * y2
            x3, y3 = x + 0.5 * h * kx2, y + 0.5 * h * ky2
            kx3, ky3 = a * x3 - b * x3 * y3, c * x3 * y3 - d * y3
            x4, y4 = x + h * kx3, y + h * ky3
            kx4, ky4 = a * x4 - b * x4 * y4, c * x4 * y4 - d * y4
            tape.append((x, y, x2, y2, x3, y3, x4, y4))
            x = x + h / 6.0 * (kx1 + 2.0 * kx2 + 2.0 * kx3 + kx4)
            y = y + h / 6.0 * (ky1 + 2.0 * ky2 + 2.0 * ky3 + ky4)
        bx, by, ba, bb, bc, bd = y, x, 0.0, 0.0, 0.0, 0.0
        for _ in range(n):
            x, y, x2, y2, x3, y3, x4, y4 = tape.pop()
            gx, gy = h / 6.0 * bx, h / 6.0 * by
            ba += gx * x4
            bb -= gx * x4 * y4
            bc += gy * x4 * y4
            bd -= gy * y4
            ux, uy = gx * (a - b * y4) + gy * c * y4, gy * (c * x4 - d) - gx * b * x4
            bx, by = bx + ux, by + uy
            px, py = 2.0 * gx + h * ux, 2.0 * gy + h * uy
            ba += px * x3
            bb -= px * x3 * y3
            bc += py * x3 * y3
            bd -= py * y3
            ux, uy = px * (a - b * y3) + py * c * y3, py * (c * x3 - d) - px * b * x3
            bx, by = bx + ux, by + uy
            px, py = 2.0 * gx + 0.5 * h * ux, 2.0 * gy + 0.5 * h * uy
            ba += px * x2
            bb -= px * x2 * y2
            bc += py * x2 * y2
            bd -= py * y2
            ux, uy = px * (a - b * y2) + py * c * y2, py * (c * x2 - d) - px * b * x2
            bx, by = bx + ux, by + uy
            px, py = gx + 0.5 * h * ux, gy + 0.5 * h * uy
            ba += px * x
            bb -= px * x * y
            bc += py * x * y
            bd -= py * y
            bx, by = bx + px * (a - b * y) + py * c * y, by + py * (c * x - d) - px * b * x
        return ba, bb, bc, bd

    native = expert

    def jax(a, b, c, d, x, y, h, n):
        import jax

        def rates(x, y):
            return a * x - b * x * y, c * x * y - d * y

        def step(state, _):
            x, y = state
            kx1, ky1 = rates(x, y)
            kx2, ky2 = rates(x + 0.5 * h * kx1, y + 0.5 * h * ky1)
            kx3, ky3 = rates(x + 0.5 * h * kx2, y + 0.5 * h * ky2)
            kx4, ky4 = rates(x + h * kx3, y + h * ky3)
            x = x + h / 6.0 * (kx1 + 2.0 * kx2 + 2.0 * kx3 + kx4)
            return (x, y + h / 6.0 * (ky1 + 2.0 * ky2 + 2.0 * ky3 + ky4)), None

        (x, y), _ = jax.lax.scan(step, (x, y), None, length=300)
        return x * y


@workload
class filter:
    """A scalar Kalman filter over observations."""

    group, wrt = "loop", ("q", "r", "decay")

    def inputs(n=500):
        return 0.3, 0.5, 0.9, np.cumsum(rng().normal(size=n))

    def primal(q, r, decay, ys):
        m, p, total = 0.0, 1.0, 0.0
        for y in ys:
            m = decay * m
            p = decay * decay * p + q
            s = p + r
            e = y - m
            total += 0.5 * (np.log(s) + e * e / s)
            k = p / s
            m = m + k * e
            p = (1.0 - k) * p
        return total

    def expert(q, r, decay, ys):
        m, p, tape = 0.0, 1.0, []
        for y in ys:
            m0, p0 = m, p
            m = decay * m
            p = decay * decay * p + q
            s = p + r
            e = y - m
            k = p / s
            tape.append((m0, p0, p, s, e, k))
            m = m + k * e
            p = (1.0 - k) * p
        bm = bp = bq = br = bdecay = 0.0
        for _ in range(len(ys)):
            m0, p0, p, s, e, k = tape.pop()
            bk = bm * e - bp * p
            bs = 0.5 * (1.0 - e * e / s) / s - bk * k / s
            be = e / s + bm * k
            bp = bp * (1.0 - k) + bk / s + bs
            br += bs
            bq += bp
            bm -= be
            bdecay += bm * m0 + 2.0 * bp * decay * p0
            bm *= decay
            bp *= decay * decay
        return bq, br, bdecay

    native = expert

    def jax(q, r, decay, ys):
        import jax
        import jax.numpy as jnp

        def step(state, y):
            m, p = state
            m, p = decay * m, decay * decay * p + q
            s, e = p + r, y - m
            k = p / s
            return (m + k * e, (1.0 - k) * p), 0.5 * (jnp.log(s) + e * e / s)

        return jnp.sum(jax.lax.scan(step, (0.0, 1.0), ys)[1])


@workload
class lstm:
    """A long short-term memory over a batch of sequences."""

    group, wrt = "loop", ("W", "U", "b")

    def inputs(steps=20, batch=16, d=8, n=16):
        g = rng()
        return (g.normal(size=(d, 4 * n)) / 4, g.normal(size=(n, 4 * n)) / 4, np.zeros(4 * n),
                g.normal(size=(steps, batch, d)), g.normal(size=(batch, n)))  # fmt: skip

    def primal(W, U, b, X, target):
        n = target.shape[1]
        h, c = np.zeros_like(target), np.zeros_like(target)
        for x in X:
            z = x @ W + h @ U + b
            i = 1.0 / (1.0 + np.exp(-z[:, :n]))
            f = 1.0 / (1.0 + np.exp(-z[:, n : 2 * n]))
            o = 1.0 / (1.0 + np.exp(-z[:, 2 * n : 3 * n]))
            g = np.tanh(z[:, 3 * n :])
            c = f * c + i * g
            h = o * np.tanh(c)
        return np.sum((h - target) ** 2)

    def expert(W, U, b, X, target):
        n = target.shape[1]
        h, c, tape = np.zeros_like(target), np.zeros_like(target), []
        for x in X:
            z = x @ W + h @ U + b
            i = 1.0 / (1.0 + np.exp(-z[:, :n]))
            f = 1.0 / (1.0 + np.exp(-z[:, n : 2 * n]))
            o = 1.0 / (1.0 + np.exp(-z[:, 2 * n : 3 * n]))
            g = np.tanh(z[:, 3 * n :])
            c1 = f * c + i * g
            t = np.tanh(c1)
            tape.append((h, c, i, f, o, g, t))
            c, h = c1, o * t
        bh, bc = 2.0 * (h - target), np.zeros_like(h)
        bW, bU, bb = np.zeros_like(W), np.zeros_like(U), np.zeros_like(b)
        bz = np.empty((h.shape[0], 4 * n))
        for k in range(len(X) - 1, -1, -1):
            h, c, i, f, o, g, t = tape.pop()
            bc = bc + bh * o * (1.0 - t * t)
            bz[:, :n] = bc * g * i * (1.0 - i)
            bz[:, n : 2 * n] = bc * c * f * (1.0 - f)
            bz[:, 2 * n : 3 * n] = bh * t * o * (1.0 - o)
            bz[:, 3 * n :] = bc * i * (1.0 - g * g)
            bW += X[k].T @ bz
            bU += h.T @ bz
            bb += np.sum(bz, axis=0)
            bh, bc = bz @ U.T, bc * f
        return bW, bU, bb

    native = expert

    def jax(W, U, b, X, target):
        import jax
        import jax.numpy as jnp

        n = target.shape[1]

        def step(state, x):
            h, c = state
            z = x @ W + h @ U + b
            i, f, o = (jax.nn.sigmoid(z[:, k * n : (k + 1) * n]) for k in range(3))
            c = f * c + i * jnp.tanh(z[:, 3 * n :])
            return (o * jnp.tanh(c), c), None

        zero = jnp.zeros_like(target)
        (h, _), _ = jax.lax.scan(step, (zero, zero), X)
        return jnp.sum((h - target) ** 2)


# --- stencils -------------------------------------------------------------------------------------------------------


@workload
class heat:
    """The heat equation on a rod, in place."""

    group, wrt = "stencil", ("u", "k")

    def inputs(n=500, steps=50):
        return np.sin(np.linspace(0.0, 3.0, n)), 0.2, steps

    def primal(u, k, steps):
        u = u.copy()
        for _ in range(steps):
            u[1:-1] += k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        return np.sum(u * u)

    def expert(u, k, steps):
        u, tape = u.copy(), []
        for _ in range(steps):
            lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
            tape.append(lap)
            u[1:-1] += k * lap
        bu, bk = 2.0 * u, 0.0
        for _ in range(steps):
            g = bu[1:-1].copy()
            bk += g @ tape.pop()
            g *= k
            bu[2:] += g
            bu[1:-1] -= 2.0 * g
            bu[:-2] += g
        return bu, bk

    def native(u, k, steps):
        n = len(u)
        us = np.empty((steps + 1, n))
        us[0] = u
        for s in range(steps):
            us[s + 1, 0], us[s + 1, n - 1] = us[s, 0], us[s, n - 1]
            for i in range(1, n - 1):
                us[s + 1, i] = us[s, i] + k * (us[s, i + 1] - 2.0 * us[s, i] + us[s, i - 1])
        bu, bk = 2.0 * us[steps], 0.0
        for s in range(steps - 1, -1, -1):
            new = bu.copy()
            for i in range(1, n - 1):
                bk += bu[i] * (us[s, i + 1] - 2.0 * us[s, i] + us[s, i - 1])
                g = k * bu[i]
                new[i + 1] += g
                new[i] -= 2.0 * g
                new[i - 1] += g
            bu = new
        return bu, bk

    def jax(u, k, steps):
        import jax
        import jax.numpy as jnp

        def step(u, _):
            return u.at[1:-1].add(k * (u[2:] - 2.0 * u[1:-1] + u[:-2])), None

        u, _ = jax.lax.scan(step, u, None, length=50)
        return jnp.sum(u * u)


@workload
class burgers:
    """Burgers' equation: the stencil is not linear, so that its operands are recorded."""

    group, wrt = "stencil", ("u", "nu")

    def inputs(n=500, steps=50):
        return np.sin(np.linspace(0.0, 6.0, n)), 0.05, steps

    def primal(u, nu, steps):
        u = u.copy()
        for _ in range(steps):
            u[1:-1] += nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] * (u[2:] - u[:-2])
        return np.sum(u * u)

    def expert(u, nu, steps):
        u, tape = u.copy(), []
        for _ in range(steps):
            tape.append(u.copy())
            u[1:-1] += nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] * (u[2:] - u[:-2])
        bu, bnu = 2.0 * u, 0.0
        for _ in range(steps):
            u = tape.pop()
            g = bu[1:-1].copy()
            bnu += g @ (u[2:] - 2.0 * u[1:-1] + u[:-2])
            gu, gn = 0.1 * g * u[1:-1], nu * g
            bu[1:-1] -= 2.0 * gn + 0.1 * g * (u[2:] - u[:-2])
            bu[2:] += gn - gu
            bu[:-2] += gn + gu
        return bu, bnu

    native = expert

    def jax(u, nu, steps):
        import jax
        import jax.numpy as jnp

        def step(u, _):
            new = nu * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] * (u[2:] - u[:-2])
            return u.at[1:-1].add(new), None

        u, _ = jax.lax.scan(step, u, None, length=50)
        return jnp.sum(u * u)


@workload
class jacobi:
    """Sweeps of Jacobi's method over a plate."""

    group, wrt = "stencil", ("A",)

    def inputs(n=60, steps=20):
        return rng().random((n, n)), steps

    def primal(A, steps):
        B = A.copy()
        for _ in range(steps):
            C = B.copy()
            C[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
            B = C
        return np.sum(B * B)

    def expert(A, steps):
        B = A.copy()
        for _ in range(steps):
            C = B.copy()
            C[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
            B = C
        b = 2.0 * B
        for _ in range(steps):
            g = 0.2 * b[1:-1, 1:-1]
            b[1:-1, 1:-1] = g
            b[1:-1, :-2] += g
            b[1:-1, 2:] += g
            b[2:, 1:-1] += g
            b[:-2, 1:-1] += g
        return b

    native = expert

    def jax(A, steps):
        import jax
        import jax.numpy as jnp

        def step(B, _):
            new = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
            return B.at[1:-1, 1:-1].set(new), None

        B, _ = jax.lax.scan(step, A, None, length=20)
        return jnp.sum(B * B)


@workload
class convolution:
    """A two-dimensional convolution, by slices."""

    group, wrt = "stencil", ("image", "kernel")

    def inputs(n=64, k=5):
        g = rng()
        return g.normal(size=(n, n)), g.normal(size=(k, k))

    def primal(image, kernel):
        k = kernel.shape[0]
        n = image.shape[0] - k + 1
        out = np.zeros((n, n))
        for i in range(k):
            for j in range(k):
                out += kernel[i, j] * image[i : i + n, j : j + n]
        return np.sum(np.tanh(out))

    def expert(image, kernel):
        k = kernel.shape[0]
        n = image.shape[0] - k + 1
        out = np.zeros((n, n))
        for i in range(k):
            for j in range(k):
                out += kernel[i, j] * image[i : i + n, j : j + n]
        g = 1.0 - np.tanh(out) ** 2
        bimage, bkernel = np.zeros_like(image), np.zeros_like(kernel)
        for i in range(k):
            for j in range(k):
                bkernel[i, j] = np.sum(g * image[i : i + n, j : j + n])
                bimage[i : i + n, j : j + n] += kernel[i, j] * g
        return bimage, bkernel

    native = expert

    def jax(image, kernel):
        import jax.numpy as jnp

        k = kernel.shape[0]
        n = image.shape[0] - k + 1
        out = jnp.zeros((n, n))
        for i in range(k):
            for j in range(k):
                out += kernel[i, j] * image[i : i + n, j : j + n]
        return jnp.sum(jnp.tanh(out))


# --- linear algebra -------------------------------------------------------------------------------------------------


@workload
class gaussian_process:
    """The marginal likelihood of a Gaussian process."""

    group, wrt = "linear algebra", ("length", "noise")

    def inputs(n=80):
        g = rng()
        x = np.sort(g.random(n))
        return 0.3, 0.1, (x[:, None] - x) ** 2, np.sin(6.0 * x) + 0.1 * g.normal(size=n)

    def primal(length, noise, d2, y):
        K = np.exp(-0.5 * d2 / length**2) + noise * np.eye(len(y))
        alpha = np.linalg.solve(K, y)
        return 0.5 * y @ alpha + 0.5 * np.linalg.slogdet(K)[1]

    def expert(length, noise, d2, y):
        E = np.exp(-0.5 * d2 / length**2)
        inv = np.linalg.inv(E + noise * np.eye(len(y)))
        alpha = inv @ y
        bK = 0.5 * (inv - np.outer(alpha, alpha))
        return np.sum(bK * E * d2) / length**3, np.trace(bK)


@workload
class ridge:
    """The validation error of ridge regression as a function of the penalties."""

    group, wrt = "linear algebra", ("penalty",)

    def inputs(n=200, d=30):
        g = rng()
        X, V = g.normal(size=(n, d)), g.normal(size=(n, d))
        w = g.normal(size=d)
        return 0.1 + g.random(d), X, X @ w + g.normal(size=n), V, V @ w

    def primal(penalty, X, y, V, t):
        w = np.linalg.solve(X.T @ X + np.diag(penalty), X.T @ y)
        return np.mean((V @ w - t) ** 2)

    def expert(penalty, X, y, V, t):
        A = X.T @ X + np.diag(penalty)
        w = np.linalg.solve(A, X.T @ y)
        bw = V.T @ (2.0 / len(t) * (V @ w - t))
        return -np.linalg.solve(A.T, bw) * w


@workload
class correlation:
    """The correlation matrix, column by column."""

    group, wrt = "linear algebra", ("data",)
    looped = True

    def inputs(n=100, m=20):
        return (rng().normal(size=(n, m)),)

    def primal(data):
        n, m = data.shape
        mean = np.mean(data, axis=0)
        std = np.sqrt(np.mean((data - mean) ** 2, axis=0))
        z = (data - mean) / (np.sqrt(n) * std)
        corr = np.eye(m)
        for i in range(m - 1):
            corr[i, i + 1 :] = z[:, i] @ z[:, i + 1 :]
            corr[i + 1 :, i] = corr[i, i + 1 :]
        return np.sum(corr**3)

    def expert(data):
        n = len(data)
        mean = np.mean(data, axis=0)
        std = np.sqrt(np.mean((data - mean) ** 2, axis=0))
        z = (data - mean) / (np.sqrt(n) * std)
        g = 3.0 * (z.T @ z) ** 2
        np.fill_diagonal(g, 0.0)
        bz = 2.0 * z @ g
        return (bz - np.mean(bz, axis=0) - z * np.sum(bz * z, axis=0)) / (np.sqrt(n) * std)


@workload
class kalman:
    """A Kalman filter with matrices."""

    group, wrt = "small matrices", ("F", "Q")

    def inputs(steps=60, n=4, m=2):
        g = rng()
        return (0.9 * np.eye(n) + 0.05 * g.normal(size=(n, n)), 0.1 * np.eye(n), g.normal(size=(m, n)), np.eye(m),
                g.normal(size=(steps, m)))  # fmt: skip

    def primal(F, Q, H, R, ys):
        n = len(F)
        x, P, total = np.zeros(n), np.eye(n), 0.0
        for y in ys:
            x = F @ x
            P = F @ P @ F.T + Q
            S = H @ P @ H.T + R
            e = y - H @ x
            inv = np.linalg.inv(S)
            total += e @ inv @ e + np.log(np.linalg.det(S))
            K = P @ H.T @ inv
            x = x + K @ e
            P = P - K @ H @ P
        return total

    def expert(F, Q, H, R, ys):
        n = len(F)
        x, P, tape = np.zeros(n), np.eye(n), []
        for k in range(len(ys)):
            x0, P0 = x, P
            x = F @ x0
            P = F @ P0 @ F.T + Q
            inv = np.linalg.inv(H @ P @ H.T + R)
            e = ys[k] - H @ x
            K = P @ H.T @ inv
            tape.append((x0, P0, P, inv, e, K))
            x = x + K @ e
            P = P - K @ H @ P
        bx, bP, bF, bQ = np.zeros(n), np.zeros((n, n)), np.zeros_like(F), np.zeros_like(Q)
        for _ in range(len(ys)):
            x0, P0, P, inv, e, K = tape.pop()
            bK = np.outer(bx, e) - bP @ P.T @ H.T
            be = K.T @ bx + (inv + inv.T) @ e
            bP = bP - H.T @ K.T @ bP + bK @ inv.T @ H
            binv = np.outer(e, e) + H @ P.T @ bK
            bS = -inv.T @ binv @ inv.T + inv.T
            bP = bP + H.T @ bS @ H
            bx = bx - H.T @ be
            bF += bP @ F @ P0.T + bP.T @ F @ P0 + np.outer(bx, x0)
            bQ += bP
            bP = F.T @ bP @ F
            bx = F.T @ bx
        return bF, bQ

    native = expert

    def jax(F, Q, H, R, ys):
        import jax
        import jax.numpy as jnp

        def step(state, y):
            x, P = state
            x, P = F @ x, F @ P @ F.T + Q
            S, e = H @ P @ H.T + R, y - H @ x
            inv = jnp.linalg.inv(S)
            K = P @ H.T @ inv
            return (x + K @ e, P - K @ H @ P), e @ inv @ e + jnp.log(jnp.linalg.det(S))

        n = len(F)
        return jnp.sum(jax.lax.scan(step, (jnp.zeros(n), jnp.eye(n)), ys)[1])


@workload
class rotations:
    """A chain of rotations in space, applied to points."""

    group, wrt = "small matrices", ("angles",)

    def inputs(n=100):
        g = rng()
        return g.normal(size=n) / 5, g.normal(size=(3, 8))

    def primal(angles, points):
        p = points
        for a in angles:
            c, s = np.cos(a), np.sin(a)
            R = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            p = (R @ p)[::-1]
        return np.sum(p[0] ** 3)

    def expert(angles, points):
        p, tape = points, []
        for a in angles:
            c, s = np.cos(a), np.sin(a)
            tape.append((p, c, s))
            p = np.stack((p[2], s * p[0] + c * p[1], c * p[0] - s * p[1]))
        bp = np.zeros_like(p)
        bp[0] = 3.0 * p[0] ** 2
        bangles = np.zeros_like(angles)
        for k in range(len(angles) - 1, -1, -1):
            p, c, s = tape.pop()
            bangles[k] = bp[1] @ (c * p[0] - s * p[1]) - bp[2] @ (s * p[0] + c * p[1])
            bp = np.stack((s * bp[1] + c * bp[2], c * bp[1] - s * bp[2], bp[0]))
        return bangles

    native = expert

    def jax(angles, points):
        import jax
        import jax.numpy as jnp

        def step(p, a):
            c, s = jnp.cos(a), jnp.sin(a)
            R = jnp.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
            return (R @ p)[::-1], None

        return jnp.sum(jax.lax.scan(step, points, angles)[0][0] ** 3)


# --- gather and scatter ---------------------------------------------------------------------------------------------


@workload
class embedding:
    """Rows of a table, looked up and averaged."""

    group, wrt = "gather", ("table", "w")

    def inputs(n=500, d=16, count=3000):
        g = rng()
        return g.normal(size=(n, d)), g.normal(size=d), g.integers(0, n, count), g.normal(size=count)

    def primal(table, w, index, y):
        return np.mean((np.tanh(table[index]) @ w - y) ** 2)

    def expert(table, w, index, y):
        t = np.tanh(table[index])
        g = 2.0 / len(y) * (t @ w - y)
        b = np.zeros_like(table)
        np.add.at(b, index, g[:, None] * w * (1.0 - t * t))
        return b, t.T @ g

    def native(table, w, index, y):
        b, bw = np.zeros_like(table), np.zeros_like(w)
        d = len(w)
        t = np.empty(d)
        for k in range(len(index)):
            row, e = index[k], -y[k]
            for j in range(d):
                t[j] = math.tanh(table[row, j])
                e += t[j] * w[j]
            g = 2.0 / len(y) * e
            for j in range(d):
                bw[j] += g * t[j]
                b[row, j] += g * w[j] * (1.0 - t[j] * t[j])
        return b, bw

    def jax(table, w, index, y):
        import jax.numpy as jnp

        return jnp.mean((jnp.tanh(table[index]) @ w - y) ** 2)


@workload
class springs:
    """The energy of points that springs connect."""

    group, wrt = "gather", ("x", "rest")

    def inputs(n=300, m=2000):
        g = rng()
        return g.normal(size=(n, 3)), 0.5 + g.random(m), g.integers(0, n // 2, m), g.integers(n // 2, n, m)

    def primal(x, rest, i, j):
        d = x[i] - x[j]
        length = np.sqrt(np.sum(d * d, axis=1))
        return 0.5 * np.sum((length - rest) ** 2)

    def expert(x, rest, i, j):
        d = x[i] - x[j]
        length = np.sqrt(np.sum(d * d, axis=1))
        e = length - rest
        g = (e / length)[:, None] * d
        bx = np.zeros_like(x)
        np.add.at(bx, i, g)
        np.add.at(bx, j, -g)
        return bx, -e

    def native(x, rest, i, j):
        bx, brest = np.zeros_like(x), np.empty_like(rest)
        for k in range(len(rest)):
            a, b = i[k], j[k]
            d0, d1, d2 = x[a, 0] - x[b, 0], x[a, 1] - x[b, 1], x[a, 2] - x[b, 2]
            length = math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
            e = length - rest[k]
            brest[k] = -e
            f = e / length
            bx[a, 0] += f * d0
            bx[a, 1] += f * d1
            bx[a, 2] += f * d2
            bx[b, 0] -= f * d0
            bx[b, 1] -= f * d1
            bx[b, 2] -= f * d2
        return bx, brest


@workload
class factors:
    """The error of a matrix factorisation over the entries that are known."""

    group, wrt = "gather", ("P", "Q")

    def inputs(n=80, m=60, d=8, count=2000):
        g = rng()
        return (g.normal(size=(n, d)) / 3, g.normal(size=(m, d)) / 3, g.integers(0, n, count), g.integers(0, m, count),
                g.normal(size=count))  # fmt: skip

    def primal(P, Q, rows, columns, values):
        total = 0.0
        for k in range(len(values)):
            e = values[k] - P[rows[k]] @ Q[columns[k]]
            total += e * e
        return total + 0.1 * np.sum(P * P) + 0.1 * np.sum(Q * Q)

    looped = True

    def expert(P, Q, rows, columns, values):
        p, q = P[rows], Q[columns]
        e = -2.0 * (values - np.sum(p * q, axis=1))[:, None]
        bP, bQ = 0.2 * P, 0.2 * Q
        np.add.at(bP, rows, e * q)
        np.add.at(bQ, columns, e * p)
        return bP, bQ

    def native(P, Q, rows, columns, values):
        bP, bQ = 0.2 * P, 0.2 * Q
        d = P.shape[1]
        for k in range(len(values)):
            r, c, e = rows[k], columns[k], values[k]
            for j in range(d):
                e -= P[r, j] * Q[c, j]
            e *= -2.0
            for j in range(d):
                bP[r, j] += e * Q[c, j]
                bQ[c, j] += e * P[r, j]
        return bP, bQ

    def jax(P, Q, rows, columns, values):
        import jax.numpy as jnp

        e = values - jnp.sum(P[rows] * Q[columns], axis=1)
        return jnp.sum(e * e) + 0.1 * jnp.sum(P * P) + 0.1 * jnp.sum(Q * Q)


@workload
class bodies:
    """Bodies that attract each other, by steps of the leapfrog."""

    group, wrt = "small matrices", ("x", "v")

    def inputs(n=12, steps=20):
        g = rng()
        return g.normal(size=(n, 3)), 0.1 * g.normal(size=(n, 3)), 1.0 + g.random(n), 0.01, steps

    def primal(x, v, mass, dt, steps):
        for _ in range(steps):
            d = x[None, :, :] - x[:, None, :]
            inv = (np.sum(d * d, axis=2) + 0.01) ** -1.5
            v = v + dt * np.sum(d * (mass[None, :] * inv)[:, :, None], axis=1)
            x = x + dt * v
        return np.sum(x * x) + np.sum(v * v)

    def expert(x, v, mass, dt, steps):
        tape = []
        for _ in range(steps):
            d = x[None, :, :] - x[:, None, :]
            s = np.sum(d * d, axis=2) + 0.01
            w = mass[None, :] * s**-1.5
            tape.append((d, s, w))
            v = v + dt * np.sum(d * w[:, :, None], axis=1)
            x = x + dt * v
        bx, bv = 2.0 * x, 2.0 * v
        for _ in range(steps):
            d, s, w = tape.pop()
            bv = bv + dt * bx
            ba = dt * bv[:, None, :]
            bs = -1.5 * np.sum(ba * d, axis=2) * w / s
            bd = ba * w[:, :, None] + 2.0 * bs[:, :, None] * d
            bx = bx + np.sum(bd, axis=0) - np.sum(bd, axis=1)
        return bx, bv

    def native(x, v, mass, dt, steps):
        n = len(x)
        xs = np.empty((steps, n, 3))
        x, v = x.copy(), v.copy()
        for t in range(steps):
            xs[t] = x
            for i in range(n):
                for j in range(n):
                    d0, d1, d2 = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                    s = d0 * d0 + d1 * d1 + d2 * d2 + 0.01
                    w = dt * mass[j] / (s * math.sqrt(s))
                    v[i, 0] += w * d0
                    v[i, 1] += w * d1
                    v[i, 2] += w * d2
            x += dt * v
        bx, bv = 2.0 * x, 2.0 * v
        for t in range(steps - 1, -1, -1):
            x = xs[t]
            bv += dt * bx
            for i in range(n):
                for j in range(n):
                    d0, d1, d2 = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                    s = d0 * d0 + d1 * d1 + d2 * d2 + 0.01
                    w = dt * mass[j] / (s * math.sqrt(s))
                    k = -3.0 * (bv[i, 0] * d0 + bv[i, 1] * d1 + bv[i, 2] * d2) * w / s
                    g0, g1, g2 = bv[i, 0] * w + k * d0, bv[i, 1] * w + k * d1, bv[i, 2] * w + k * d2
                    bx[j, 0] += g0
                    bx[j, 1] += g1
                    bx[j, 2] += g2
                    bx[i, 0] -= g0
                    bx[i, 1] -= g1
                    bx[i, 2] -= g2
        return bx, bv

    def jax(x, v, mass, dt, steps):
        import jax
        import jax.numpy as jnp

        def step(state, _):
            x, v = state
            d = x[None, :, :] - x[:, None, :]
            inv = (jnp.sum(d * d, axis=2) + 0.01) ** -1.5
            v = v + dt * jnp.sum(d * (mass[None, :] * inv)[:, :, None], axis=1)
            return (x + dt * v, v), None

        (x, v), _ = jax.lax.scan(step, (x, v), None, length=20)
        return jnp.sum(x * x) + jnp.sum(v * v)


# --- containers -----------------------------------------------------------------------------------------------------


@workload
class perceptron:
    """A perceptron with its parameters in a dict."""

    group, wrt = "containers", ("params",)

    def inputs(n=64, d=20, h=32, k=5):
        g = rng()
        params = {"W1": g.normal(size=(d, h)) / 5, "b1": np.zeros(h)}
        params |= {"W2": g.normal(size=(h, k)) / 5, "b2": np.zeros(k)}
        return params, g.normal(size=(n, d)), np.eye(k)[g.integers(0, k, n)]

    def primal(params, X, Y):
        h = np.tanh(X @ params["W1"] + params["b1"])
        z = h @ params["W2"] + params["b2"]
        return np.mean(np.log(np.sum(np.exp(z), axis=1)) - np.sum(z * Y, axis=1))

    def expert(params, X, Y):
        h = np.tanh(X @ params["W1"] + params["b1"])
        e = np.exp(h @ params["W2"] + params["b2"])
        bz = (e / np.sum(e, axis=1)[:, None] - Y) / len(X)
        bh = bz @ params["W2"].T * (1.0 - h * h)
        return {"W1": X.T @ bh, "b1": np.sum(bh, axis=0), "W2": h.T @ bz, "b2": np.sum(bz, axis=0)}


@workload
class layers:
    """A deep network whose layers are pairs in a list."""

    group, wrt = "containers", ("layers",)

    def inputs(n=32, d=16, depth=6):
        g = rng()
        return [(g.normal(size=(d, d)) / 4, np.zeros(d)) for _ in range(depth)], g.normal(size=(n, d))

    def primal(layers, X):
        for W, b in layers:
            X = np.tanh(X @ W + b)
        return np.sum(X * X)

    def expert(layers, X):
        values = [X]
        for W, b in layers:
            values.append(np.tanh(values[-1] @ W + b))
        g, out = 2.0 * values[-1], []
        for (W, _), x, y in zip(layers[::-1], values[-2::-1], values[:0:-1], strict=True):
            g = g * (1.0 - y * y)
            out.append((x.T @ g, np.sum(g, axis=0)))
            g = g @ W.T
        return out[::-1]
