"""Constants that classes make more of than numbers: members of enums, equal objects, numbers with operators."""

import dataclasses
import enum
import functools

from tests.language.corpus import program


class I(enum.IntEnum):
    A = 0

    B = 1


class S(str, enum.Enum):
    A = ""

    B = "b"


class X(float, enum.Enum):
    A = 0.0

    B = 1.5


class E0(enum.Enum):
    A = 0

    B = 1


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_that_is_zero(a, b):
    return a * (2 if I.A else 3)


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_that_is_empty(a, b):
    return a * (2 if S.A else 3)


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_that_is_zero_as_a_float(a, b):
    return a * (2 if X.A else 3)


@program("constants of classes", args=lambda: (2.0, 1.3))
def zero_in_a_test(a, b):

    i = I.A
    if i:
        return a * 2
    return a * 3


@program("constants of classes", args=lambda: (2.0, 1.3))
def any_and_all_of_members(a, b):
    return a * any([I.A, I.A]) + a * a * all([I.B, I.A]) + a * sum(1 for q in I if q)


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_by_number(a, b):
    return sum(a * k if I(k) else a * a for k in range(2))


@program("constants of classes", args=lambda: (2.0, 1.3))
def zero_asserted(a, b):

    i = I.A
    assert not i
    return a * 2


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_by_default(a, b, i=I.A):
    return a if i else b


class O:
    def __init__(s, k):
        s.k = k
        s.m = I.A


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_of_an_object(a, b):

    o = O(a)
    if o.m:
        return b * b
    return o.k * (2 if O(b).m else 5)


@program("constants of classes", args=lambda: (2.0, 1.3))
def zero_negated_and_chosen(a, b):

    i = I.A
    return a * (2 if not i else 3) + a * (i or 5) + (a if i and True else a * a)


@program("constants of classes", args=lambda: (2.0, 1.3))
def plain_members_are_true(a, b):
    return a * (2 if E0.A else 3) * (1 if not E0.B else 4)


class M(type):
    def __len__(cls):
        return 0


class K(metaclass=M):
    def __init__(self, k):
        self.k = k


kk = K(2.0)


@program("constants of classes", args=lambda: (2.0, 1.3))
def class_with_a_length(a, b):
    return a * (2 if kk else 3)


@program("constants of classes", args=lambda: (2.0, 1.3))
def object_of_a_class_with_a_length(a, b):

    o = K(a)
    return b * (2 if o else 3) * o.k


@dataclasses.dataclass(frozen=True)
class D:
    n: int
    k: float = dataclasses.field(compare=False, default=1.0)


d1, d2 = D(1, 2.0), D(1, 3.0)


@program("constants of classes", args=lambda: (2.0, 1.3))
def equal_but_for_a_field(a, b):

    d = d1
    if a > 1:
        d = d2
    return a * d.k


@program("constants of classes", args=lambda: (2.0, 1.3))
def pair_of_equals(a, b):

    x, y = (d1, d2) if a > 1 else (d2, d1)
    return a * x.k + b * y.k * y.k


class V(enum.Enum):
    A = 1.5

    B = 0.5

    def __eq__(self, o):
        return True

    def __hash__(self):
        return 1


@program("constants of classes", args=lambda: (2.0, 1.3))
def members_that_are_equal(a, b):

    v = V.A
    if a > 1:
        v = V.B
    return a * v.value


class G:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return self.k * x

    def __eq__(self, o):
        return isinstance(o, G)

    def __hash__(self):
        return 3

    def __call__(self, x):
        return self.k * x * x


ga, gb = G(2.0), G(3.0)


@program("constants of classes", args=lambda: (2.0, 1.3))
def equal_objects(a, b):

    g = ga if a > 1 else gb
    return g.k * a


@program("constants of classes", args=lambda: (2.0, 1.3))
def methods_of_equals(a, b):

    f = ga.f
    if a > 1:
        f = gb.f
    return f(a) * b


@program("constants of classes", args=lambda: (2.0, 1.3))
def equal_callables(a, b):

    f = ga
    if a > 1:
        f = gb
    return f(a) * b


@program("constants of classes", args=lambda: (2.0, 1.3))
def closure_over_one_of_two_equals(a, b):

    g = ga
    if a > 1:
        g = gb

    h = lambda x: x * g.k
    return h(b)


@program("constants of classes", args=lambda: (2.0, 1.3), refused="may")
def equals_in_turns(a, b):

    g = ga
    for j in range(3):
        if a * j > 1:
            g = gb

        a = a + 0.1 * g.k
    return a * b


@program("constants of classes", args=lambda: (2.0, 1.3), refused="may")
def equals_in_a_while(a, b):

    r = a
    for g in [ga, gb]:
        r = r * g.k

    g = ga
    while r < 50:
        r = r * b * g.k
        g = gb
    return r


@program("constants of classes", args=lambda: (2.0, 1.3))
def equals_in_a_try(a, b):

    g = ga
    try:
        if a > 1:
            raise ValueError

        g = gb
    except ValueError:
        pass
    return a * g.k


@dataclasses.dataclass(frozen=True)
class C:
    n: int


c1, c2 = C(1), C(1)


@program("constants of classes", args=lambda: (2.0, 1.3))
def equals_told_apart(a, b):

    c = c1
    if a > 1:
        c = c2
    return a * (2 if c is c1 else 3)


M1, M2 = [1.0], [1.0]


@program("constants of classes", args=lambda: (2.0, 1.3))
def equal_lists_told_apart(a, b):

    z = M1
    if a > 1:
        z = M2
    return a * (2 if z is M1 else 3)


L1, L2 = [1, 2], [1.0, 2.0]


@program("constants of classes", args=lambda: (2.0, 1.3))
def equal_lists_of_other_types(a, b):

    z = L1
    if a > 1:
        z = L2
    return a * len(str(z[0]))


class B(list):
    pass


b1, b2 = B([1]), B([1])
b1.k = 2.0
b2.k = 3.0


@program("constants of classes", args=lambda: (2.0, 1.3))
def lists_with_attributes(a, b):

    z = b1
    if a > 1:
        z = b2
    return z.k * a


class Ix(enum.IntEnum):
    A = 3

    B = 1

    def __add__(self, o):
        return 100 * o

    def __mul__(self, o):
        return o

    def __pow__(self, o):
        return o * o

    def __neg__(self):
        return 50


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_with_a_sum(a, b):

    m = Ix.A
    if a > 5:
        m = Ix.B
    return m + a


@program("constants of classes", args=lambda: (2.0, 1.3))
def member_with_a_product(a, b):

    m = Ix.A
    if a > 5:
        m = Ix.B
    return m * a


@program("constants of classes", args=lambda: (2.0, 1.3), refused="may")
def members_with_sums_in_a_list(a, b):

    ms = [Ix.A, Ix.B]
    return ms[a > 5] + a


class Fx(float, enum.Enum):
    A = 3.0

    B = 1.0

    def __add__(self, o):
        return 100 * o


@program("constants of classes", args=lambda: (2.0, 1.3))
def float_member_with_a_sum(a, b):

    m = Fx.A
    if a > 5:
        m = Fx.B
    return m + a


class Z(float):
    def __add__(self, o):
        return 100 * o


z1, z2 = Z(1.0), Z(2.0)


@program("constants of classes", args=lambda: (2.0, 1.3))
def float_with_a_sum(a, b):

    z = z1
    if a > 1:
        z = z2
    return z + a


class ZI(int):
    def __add__(self, o):
        return 100 * o

    def __mul__(self, o):
        return o * o


i1, i2 = ZI(1), ZI(2)


@program("constants of classes", args=lambda: (2.0, 1.3))
def int_with_operators(a, b):

    z = i1
    if a > 1:
        z = i2
    return z * a + (z + b)


class Pe(enum.Enum):
    A = 3.0

    B = 1.0

    def __add__(self, o):
        return 100 * o


@program("constants of classes", args=lambda: (2.0, 1.3))
def plain_member_with_a_sum(a, b):

    m = Pe.A
    if a > 5:
        m = Pe.B
    return m + a


@program("constants of classes", args=lambda: (2.0, 1.3), refused="may")
def members_with_sums_in_a_tuple(a, b):
    return (Pe.A, Pe.B)[int(a > 5)] + a


@program("constants of classes", args=lambda: (2.0, 1.3), refused="may")
def members_with_sums_in_turns(a, b):

    m = Pe.A
    for k in range(3):
        a = (m + a) * 0.01

        m = Pe.B if a > 1 else Pe.A
    return a


@program("constants of classes", args=lambda: (2.0, 1.3), refused="may")
def cached_by_equality(a, b):
    @functools.lru_cache
    def h(g):
        return g.k * a

    return h(ga) + h(gb) * b


@program("constants of classes", args=lambda: (2.0, 1.3))
def length_of_none_in_a_branch(a, b):

    t = None
    if a > 5:
        b = len(t) * b
    return a * b
