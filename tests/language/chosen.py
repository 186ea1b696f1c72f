"""What only the run chooses: the member of an enum, a function, an object of one class or another, or None."""

import enum
import functools
import math
import operator

import numpy as np

from tests.language.corpus import program


class State(enum.Enum):
    SOLID = 1
    LIQUID = 2
    GAS = 3

    @property
    def heat(self):
        return {1: 2.1, 2: 4.18, 3: 1.9}[self.value]


class Level(enum.IntEnum):
    LOW = 1
    MIDDLE = 2
    HIGH = 3


class Fluid(str, enum.Enum):
    WATER = "water"
    STEAM = "steam"


class Flags(enum.Flag):
    WARM = 1
    WIDE = 2
    OLD = 4


class Share(float, enum.Enum):
    SMALL = 0.5
    LARGE = 2.5


class Linear:
    def __init__(self, k):
        self.k = k

    def at(self, x):
        return self.k * x


class Root(Linear):
    def at(self, x):
        return self.k * x**0.5


#: other points of each program, where it takes another path
POINTS = ((1.1, 275.0), (0.6, 200.0), (2.3, 310.0))
ENUM = "string and enum switches"
SWITCH = "functions as arguments and results"
PATHS = "a name that holds different things on different paths"


@program(ENUM, args=lambda: (1.1, 275.0))
def state_by_temperature(p, t):
    state = State.SOLID if t < 270.0 else State.LIQUID if t < 290.0 * p**0.1 else State.GAS
    if state == State.SOLID:
        h = 2.1 * t
    elif state is State.LIQUID:
        h = 334.0 + t * p
    else:
        h = 2594.0 + 1.9 * (t - 373.0) * p
    return h**1.1


@program(ENUM, args=lambda: (1.1, 275.0))
def level_is_no_int(p, t):
    level = Level.LOW if t < 270.0 else Level.MIDDLE if t < 290.0 else Level.HIGH
    if level is Level.LOW:
        return p * t
    if level == 2 and isinstance(level, Level):
        return p + t * level
    return p**level.value + len(level.name) * t


@program(ENUM, args=lambda: (1.1, 275.0))
def matched_state(p, t):
    state = None
    if t > 270.0:
        state = State.LIQUID
    match state:
        case None:
            return p * t
        case State.LIQUID:
            return p**2 * t
        case _:
            return 0.0


@program(ENUM, args=lambda: (1.1, 275.0))
def word_of_the_run(p, t):
    fluid = Fluid.WATER if t < 270.0 else Fluid.STEAM
    for k in range(3):
        t = t * (1.1 if fluid is Fluid.STEAM else 0.9) + p * (1.0 if fluid == "water" else 2.0)
        fluid = Fluid.STEAM if t > 280.0 + k else Fluid.WATER
    return t


@program(ENUM, args=lambda: (1.1, 275.0))
def flags_of_the_run(p, t):
    flags = Flags.OLD
    if t > 270.0:
        flags |= Flags.WARM
    if p > 1.0:
        flags |= Flags.WIDE
    y = t
    if flags & Flags.WARM:
        y = y * p
    if Flags.WIDE in flags:
        y = y + 3.0 * p
    return y


@program(ENUM, args=lambda: (1.1, 275.0))
def machine_of_states(p, t):
    state, y = State.SOLID, 0.0
    for _ in range(4):
        if state is State.SOLID:
            y, state = y + t, State.LIQUID
        elif state == State.LIQUID:
            y, state = y * p, State.GAS if t > 250.0 else State.SOLID
        else:
            y, state = y - 1.0, State.SOLID
    return y


@program(ENUM, args=lambda: (1.1, 275.0))
def members_in_turn(p, t):
    y = 1.0
    for level in Level:
        y = y * p + (t if level is Level.HIGH else level)
    for state in (State.GAS, State.SOLID):
        y = y * p + (t if state is State.GAS else state.heat)
    return y


@program(ENUM, args=lambda: (1.1, 275.0))
def history_of_levels(p, t):
    def classify(t):
        if t < 270.0:
            return Level.LOW
        return Level.MIDDLE if t < 500.0 else Level.HIGH

    seen = [classify(t * k) for k in range(4)]
    y = t
    for level in seen:
        if level is Level.HIGH:
            y = y * p
        elif level == 1:
            y = y + p
    return y + seen.count(Level.MIDDLE) * p


@program(ENUM, args=lambda: (1.1, 275.0))
def share_is_a_float(p, t):
    share = Share.SMALL if t < 270.0 else Share.LARGE
    return t * share + (p**2 if share is Share.LARGE else p)


@program(ENUM, args=lambda: ({State.SOLID: 1.5, State.LIQUID: 2.5}, 275.0))
def items_under_members(d, t):
    y = d[State.SOLID] * t + sum(d.values())
    for key in d:
        if key is State.LIQUID:
            y = y * d[key]
    return y


@program(ENUM, args=lambda: ({Level.LOW: 1.5, Level.HIGH: 2.5}, 275.0))
def item_under_a_level_of_the_run(d, t):
    level = Level.LOW if t < 2.0 else Level.HIGH
    d = dict(d)
    d[level] = d[level] * t
    return d[Level.LOW] * d[Level.HIGH] + sum(int(k) * v for k, v in d.items())


@program(ENUM, args=lambda: (1.1, 275.0))
def table_of_pairs(p, t):
    table = {State.SOLID: (2.1, p), State.LIQUID: (4.2, t)}
    a, b = table[State.SOLID if t < 270.0 else State.LIQUID]
    return a * b * t * 0.01


@program(SWITCH, args=lambda: (1.1, 275.0))
def function_by_branch(p, t):
    f = math.sin
    if t < 270.0:
        f = math.cos
    return f(p) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def one_of_three(p, t):
    def linear(x):
        return 2.0 * x

    def square(x):
        return x * x

    if t < 270.0:
        f = linear
    elif t < 290.0:
        f = math.exp
    else:
        f = square
    return f(p) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def closures_over_branches(p, t):
    if t > 270.0:
        k = t * p
        f = lambda x: k * x  # noqa: E731
    else:
        f = lambda x: x * x  # noqa: E731
    k = 0.5
    return f(p) + f(t) * k


@program(SWITCH, args=lambda: (1.1, 275.0))
def made_functions(p, t):
    def make(a):
        return lambda x: a * x**2

    f = make(p) if t > 270.0 else make(2.0 * p)
    if p > 2.0:
        f = make(t)
    p = p * 3.0
    return f(p) * f(1.5)


@program(SWITCH, args=lambda: (1.1, 275.0))
def function_compared(p, t):
    f = np.sin if t < 270.0 else np.cos
    if p > 1.0:
        f = np.tanh
    if f is np.tanh:
        t = t * 2.0
    if f != np.sin:
        t = t + p
    return f(p) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def function_or_none(p, t):
    f = None
    if t > 270.0:
        f = math.exp
    if f is None:
        return t * p
    return f(p) * t


@program(SWITCH, args=lambda: (0.6, 200.0), raises=TypeError)
def none_is_called(p, t):
    f = None
    if t > 270.0:
        f = math.exp
    return f(p) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def folded_by_one(p, t):
    op = operator.mul
    if t < 270.0:
        op = operator.add
    return functools.reduce(op, [t, p, 2.0])


@program(SWITCH, args=lambda: (1.1, 275.0))
def pair_of_functions(p, t):
    if t < 270.0:
        f, g = math.sin, math.cos
    else:
        f, g = math.cos, math.sin
    if p > 2.0:
        f, g = g, f
    return f(p) + 2.0 * g(p) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def function_of_a_function(p, t):
    def choose(z):
        if z < 270.0:
            return math.sin
        if z < 280.0:
            return math.exp
        return math.cos

    f, g = choose(t), choose(t * p)
    return f(p) * g(p) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def method_or_partial(p, t):
    m = Linear(p)
    f = m.at
    if t < 270.0:
        f = functools.partial(math.pow, p)
    m.k = m.k * 2.0
    return f(1.5) * t


@program(SWITCH, args=lambda: (1.1, 275.0))
def functions_in_containers(p, t):
    hooks = {"first": math.sin}
    fs = [math.cos]
    if t > 270.0:
        hooks["first"] = lambda z: z * t
        fs.append(math.exp)
    else:
        fs.append(math.tanh)
    return hooks["first"](p) + sum(f(p) for f in fs) * t


@program(PATHS, args=lambda: (1.1, 275.0))
def model_by_condition(p, t):
    m = Linear(p) if t < 270.0 else Root(2.0 * p)
    y = m.at(t)
    return y + m.k


@program(PATHS, args=lambda: (1.1, 275.0))
def one_of_three_models(p, t):
    if t < 270.0:
        m = Linear(p)
    elif t < 290.0:
        m = Root(p)
    else:
        m = Linear(t)
    r = 0.0
    for k in range(3):
        r = r + m.at(t + k)
    return r


@program(PATHS, args=lambda: (1.1, 275.0))
def model_or_none(p, t):
    m = None
    if t > 270.0:
        m = Linear(p)
    if m is None:
        return t
    return m.at(t) * m.k


@program(PATHS, args=lambda: (1.1, 275.0))
def model_or_none_in_a_branch(p, t):
    if t > 270.0:
        m = Linear(p) if p > 1.0 else None
        t = t + 1.0
    else:
        m = Root(t)
    y = t * 2.0
    if m is not None:
        y = y + m.at(p)
    return y


@program(PATHS, args=lambda: (1.1, 275.0))
def pair_or_triple(p, t):
    values = (t, p)
    if t > 270.0:
        values = (t, p, t * p)
    return sum(values)


@program(PATHS, args=lambda: (1.1, 275.0))
def number_or_list(p, t):
    y = [p, t]
    if p > 1.0:
        y = t
    return sum(v * p for v in y) if isinstance(y, list) else y * p


@program(PATHS, args=lambda: (1.1, 275.0))
def keys_by_branch(p, t):
    d = {"a": t}
    if t > 270.0:
        d["bc"] = p
    s = 0.0
    for key, value in d.items():
        s += value * len(key)
    if "bc" in d:
        s *= d["bc"]
    return s


@program(PATHS, args=lambda: (1.1, 275.0))
def models_in_turns(p, t):
    for k in range(3):
        m = Linear(p * k) if t * k > 270.0 else Root(p)
        t = t + m.at(p)
    return t


@program(PATHS, args=lambda: (1.1, 275.0))
def model_inside_with(p, t):
    with np.errstate(all="ignore"):
        m = Linear(p) if t > 270.0 else Root(p)
        t = m.at(t)
    return t * p


@program(PATHS, args=lambda: (1.1, 275.0))
def array_or_none(p, t):
    a = np.array([p, t]) if t > 270.0 else None
    s = p * t
    if a is not None:
        a[0] = a[0] * s
        s = s + a @ a
    return s + (0.0 if a is None else a[0])


def laminar(re, rough):
    return 64.0 / re * rough**0.1


def turbulent(re, rough):
    return 0.25 / math.log10(rough / 3.7 + 5.74 / re**0.9) ** 2


@program(ENUM, args=lambda: (1.1, 275.0))
def handler_of_the_state(p, t):
    handlers = {State.LIQUID: laminar, State.GAS: turbulent}
    state = State.LIQUID if t < 270.0 else State.GAS
    return handlers[state](10.0 * t, 0.01 * p) + {"a": lambda: p, "b": lambda: t}["a" if p > 1.0 else "b"]()


@program(PATHS, args=lambda: (1.1, 275.0))
def pair_with_a_dict_or_none(p, t):
    found = None
    if p > 1.0:
        found = (t * p, {"n": 3, "e": p**2})
    if found is None:
        return t * p
    y, more = found
    return y * more["e"]


@program(PATHS, args=lambda: (1.1, 275.0))
def method_of_a_derived_class(p, t):
    class Step:
        def __init__(self, rate):
            self.rate, self.n = rate, 0

        def take(self, x, g):
            self.n += 1
            return x - self.rate * g

    class Heavy(Step):
        def __init__(self, rate, mass):
            super().__init__(rate)
            self.mass, self.v = mass, 0.0

        def take(self, x, g):
            self.v = self.mass * self.v + g
            return super().take(x, self.v)

    step = Heavy(0.01 * p, 0.5) if p > 1.0 else Step(0.01 * p)
    x = 0.01 * t
    for _ in range(3):
        x = step.take(x, 2.0 * x + math.cos(x))
    return x * x + step.n * p


class Square:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return self.k * x * x


TWICE, THRICE = Square(2.0), Square(3.0)


@program(SWITCH, args=lambda: (1.1, 275.0))
def objects_that_are_called(p, t):
    def applied(f, x):
        return f(x)

    return (TWICE if t > 270.0 else THRICE)(p) + applied(THRICE if t > 270.0 else TWICE, p * 0.5)


@program(SWITCH, args=lambda: (1.1, 275.0))
def truth_of_a_function(p, t):
    f = None
    if t > 270.0:
        f = math.exp
    s = p
    if f:
        s = s + f(p)
    if not f:
        s = s * t
    return s * (2.0 if f else 3.0)


@program(PATHS, args=lambda: (1.1, 275.0))
def jumps_behind_models(p, t):
    for k in range(4):
        if t > 270.0 + k:
            m = Linear(p)
        elif k > 2:
            m = None
            break
        else:
            m = Root(t)
        t = t + m.at(p)
        if t > 280.0:
            continue
        p = p * m.k**0.1
    return t * p


class Truthy(Linear):
    """One that is false where it is small, and can be asked for its parts."""

    def __bool__(self):
        return bool(self.k > 1.0)

    def __getitem__(self, k):
        return self.k * (k + 1)


class Scaled(Truthy):
    def __mul__(self, other):
        return self.k * other

    __rmul__ = __mul__


@program(PATHS, args=lambda: (1.1, 275.0))
def part_of_what_is_true(p, t):
    m = Scaled(p)
    return t + (m and m[1]) * 0.5


@program(PATHS, args=lambda: (1.1, 275.0))
def part_of_what_is_true_where_it_is(p, t):
    m = Truthy(p)
    return math.tanh(t * 0.01 + (m and m[0]) * 0.5 if m else 0.1 * p)


@program(PATHS, args=lambda: (1.1, 275.0))
def number_in_place_of_what_is_false(p, t):
    m = Scaled(p)
    return math.sin(p) * t + 2.0 * (m or Scaled(t * p)) + (m or 0.5) * t


@program(PATHS, args=lambda: (1.1, 275.0))
def choice_in_a_test(p, t):
    m = Scaled(p)
    if (m and m[1]) * t > 300.0:
        t = t * p
    return t + (m and m[1]) * p


@program(PATHS, args=lambda: (1.1, 275.0))
def choice_in_each_turn(p, t):
    m = Scaled(p)
    for _ in range(3):
        m.k = m.k * p**0.5
        t += math.sin((m and m[1]) * p)
    return t


@program(PATHS, args=lambda: (1.1, 275.0))
def model_or_list_inside_of_an_expression(p, t):
    return p * (Truthy(p) if t > 270.0 else [t, p])[0] * (2.0 * t) + (Truthy(t) if p > 1.0 else Root(t)).at(p)


@program(PATHS, args=lambda: (1.1, 275.0))
def pair_or_model_in_a_store(p, t):
    values = [0.0, p]
    values[0] = (Truthy(p) if t > 270.0 else (p, t))[0] * t
    values[1] += (Truthy(t) if p > 1.0 else (p, t))[1]
    return values[0] * values[1]


@program(PATHS, args=lambda: (1.1, 275.0))
def choice_behind_what_runs_before(p, t):
    log = []

    def noted(v):
        log.append(v)
        return v * p

    m = Scaled(p)
    y = noted(t) * (m and m[1]) + noted(p)
    return y + sum(log)


@program(PATHS, args=lambda: (0.6, 275.0), raises=TypeError)
def what_is_false_has_no_operator(p, t):
    m = Truthy(p)
    return t + (m and m[1]) * 0.5
