"""Objects: methods, attributes, properties, inheritance, operator methods, models and layers."""

import abc
import collections
import datetime
import math
import types
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tests.language.corpus import normal, program, uniform


class Oscillator:
    """A damped oscillator."""

    substeps = 2

    def __init__(self, stiffness, damping=0.1):
        self.stiffness = stiffness
        self.damping = damping
        self.log = []

    def force(self, x, v):
        return -self.stiffness * x - self.damping * v

    def step(self, x, v, h):
        for _ in range(self.substeps):
            v = v + h / self.substeps * self.force(x, v)
            x = x + h / self.substeps * v
        return x, v

    def final(self, x):
        v = 0.0
        for _ in range(5):
            x, v = self.step(x, v, 0.1)
        return x

    @property
    def frequency(self):
        return math.sqrt(self.stiffness)

    @staticmethod
    def energy_of(x, v):
        return 0.5 * v * v + x * x

    @classmethod
    def critical(cls, stiffness):
        return cls(stiffness, 2.0 * math.sqrt(stiffness))


class Duffing(Oscillator):
    def __init__(self, stiffness, cubic):
        super().__init__(stiffness, damping=0.05)
        self.cubic = cubic

    def force(self, x, v):
        return super().force(x, v) - self.cubic * x**3


class Vec:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, other):
        if isinstance(other, Vec):
            return self.x * other.x + self.y * other.y
        return Vec(self.x * other, self.y * other)

    def __rmul__(self, c):
        return self * c

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __getitem__(self, k):
        return (self.x, self.y)[k]

    def __len__(self):
        return 2

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __lt__(self, other):
        return abs(self) < abs(other)

    def __call__(self, t):
        return self.x * t + self.y


class Polynomial:
    def __init__(self, coefficients):
        self.coefficients = coefficients

    def __call__(self, x):
        p = 0.0
        for c in reversed(self.coefficients):
            p = p * x + c
        return p

    def derivative(self):
        return Polynomial([k * c for k, c in enumerate(self.coefficients)][1:])

    def __iter__(self):
        return iter(self.coefficients)


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def cost(self, price):
        return price * self.area()


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r**2


class Square(Shape):
    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a**2


class Module:
    def parameters(self):
        return [v for v in self.__dict__.values() if isinstance(v, np.ndarray)]

    def __call__(self, x):
        return self.forward(x)


class Dense(Module):
    def __init__(self, rng, n, m, activation=None):
        self.W = rng.normal(size=(n, m)) / np.sqrt(n)
        self.b = np.zeros(m)
        self.activation = activation

    def forward(self, x):
        z = x @ self.W + self.b
        return z if self.activation is None else self.activation(z)


class Sequential(Module):
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def loss(self, x, y):
        return np.mean((self(x) - y) ** 2)


class Grid:
    def __init__(self, u, h):
        self.u = u
        self.h = h
        self.scratch = np.zeros_like(u)

    def smooth(self):
        self.scratch[1:-1] = 0.5 * (self.u[:-2] + self.u[2:])
        self.u[1:-1] = self.scratch[1:-1]

    def swap(self):
        self.u, self.scratch = self.scratch, self.u

    @property
    def total(self):
        return self.h * np.sum(self.u)

    @total.setter
    def total(self, value):
        self.u = self.u * (value / self.total)


def network():
    rng = np.random.default_rng(0)
    return Sequential(Dense(rng, 3, 4, np.tanh), Dense(rng, 4, 1))


NET = network()
SPRING = Oscillator(2.0)


@program("methods and attributes", args=lambda: (Oscillator(2.0), 0.7))
def oscillator_as_argument(spring, x):
    return spring.final(x) * spring.stiffness


@program("methods and attributes", args=lambda: (2.0, 0.3, 0.7))
def oscillator_built_inside(k, d, x):
    spring = Oscillator(k, damping=d)
    x, v = spring.step(x, 0.0, 0.1)
    return Oscillator.energy_of(x, v) * spring.damping


@program("methods and attributes", args=lambda: (Oscillator(2.0), 0.5))
def attributes_written(spring, c):
    spring.stiffness = spring.stiffness * c
    spring.damping += c**2
    return spring.force(1.0, 0.5) ** 2


@program("methods and attributes", args=lambda: (types.SimpleNamespace(a=0.5, b=normal(2)),))
def simple_namespace(p):
    p.c = p.a * np.sum(p.b)
    return p.c**2 + p.a


@program("methods and attributes", args=lambda: (Grid(normal(6), 0.5), 2))
def methods_that_write_arrays(grid, n):
    for _ in range(n):
        grid.smooth()
    return np.sum(grid.u**2) * grid.h


@program("methods and attributes", args=lambda: (Grid(normal(6), 0.5),))
def buffers_swapped_in_object(grid):
    grid.scratch[:] = grid.u**2
    grid.swap()
    grid.smooth()
    return np.sum(grid.u * grid.scratch)


@program("methods and attributes", args=lambda: (normal(4), 0.5))
def attribute_of_attribute(x, c):
    outer = types.SimpleNamespace(grid=Grid(x * 1.0, c))
    outer.grid.u[0] = c * c
    outer.grid.h *= 2.0
    return outer.grid.total


@program("methods and attributes", args=lambda: (0.5, 0.4))
def methods_as_values(k, x):
    spring = Oscillator(k)
    f = spring.force
    g = Oscillator.force
    return f(x, 0.1) * g(spring, x, x) + getattr(spring, "damping") * x


@program("properties and class methods", args=lambda: (2.0,))
def property_read(k):
    return Oscillator(k).frequency ** 3


@program("properties and class methods", args=lambda: (2.0, 0.3))
def class_method_constructor(k, x):
    spring = Oscillator.critical(k)
    return spring.force(x, 1.0) * spring.damping


@program("properties and class methods", args=lambda: (Grid(uniform(5), 0.5), 3.0))
def property_written(grid, value):
    grid.total = value
    return np.sum(grid.u**2)


@program("properties and class methods", args=lambda: (0.5, 0.6))
def static_method_both_ways(x, v):
    return Oscillator.energy_of(x, v) * SPRING.energy_of(v, x)


@program("properties and class methods", args=lambda: (0.5,))
def class_attribute(x):
    return x**Oscillator.substeps + SPRING.substeps * x


@program("properties and class methods", args=lambda: (0.5,))
def instance_shadows_class_attribute(x):
    spring = Oscillator(x)
    spring.substeps = 1
    y, v = spring.step(1.0, 0.0, x)
    return y * v


@program("properties and class methods", args=lambda: (0.5, 1.5))
def class_with_local_definition(x, y):
    class Pair:
        weight = 2.0

        def __init__(self, a, b):
            self.a, self.b = a, b

        @property
        def product(self):
            return self.weight * self.a * self.b

    return Pair(x, y).product * Pair(y, x * x).product


@program("properties and class methods", args=lambda: (Oscillator(2.0), 0.4))
def cached_attribute_on_self(spring, x):
    def period(s):
        if not hasattr(s, "cached"):
            s.cached = 2 * math.pi / s.frequency
        return s.cached

    return period(spring) * x + period(spring) ** 2


@program("inheritance", args=lambda: (Duffing(1.5, 0.4), 0.7))
def overridden_method_and_super(spring, x):
    return spring.final(x)


@program("inheritance", args=lambda: (1.5, 0.4, 0.7))
def derived_object_built_inside(k, c, x):
    return Duffing(k, c).step(x, 0.1, 0.05)[0] + Oscillator(k).step(x, c, 0.1)[1]


@program("inheritance", args=lambda: ([Circle(0.5), Square(1.5)], 2.0))
def virtual_methods(shapes, price):
    return sum(s.cost(price) for s in shapes) ** 2


@program("inheritance", args=lambda: (0.5, 1.5))
def shapes_built_in_a_loop(r, a):
    total = 0.0
    for cls, size in ((Circle, r), (Square, a), (Circle, a * r)):
        total += cls(size).area() ** 2
    return total


@program("inheritance", args=lambda: (Circle(0.5), 0.4))
def isinstance_of_user_classes(shape, x):
    if isinstance(shape, Circle):
        return shape.r * x
    if isinstance(shape, Shape):
        return shape.area()
    return x


@program("inheritance", args=lambda: (0.5, 0.3))
def mixin_inside(x, y):
    class Base:
        def value(self):
            return self.x

    class Doubled:
        def value(self):
            return 2.0 * super().value()

    class Both(Doubled, Base):
        def __init__(self, x):
            self.x = x

    return Both(x * y).value() ** 2


@program("inheritance", args=lambda: (Duffing(1.5, 0.4), 0.7))
def property_of_base(spring, x):
    return spring.frequency * x + type(spring).substeps * x


@program("inheritance", args=lambda: (0.6,), refused="may")
def exception_class_with_data(x):
    class Found(Exception):
        def __init__(self, value):
            super().__init__("found")
            self.value = value

    def search(t):
        if t > 1.0:
            raise Found(t)
        search(t * 1.5 + 0.01)

    try:
        search(x)
    except Found as found:
        return found.value ** 2
    return 0.0


@program("operator methods", args=lambda: (Vec(0.5, 1.5), Vec(2.0, -0.3)))
def vectors_as_arguments(p, q):
    r = p + 2.0 * q - p * 0.5
    return r * r + abs(q) * p[0]


@program("operator methods", args=lambda: (0.5, 1.5))
def vectors_inside(x, y):
    a, b = Vec(x, y), Vec(y, x * x)
    c = -(a + b)
    return (c * a) * c(2.0) + len(c)


@program("operator methods", args=lambda: (Vec(1.0, 0.0), Vec(0.1, 0.9), 4))
def orbit(position, velocity, n):
    for _ in range(n):
        r = abs(position)
        velocity = velocity - position * (0.1 / r**3)
        position = position + velocity * 0.1
    return position.x * position.y


@program("operator methods", args=lambda: (Polynomial([0.5, 0.1, 0.8]), 0.6))
def callable_object(p, x):
    return p(x) * p.derivative()(x) + sum(c * c for c in p)


@program("operator methods", args=lambda: (0.5, 1.5))
def augmented_operator_method(x, y):
    v = Vec(x, y)
    v += Vec(y, 1.0)
    v *= 2.0
    return v.x * v.y


@program("operator methods", args=lambda: ([Vec(0.5, 1.5), Vec(0.1, 0.2), Vec(2.0, 0.1)],))
def sorted_by_operator(vs):
    s = sorted(vs)
    return s[0].x * s[1].y + s[2].x ** 2


@program("operator methods", args=lambda: (Vec(0.5, 1.5),), second=False)
def object_result(p):
    return p * 2.0 + Vec(p.x * p.y, 1.0)


@program("operator methods", args=lambda: (normal(3), 0.4))
def container_class_inside(x, c):
    class Field:
        def __init__(self, data):
            self.data = data

        def __getitem__(self, k):
            return c * self.data[k]

        def __setitem__(self, k, v):
            self.data[k] = v * v

    f = Field(x * 1.0)
    f[0] = f[1] * f[2]
    f[1] = 2.0
    return np.sum(f.data) * f[2]


@program("models and layers", args=lambda: (network(), normal(5, 3), normal(5, 1)))
def network_loss(net, x, y):
    return net.loss(x, y)


@program("models and layers", args=lambda: (network(), normal(5, 3)))
def network_with_penalty(net, x):
    penalty = sum(np.sum(p * p) for layer in net.layers for p in layer.parameters())
    return np.mean(net(x) ** 2) + 0.1 * penalty


bound_method = program("models and layers", args=lambda: (normal(5, 3), normal(5, 1)))(NET.loss)
bound_method_of_spring = program("models and layers", args=lambda: (0.7,))(SPRING.final)
bound_derived_method = program("models and layers", args=lambda: (0.7, 0.1))(Duffing(1.5, 0.4).force)


@program("models and layers", args=lambda: (normal(2, 3),))
def global_model_is_constant(x):
    return np.sum(NET(x) ** 2) * SPRING.stiffness


@program("models and layers", args=lambda: (network(), normal(5, 3)))
def layer_replaced(net, x):
    net.layers[0] = Dense(np.random.default_rng(1), 3, 4, np.sin)
    net.layers[0].W = net.layers[0].W * 2.0
    return np.sum(net(x))


@program("models and layers", args=lambda: (normal(4, 3), normal(3), 3))
def perceptron_class_inside(X, w, n):
    class Model:
        def __init__(self, w):
            self.w = w
            self.losses = []

        def predict(self, X):
            return 1.0 / (1.0 + np.exp(-X @ self.w))

        def fit(self, X, y, rate, steps):
            for _ in range(steps):
                p = self.predict(X)
                self.losses.append(np.mean((p - y) ** 2))
                self.w = self.w - rate * X.T @ (p - y)
            return self

    model = Model(w).fit(X, np.array([0.0, 1.0, 1.0, 0.0]), 0.1, n)
    return model.losses[-1] + np.sum(model.w**2)


class Phase:
    """Roots by where they are: an attribute for each kind of root, which there is only on one path."""

    def __init__(self, t, p):
        self.t, self.p = t, p
        self.solve()

    def solve(self):
        v = self.t / self.p
        if v > 1.5:
            self.v_gas = v * v
            self.name = "gas"
        else:
            self.v_liquid = v * 2.0

    @property
    def volume(self):
        if self.t / self.p > 1.5:
            return self.v_gas
        return self.v_liquid


@program("methods and attributes", args=lambda: (3.0, 1.0))
def attribute_that_one_path_gives(t, p):
    return Phase(t, p).volume + Phase(p, t).volume


@program("methods and attributes", args=lambda: (3.0, 1.0))
def attribute_completed_later(t, p):
    phase = Phase(t, p)
    if t > p:
        phase.v_liquid = 3.0 * t
    else:
        phase.v_gas = 2.0
    return phase.v_gas * phase.t + phase.v_liquid


@program("methods and attributes", args=lambda: (3.0, 1.0))
def attribute_that_one_path_gives_is_read(t, p):
    return Phase(t, p).v_gas * t


@program("methods and attributes", args=lambda: (3.0, 1.0), refused="may")
def attribute_that_may_be_missing(t, p):
    phase = Phase(t, p)
    if hasattr(phase, "v_gas"):
        return phase.v_gas * p
    return getattr(phase, "v_liquid", 1.0)


@program("methods and attributes", args=lambda: (1.0, 3.0), refused="may")
def all_attributes_of_an_object_that_lacks_some(t, p):
    return len(vars(Phase(t, p))) * t * p


# --- classes that say themselves what assignments, calls and operators mean


class Recorded:
    """Counts how often its properties and items are set."""

    def __init__(self, items):
        self.items = items
        self.sets = 0

    def __getitem__(self, k):
        return self.items[k]

    def __setitem__(self, k, v):
        self.items[k] = v
        self.sets += 1

    @property
    def first(self):
        return self.items[0]

    @first.setter
    def first(self, v):
        self.items[0] = v
        self.sets += 1


class Doubling:
    def __init__(self, v):
        self.v = v

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


class DoublingWhenRead:
    def __init__(self, v):
        self.v = v

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        return found * 2 if name == "v" else found


class SquaredFirst:
    def __new__(cls, v):
        made = super().__new__(cls)
        made.w = v * v
        return made

    def __init__(self, v):
        self.v = v


class ListInstead:
    def __new__(cls, v):
        return [v, v * v]


class TimesFive(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.v = made.v * 5
        return made


class Made(metaclass=TimesFive):
    def __init__(self, v):
        self.v = v


class Pair(collections.namedtuple("Pair", "a b")):
    def __new__(cls, a):
        return super().__new__(cls, a, a * 2)


@dataclass
class WithMore:
    x: float
    y: float = 1.0

    def __post_init__(self):
        self.z = self.x * 2


@program("classes with a say", args=lambda: (1.3,))
def in_place_through_a_setter(x):
    r = Recorded([np.array([x, 1.0]), 2.0])
    r[0] += x
    r[0][1] += x
    r.first *= x
    return np.sum(r.items[0]) * r.sets


@program("classes with a say", args=lambda: (1.3,))
def own_setattr(x):
    d = Doubling(x)
    d.v = d.v * x
    d.v += 1.0
    return d.v


@program("classes with a say", args=lambda: (1.3,), refused="may")
def own_getattribute(x):
    d = DoublingWhenRead(x)
    return d.v * d.v


@program("classes with a say", args=lambda: (1.3,))
def own_new(x):
    s = SquaredFirst(x)
    items = ListInstead(x)
    return s.w * s.v + items[0] * items[1]


@program("classes with a say", args=lambda: (1.3,), refused="may")
def own_call_of_a_class(x):
    m = Made(x)
    return m.v * m.v


@program("classes with a say", args=lambda: (1.3,), refused="may")
def own_new_of_a_namedtuple(x):
    pair = Pair(x)
    return pair.a * pair.b


class Row(tuple):
    """A tuple with a name of its own."""


class Twice(tuple):
    """A tuple that is made of other items than it is given."""

    def __new__(cls, *items):
        return tuple.__new__(cls, [2.0 * item for item in items])


ROWS = {"own": Row((2.0, 4.0)), "twice": Twice(1.0, 2.0)}


@program("classes with a say", args=lambda: (1.3,))
def tuples_of_a_class(x):
    return x * sum(ROWS["own"]) + (x**2 if max(ROWS["own"]) > 3.0 else x**3)


@program("classes with a say", args=lambda: (1.3,), refused="may")
def tuples_that_say_how_they_are_made(x):
    return x * sum(ROWS["twice"]) + x**2 * ROWS["twice"][1]


class Day(datetime.date):
    """A date, whose year is told by C code."""


@program("classes with a say", args=lambda: (1.3, Day(2, 1, 1)), wrt=0)
def what_c_code_says_of_an_object(x, day):
    return x**day.year if day.year > 1 else x


LONG, SHORT = np.ones(5), np.ones(3)


@program("classes with a say", args=lambda: (1.3,))
def arrays_that_are_others(x):
    return x**2 + x * (LONG is SHORT)


MASKED = np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0])
RECORDS = np.array([1.0, 2.0]).view(np.recarray)


@program("classes with a say", args=lambda: (1.3,))
def arrays_of_a_class_made_plain(x):
    """np.asarray of them is another array, and of other elements."""
    plain = np.asarray(MASKED)
    s = x * np.sum(plain) + x**2 * np.sum(MASKED)
    return s * (x if plain is MASKED or np.asarray(RECORDS) is RECORDS else x**3) * (np.asanyarray(RECORDS) is RECORDS)


OBJECTS = np.array([[1.0, 2.0], [None, "four"]], dtype=object)


@program("classes with a say", args=lambda: (1.3,))
def items_of_an_array_of_objects(x):
    return x ** OBJECTS.flat[1] + x * len(OBJECTS.flat[-1])


@program("classes with a say", args=lambda: (WithMore(1.2, 0.7),), second=False)
def dataclass_with_more_than_its_fields(q):
    return q.x * q.z * q.y


@program("classes with a say", args=lambda: (WithMore(1.2, 0.7),), second=False)
def attributes_that_do_not_matter(q):
    return q.x * q.x * q.y


class Unit(np.ndarray):
    """An array of length one, with its elements as an attribute, too."""

    def __new__(cls, q, scaled=True):
        q = np.array(q, dtype=float)
        if scaled:
            q /= np.linalg.norm(q)
        obj = super().__new__(cls, q.shape, float, q)
        obj.A = q
        return obj

    def __array_finalize__(self, obj):
        if obj is None:
            return
        self.A = getattr(obj, "A", np.array([1.0, 0.0, 0.0, 0.0]))

    @property
    def w(self):
        return self.A[0]

    def product(self, p):
        return np.array([self.w * p[0] - self.A[1:] @ p[1:], *(self.w * p[1:] + p[0] * self.A[1:])])

    def __add__(self, p):
        return Unit(self.A + p)


@program("inheritance", args=lambda: (uniform(4), uniform(4)), wrt=0)
def class_on_top_of_arrays(x, y):
    return np.sum((Unit(x) + y).product(y) ** 3) + Unit(y).product(x)[1]


@program("inheritance", args=lambda: (uniform(4), uniform(4)), wrt=0, refused="may")
def arithmetic_of_a_class_on_top_of_arrays(x, y):
    return np.sum(Unit(x) * y)


@program("inheritance, rebinding or overwriting", args=lambda: (uniform(4), uniform(4)), wrt=0, refused="may")
def object_on_top_of_an_array_overwritten(x, y):
    q = Unit(x)
    q += y
    return q.w * y[0]


class Above:
    def __init__(self, level, weight):
        self.level, self.weight = level, weight

    def __bool__(self):
        return bool(self.level > 0.6)


class Counted(Above):
    def __bool__(self):
        self.weight = self.weight * 1.5
        return super().__bool__()


@program("boolean operators, operator methods", args=lambda: (0.5, 1.3))
def first_true_object(a, b):
    chosen = Above(a, 2 * a) or Above(b, a * b)
    return chosen.level * chosen.weight


@program("boolean operators, operator methods", args=lambda: (0.5, 1.3))
def last_of_true_objects(a, b):
    chosen = Above(b, 2 * a) and Above(a, a * b) and Above(a * a, b)
    return chosen.level * chosen.weight


@program("boolean operators, operator methods", args=lambda: (0.9, 1.3))
def first_true_object_of_each_turn(a, b):
    low, high = Above(a, a * a), Above(b, a * b)
    s = 0.0
    for k in range(4):
        s = s + (low or high).weight * (k + 1)
        low.level = low.level - 0.2
    return s


@program("boolean operators, operator methods", args=lambda: (0.5, 1.3))
def objects_that_change_when_asked(a, b):
    first, second = Counted(a, a * a), Counted(b, a * b)
    s = a if (first or second) and b > 0.0 else b
    if first and second:
        s = s * 2.0
    return s + first.weight + second.weight


class Rules(Mapping):
    """Functions and numbers by their names, in capitals or not."""

    def __init__(self, rules):
        self.rules = rules

    def __iter__(self):
        yield from self.rules.keys()

    def __len__(self):
        return len(self.rules)

    def lower_keys(self):
        yield from [name.lower() for name in self.rules]

    def __getitem__(self, name):
        try:
            return self.rules[name]
        except KeyError:
            pass
        return self[dict(zip(self.lower_keys(), self.keys(), strict=True))[name]]


def squared_distance(a, b):
    return (a - b) ** 2


RULES = Rules({"Squared": squared_distance, "Sine": lambda a, b: math.sin(a - b)})
RATES = Rules({"first": 1.5, "second": 0.5})


def checked(name, valid):
    if name not in [v.lower() for v in valid]:
        raise ValueError(name)
    return name


@program("classes with a say", args=lambda: (0.7, "squared"))
def function_found_by_a_method(x, name):
    return RULES[checked(name, tuple(RULES))](x, 0.5) * x


@program("classes with a say", args=lambda: (0.7, "sine"))
def function_found_by_a_method_of_a_method(x, name):
    def found(word):
        return RULES[word]

    return found(name)(x, 0.5) * RULES["Squared"](x, 0.1)


@program("classes with a say", args=lambda: (0.7,))
def items_of_a_mapping_of_its_own(x):
    total = x
    for name, rate in RATES.items():
        total = total * rate + len(name) * x
    for rate in RATES.values():
        total += rate * x**2
    return total * len(RATES.keys() - {"first"})


@program("classes with a say", args=lambda: (0.7,))
def known_items_that_a_generator_gives(x):
    return sum(x**k * len(name) for k, name in enumerate(list(RATES)))


class Labelled:
    _label = ""

    @property
    def label(self):
        return self._label

    @label.setter
    def label(self, label):
        self._label = str(label)


class Length(float):
    pass


class Angle(float, Labelled):
    def __new__(cls, value, label="angle", unit=1.0):
        try:
            self = float.__new__(cls, value * unit)
            if label:
                self.label = label
        except TypeError as error:
            raise ValueError(label) from error
        return self

    def sine(self):
        return math.sin(self)

    def __repr__(self):
        return f"Angle({float.__repr__(self)})"


class Twice(float):
    def __add__(self, other):
        return Twice(float(self) + 2.0 * float(other))

    def __float__(self):
        return 3.0 * float.__add__(self, 0.0)


class Turned(Angle):
    def __new__(cls, value):
        self = super().__new__(cls, value, "turned")
        self.by = value * 2.0
        return self

    def __mul__(self, other):
        return super().__mul__(other) + self.by


@program("numbers of a class of their own", args=lambda: (0.7,))
def length_that_is_a_float(x):
    y = Length(x * x)
    return y * 3.0 - 2.0 / y + y**2 + (-y) * abs(y)


@program("numbers of a class of their own", args=lambda: (0.7,))
def angle_with_a_label(x):
    a = Angle(x, "first")
    return a.sine() * a if a.label == "first" else x


@program("numbers of a class of their own", args=lambda: (0.7,))
def number_class_by_branches(x):
    a = Angle(x, "one") if x > 0.5 else Angle(x * x, "two")
    b = a if a > 0.1 else Angle(2.0, "three")
    return (b + a) * x


@program("numbers of a class of their own", args=lambda: (0.7,))
def number_class_that_says_what_plus_means(x):
    return (Twice(x) + Twice(x * x)) * 2.0 + float(Twice(x))


@program("numbers of a class of their own", args=lambda: (0.7,))
def number_class_with_an_active_attribute(x):
    t = Turned(x)
    return t * t + t.by * len(t.label)


@program("numbers of a class of their own", args=lambda: (0.7,))
def number_class_in_numpy(x):
    t = Length(x)
    return np.sum(np.array([1.0, 2.0]) * np.sin(t)) + math.hypot(t, Length(2.0)) + np.exp(t)


@program("numbers of a class of their own", args=lambda: (0.7,))
def number_class_that_changes_in_a_loop(x):
    total = Length(x)
    for k in range(3):
        total = Length(total * x + k)
    return total


@program("numbers of a class of their own", args=lambda: (0.7,))
def number_class_under_two_names(x):
    a = Angle(x)
    b = a
    b.label = "seen"
    return a * len(a.label) if isinstance(a, float) and type(a) is Angle and a is b else x


@program("numbers of a class of their own", args=lambda: (0.7,), refused="may")
def larger_of_two_of_a_number_class(x):
    a, b = Angle(x, "a"), Angle(x * x, "bb")
    return max(a, b) * len(max(a, b).label)


@program("numbers of a class of their own", args=lambda: (0.7,))
def numbers_of_a_class_in_a_list(x):
    items = [Angle(x * k, "n" * k) for k in range(1, 4)]
    return sum(v * len(v.label) for v in items) + sum(items)
