"""Arrays written through flat positions, masks of ufuncs, stored indices and blocks; text and classes on the way."""

import functools
import operator

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("out arguments", args=lambda: (uniform(3), np.array([1.0, 0.0, 2.0])), wrt=0)
def safe_division(a, b):
    return np.sum(np.divide(a, b, out=np.zeros_like(a), where=b != 0))


@program("out arguments", args=lambda: (uniform(3, 4), np.array([0.5, 0.2, 0.7])))
def masked_ufuncs_broadcast(a, b):
    y = np.ones((3, 4))
    np.divide(a, b[:, None], out=y, where=(b > 0.3)[:, None])
    np.multiply(y, 2.0, out=y, where=y > 1.0)
    return np.sum(y * y)


@program("whole-array writes", args=lambda: (uniform(3),))
def flat_positions(x):
    y = np.zeros((2, 3))
    y.flat[1:4] = x
    y.flat[[0, 5]] = x[0] ** 2
    y.flat[2] *= x[1]
    np.put(y, [4], x[2] * x[0])
    y.put([0], 7.0)
    s = sum(v * v for v in y.flat)
    return s + y.item(1, 2) * y.item(4)


@program("whole-array writes", args=lambda: (uniform(6), uniform(6)))
def masks_of_flat_positions(x, z):
    y = np.zeros((2, 3))
    y.flat[x > 0.7] = z[0]
    A = np.outer(x, z)
    A.flat[(A > 0.6).ravel()] *= 2.0
    return np.sum(y * np.arange(6.0).reshape(2, 3)) * z[1] + np.sum(A**2 * z) + np.sum(A.flat[(A < 2.0).ravel()])


@program("whole-array writes", args=lambda: (uniform(3), uniform(4)[1:]))
def stored_where_a_mask_says(x, z):
    error = x - z
    known = (x != 0.0).ravel()
    share = np.full_like(error, 0.0)
    share.flat[known] = error.flat[known] / x.flat[known]
    return np.sum(share**2)


@program("whole-array writes", args=lambda: (uniform(3), uniform(3)))
def stored_in_turn_or_nowhere(x, z):
    n = int(np.sum(z > 1.0))
    A = np.outer(x, z)
    A.flat[::2] = z[:n] * x[0]
    A.flat[[1, 5]] = z[z > 100.0]
    return np.sum(A**2 * z)


@program("mixed indices", args=lambda: (uniform(3, 3), 2))
def indices_kept_in_names(A, rows):
    i = slice(1, rows)
    j = np.s_[::2, :rows]
    B = A * 1.0
    B[i] *= 2.0
    B[j] += A[0, 0]
    B[np.index_exp[0]] = A[1]
    k = (slice(None, None, -1), 1)
    return np.sum(B[i] * A[i]) + np.sum(B[k] ** 2) + B[j].sum()


@program("arrays of computed parts", args=lambda: (normal(3, 3), normal(3)))
def blocks_of_vectors(A, b):
    M = np.block([[A, b[:, None]], [b[None, :] * 2, np.ones((1, 1))]])
    return np.sum(M**2) + np.sum(np.block([b, b * b]) ** 3)


@program("loops over other things", args=lambda: (normal(3, 3),))
def all_indices(A):
    s = 0.0
    for i, j in np.ndindex(A.shape):
        s = s * 0.5 + A[i, j] * A[j, i]
    for ij, v in np.ndenumerate(A):
        s += v**2 * ij[0] * A[ij]
    return s


@program("whole-array writes", args=lambda: (normal(3, 4), normal(4)))
def copyto_broadcast(A, row):
    B = A.copy()
    np.copyto(B, row * row, where=A > 0.2)
    np.copyto(B[1:, 0], 3.0)
    return np.sum(B * A)


@program("whole-array writes", args=lambda: (normal(2, 3, 4),))
def put_along_the_middle(A):
    B = A * A
    k = np.argsort(A, axis=1)[:, :2]
    np.put_along_axis(B, k, np.sin(np.take_along_axis(A, k, 1)), 1)
    return np.sum(B * A)


@program("other modules, sorted and sums", args=lambda: ([{"w": 0.5, "v": 1.5}, {"w": 0.2, "v": 0.7}],))
def getters(records):
    weight, value = operator.itemgetter("w"), operator.itemgetter("v")
    both = operator.itemgetter("v", "w")
    v, w = both(records[0])
    return sum(weight(r) * value(r) for r in records) + v**2 * w


@program("partial and decorators", args=lambda: (0.7, 4))
def cached_inner_function(x, n):
    @functools.lru_cache(maxsize=None)
    def power(k):
        return 1.0 if k == 0 else x * power(k - 1) + k

    return sum(power(k) for k in range(4)) * n


@program("string and enum switches, dicts", args=lambda: (0.7, "a: 2, b: 0.5"))
def model_from_text(x, text):
    parts = [p.strip().split(":") for p in text.split(",")]
    rates = {name: float(rate) for name, rate in parts}
    s = 0.0
    for name, rate in rates.items():
        s += rate * (x if name.startswith("a") else x * x)
    return s


@program("methods and attributes", args=lambda: (0.4, 3.0))
def class_that_sees_variables(x, scale):
    class Spring:
        count = 0

        def __init__(self, k):
            self.k = k * scale

        def force(self, u):
            return -self.k * u + offset

        @property
        def doubled(self):
            return 2.0 * self.k * x

        @staticmethod
        def shifted(u):
            return u + x

    offset = x * x
    s = Spring(x)
    scale = scale * 2.0
    t = Spring(1.0)
    return s.force(x) * t.force(2.0) + s.doubled * Spring.shifted(t.k)


@program("try", args=lambda: ({"a": 0.5}, 2.0))
def missing_key_tells_its_name(p, x):
    total = 0.0
    for name in ("a", "b", "c"):
        try:
            total += p[name] * x
        except KeyError as error:
            total += x**2 if error.args[0] == "b" else 1.0
    return total


@program("dicts, for", args=lambda: (0.8, 4))
def dict_filled_by_turns(x, n):
    table = {}
    for k in range(n):
        if k % 2:
            table[f"odd{k}"] = x**k
        else:
            table[k] = x * k
    return sum(v for key, v in table.items() if isinstance(key, str)) + table[2]


@program("methods and attributes, for", args=lambda: (normal(3), 4))
def state_made_on_first_use(w, n):
    class Smooth:
        def __init__(self):
            self.mean = None

        def __call__(self, v):
            self.mean = v if self.mean is None else 0.8 * self.mean + 0.2 * v
            return self.mean

    smooth = Smooth()
    total = 0.0
    for k in range(n):
        total += np.sum(smooth(w * (k + 1)) ** 2)
    return total
