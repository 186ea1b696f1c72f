"""ndarray methods and attributes."""

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("ndarray methods", args=lambda: (normal(3, 4),))
def reductions(x):
    return x.sum(axis=0).max() + x.mean() * x.std() + x.var(axis=1).sum() + x.prod(axis=1)[0]


@program("ndarray methods", args=lambda: (normal(6),))
def reshape_and_dot(x):
    A = x.reshape(2, 3)
    B = x.reshape((3, 2))
    return A.dot(B).sum() + A.reshape(-1)[4] * B.ravel()[1]


@program("ndarray methods", args=lambda: (normal(3, 4), normal(3)))
def transposes(A, v):
    return (A.T @ v).sum() + A.transpose(1, 0)[2] @ v + A.swapaxes(0, 1).T[0, 0] ** 2


@program("ndarray methods", args=lambda: (normal(3, 4),))
def copy_and_astype(A):
    B = A.copy()
    B[0] = 0.0
    C = A.astype(float)
    C *= 2.0
    return (A * B * C).sum()


@program("ndarray methods", args=lambda: (normal(5),))
def clip_round_cumsum(x):
    return x.clip(-0.5, 0.5).sum() + x.cumsum()[-2] * x.cumprod()[2] + (x * x.round()).sum()


@program("ndarray methods", args=lambda: (normal(5),))
def extremes(x):
    i = x.argmax()
    return x.max() * x.min() + x[i] * x[x.argmin()]


@program("ndarray methods", args=lambda: (normal(3, 1, 4),))
def squeeze_flatten_item(A):
    B = A.squeeze()
    f = A.flatten()
    f[0] = 3.0
    return (B * B).sum() + f.sum() * A.item(2) + A[0, 0, 0].item()


@program("ndarray methods", args=lambda: (normal(4, 4),))
def trace_diagonal_take(A):
    return A.trace() * A.diagonal().sum() + A.take([0, 5, 5]).sum() ** 2 + A.take([1, 3], axis=1).sum()


@program("ndarray methods", args=lambda: (normal(4), 2))
def repeat_and_tolist(x, n):
    r = x.repeat(n)
    first, *others = x.tolist()
    return (r * r).sum() + first * others[-1]


@program("ndarray methods", args=lambda: (normal(5),))
def in_place_methods(x):
    y = np.empty(5)
    y.fill(2.0)
    y *= x
    z = y.copy()
    z.sort()
    return (z * np.arange(5.0)).sum() + y.sum()


@program("ndarray attributes", args=lambda: (normal(3, 4),))
def shape_size_ndim(A):
    n, m = A.shape
    return A.sum() * A.size / n + (A**A.ndim).sum() * m


@program("ndarray attributes", args=lambda: (normal(3, 4), normal(3, 4, seed=1)))
def transposed_product(A, B):
    C = A.T @ B
    return (C.T * C.T).sum()


@program("ndarray attributes", args=lambda: (normal(4),))
def dtype_and_zeros(x):
    y = np.zeros(x.shape, dtype=x.dtype)
    z = np.full(x.shape[0], x[0], x.dtype)
    y[1:] = x[:-1]
    return (y * z).sum()


@program("ndarray attributes", args=lambda: (normal(2, 3),))
def flat_reading(A):
    s = 0.0
    for v in A.flat:
        s += v**3
    return s * A.flat[2]


@program("ndarray attributes", args=lambda: (normal(3),))
def real_and_imag(x):
    z = x + 1j * x * x
    return (z.real * z.imag).sum() + np.abs(z).sum()


@program("ndarray attributes", args=lambda: (normal(3, 2),))
def store_through_transpose(A):
    B = np.zeros((2, 3))
    B.T[...] = A * A
    B.T[1] *= 2.0
    return (B * B).sum()


@program("ndarray attributes", args=lambda: (uniform(3, 4),))
def shape_as_loop_bound(A):
    s = 1.0
    for j in range(A.shape[1]):
        for i in range(A.shape[0] - 1):
            s = s + A[i, j] * A[i + 1, j] / A.shape[0]
    return s * s


@program("ndarray attributes", args=lambda: (normal(4),))
def shape_assignment_by_reshape(x):
    y = (x * 2.0).reshape(2, -1)
    y.shape == (2, 2)  # noqa: B015
    return y[0] @ y[1] * len(y) + x.nbytes / x.itemsize * x[0]
