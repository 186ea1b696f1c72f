"""Names: augmented assignment, unpacking, swaps, docstrings, annotations, print, assert."""

from typing import Optional, Union

import numpy as np
import numpy.typing as npt

from tests.language.corpus import normal, program, uniform


@program("augmented assignment to names", args=lambda: (1.5, 0.4))
def all_operators(x, y):
    a = x
    a += y
    a *= x
    a -= 0.5
    a /= y
    a **= 2
    a %= 50.0
    a //= 1.0
    b = x
    b **= y
    return a + b * x


@program("augmented assignment to names", args=lambda: (normal(4), 2.0))
def accumulator_becomes_array(x, c):
    s = 0.0
    s += x
    s *= c
    return np.sum(s * x)


@program("augmented assignment to names", args=lambda: (normal(4), 2.0))
def augmented_on_own_array(x, c):
    y = x * 1.0
    y += c
    y *= x
    y -= y * 0.5
    y /= c
    return np.sum(y * y)


@program("augmented assignment to names", args=lambda: (normal(4), normal(4, seed=1)))
def augmented_changes_argument(x, y):
    x += y
    x *= x
    return np.sum(x * y)


@program("augmented assignment to names", args=lambda: (normal(3, 4), normal(4, seed=1)))
def augmented_with_broadcast(A, b):
    T = np.zeros((3, 4))
    T += b
    T -= A * b
    T **= 2
    return np.sum(T)


@program("augmented assignment to names", args=lambda: (normal(3, 3), normal(3)))
def augmented_matmul(A, v):
    B = A + np.eye(3)
    B @= A
    return v @ B @ v


@program("augmented assignment to names", args=lambda: (1.2, 3))
def augmented_rebinds_number(x, n):
    y = x
    x *= 2.0
    x += y
    y *= x
    return x * y * n


@program("augmented assignment to names", args=lambda: (normal(5),))
def product_and_sum_in_loop(x):
    p, s = 1.0, 0.0
    for v in x:
        p *= 1.0 + v * v
        s += p
        s /= 1.1
    return s


@program("unpacking", args=lambda: ((0.5, 1.5, -0.2),))
def unpack_argument(p):
    a, b, c = p
    return a * b + c * c


@program("unpacking", args=lambda: (normal(3),))
def unpack_array(v):
    x, y, z = v
    return x * y + y * z


@program("unpacking", args=lambda: (normal(2, 3),))
def unpack_rows(A):
    first, second = A
    return first @ second + np.sum(first)


@program("unpacking", args=lambda: (0.5, 1.5))
def nested_unpacking(x, y):
    (a, b), [c, d] = (x, y * y), (x + y, 2.0)
    return a * b * c**d


@program("unpacking", args=lambda: (0.5, 1.5))
def several_targets(x, y):
    a = b = x * y
    a = a + 1.0
    return a * b


@program("unpacking", args=lambda: ([0.5, 1.5, 2.5, -1.0],))
def starred_unpacking(values):
    first, *rest, last = values
    total = first * last
    for r in rest:
        total += r * r
    return total


@program("unpacking", args=lambda: (normal(5),))
def starred_array(x):
    head, *tail = x
    return head * tail[0] + tail[-1] ** 2


@program("unpacking", args=lambda: (normal(3, 4),))
def unpack_shape(A):
    n, m = A.shape
    return np.sum(A) / n + np.sum(A * A) / m


@program("unpacking", args=lambda: (0.8, 0.3))
def unpack_function_result(x, y):
    def both(u, v):
        return u * v, u - v

    p, d = both(x, y)
    _, e = both(p, d)
    return p * d + e


@program("unpacking", args=lambda: (0.8, 0.3), second=False)
def unpack_to_result(x, y):
    r, (s, t) = x * y, (x, y)
    return r, {"s": s * s, "t": t}


@program("swap", args=lambda: (0.5, 1.5))
def swap_numbers(x, y):
    x, y = y, x
    x = x * x
    return x - y


@program("swap", args=lambda: (0.5, 1.5, 3))
def fibonacci_like(a, b, n):
    for _ in range(n):
        a, b = b, a + b * b
    return b


@program("swap", args=lambda: (0.5, 1.5, 2.5))
def rotate_three(a, b, c):
    a, b, c = b * 2.0, c, a
    return a * b - c**2


@program("swap", args=lambda: (normal(4),))
def swap_elements(x):
    y = x.copy()
    y[0], y[3] = y[3], y[0]
    return y @ np.array([1.0, 2.0, 3.0, 4.0]) * y[0]


@program("swap", args=lambda: (normal(3), normal(3, seed=1), 3))
def swap_buffers(a, b, n):
    for k in range(n):
        b = a * 0.5 + b
        a, b = b, a
    return a @ a + 2.0 * np.sum(b)


@program("swap", args=lambda: (0.2, 0.9))
def sort_two(x, y):
    if x < y:
        x, y = y, x
    return x**2 - y


@program("swap", args=lambda: ([0.5, 1.5, 2.5],))
def swap_list_items(v):
    w = list(v)
    w[0], w[2] = w[2], w[0]
    return w[0] * 3.0 + w[1] * w[2]


@program("swap", args=lambda: (normal(4), normal(4, seed=1)))
def swap_names_of_arrays_then_store(x, y):
    a, b = x.copy(), y.copy()
    a, b = b, a
    a[0] = b[1] * 2.0
    return np.sum(a * b)


@program("docstrings and annotations", args=lambda: (0.5, 1.5))
def documented(x: float, y: float = 2.0) -> float:
    """Product of powers.

    Args:
        x: base.
        y: other base.
    """
    z: float = x * y
    w: float
    w = z + x
    "a string as a statement"
    return w * z


@program("docstrings and annotations", args=lambda: (normal(4), 2.0))
def array_annotations(x: np.ndarray, c: float) -> np.ndarray:
    y: npt.NDArray[np.float64] = c * x
    return np.sum(y**2)


@program("docstrings and annotations", args=lambda: (1.5, None))
def union_annotation(x: float, scale: float | None = None) -> float:
    if scale is None:
        scale = 2.0
    return x * x * scale


@program("docstrings and annotations", args=lambda: (1.5, 0.5))
def optional_annotation(x: "float", scale: Optional[float] = None, extra: Union[int, float] = 1) -> "float":  # noqa: UP045,UP007
    return x * (scale if scale is not None else 1.0) + extra * x * x


@program("docstrings and annotations", args=lambda: (normal(3), 2))
def annotated_locals_in_loop(x: "np.ndarray", n: int) -> float:
    total: float = 0.0
    for i in range(n):
        step: float = x[i] * x[i + 1]
        total += step
    return total


@program("docstrings and annotations", args=lambda: ([0.5, 2.0],))
def generic_annotations(values: list[float]) -> tuple[float, ...] | float:
    out: dict[str, float] = {}
    out["a"] = values[0] * values[1]
    return out["a"] ** 2


@program("docstrings and annotations", args=lambda: (0.4,))
def comments_everywhere(x):
    # a comment before
    y = x * x  # a comment behind
    # y = 3

    # the result
    return (
        y  # first
        + x  # second
    )


@program("docstrings and annotations", args=lambda: (0.4, 0.9))
def long_lines_and_pass(x, y):
    if x > y:
        pass
    z = (x * x + 2.0 * x * y + y * y + 3.0 * x * x * y + 3.0 * x * y * y + 4.0 * x * x * y * y
         - x / (1.0 + y) - y / (1.0 + x))
    ...
    return z; # noqa: E703


@program("print", args=lambda: (0.5, 1.5))
def prints_once(x, y):
    print("x is", x)
    z = x * y
    print(f"z = {z:.3f}")
    return z * z


@program("print", args=lambda: (normal(3),))
def prints_in_a_loop(x):
    s = 0.0
    for i, v in enumerate(x):
        s += v * v
        print(i, round(s, 4))
    return s


@program("print", args=lambda: (0.5, True))
def prints_when_verbose(x, verbose):
    y = x
    for k in range(3):
        y = y * x + 1.0
        if verbose and k > 0:
            print("step", k, end="; ")
    if verbose:
        print()
    return y


@program("print", args=lambda: (1.5,))
def prints_in_helper(x):
    def report(label, value):
        print(label, "->", value)
        return value * x

    return report("a", x * x) + report("b", x + 1.0)


@program("print", args=lambda: (normal(3, 2),))
def prints_shape_and_type(A):
    print(A.shape, A.dtype, type(A).__name__)
    return np.sum(A * A)


@program("print", args=lambda: (0.7,))
def prints_in_while(x):
    n = 0
    while x < 3.0:
        x = x * 1.7
        n += 1
        print(f"{n}: {x:.2f}")
    print("done")
    return x


@program("print", args=lambda: (normal(4),))
def prints_stored_array(x):
    y = np.zeros(4)
    y[1:3] = x[1:3] * 2.0
    print("y before:", y.round(3))
    y[2] = x[0]
    print("y after:", y.round(3))
    return np.sum(y * x)


@program("print", args=lambda: (0.3, 2))
def prints_from_recursion(x, n):
    print("depth", n)
    if n == 0:
        return x
    return x * prints_from_recursion(x, n - 1)


@program("assert", args=lambda: (0.5, 1.5))
def asserts_pass(x, y):
    assert x < y, "x must be smaller"
    return (y - x) ** 2


@program("assert", args=lambda: (2.5, 1.5), raises=AssertionError)
def asserts_fail(x, y):
    assert x < y, f"x must be smaller than {y}"
    return (y - x) ** 2


@program("assert", args=lambda: (normal(3, 2), normal(3)))
def asserts_shapes(A, b):
    assert A.ndim == 2 and A.shape[0] == len(b), (A.shape, b.shape)
    return np.sum(A.T @ b)


@program("assert", args=lambda: (uniform(4),))
def asserts_on_computed_data(x):
    y = np.sqrt(x)
    assert np.all(y > 0)
    assert np.isfinite(y).all(), "not finite"
    return np.sum(y)


@program("assert", args=lambda: (0.5, 3))
def asserts_in_loop(x, n):
    for i in range(n):
        x = x * x + 0.1
        assert x < 10.0, f"diverged at {i}"
    return x


@program("assert", args=lambda: (0.5, 8), raises=AssertionError)
def assert_fails_in_loop(x, n):
    for i in range(n):
        x = x + 0.7
        assert x < 3.0, f"diverged at {i}"
    return x


@program("assert", args=lambda: (0.5,))
def asserts_type(x):
    assert isinstance(x, float)
    assert not isinstance(x, np.ndarray)
    return x**3


@program("assert", args=lambda: (0.5, "fast"))
def asserts_mode(x, mode):
    assert mode in ("fast", "slow")
    return x**3 if mode == "fast" else x * x * x


@program("unpacking", args=lambda: (normal(3),))
def unpacked_by_the_line(x):
    a, b = x[0], x[1]
    c, d, e = x
    pair = (x[1] * a, x[2])
    f, g = pair
    x = x * 2.0
    h, i, j = x
    return a * b * np.sin(c) * d + e * f * np.cos(g) + h * i * np.sin(j * h)


@program("unpacking", args=lambda: (normal(3, 2),))
def unpacked_rows_and_shapes(x):
    n, m = x.shape
    p, q = np.shape(x.T)
    total = 0.0
    for k in range(n):
        a, b = x[k]
        total += a * np.sin(b * a) * m
    r, s, t = x
    u, u, v = x[:, 0]
    return total * p / q + r @ s * np.sin(t @ r) + u * v**2
