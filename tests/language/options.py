"""What builtins, the standard library and NumPy are asked for by their seldom used arguments."""

import array
import collections
import copy
import dataclasses
import enum
import functools
import itertools

import numpy as np

from tests.language.corpus import normal, program, uniform


@program("options", args=lambda: (normal(3),))
def deepcopy_keeps_what_is_shared(x):
    a = {"u": x * 2.0, "v": None}
    a["v"] = a["u"]
    b = copy.deepcopy(a)
    b["u"][0] = 5.0 * x[1]
    return np.sum(b["v"] ** 2) + np.sum(a["u"] ** 3)


@program("options", args=lambda: (normal(3),))
def deepcopy_of_a_list_that_holds_an_array_twice(x):
    u = x * 2.0
    b = copy.deepcopy([u, u])
    b[0][0] = 5.0 * x[1]
    return np.sum(b[1] ** 2)


@program("options", args=lambda: (normal(3),))
def copyto_with_all_by_position(x):
    a = x * 2.0
    np.copyto(a, x**2, "same_kind", np.array([True, False, True]))
    return np.sum(a**2)


@program("options", args=lambda: (normal(3),))
def copyto_with_a_mask_that_is_broadcast(x):
    a = np.outer(x, x)
    np.copyto(a, x[0] ** 3, where=np.array([True, False, True]))
    return np.sum(a**2 * np.arange(9.0).reshape(3, 3))


@program("options", args=lambda: (normal(3),))
def copyto_where_a_row_says(x):
    a = np.outer(x, x)
    np.copyto(a, x[0] ** 3, where=x > 0.1)
    return np.sum(a**2 * np.arange(9.0).reshape(3, 3))


@dataclasses.dataclass
class _Weighted:
    w: np.ndarray
    b: float

    def __post_init__(self):
        self.extra = 3.0 * self.b


@program("options", args=lambda: (normal(3),))
def asdict_copies_arrays(x):
    p = _Weighted(x * 2.0, x[0])
    d = dataclasses.asdict(p)
    d["w"][0] = 7.0
    return np.sum(p.w**2) + p.b * np.sum(d["w"])


@program("options", args=lambda: (normal(3),))
def asdict_and_astuple_hold_the_fields(x):
    p = _Weighted(x * 2.0, x[0])
    return sum(np.sum(v) for v in dataclasses.asdict(p).values()) + len(dataclasses.astuple(p)) * p.extra


@dataclasses.dataclass
class _Made:
    a: float
    k: dataclasses.InitVar[float]
    w: np.ndarray = dataclasses.field(default_factory=lambda: np.ones(3))
    scale: dataclasses.InitVar[float] = 2.0

    def __post_init__(self, k, scale):
        self.c = self.a * k * scale


@program("options", args=lambda: (normal(3),))
def default_factories_are_called_once_and_init_variables_are_no_fields(x):
    d, e = _Made(x[0], 3.0), _Made(x[1], 0.5, x * 2, scale=x[2])
    d.w[0] = x[2]
    return d.c * e.c + np.sum(d.w * e.w)


@program("options", args=lambda: (normal(3),))
def default_of_an_empty_max(x):
    return max([], default=x[0]) ** 2 + min((v for v in x if v > 30), default=x[1] ** 2)


@program("options", args=lambda: (normal(3), 3), refused="may")
def default_of_an_empty_max_with_a_key(x, n):
    return max([x[k] for k in range(n) if x[k] > 30], key=abs, default=x[0] ** 2)


@program("options", args=lambda: (normal(3), 3))
def count_by_name(x, n):
    up = sum(v * k for v, k in zip(x, itertools.count(start=2, step=3)))
    return up * sum(v * k for v, k in zip(x, itertools.count(5, step=n)))


@program("options", args=lambda: (normal(3),))
def repeat_so_many_times(x):
    return sum(v * k for v, k in zip(x, itertools.repeat(x[0], times=2)))


@program("options", args=lambda: (normal(4),))
def combinations_of_so_many(x):
    items = [x[0], x[1], x[2], x[3]]
    total = sum(a * b**2 for a, b in itertools.permutations(items, r=2))
    total += sum(a * b * c for a, b, c in itertools.combinations(items, r=3))
    return total + sum(a * b**2 for a, b in itertools.product(items, repeat=2))


@program("options", args=lambda: (normal(3),))
def index_from_a_place_on(x):
    return x[[1, 2, 1, 4].index(1, 1) - 1] ** 2 + x[(1, 2, 1).index(1, 1, 3)] * x[0]


@program("options", args=lambda: (uniform(5),))
def islice_without_ends(x):
    return sum(itertools.islice(x, 1, None)) ** 2 + sum(itertools.islice(x, None, None, 2)) * x[0]


@program("options", args=lambda: (uniform(5),))
def parts_of_iterators(x):
    kept = list(itertools.compress(x, [1, 0, 1, 1, 0]))
    rest = list(itertools.dropwhile(lambda v: v < 2, [x[0], 3.0 * x[1] + 5.0, x[2]]))
    small = itertools.filterfalse(lambda v: v > 0.5, x)
    return sum(kept) * rest[0] * rest[-1] + sum(small) + sum(itertools.chain.from_iterable([[x[0]], (x[1], x[2])]))


@program("options", args=lambda: (normal(2),))
def dict_of_keys_and_its_last_item(x):
    d = dict.fromkeys(["a", "b"], x[0])
    d["b"] = x[1] ** 2
    key, v = d.popitem()
    return v * d["a"] + len(key)


class _Power(enum.Enum):
    LOW = 1.5
    HIGH = 2.5


@program("options", args=lambda: (uniform(2), "HIGH"))
def member_of_an_enum_by_its_name(x, name):
    return x[0] ** _Power["LOW"].value * x[1] ** _Power[name].value


class _Lazy:
    def __init__(self, x):
        self.x = x

    def __getattr__(self, name):
        if name == "double":
            return 2.0 * self.x
        raise AttributeError(name)


@program("options", args=lambda: (1.3,))
def attributes_that_are_made_when_asked_for(x):
    lazy = _Lazy(x**2)
    return lazy.double * lazy.x


@program("options", args=lambda: (0.7, 3))
def rows_of_numbers(x, n):
    items = [x * k for k in range(n)]
    return np.sum(np.vstack(items) * np.array([1.0, 2.0, 3.0])) + np.sum(np.array(items, ndmin=2).T @ np.ones((1, 2)))


@program("options", args=lambda: (normal(3), 3))
def lists_joined_into_a_buffer(x, n):
    buffer = np.ones(n * x.size)
    np.concatenate([x * k for k in range(n)], out=buffer)
    return np.sum(buffer**3)


@program("options", args=lambda: (0.7, 4))
def so_many_of_an_iterator(x, n):
    items = np.fromiter((x * k for k in range(n)), float, count=3)
    return np.sum(items**2) + np.sum(np.fromiter([x**k for k in range(n)], float, 2))


@program("options", args=lambda: (normal(6), 3))
def split_into_so_many(x, n):
    parts = np.array_split(x, n - 1)
    total = sum(k * np.sum(p**3) for k, p in enumerate(np.split(x, n)))
    A = np.outer(x, x)
    wide = sum([np.sum(p) ** 2 for p in np.split(A, np.arange(1, n), axis=1)])
    return total * np.sum(parts[0]) + np.sum(parts[-1] ** 2) + wide + np.sum(np.hsplit(A, n)[-1] ** 2)


@program("options", args=lambda: (normal(3), 3), refused="may")
def parameter_that_hides_a_builtin(x, len):
    items = []
    for k in range(len):
        items.append(x * k)
    return np.sum(np.array(items) ** 2) + np.array(items).mean()


@program("options", args=lambda: (normal(5),))
def deque_of_the_last(x):
    last = collections.deque(x, maxlen=2)
    last.append(x[0] ** 2)
    return last[0] * 2 + last[1]


@program("options, lists as arrays", args=lambda: (normal(3), 3))
def items_joined_in_every_way(x, n):
    parts, matrices, numbers, rows = [], [], [], []
    for k in range(n):
        parts.append(x[: k + 1] * k)
        matrices.append(np.outer(x, x[:2]) + k)
        numbers.append(x[0] ** k)
        rows.append(np.sin(x * k))
    s = np.concatenate(parts)
    parts.append(x)
    total = np.sum(s * s) + np.sum(np.concatenate(parts) ** 3)
    total += np.sum(np.concatenate(matrices, axis=1) ** 2) + np.sum(np.concatenate(matrices, axis=-1) ** 3)
    total += np.sum(np.vstack(matrices) ** 2) + np.sum(np.hstack(matrices) ** 3) + np.sum(np.dstack(matrices) ** 2)
    total += np.sum(np.vstack(numbers) ** 2 * x) + np.sum(np.hstack(numbers) ** 3) + np.sum(np.dstack(numbers) ** 2)
    total += np.sum(np.vstack(rows) ** 2) + np.sum(np.hstack(rows) ** 3) + np.sum(np.dstack(rows) ** 2)
    total += np.sum(np.column_stack(matrices) ** 2) + np.sum(np.column_stack(numbers) ** 2)
    return total * np.sum(np.column_stack(rows) @ x)


@program("options, lists as arrays", args=lambda: (normal(3), 3))
def items_stacked_along_every_axis(x, n):
    matrices, rows, pairs = [], [], []
    for k in range(n):
        matrices.append(np.outer(x, x[:2]) + k)
        rows.append(np.sin(x * k))
        pairs.append((x[0] * k, x[1] ** k))
    total = np.sum(np.stack(rows, axis=1) @ np.arange(3.0)) + np.sum(np.stack(matrices, axis=2) ** 2)
    total += np.sum(np.stack(matrices, -1) ** 3) + np.sum(np.stack(matrices, 1) ** 3)
    total += np.sum(np.asarray(pairs) ** 2) * np.sum(np.column_stack(pairs) ** 3)
    return total + np.sum(np.vstack(pairs) ** 2) + np.sum(np.hstack(pairs) ** 2 * np.arange(2.0 * n))


@program("options, lists as arrays", args=lambda: (1.3, 4))
def sums_of_grown_lists(x, n):
    terms = []
    for k in range(n):
        terms.append(np.sin(x * k))
    first = sum(terms)
    terms.append(x**2)
    terms.append(4.0)
    return first**2 * sum(terms) + sum(terms, x) / len(terms)


@program("options, lists as arrays", args=lambda: (1.3, 0))
def arrays_of_nothing(x, n):
    terms = []
    for k in range(n):
        terms.append(x * k)
    return x**2 + np.array(terms).sum() + sum(terms) + np.sum(np.array([x * k for k in range(n)]) ** 2)


@program("options", args=lambda: (normal(3), 3))
def grown_list_times_a_number(x, n):
    grown = []
    for i in range(n):
        grown.append(x[i] ** 2)
    twice, thrice = grown * 2, n * grown
    squares = [v**3 for v in x] * 2
    total = sum((i + 1) * v for i, v in enumerate(twice)) * sum(thrice) * len(thrice)
    return total + np.dot(squares, np.arange(6)) + np.sum(np.array(grown * 0)) + len(grown * -1)


@program("options", args=lambda: (normal(3), 3))
def grown_list_repeated_in_place(x, n):
    grown = []
    for i in range(n):
        grown.append(x[i])
    other = grown
    other *= 2
    for _ in range(2):
        grown *= n - 1
    total = sum(i * v for i, v in enumerate(grown)) * len(other)
    other *= 0
    return total + len(grown)


@program("options", args=lambda: (uniform(3),))
def chained_comparisons_stop(x):
    seen = [x[0], x[1]]

    def noted(value, item):
        seen.append(item)
        return value

    first = 2.0 < noted(x[0], x[0]) < noted(x[1], x[1] ** 2)
    second = -1.0 < noted(x[0], x[2]) < noted(5.0, x[0] ** 2) < noted(x[2], x[1])
    i, empty = 5, []
    third = 0 <= i < len(empty) < empty[i]
    if -2.0 <= noted(x[1], x[1]) <= x[1] <= noted(9.0, x[2] ** 3):
        seen.append(x[0] ** 3)
    return sum(i * v for i, v in enumerate(seen)) + first + 2 * second + third


@program("options, containers", args=lambda: (normal(2),), refused=True)
def counters_take_no_active_values(x):
    count = collections.Counter()
    count["a"] += x[0] ** 2
    return count["a"] * 3


@program("options, containers", args=lambda: (normal(2),), refused=True)
def arrays_of_the_library_take_no_active_values(x):
    a = array.array("d", [0.0, 1.0])
    a[0] += x[0] ** 2
    return a[0] * 3 + x[1]


@program("options, containers", args=lambda: (normal(3), 3))
def deques_keep_their_limit(x, n):
    q = collections.deque(x[:2], 2)
    copies = [q.copy(), copy.copy(q), copy.deepcopy(q), q + collections.deque([x[2]])]
    for one in copies:
        one.append(x[2] ** 2)
    q += [x[2] ** 3]
    grown = collections.deque(maxlen=2)
    for i in range(n):
        grown.append(x[i])
    others = grown.copy(), copy.copy(grown), grown + q
    total = sum(q) * q.maxlen * grown.maxlen
    for other in others:
        other.append(x[0] ** 2)
        total += sum(other) * len(other)
    grown += [x[0] ** 3, x[1] ** 2]
    return total * sum(grown) * len(grown) + sum(sum(one) * len(one) for one in copies)


@program("options, containers", args=lambda: (normal(3),))
def classes_of_containers(x):
    q, d = collections.deque([x[0], x[1]]), collections.defaultdict(float, a=x[2])
    o = collections.OrderedDict(a=x[0])
    d.copy()["b"] += 1.0
    (d | o)["c"] += 1.0
    part = functools.partial(np.power, x[0])
    total = x[0] ** 2 if isinstance(q, list) else x[1] ** 3
    total += x[0] if type(q) is collections.deque and isinstance(part, functools.partial) else x[1]
    for one in (d, o, {"a": x[1]}):
        total += one["a"] ** (3 if isinstance(one, collections.OrderedDict) else 2 if type(one) is dict else 1)
    return total * isinstance(d, collections.defaultdict)


class Level(enum.IntEnum):
    """Weights with names"""

    LOW = 1
    MIDDLE = enum.auto()


class Doubled:
    """An object that takes more than is added to it"""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Doubled(self.value + getattr(other, "value", other))

    def __radd__(self, other):
        return Doubled(self.value * 2 + other)


@program("options, containers", args=lambda: (normal(3),))
def keys_of_dicts_are_sets(x):
    d, e = {"a": x[0], "b": x[1]}, {"b": x[2]}
    total = sum(d[k] * e[k] for k in d.keys() & e.keys()) + sum(d[k] ** 2 for k in d.keys() - e.keys())
    if d.keys() == {"a", "b"} and d.keys() >= e.keys() != d.keys():
        total *= x[0]
    if d.keys() ^ e.keys() <= {"a"} and (d.keys() | {"c"}) > d.keys():
        total *= x[1]
    first, last = d.keys()
    return total + d[first] ** 3 * d[last] * len(d.keys()) * ("a" in d.keys())


@program("options, containers", args=lambda: (normal(3),))
def dicts_from_keys(x):
    d, e = dict.fromkeys(["p", "q"]), dict.fromkeys(range(3), 0.0)
    d["p"] = x[2]
    for i in range(3):
        e[i] += x[i] ** 2
    return d["p"] * e[1] * (e[2] if d["q"] is None else 3.0)


@program("options", args=lambda: (normal(3),))
def members_of_enumerations_are_ints(x):
    m, total = Level.MIDDLE, x[2] ** 2 * Level.MIDDLE + Level(1) * x[1] - x[0] * -Level.MIDDLE
    for level in Level:
        total += level * x[level] ** 2 * len(level.name)
    return total + m * x[1] ** 2 + x[0] ** m + (x[0] if m is Level.MIDDLE else x[1]) * np.sin(m * x[1])


@program("options", args=lambda: (normal(3),))
def sum_begins_with_zero(x):
    both = sum([Doubled(x[0]), Doubled(x[1] ** 2)]).value
    return both + sum(i * v for i, v in enumerate(iterable=x, start=2)) * sum([Doubled(x[2])]).value


@program("options, containers", args=lambda: (uniform(3),))
def methods_of_dicts_with_all_arguments(x):
    o = collections.OrderedDict(a=x[0], b=x[1], c=x[2])
    first, value = o.popitem(last=False)
    o.move_to_end("b")
    order = list(o.values())
    last, taken = o.popitem()
    missing = o.pop("z", default=x[0] ** 2) * o.setdefault(key="y", default=x[1] ** 3)
    d = {"a": x[0]}
    d.update([("b", x[1] ** 2), ("c", x[2])], a=x[2] ** 2)
    pairs = tuple(d.items())
    e = dict(d)
    e.clear()
    total = value**2 + sum(o.values()) + order[0] * 2 + order[1] * 5 + taken**2 + missing
    return total + (len(first) + len(last)) * pairs[1][1] * d["a"] + len(e)


@program("options, containers", args=lambda: (uniform(4), 4))
def items_deleted_from_a_grown_list(x, n):
    grown = []
    for i in range(n):
        grown.append(x[i] ** (i + 1))
    del grown[0]
    total = sum(i * v**2 for i, v in enumerate(grown))
    del grown[-1]
    for i in range(n - 3):
        del grown[i]
    return total * sum(grown) * len(grown)


@program("options", args=lambda: (normal(3), 3))
def cached_recursion(x, n):
    @functools.lru_cache(maxsize=None)
    def term(k):
        return x[k] if k < 2 else term(k - 1) * term(k - 2) + scale

    @functools.cache
    def powers(k):
        return x**k

    scale = x[2] ** 2
    out = np.zeros(3)
    for k in range(n):
        out += powers(k) * term(k)
    last = term(3)
    last *= 2
    return np.sum(out * powers(2)) * last


@program("options", args=lambda: (normal(3),), refused=True)
def cached_with_effects(x):
    count = [x[0]]

    @functools.cache
    def doubled(k):
        count[0] = count[0] * 2
        return k * count[0]

    return doubled(1) + doubled(1) * doubled(2) + count[0]


@program("options", args=lambda: (normal(3),), refused=True)
def cached_with_a_variable_that_changes(x):
    @functools.cache
    def scaled(k):
        return x[0] * k * scale

    scale = 1.0
    first = scaled(2)
    scale = x[2]
    return first + scaled(2) * 3


@program("options", args=lambda: (normal(3),), refused=True)
def cached_array_that_is_changed(x):
    @functools.cache
    def own(k):
        return x.copy()

    own(0)[0] = x[1] ** 2
    return np.sum(own(0))


class Copied:
    """An object that says what a copy of it is"""

    def __init__(self, value, shared):
        self.value, self.shared = value, shared

    def __copy__(self):
        return Copied(self.value * 2, list(self.shared))


class Pickled:
    """An object whose copies go by what it is pickled to"""

    def __init__(self, value):
        self.value = value

    def __getstate__(self):
        return {"value": self.value * 2}


@program("options", args=lambda: (normal(3),))
def objects_copied_their_own_way(x):
    a = Copied(x[0], [x[1]])
    b = copy.copy(a)
    b.shared[0] = x[2] ** 2
    return a.shared[0] * b.value * b.shared[0]


@program("options", args=lambda: (normal(3),), refused=True)
def objects_copied_by_their_state(x):
    return copy.copy(Pickled(x[0])).value ** 2


class Given:
    """An object whose attributes are what it is given"""

    def __init__(self, **values):
        self.__dict__.update(values)


@program("options", args=lambda: (normal(3),))
def dict_of_an_object(x):
    o = Given(a=x[0], b=x[1])
    total = 0.0
    for _, value in vars(o).items():
        total += value**2
    vars(o)["a"] = x[1] ** 2
    o.__dict__["b"] += x[2] ** 3
    p = Given(**vars(o))
    o.b = total
    return o.a * o.b * p.b * len(vars(o))


@program("options", args=lambda: (normal(3),), refused=True)
def dict_of_an_object_that_is_kept(x):
    o = Given(a=x[0])
    kept = vars(o)
    o.a = x[1] ** 2
    return kept["a"] * x[2]


class Swallows:
    """A with block that goes on after an exception"""

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return True


class Stage:
    """A with block that notes where it is"""

    def __enter__(self):
        self.open = 1.0
        return self

    def __exit__(self, *what):
        self.open = 2.0
        return False


@program("options", args=lambda: (normal(3),), refused=True)
def exceptions_swallowed_by_a_manager(x):
    y = x[0]
    with Swallows():
        y = x[0] ** 2
        raise ValueError
    return y


@program("options", args=lambda: (uniform(3),))
def managers_that_pass_exceptions_on(x):
    with Stage() as stage:
        if x[0] > 100:
            raise ValueError("too large")
        y = x[0] ** 2
    with Swallows():
        y *= x[1]
    return y * stage.open


# --- np.require, whatever it asks for ---


def as_asked(obj, ndim=None, order=None, writeable=True):
    asked = ["W"] if writeable else []
    if order == "C":
        asked += ["C"]
    elif order == "F":
        asked += ["F"]
    arr = np.require(obj, dtype=None, requirements=asked)
    if ndim is not None:
        if arr.ndim > ndim:
            last = arr.ndim
            for size in reversed(arr.shape):
                if size > 1:
                    break
                last -= 1
            arr = arr.reshape(arr.shape[: max(last, ndim)])
        elif arr.ndim < ndim:
            arr = np.reshape(arr, arr.shape + (1,) * (ndim - arr.ndim))
    return arr


@program("required arrays", args=lambda: (normal(3),))
def required_to_be_writeable(x):
    return np.sum(as_asked(x, ndim=2) ** 2 * x)


@program("required arrays", args=lambda: (normal(3, 2, 1),))
def required_with_fewer_axes(x):
    return np.sum(as_asked(x, ndim=2)[1] ** 3)


@program("required arrays", args=lambda: (normal(3, 2),))
def required_to_lie_by_columns(x):
    y = as_asked(x, ndim=2, order="F", writeable=False)
    return np.sum(y[:, 0] * y[:, 1] ** 2)


@program("required arrays", args=lambda: (normal(4),))
def required_to_lie_by_rows(x):
    return np.sum(as_asked(x[::2], order="C", writeable=False) ** 2) + np.sum(np.require(x, None, "C") ** 3)


@program("required arrays", args=lambda: (normal(3),))
def required_of_a_number(x):
    y = np.require(x[0] * x[1], requirements=["C"])
    return np.sum(y * x) * (1.0 + y.ndim)


@program("required arrays", args=lambda: (normal(3),))
def required_and_stored_into(x):
    y = np.require(x * 2.0, requirements=["W"])
    z = y
    y[0] = x[1] * x[2]
    return np.sum(z**2)


@program("required arrays", args=lambda: (normal(3),))
def required_in_a_loop(x):
    lags = np.zeros((5, 3))
    for k in range(3):
        lags[k : 3 + k, k] = as_asked(x, ndim=1)
    return np.sum(lags[1:4] ** 2 * lags[:3])


@program("required arrays", args=lambda: ([0.4, 0.7, 1.3],))
def required_of_a_list(x):
    return np.sum(as_asked(x, ndim=2, writeable=False) ** 2)


@program("required arrays", args=lambda: (normal(3),), refused="may")
def required_is_the_argument(x):
    y = np.require(x, requirements=["W"])
    y[0] = x[1] * x[2]
    return np.sum(x**2 * y)
