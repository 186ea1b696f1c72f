"""Tries around whole computations: what their bodies may raise, and what has happened by then."""

from __future__ import annotations

from tests.language.corpus import normal, program

# --- loops over lists in a try, which raise nothing that it is for --------------------------------------------------


@program("loops in a try", args=lambda: ([[1.0, 2.0], [0.5, 1.5]], [[0.3, -1.0], [2.0, 0.7]]), second=False)
def product_of_lists(a, b):
    try:
        c = [[0.0 for _ in range(len(b[0]))] for _ in range(len(a))]
        for i in range(len(a)):
            for j in range(len(b[0])):
                for k in range(len(b)):
                    c[i][j] += float(a[i][k] * b[k][j])
    except TypeError:
        c = [0.0 for _ in range(len(a))]
        for i in range(len(a)):
            for k in range(len(b)):
                c[i] += float(a[i][k] * b[k])
    return c


@program("loops in a try", args=lambda: ([1.0, 2.0, -0.5],))
def counts_in_a_try(q):
    total = 0.0
    try:
        for k in range(len(q) - 1):
            total += abs(q[k]) * q[k + 1]
            q[k] = total
    except TypeError:
        total = q
    return total * q[0]


@program("loops in a try", args=lambda: ([1.0, 2.0, -0.5], 3))
def index_that_may_be_beyond(q, n):
    total = 1.0
    try:
        for k in range(n):
            total *= q[k] + q[k + 1]
    except IndexError:
        total = total * 2.0
    return total * q[0]


@program("loops in a try", args=lambda: ([1.0, 2.0, -0.5], 0.7))
def while_in_a_try(q, x):
    k = 0
    try:
        while k < len(q):
            if q[k] < 0.0:
                break
            x = x * q[k] + min(x, 10.0)
            k += 1
    except (TypeError, AttributeError):
        x = 0.0
    return x * x


@program("loops in a try", args=lambda: (normal(4), 0.7))
def items_of_an_array(a, x):
    try:
        for v in a:
            x = x * v + 1.0
    except (TypeError, KeyError):
        x = a * x
    return x * x


@program("loops in a try", args=lambda: (0.7, [0.0, 2.0]), wrt=0)
def division_in_a_loop(x, q):
    total = x
    try:
        for v in q:
            total = total * x
            total = total + x / v
    except ZeroDivisionError:
        total = total * 3.0
    return total * x


@program("loops in a try", args=lambda: (0.7, 4))
def list_that_grows_in_a_try(x, n):
    found = []
    try:
        for k in range(n):
            found.append(x ** (k + 1) * round(1.2))
    except TypeError:
        found = x
    return sum(found) * x


@program("loops in a try", args=lambda: (0.7, 4))
def int_of_what_may_be_infinite(x, n):
    y = x
    try:
        for k in range(n):
            y = y * (x + int(1e300 * 10.0**k * 1e9))
            y = y / 1e300
    except OverflowError:
        y = y * 1e290
    return y * 1e-280


@program("loops in a try", args=lambda: (0.7, [1.5, 2.5]))
def comprehension_in_a_try(x, q):
    try:
        made = [v * x for v in q if v > 1.0]
        total = made[0] * made[1]
    except TypeError:
        total = x
    return total


@program("loops in a try", args=lambda: (0.7, 3), second=False)
def list_or_number_by_what_is_raised(x, n):
    try:
        held = [x]
        for k in range(n):
            held[k] = held[k] * x
            held.append(x)
            held[k + 2 * (k > 1)] = x
    except IndexError:
        held = [[x], [x * x]]
    return held


@program("loops in a try", args=lambda: (0.7, [1.5, 2.5]), second=False, refused="may")
def result_of_another_form_on_each_path(x, q):
    made = [[0.0, x], [x, 1.0]]
    if q[0] > 1.0:
        made[0] = x * q[0]
    return made


# --- what is taken out of a list or a dict, or is not there ---------------------------------------------------------


@program("taken in a try", args=lambda: (0.7, 3))
def drained_until_it_is_empty(x, n):
    q = [x]
    for _ in range(n):
        q.append(q[-1] * x)
    s = 0.0
    while True:
        try:
            v = q.pop()
        except IndexError:
            break
        s += v * v
    return s


@program("taken in a try", args=lambda: (0.7, 3))
def drained_from_its_start(x, n):
    q = [x]
    for _ in range(n):
        q.append(q[-1] * x + 1.0)
    s = x
    while True:
        try:
            v = q.pop(0)
        except IndexError:
            return s
        s = s * v


@program("taken in a try", args=lambda: (0.7, [1.5, 2.5]))
def drained_around_the_loop(x, q):
    s = 0.0
    try:
        while True:
            s += q.pop() * x
            x = x * x
    except IndexError:
        s += x
    return s


@program("taken in a try", args=lambda: (0.7, [1.5, 2.5]))
def taken_or_something_else(x, q):
    s = x
    for _ in range(4):
        try:
            s = s + q.pop() * x
        except (IndexError, KeyError):
            s = s * 2.0
        else:
            s = s * x
    return s


@program("taken in a try", args=lambda: (0.7, [1, 2, 3], 2))
def removed_where_it_is(x, q, k):
    try:
        q.remove(k)
        x = x * 2.0
    except ValueError:
        q.append(k)
        x = x * x
    return x * len(q)


@program("taken in a try", args=lambda: (0.7, [1, 2, 3], 5))
def removed_where_it_is_not(x, q, k):
    try:
        q.remove(k)
        x = x * 2.0
    except ValueError:
        q.append(k)
        x = x * x
    return x * len(q)


@program("taken in a try", args=lambda: (0.7, {"a": 2.0}))
def key_that_is_not_there(x, d):
    try:
        x = x * d.pop("b")
    except KeyError:
        d["b"] = x * x
    try:
        v = d.pop("a")
    except KeyError:
        v = 1.0
    return x * d["b"] * v * len(d)


@program("taken in a try", args=lambda: (0.7, 3))
def popped_in_a_helper(x, n):
    q = [x * (k + 1) for k in range(n)]

    def taken():
        try:
            return q.pop()
        except IndexError:
            return 2.0

    return taken() * taken() + taken() * taken() * x


@program("taken in a try", args=lambda: (0.7, [1.5, 2.5]), raises=IndexError)
def taken_for_another_exception(x, q):
    s = x
    for _ in range(3):
        try:
            s = s * q.pop()
        except KeyError:
            s = x
    return s


@program("taken in a try", args=lambda: (0.7, ["a", "b", "a"]))
def counted_in_tries(x, keys):
    seen = {}
    for k in keys:
        try:
            seen[k] += x * x
        except KeyError:
            seen[k] = x
    return sum(seen.values()) * len(seen)


# --- calls with numbers that raise what a try is for ----------------------------------------------------------------


def looked_up(x):
    if x > 0.5:
        raise KeyError(x)
    return x


@program("calls that raise", args=lambda: (0.7,))
def call_of_a_number_that_raises(x):
    try:
        y = looked_up(x)
    except KeyError:
        y = x * x
    return y * x


class Beyond(ValueError):
    pass


def formed(cls, *values):
    return cls("%s is beyond" % (values,))


def clipped(v, most):
    try:
        if v > most:
            raise Beyond(v)
        return min(v, most)
    except Exception as error:
        kind = type(error) if isinstance(error, Beyond) else ValueError
        if kind is Beyond:
            raise formed(kind, v) from error
        else:
            raise formed(ValueError, v) from error


class Within(float):
    """A float that is made of what passes a check."""

    def __new__(cls, value, most=9.0, name=""):
        try:
            value = clipped(value, most)
            made = float.__new__(cls, value)
            made.name = name
        except Exception as error:
            raise formed(ValueError, value, name) from error
        return made


@program("calls that raise", args=lambda: (0.7,))
def handler_that_reads_what_the_body_bound_anew(x):
    a = Within(x, name="first")
    b = Within(a * 2.0, 5.0, "second")
    return a * b


@program("calls that raise", args=lambda: (9.7,), raises=ValueError)
def check_that_is_not_passed(x):
    return Within(x, name="first") * x


@program("calls that raise", args=lambda: (9.7,))
def check_that_is_not_passed_and_caught(x):
    try:
        y = Within(x, name="first") * x
    except ValueError:
        y = x * x * x
    return y


@program("calls that raise", args=lambda: (0.3,))
def call_of_a_number_that_passes(x):
    try:
        y = looked_up(x) * x
    except KeyError:
        y = 2.0
    return y * x


@program("calls that raise", args=lambda: (0.7, 0.4))
def one_of_two_calls_that_raises(x, y):
    s = x * y
    try:
        s = s + looked_up(y)
        s = s * looked_up(x)
    except KeyError as error:
        s = s * 3.0 + len(error.args)
    return s * x


@program("calls that raise", args=lambda: (0.2,))
def calls_in_a_loop_of_which_some_raise(x):
    s = 0.0
    for k in range(4):
        try:
            s = s + looked_up(x * k) * x
        except KeyError:
            s = s * x + k
    return s


@program("calls that raise", args=lambda: (0.7,))
def call_that_raises_through_another(x):
    def twice(v):
        return looked_up(v) * 2.0

    try:
        y = twice(x)
    except (ValueError, LookupError):
        y = x**3
    return y + x
