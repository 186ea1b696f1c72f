"""Control flow beyond the basics: else of loops, try, with, match, walrus, del, paths that differ."""

import contextlib
import math
import threading

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("loop else", args=lambda: (uniform(5), 10.0))
def for_else_taken(x, limit):
    s = 1.0
    for v in x:
        s *= v
        if s > limit:
            break
    else:
        s = s * s
    return s


@program("loop else", args=lambda: (uniform(5), 1.0))
def for_else_not_taken(x, limit):
    s = 1.0
    for v in x:
        s += v
        if s > limit + 2:
            s = s * v
            break
    else:
        s = 0.0
    return s


@program("loop else", args=lambda: (0.4,))
def while_else(x):
    n = 0
    while n < 4:
        x = x * 1.3 + 0.1
        n += 1
    else:
        x = x * x
    return x


@program("loop else", args=lambda: (0.4,))
def while_else_with_break(x):
    n = 0
    while n < 10:
        x = x * 1.5
        n += 1
        if x > 2.0:
            break
    else:
        x = -x
    return x * n


@program("loop else", args=lambda: (normal(3, 3),))
def nested_else(A):
    s = 0.0
    for row in A:
        for v in row:
            if v > 1.0:
                s += v * v
                break
        else:
            s += np.sum(row)
            continue
        s *= 2.0
    return s


@program("loop else", args=lambda: (1.5, 0))
def else_of_empty_loop(x, n):
    for i in range(n):
        x = x * i
    else:
        x = x * x
    return x


@program("loop else", args=lambda: (0.3,))
def else_returns(x):
    for k in range(4):
        x = x + 0.1 * k * x
        if x > 100.0:
            return 0.0
    else:
        return x * x


@program("loop else", args=lambda: (0.7, 9))
def else_after_search(x, n):
    for d in range(2, n):
        if n % d == 0:
            r = x**d
            break
    else:
        r = x
    return r * n


@program("loops over other things", args=lambda: ({"a": 0.5, "b": 0.2, "c": 1.1},))
def over_dict_items(p):
    s = 1.0
    for i, (k, v) in enumerate(p.items()):
        s += v ** (i + 1) * len(k)
    return s


@program("loops over other things", args=lambda: ({"a": 0.5, "b": 0.2},))
def over_dict_and_keys(p):
    s = 0.0
    for k in p:
        s += p[k] ** 2
    for k in sorted(p.keys(), reverse=True):
        s = s * 1.5 + p[k]
    return s


@program("loops over other things", args=lambda: (0.8, "fbffb"))
def over_string(x, moves):
    angle = 0.1
    for c in moves:
        if c == "f":
            x = x + math.cos(angle)
        else:
            angle = angle + x * 0.2
    return x * angle


@program("loops over other things", args=lambda: (0.8,))
def over_set_of_constants(x):
    s = 0.0
    for k in {1, 2, 3}:
        s += x**k
    return s


@program("loops over other things", args=lambda: (0.8, [1, 2, 2], np.array([2, 4])), wrt=0)
def over_set_of_others(x, powers, more):
    s = 0.0
    for k in {*powers, *more, 5}:
        s += x**k
    return s * (2.0 if 7 in {*powers, 6} else 3.0)


@program("loops over other things", args=lambda: (normal(4), normal(4, seed=1)))
def zip_strict(x, y):
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s += a * b * b
    return s


@program("loops over other things", args=lambda: ([0.5, 1.5, 0.7], normal(3)))
def over_reversed(c, x):
    p = 0.0
    for v in reversed(c):
        p = p * 0.5 + v * v
    for v in reversed(x):
        p = p * 0.5 + v
    return p


@program("loops over other things", args=lambda: (normal(2, 3),))
def over_ndenumerate(A):
    s = 0.0
    for (i, j), v in np.ndenumerate(A):
        s += (i + 2 * j) * v * v
    for i in np.ndindex(2, 2):
        s += A[i]
    return s


@program("loops over other things", args=lambda: (0.5, 1.5))
def over_zip_of_literals(x, y):
    s = 0.0
    for w, f, v in zip((0.5, 1.0), (math.sin, math.exp), [x, y]):
        s += w * f(v)
    return s


@program("nested exits", args=lambda: (normal(4, 4),))
def break_and_continue_at_depth(A):
    s = 1.0
    for i in range(4):
        if i == 1:
            continue
        for j in range(4):
            if j == i:
                continue
            if A[i, j] < -1.0:
                break
            k = 0
            while True:
                k += 1
                if k == 2:
                    continue
                if k > 3:
                    break
                s += A[i, j] ** k * 0.1
        if s > 20.0:
            break
    return s


@program("nested exits", args=lambda: (normal(3, 3, 3),))
def return_from_depth(C):
    s = 0.0
    for plane in C:
        for row in plane:
            for v in row:
                s += v * v
                if s > 6.0:
                    return s * v
    return s


@program("nested exits", args=lambda: (0.6, 5))
def continue_in_outer_after_inner_break(x, n):
    s = x
    for i in range(n):
        for j in range(n):
            if i * j > 4:
                break
            s = s + 0.01 * s * j
        else:
            continue
        s = s * x + 1.0
    return s


@program("nested exits", args=lambda: (1.2,))
def while_inside_for_with_breaks(x):
    total = 0.0
    for start in (0.1, 0.5, 1.9):
        y = start
        while y < 3.0:
            y = y * x + 0.1
            if y > 2.5:
                break
        if y > 2.8:
            continue
        total += y * y
    return total


@program("nested exits", args=lambda: (uniform(6),))
def several_breaks(x):
    s = 0.0
    for i, v in enumerate(x):
        if v > 1.7:
            s -= v
            break
        if s > 2.5:
            s *= v
            break
        if i == 4:
            break
        s += v
    return s * s


@program("nested exits", args=lambda: (0.3, 8))
def branch_with_return_break_continue(x, n):
    y = x
    for i in range(n):
        if i % 2:
            y = y + x
            continue
        elif y > 5.0:
            return y
        elif i > 5:
            break
        y = y * (1.0 + x)
    return y * y


@program("nested exits", args=lambda: (normal(5),))
def procedure_with_early_return(x):
    def partial_sums(a):
        for i in range(1, len(a)):
            if i == 3:
                return
            a[i] += a[i - 1] * a[i]

    y = x * 1.0
    partial_sums(y)
    return y @ y


@program("nested exits", args=lambda: (uniform(4), uniform(4, seed=1)))
def early_return_between_stores(x, y):
    out = np.zeros(4)
    out[0] = x[0] * y[0]
    if out[0] > 10.0:
        return np.sum(out)
    out[1:] = x[1:] ** 2
    if out[1] > 100.0:
        return out[1]
    out *= y
    return np.sum(out)


@program("try", args=lambda: (2.0, 0.0), wrt=0)
def division_by_zero_caught(x, y):
    try:
        r = x / y
    except ZeroDivisionError:
        r = x * x
    return r


@program("try", args=lambda: (2.0, 0.5))
def nothing_to_catch(x, y):
    try:
        r = math.log(x) / y
    except (ValueError, ZeroDivisionError):
        r = 0.0
    else:
        r = r * r
    return r


@program("try", args=lambda: (-2.0,))
def domain_error_caught(x):
    try:
        return math.sqrt(x)
    except ValueError:
        return math.sqrt(-x) * x


@program("try", args=lambda: ({"a": 0.5}, 2.0))
def missing_key(p, x):
    try:
        b = p["b"]
    except KeyError as error:
        b = x * len(str(error))
    return p["a"] * b


@program("try", args=lambda: (0.5,))
def finally_runs(x):
    y = x
    try:
        y = y * y
        y = y + x
    finally:
        y = y * 2.0
    return y


@program("try", args=lambda: (0.5, 3))
def try_in_loop(x, n):
    s = 0.0
    for k in range(n):
        try:
            if k == 1:
                raise ValueError("odd one")
            s += x**k
        except ValueError:
            s *= x
    return s


@program("try", args=lambda: (normal(3, 3),))
def cholesky_or_jitter(A):
    S = A @ A.T
    try:
        L = np.linalg.cholesky(S - 10 * np.eye(3))
    except np.linalg.LinAlgError:
        L = np.linalg.cholesky(S + np.eye(3))
    return np.sum(np.log(np.diag(L)))


@program("try", args=lambda: (0.7,))
def exception_from_helper(x):
    def strict(t):
        if t > 0.5:
            raise OverflowError(t)
        return t

    y = x * 2.0
    try:
        y = strict(y)
        y = y * 100.0
    except OverflowError:
        y = y * y
    return y


@program("try", args=lambda: (0.5, "two"))
def conversion_that_fails(x, text):
    try:
        n = int(text)
    except ValueError:
        n = {"one": 1, "two": 2}[text]
    finally:
        x = x + 1.0
    return x**n


@program("try", args=lambda: (0.5,), raises=ZeroDivisionError)
def exception_not_caught(x):
    try:
        y = x / (x - 0.5)
    except ValueError:
        y = 0.0
    return y


@contextlib.contextmanager
def announced(name):
    print("enter", name)
    yield 2.0
    print("leave", name)


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __enter__(self):
        print("on")
        return self.factor

    def __exit__(self, *error):
        print("off")
        return False


@program("with", args=lambda: (normal(4),))
def numpy_errstate(x):
    with np.errstate(all="ignore"):
        y = np.exp(x) / (1.0 + np.exp(x))
    return np.sum(y * y)


@program("with", args=lambda: (0.5,))
def lock_held(x):
    lock = threading.Lock()
    with lock:
        y = x * x
    return y * x


@program("with", args=lambda: (0.5,))
def user_context_manager(x):
    with Scale(3.0) as f:
        y = f * x
        y = y * y
    return y


@program("with", args=lambda: (0.5,))
def generator_context_manager(x):
    with announced("block") as f:
        y = f * x * x
    return y


@program("with", args=lambda: (0.5,))
def two_context_managers(x):
    with Scale(2.0) as a, Scale(3.0) as b:
        y = a * x**2 + b
    return y * x


@program("with", args=lambda: (0.5, 3))
def with_in_loop(x, n):
    for _ in range(n):
        with np.errstate(over="ignore"):
            x = x * x + 0.3
    return x


@program("with", args=lambda: (0.5,))
def values_of_managers_in_loop(x):
    y = x
    for k in range(3):
        with announced("outer") as f, announced("inner") as g:
            y = f * np.sin(y) + g * x * k
        y = y * f
    return y


@program("with", args=lambda: (0.5, 3))
def values_of_managers_in_turns(x, n):
    y, f, k = x, 0.5, 0
    while k < n:
        y = y * f + x
        if k != 1:
            with announced("turn") as f:
                y = y * f * np.sin(y)
        k += 1
    return y * f


@program("with", args=lambda: (0.5,))
def suppress(x):
    y = x
    with contextlib.suppress(ZeroDivisionError):
        y = x * x
        y = y / 0.0
    return y * 3.0


@program("with", args=lambda: (0.5,))
def return_inside_with(x):
    with Scale(2.0) as f:
        if x > 0:
            return f * x * x
    return 0.0


@program("with", args=lambda: (normal(3),))
def null_context(x):
    manager = contextlib.nullcontext(2.0)
    with manager as c:
        y = c * x
    return y @ y


@program("match", args=lambda: (0.5, "square"))
def match_string(x, kind):
    match kind:
        case "double":
            return 2 * x
        case "square" | "quadratic":
            return x * x
        case _:
            return x


@program("match", args=lambda: (("circle", 0.5),))
def match_tuple(shape):
    match shape:
        case ("circle", r):
            return math.pi * r**2
        case ("rectangle", w, h):
            return w * h
        case _:
            raise ValueError(shape)


@program("match", args=lambda: ({"kind": "line", "a": 0.5, "b": 1.5}, 2.0))
def match_mapping(spec, t):
    match spec:
        case {"kind": "constant", "a": a}:
            return a
        case {"kind": "line", "a": a, "b": b}:
            return a * t + b * b
    return 0.0


@program("match", args=lambda: (0.5, 3))
def match_number_with_guard(x, n):
    match n:
        case 0:
            y = 1.0
        case k if k % 2:
            y = x**k
        case _:
            y = x
    return y * x


@program("match", args=lambda: ([0.5, 1.5, 2.5],))
def match_sequence(values):
    match values:
        case []:
            return 0.0
        case [x]:
            return x
        case [x, *rest]:
            return x * sum(rest)
    return 0.0


@program("match", args=lambda: (0.8, None))
def match_none_and_class(x, option):
    match option:
        case None:
            c = 2.0
        case int(k):
            c = float(k)
        case float() | str():
            c = 1.0
        case _:
            c = 0.0
    return c * x * x


@program("match", args=lambda: (0.8, [("push", 1.0), ("scale", 3.0), ("square",)]))
def match_commands_in_loop(x, program_):
    for command in program_:
        match command:
            case ("push", v):
                x = x + v
            case ("scale", v):
                x = x * v
            case ("square",):
                x = x * x
    return x


@program("match", args=lambda: (0.4, 1.2))
def match_on_computed_condition(x, y):
    match (x > y, x > 0):
        case (True, _):
            r = x
        case (False, True):
            r = x * y * y
        case _:
            r = y
    return r


@program("walrus", args=lambda: (0.5, 1.5))
def walrus_in_condition(x, y):
    if (s := x * y) > 0.5:
        return s * s
    return s


@program("walrus", args=lambda: (0.3,))
def walrus_in_while(x):
    total = 0.0
    y = x
    while (y := y * 1.7) < 4.0:
        total += y * y
    return total + y


@program("walrus", args=lambda: (0.5,))
def walrus_in_expression(x):
    return (t := math.sin(x)) * t + (u := t * x) * u


@program("walrus", args=lambda: (normal(5),))
def walrus_in_comprehension(x):
    squares = [s for v in x if (s := v * v) > 0.1]
    return sum(squares) * squares[0]


@program("walrus", args=lambda: ([0.5, 0.7, 1.1],))
def walrus_with_pop(values):
    stack = list(values)
    total = 1.0
    while stack and (v := stack.pop()) > 0.1:
        total *= v
    return total


@program("walrus", args=lambda: (normal(3, 3), normal(3)))
def walrus_with_arrays(A, v):
    if (n := np.sqrt((w := A @ v) @ w)) > 1e-6:
        w = w / n
    return w[0] * n**2


@program("walrus", args=lambda: (0.9, 0.4))
def walrus_in_call_and_ternary(x, y):
    r = max((a := x * y), 0.1) + (a if (b := a - y) < 0 else b)
    return r * b


@program("walrus", args=lambda: (0.9, 3))
def walrus_keeps_last_value(x, n):
    powers = [p := 1.0]
    for _ in range(n):
        powers.append(p := p * x)
    return p + sum(powers)


@program("del and one-path variables", args=lambda: (0.5, 1.5))
def del_names(x, y):
    t = x * y
    u = t + x
    del t
    t = u * u
    del u, y
    return t * x


@program("del and one-path variables", args=lambda: ({"a": 0.5, "b": 1.5},))
def del_item(p):
    q = dict(p)
    q["c"] = q["a"] * q["b"]
    del q["a"]
    return sum(q.values()) * q["c"]


@program("del and one-path variables", args=lambda: ([0.5, 1.5, 2.5],))
def del_list_item(v):
    w = [a * a for a in v]
    del w[1]
    return w[0] * w[1]


@program("del and one-path variables", args=lambda: (0.5, True))
def variable_on_one_path(x, flag):
    if flag:
        extra = x * x
    y = 2.0 * x
    if flag:
        y = y + extra
    return y * y


@program("del and one-path variables", args=lambda: (0.5,))
def variable_on_the_path_not_taken(x):
    if x > 1.0:
        big = x
    if x > 1.0:
        return big * big
    return x * 3.0


@program("del and one-path variables", args=lambda: (0.5, 2))
def number_or_array_by_path(x, n):
    if n > 1:
        y = x * np.ones(n)
    else:
        y = x
    return np.sum(y * y) * x


@program("del and one-path variables", args=lambda: (0.7,))
def number_or_array_by_data(x):
    y = np.array([x, x * x]) if x > 0 else 2.0 * x
    return np.sum(y * y)


@program("del and one-path variables", args=lambda: (normal(3),))
def none_then_array(x):
    acc = None
    for v in x:
        row = np.array([v, v * v])
        acc = row if acc is None else acc + row
    return acc[0] * acc[1]


@program("del and one-path variables", args=lambda: (0.3, 4))
def variable_first_set_in_loop(x, n):
    for i in range(n):
        if i == 0:
            previous = x
        current = previous * 1.1 + x * i
        previous = current
    return current * previous


@program("nested exits", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def break_or_return_of_a_loop_over_a_list_in_a_loop(y, v, w):
    s = 0.0
    for k in range(4):
        x = v[k]
        for level in [y, w[1] + 2.0]:
            if level > 1.0:
                break
            if level > 30.0:
                return y * s
        s += x + y * level
    return s


@program("nested exits", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def continue_or_return_of_a_loop_over_a_list_in_a_loop(y, v, w):
    s = y
    k = 0
    while k < 4:
        for level in (y, w[1], 0.4):
            s = s * 0.9
            if level > v[k]:
                continue
            if s > 30.0:
                return y * s
            s += level * v[k]
        k += 1
    return s


@program("loop else", args=lambda: (0.7, normal(5)))
def exits_in_the_else_of_a_loop_over_nothing(y, v):
    x = v[0]
    for level in []:
        if v[2] > level:
            return x * level
    else:
        if y < 3.0:
            x = y * y
            if 0.9 < y < 1.0:
                return np.sqrt(np.sum(v * v))
    return x + y


@program("loop else", args=lambda: (0.7, normal(5), normal(5, seed=1)), wrt=(0, 1))
def exits_in_the_else_of_a_loop_over_a_list(y, v, w):
    s = 0.0
    for k in range(4):
        x = v[k]
        for level in [y, w[1], y * y]:
            if level > 2.0 + x:
                continue
            if level > 10.0:
                break
            if level > 30.0:
                return y * s
        else:
            if x > 0.5:
                s += x * y
                if v[1] > 4.0:
                    break
            elif x < 0.0:
                continue
        s += x + y * level
    return s


class Noted:
    def __init__(self, factor, notes):
        self.factor, self.notes = factor, notes

    def __enter__(self):
        self.notes.append(self.factor)
        return 2.0 * self.factor

    def __exit__(self, *error):
        self.notes.append(3.0 * self.factor)


@program("with", args=lambda: (0.5, 1.2))
def two_managers_on_one_line(x, y):
    notes = []
    with Noted(x, notes) as a, Noted(y, notes) as b:
        z = a * b
    first, second, third, fourth = notes
    return z + first * second + third * fourth**2


@program("with", args=lambda: (0.5, 1.2))
def return_out_of_two_managers(x, y):
    notes = []

    def product():
        with Noted(x, notes) as a, Noted(y, notes) as b:
            return a * b

    return product() + notes[2] * notes[3] ** 2


@program("match", args=lambda: ((0.5, 1.2),))
def subject_that_a_pattern_binds(x):
    match x:
        case (x, y):
            return x * y * y


@program("match", args=lambda: (0.5, 1.2))
def names_of_a_case_whose_guard_fails(x, y):
    r = 0.0
    match (x, y):
        case (a, b) if a > 5.0:
            r = a
        case (c, d):
            r = c * a + d
    return r * b


@program("try", args=lambda: (0.5, 1.2))
def jumps_out_of_two_finals(x, y):
    notes = []

    def first():
        try:
            try:
                return x
            finally:
                notes.append(x * y)
        finally:
            notes.append(y**2)

    r = first()
    for i in range(3):
        try:
            try:
                if i == 1:
                    continue
                if i == 2:
                    break
                notes.append(2.0 * x)
            finally:
                notes.append(3.0 * y)
        finally:
            notes.append(x + i)
    return r + sum(note * (k + 1) for k, note in enumerate(notes))


@program("with", args=lambda: (0.5, 1.2))
def jumps_out_of_blocks_in_blocks(x, y):
    notes = []

    def product(early):
        with Noted(x, notes) as a:
            try:
                with np.errstate(all="ignore"), Noted(y, notes) as b:
                    if early:
                        return a * b
                    notes.append(5.0)
            finally:
                notes.append(x * y)
        return 3.0

    r = product(True) + product(False)
    for k in range(3):
        with Noted(x * k, notes) as a, Noted(y, notes) as b:
            if k == 1:
                break
            notes.append(a * b)
    return r + sum(note * (k + 1) for k, note in enumerate(notes))
