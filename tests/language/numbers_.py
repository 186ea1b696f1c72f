"""Numbers: mixtures of types, integer operations, float32, complex, NumPy scalars, powers at the edges."""

import cmath
import math

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("mixed types", args=lambda: (0.5, 3, True))
def int_float_bool(x, n, flag):
    return x * n + flag * x**2 + (n > 2) * x + n / 2 * x


@program("mixed types", args=lambda: (0.5, 7))
def integer_loop_feeds_floats(x, n):
    a, b = 1, 1
    total = 0.0
    for k in range(n):
        total += x * b / (k + 1)
        a, b = b, a + b
    return total * x


@program("mixed types", args=lambda: (7.3, 4))
def int_conversion_is_constant(x, n):
    k = int(x)
    return x * k + (x - k) ** 2 + round(x) * x + math.floor(x) * 2.0


@program("mixed types", args=lambda: (3, 0.5), wrt=(0, 1))
def int_argument_counts_as_float(n, x):
    return n * x + x**2 * n


@program("mixed types", args=lambda: (0.5, np.array([1, 2, 3]), np.array([True, False, True])))
def integer_and_boolean_arrays(x, k, m):
    return np.sum(x**k * m) + np.sum(k[m] * x) + np.sum(np.where(m, x, x * x))


@program("mixed types", args=lambda: (0.5,))
def integer_array_divided(x):
    a = np.arange(1, 5)
    b = a / 2
    c = a // 2
    return np.sum(b * x) + np.sum(c * x**2) + np.sum((a % 3) * x**3)


@program("mixed types", args=lambda: (normal(4),))
def counters_and_floats(x):
    n, s = 0, 0
    for v in x:
        if v > 0:
            n += 1
            s += v
    return s / n if n else 0.0


@program("mixed types", args=lambda: (0.7,))
def int_then_float_name(x):
    y = 1
    for _ in range(3):
        y = y * x + 1
    z = 0
    z += y
    return z * y


@program("floor and modulo", args=lambda: (7.3, 2.1))
def floordiv_and_mod(x, y):
    q, r = divmod(x, y)
    return q * y**2 + r * r + x // y * x


@program("floor and modulo", args=lambda: (-7.3, 2.1))
def negative_modulo(x, y):
    return x % y * x + math.fmod(x, y) + np.mod(x, -y)


@program("floor and modulo", args=lambda: (uniform(5) * 5, 1.3))
def array_modulo(x, y):
    return np.sum(x % y) * y + np.sum(np.remainder(x, 0.7) ** 2) + np.sum(np.fmod(-x, y))


@program("floor and modulo", args=lambda: (2.7,))
def wrapped_angle(t):
    w = (5 * t + math.pi) % (2 * math.pi) - math.pi
    return w * w


@program("floor and modulo", args=lambda: (3.7, 2))
def fractional_part(x, n):
    f = x - math.floor(x)
    g = x - int(x * n) / n
    return f**2 * g + math.modf(x)[0] * x


@program("floor and modulo", args=lambda: (normal(5) * 3,))
def rounding_functions(x):
    return np.sum(x * np.floor(x)) + np.sum((x - np.round(x)) ** 2) + np.sum(np.ceil(x) * x) + np.sum(np.trunc(x))


@program("floor and modulo", args=lambda: (1.26, 17))
def index_from_float(x, n):
    table = np.linspace(0.0, 2.0, n)
    k = int(x / 2.0 * (n - 1))
    w = (x - table[k]) / (table[k + 1] - table[k])
    return (1 - w) * table[k] ** 2 + w * table[k + 1] ** 2


@program("floor and modulo", args=lambda: (5.9, 4))
def integer_division_of_ints(x, n):
    return x ** (n // 3) + (n % 3) * x + divmod(n, 3)[0] * x**2 + -n // 3 * x


@program("non-differentiable steps", args=lambda: (normal(5), normal(5, seed=1)))
def argmax_picks(x, y):
    k = np.argmax(x)
    j = int(np.argmin(y))
    return x[k] * y[k] + x[j] ** 2


@program("non-differentiable steps", args=lambda: (normal(6),))
def argsort_and_rank(x):
    order = np.argsort(x)
    return np.sum(x[order] * np.arange(6.0)) + x[order[-1]] ** 2


@program("non-differentiable steps", args=lambda: (normal(6),))
def comparison_weights(x):
    w = (x > np.mean(x)).astype(float)
    return np.sum(w * x**2) + np.sum(np.sign(x) * x) + np.count_nonzero(x > 0) * x[0]


@program("non-differentiable steps", args=lambda: (0.37, np.linspace(0.0, 1.0, 6), uniform(6)))
def table_lookup_by_searchsorted(t, xs, ys):
    k = np.searchsorted(xs, t) - 1
    w = (t - xs[k]) / (xs[k + 1] - xs[k])
    return ys[k] + w * (ys[k + 1] - ys[k])


@program("non-differentiable steps", args=lambda: (uniform(5), 4))
def histogram_of_indices(x, n):
    k = np.floor(x * 2).astype(int)
    counts = np.bincount(k, minlength=n)
    return np.sum(counts[:n] * x[0]) + np.sum(x * k)


@program("non-differentiable steps", args=lambda: (normal(4, 3),))
def one_hot_of_argmax(A):
    labels = A.argmax(axis=1)
    onehot = np.eye(3)[labels]
    return np.sum(onehot * A**2) + np.sum(A[np.arange(4), labels])


@program("non-differentiable steps", args=lambda: (normal(5),))
def logical_functions(x):
    m = np.logical_and(x > -0.5, np.logical_not(x > 1.0))
    ok = np.isfinite(x) & np.isclose(x, x)
    return np.sum(np.where(m, x**2, x)) * np.all(ok)


@program("non-differentiable steps", args=lambda: (normal(7),))
def median_by_sorting(x):
    k = len(x) // 2
    return np.sort(x)[k] ** 2 + np.partition(x, k)[k] * x[0]


@program("float32", args=lambda: (normal(4).astype(np.float32), np.float32(0.5)), rtol=2e-2, step=0.1, second=False)
def single_precision(x, c):
    return np.sum(np.sin(x) * c * x)


@program("float32", args=lambda: (normal(3, 4).astype(np.float32), normal(4).astype(np.float32)), rtol=2e-2, step=0.1, second=False)
def single_precision_layer(W, b):
    z = W + b
    return np.mean(np.tanh(z) ** 2)


@program("float32", args=lambda: (normal(4).astype(np.float32),), rtol=2e-2, step=0.1, second=False)
def single_and_python_numbers(x):
    y = 2.0 * x + 1
    y[1:] *= 0.5
    return np.sum(y * y)


@program("float32", args=lambda: (normal(4).astype(np.float32), normal(4)), rtol=2e-2, step=0.1, second=False)
def single_meets_double(x, y):
    return np.sum(x * y) + np.sum(y * y)


@program("float32", args=lambda: (normal(4).astype(np.float32),), rtol=2e-2, step=0.1, second=False)
def single_stored_into_double(x):
    y = np.zeros(4)
    y[:] = x
    y[0] = x[1] * x[2]
    return np.sum(y**2)


@program("float32", args=lambda: (normal(4),), rtol=2e-2, step=0.1, second=False)
def double_through_single(x):
    y = x.astype(np.float32)
    z = np.zeros(4, dtype=np.float32)
    z[1:] = y[:-1]
    return float(np.sum(z * y))


@program("float32", args=lambda: (np.float32(0.7), 3), rtol=2e-2, step=0.1, second=False)
def single_number(x, n):
    for _ in range(n):
        x = x * x + np.float32(0.1)
    return x


@program("float32", args=lambda: (normal(3, 3).astype(np.float32),), rtol=2e-2, step=0.1, second=False)
def single_linear_algebra(A):
    S = A @ A.T + 3 * np.eye(3, dtype=A.dtype)
    return np.sum(np.linalg.solve(S, A[:, 0]))


@program("complex inside", args=lambda: (0.5, 1.5))
def python_complex(x, y):
    z = complex(x, y)
    w = z * z + 2j * z
    return w.real * w.imag + abs(w)


@program("complex inside", args=lambda: (0.5, 1.5))
def cmath_functions(x, y):
    z = cmath.exp(1j * x * y) + cmath.sqrt(x + 1j * y)
    return abs(z) ** 2 + cmath.phase(z)


@program("complex inside", args=lambda: (normal(4), normal(4, seed=1)))
def complex_arrays(x, y):
    z = x + 1j * y
    w = np.conj(z) * np.exp(1j * x)
    return np.sum(np.real(w) ** 2) + np.sum(np.imag(z * w)) + np.sum(np.abs(w))


@program("complex inside", args=lambda: (normal(8),))
def spectrum(x):
    f = np.fft.rfft(x)
    power = np.abs(f) ** 2
    return power[1] * power[2] + np.sum(np.fft.ifft(np.fft.fft(x) ** 2).real)


@program("complex inside", args=lambda: (0.3, 1.2, 5))
def impedance(R, L, n):
    total = 0.0
    for k in range(1, n):
        z = R + 1j * k * L + 1 / (1j * k * 0.5)
        total += abs(1 / z)
    return total


@program("complex inside", args=lambda: (normal(3), 0.4))
def complex_stores(x, t):
    z = np.zeros(3, dtype=complex)
    z[0] = x[0] * np.exp(1j * t)
    z[1:] = x[1:]
    z[2] += 1j * x[0]
    z *= z[0]
    return np.sum(z.real) + z[2].imag ** 2


@program("complex inside", args=lambda: (normal(4), normal(4, seed=1)))
def modulus_and_angle(x, y):
    z = x + y * 1j
    return np.sum(np.angle(z) * np.abs(z)) + np.sum((z * z.conjugate()).real)


@program("complex inside", args=lambda: (0.4, -0.2, 4))
def mandelbrot_orbit(a, b, n):
    c = complex(a, b)
    z = 0j
    for _ in range(n):
        z = z * z + c
    return abs(z)


@program("powers at the edges", args=lambda: (0.0,))
def integer_powers_at_zero(x):
    return x**2 + 3.0 * x**1 + x**0 + x**3


@program("powers at the edges", args=lambda: (-1.5,))
def negative_base(x):
    return x**3 + x**-2 + x**2 * x**5


@program("powers at the edges", args=lambda: (np.array([-1.0, 0.0, 2.0]), 2))
def array_with_zero(x, n):
    return np.sum(x**n) + np.sum(x**3) + np.sum(x**0) + np.sum(x ** np.array([2, 1, 3]))


@program("powers at the edges", args=lambda: (np.array([-1.0, 0.0, 2.0]),))
def float_integer_exponent(x):
    return np.sum(x**2.0) + np.sum(np.power(x, 3.0)) + np.sum(np.square(x))


@program("powers at the edges", args=lambda: (0.0, 1.7), wrt=0, second=False)
def zero_base_active_only(x, p):
    return (x + 0.0) ** 2 * p + p**x


@program("powers at the edges", args=lambda: (0.0, 4))
def polynomial_at_zero(x, n):
    return sum(math.cos(k) * x**k for k in range(n))


@program("powers at the edges", args=lambda: (-0.5, 3))
def negative_base_in_loop(x, n):
    s = 0.0
    for k in range(-n, n + 1):
        s += x**k
    return s


@program("powers at the edges", args=lambda: (2.0, 3.0))
def integer_valued_float_exponent(x, p):
    return x**p + p**x + (-x) ** 2.0 + math.pow(x, p) + np.power(x, p)


@program("NumPy scalars and 0-d arrays", args=lambda: (np.float64(0.5), np.float64(1.5)))
def numpy_floats(x, y):
    return x * y + np.sin(x) ** 2 + x.item() * 2.0


@program("NumPy scalars and 0-d arrays", args=lambda: (np.array(0.5), 1.5))
def zero_dimensional_argument(x, y):
    return x * y + x[()] ** 2


@program("NumPy scalars and 0-d arrays", args=lambda: (normal(4),))
def zero_dimensional_intermediate(x):
    s = np.array(np.sum(x))
    s = s * 2.0
    m = np.asarray(x.mean())
    return float(s) * m.item() + s.ndim * x[0]


@program("NumPy scalars and 0-d arrays", args=lambda: (0.5,))
def zero_dimensional_store(x):
    s = np.zeros(())
    s[()] = x * x
    s += x
    s[...] *= 2.0
    return s * x


@program("NumPy scalars and 0-d arrays", args=lambda: (normal(3),))
def accumulate_in_zero_dimensional(x):
    total = np.array(0.0)
    for v in x:
        total += v * v
    return total * x[0]


@program("NumPy scalars and 0-d arrays", args=lambda: (0.5, np.int64(3)))
def numpy_integer(x, n):
    s = 0.0
    for k in range(n):
        s += x**k * n
    return s / np.float64(n)


@program("NumPy scalars and 0-d arrays", args=lambda: (np.float64(0.5), np.array([1.5])))
def size_one_array(x, a):
    y = x * a
    return y[0] * float(a[0]) + np.squeeze(a) * x + a.sum()


@program("NumPy scalars and 0-d arrays", args=lambda: (normal(1, 1), 0.5))
def item_of_size_one(A, c):
    return A.item() * c + (A @ A)[0, 0] + np.trace(A) * c


@program("complex inside", args=lambda: (normal(4),))
def imaginary_view_of_a_buffer(x):
    z = x + 1j * x * x
    z[0] = 2 * z[1] * x[2]
    v = z.imag
    z[1] = 1j * x[0]
    return np.sum(v * x) + np.sum(z.real * v)


@program("complex inside", args=lambda: (normal(4),))
def stores_into_the_parts_of_a_complex_array(x):
    z = x + 1j * x * x
    z.imag[1] = x[2] * x[0]
    z.real[2] += x[1] * x[0]
    z.imag[[0, 3]] -= x[1]
    return np.sum((z * z).real) + np.sum((z * z * z).imag)


# complex arrays of which not even the number of axes is known at derivation


@program("complex inside", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def parts_of_a_complex_array_of_any_rank(x, n):
    z = np.empty(x.shape[:n], dtype=complex)
    z[...] = x * (1 + 2j) + 0.3
    return np.sum(np.abs(z) ** 1.5 + np.angle(z) + np.real(z**2) + np.imag(z) ** 2 + np.hypot(z.real, z.imag))


@program("complex inside", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def power_spectrum_of_any_rank(x, n):
    z = np.fft.fft(np.reshape(x, x.shape[:n]))
    power = np.abs(z) ** 2
    return np.sum(power * np.arange(3) + np.angle(z + 3))


@program("complex inside", args=lambda: (np.array([0.7, 1.1, 0.4]), 1))
def norms_of_any_rank(x, n):
    z = np.reshape(x * (1 + 2j) + 0.3, x.shape[:n])
    return np.sum(np.linalg.norm(z) * np.abs(z) + np.square(np.absolute(z)) + z.real * np.fabs(z.imag))


@program("complex inside", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def angles_past_the_edge(x):
    angles = np.emath.arcsin(x[0] * np.sin(0.3) / x**4)
    if abs(angles[0].imag) < 1e-9:
        angles[0] = np.pi - angles[0]
    return np.sum(np.abs(angles) ** 2) + np.sum(np.abs(np.emath.logn(3.0, x - 0.8)))


@program("mixed types, sorted and sums", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def sums_of_bools(x):
    masks = [x > 0.5, x > 0.1, x > 0.0]
    both = (x[0] > 0.5, x[1] > 0.1)
    return np.sum(sum(masks) * x) + sum(both) * x[0] + math.prod(both) * x[1] + sum([x[0] > 0.1]) * x[2]


@program("mixed types, complex inside", args=lambda: (np.array([0.7, 1.1, 0.4]),), second=False)
def real_array_or_complex_number(x):
    b = x * 1.0 if x[0] > 9.0 else complex(x[0], x[1])
    b = b * 2.0
    return np.sum(np.real(complex(x[2], 1.0) * b))


@program("mixed types, complex inside", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), wrt=0, second=False)
def complex_number_that_may_become_a_real_array(x, n):
    b = complex(x[0], x[1])
    for _ in range(n):
        r = b * (1.0 + 0.5j)
        if x[0] > 9.0:
            b = x * 1.0
    return np.sum(np.abs(r) ** 2) + np.sum(r.imag)


@program("mixed types, lists as arrays", args=lambda: (np.array([0.7, 1.1, 0.4]),))
def numpy_int_beside_a_list(x):
    parts = [x[0], x[1], 0.5]
    return np.sum((np.int64(5) - parts) ** 2) + np.sum(parts / np.int64(2) + np.int64(1))


@program("mixed types, for", args=lambda: (np.array([0.7, 1.1, 0.4]), 3), wrt=0)
def rows_of_ints_that_become_floats(x, n):
    b = np.zeros((2, 3), int)
    for _ in range(n):
        t = b[1]
        b = np.stack([x, t * x[0]]) * 1.0
        s = t[0] * x[2]
    return s + b[0, 1] * b[1, 2] + b[0, 0] ** 2


@program("mixed types", args=lambda: (0.37, np.array([1, 2, 3])), wrt=0)
def start_of_a_reduction_of_ints_is_cut(x, k):
    large = k > 1
    total = np.sum(k, initial=x * 10) + k.prod(initial=x * 10) + np.max(k, initial=x * 10) + k.min(initial=x * 2)
    total += np.sum(large, initial=x * 9) + np.nansum(k, initial=x * 10) + np.add.reduce(k, initial=x * 10)
    total += np.max(k, initial=x * 10, where=large) + np.sum(k, initial=x * 10, dtype=float)
    return total * x + np.sum(k * x, initial=x * 10)
