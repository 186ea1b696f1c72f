"""Lists of the run that change while a test, an index or a comparison is evaluated; and rows compared by `is`."""

import operator

import numpy as np

from tests.language.corpus import program


def point():
    return np.array([0.7, 1.2, -0.4]), 3


def put(p, v=1.5):
    p[0] = v
    return p


class Node:
    def __init__(self, row, next=None):
        self.row = row
        self.next = next


@program("effects in conditions", args=point, wrt=0)
def store_in_a_test(x, n):
    M = [0.0] * n

    def st(v):
        M[0] = v
        return True

    if n > 2 and st(x[1]):
        return M[0]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def store_in_an_index(x, n):
    M = [0.0] * n

    def st(v):
        M[0] = v
        return 1

    y = x[st(x[1])]
    return M[0]


@program("effects in conditions", args=point, wrt=0)
def store_handed_on_in_a_test(x, n):
    def st(M, v):
        M[0] = v
        return True

    M = [0.0] * n
    if not st(M, x[1]):
        return x[2]
    return M[0] * x[0]


@program("effects in conditions", args=point, wrt=0)
def product_in_a_while_test(x, n):
    T = [1.0] * n

    def fill(k):
        T[k] *= x[0]
        return T[k] < 9.0

    c = 0
    while fill(0) and c < 3:
        c += 1
    return T[0]


@program("effects in conditions", args=point, wrt=0)
def stores_in_all(x, n):
    T = [0.0] * 4

    def fill(k):
        T[k] = x[k] * x[0]
        return True

    if all(fill(k) for k in range(n)):
        return T[0] + T[1] * T[2]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def object_steps_in_a_while_test(x, n):
    class S:
        def __init__(self, n):
            self.h = [0.0] * n
            self.k = 0

        def step(self, v):
            self.h[self.k] = v
            self.k += 1
            return self.k < len(self.h)

    o = S(n)
    while o.step(x[o.k] * x[1]):
        pass
    return o.h[1] * o.h[2] + o.h[0]


@program("effects in conditions", args=point, wrt=0)
def slice_stored_in_a_test(x, n):
    T = [0.0] * n

    def fill(k):
        T[k : k + 1] = [x[k] * x[0]]
        return True

    if fill(n - 2):
        return T[0] + T[1] * x[1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def item_changed_in_a_comparison(x, n):
    M = [[x[0]], [x[1]]]
    k = put(M[n - 2], x[2] * x[1])[0] > 9.0
    return M[1][0]


@program("effects in conditions", args=point, wrt=0)
def append_to_one_of_two(x, n):
    a, b = [1.0], [2.0]
    k = [a, b][n - 2].append(x[1]) is None
    return b[-1]


@program("effects in conditions", args=point, wrt=0)
def append_to_a_row_in_a_test(x, n):
    M = [[1.0, 1.0] for i in range(n)]
    if M[n - 2].append(x[1]) is None:
        return M[1][-1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def append_to_a_row_of_an_object(x, n):
    o = Node([[1.0], [2.0]])
    if o.row[n - 2].append(x[1]) is None:
        return o.row[1][-1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def reverse_of_a_row_in_a_test(x, n):
    M = [[x[i], x[0]] for i in range(n)]
    if not M[n - 2].reverse():
        return M[1][-1] * x[1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def pop_of_a_row_printed(x, n):
    M = [[2.0, x[0]], [x[1], 3.0]]
    print(M[n - 2].pop())
    return M[1][-1]


@program("effects in conditions", args=point, wrt=0)
def pop_of_a_row_in_a_while_test(x, n):
    M = [[x[i], 1.0] for i in range(n)]
    while M[n - 2].pop() > 9.0:
        pass
    return M[1][-1] * x[1]


@program("effects in conditions", args=point, wrt=0)
def pop_of_one_of_two_as_an_int(x, n):
    a, b = [2.0, x[0]], [x[1], 3.0]
    k = int((a, b)[n - 2].pop(0))
    return b[-1] * x[0] + len(b) * x[1]


@program("objects compared", args=point, wrt=0, refused="may")
def one_of_two_rows(x, n):
    a, b = [x[0]], [x[1]]
    c = (a, b)[n - 2]
    return x[1] if c is b else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def a_row_read_twice(x, n):
    M = [[x[0]], [x[1]]]
    c = M[n - 2]
    d = M[n - 2]
    return x[1] if c is d else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def a_pair_read_again(x, n):
    M = [(x[0], 1.0), (x[1], 2.0)]
    c = M[n - 2]
    return x[1] if c is M[1] else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def one_of_two_in_turns(x, n):
    b, c = [2.0, x[1]], [0.5, 0.25]
    for i in range(n):
        b = (b, c)[i % 2]
    return x[1] if c is b else x[2] * 3.0


@program("objects compared", args=point, wrt=0, refused="may")
def a_row_appended(x, n):
    M = []
    for i in range(n):
        b = [x[i]]
        M.append(b)
    return x[1] if M[-1] is b else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def a_row_among_rows(x, n):
    M = [[x[0]] for i in range(n)]
    b = M[0]
    for r in M:
        if r is b:
            return x[1]
    return x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def pairs_of_different_rows(x, n):
    M = [[x[i], 1.0] for i in range(n)]
    s = 0.0
    for r in M:
        for q in M:
            if r is not q:
                s = s + r[0] * q[0]
    return s


@program("objects compared", args=point, wrt=0, refused="may")
def rows_by_index_and_by_loop(x, n):
    M = [[x[i], 1.0] for i in range(n)]
    s = 0.0
    for i in range(n):
        for q in M:
            if M[i] is not q:
                s = s + M[i][0] * q[0]
    return s


@program("objects compared", args=point, wrt=0, refused="may")
def rows_repeated(x, n):
    a = [x[0]]
    M = [a] * n
    return x[1] if ([a] * n)[0] is ([a] * n)[1] else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def a_row_in_a_comprehension(x, n):
    a, b = [x[0]], [x[1]]
    c = b if n > 2 else a
    return x[1] if any([r is c for r in (a, b)]) else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def any_row(x, n):
    c = [x[2]]
    M = [[x[0]], [1.0]]
    if x[0] > 0.6:
        M[0] = c
    return x[2] if any(r is c for r in M) else x[1]


@program("objects compared", args=point, wrt=0, refused="may")
def addresses_of_rows(x, n):
    a, b = [x[0]], [x[1]]
    M = [a, b, a]
    return x[1] if len({id(r) for r in M}) == 2 else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def first_of_a_comprehension(x, n):
    a, b = [x[0]], [x[1]]
    M = [a, b]
    return x[1] if [r for r in M][0] is a else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def row_filtered(x, n):
    a, b = [x[0]], [x[1]]
    M = [a, b]
    return x[1] if list(filter(lambda r: r is b, M))[0] is b else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def rows_in_both(x, n):
    a, b = [x[0]], [x[1]]
    M = [a, b]
    N = [b]
    return x[1] if sum(v is w for v in M for w in N) == 1 else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def rows_but_one(x, n):
    a, b = [x[0]], [x[1]]
    M = [a, b]
    c = b if n > 2 else a
    return x[1] if len([r for r in M if r is not c]) == 1 else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def an_assertion_of_identity(x, n):
    a, b = {"v": x[0]}, {"v": x[1]}
    c = b if n > 2 else a
    assert any([r is c for r in [a, b]])
    return x[1]


@program("objects compared", args=point, wrt=0, refused="may")
def place_by_identity(x, n):
    a, b = {"v": x[0]}, {"v": x[1]}
    c = b if n > 2 else a
    return x[[r is c for r in [a, b]].index(True)]


@program("objects compared", args=point, wrt=0, refused="may")
def one_of_the_values(x, n):
    a, b = [x[0]], [x[1]]
    D = {"a": a, "b": b}
    return x[1] if list(D.values())[n - 2] is b else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def rows_of_a_product(x, n):
    M = [[x[0]], [x[1]]]
    return x[1] if (M * n)[0] is (M * n)[2] else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def first_by_index(x, n):
    a, b = [x[0]], [x[1]]
    M = [a, b]
    return x[1] if [M[i] for i in range(n - 1)][0] is a else x[2]


@program("objects compared", args=point, wrt=0, refused="may")
def row_of_one_of_two(x, n):
    M = [[x[0]], [x[1]]]
    N = [[x[2]]]
    b = M[0]
    return x[1] if [M, N][n - 3][0] is b else x[2]


@program("effects in conditions", args=point, wrt=0)
def whole_list_stored_in_a_test(x, n):
    L = [0.0] * n

    def st(v):
        L[:] = [v] * n
        return True

    y = L[1] if st(x[1]) else x[0]
    return y + L[2] * x[2]


@program("effects in conditions", args=point, wrt=0)
def item_of_a_repeated_list(x, n):
    L = [0.0] * n

    def st(v):
        w = [v] * n
        L[0] = w[1]
        return True

    if st(x[1]):
        return L[0]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def sum_of_a_repeated_list(x, n):
    L = [0.0] * n

    def st(v):
        L[0] = sum([v] * n)
        return True

    if st(x[1]):
        return L[0]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def repeated_list_stored(x, n):
    L = [[0.0]] * n

    def st(v):
        L[0] = [v] * n
        return True

    if st(x[1]):
        return L[0][1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def attribute_set_in_a_test(x, n):
    L = [0.0] * n

    class O:
        pass

    o = O()
    o.h = L

    def st(v):
        o.h = [v] * n
        return True

    if st(x[1]):
        return o.h[1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def variable_around_set_in_a_test(x, n):
    L = [0.0] * n

    def st(v):
        nonlocal L
        L = [v] * n
        return True

    if st(x[1]):
        return L[1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def array_filled_from_a_list(x, n):
    L = np.zeros(n)

    def st(v):
        L[:] = [v] * n
        return True

    if st(x[1]):
        return L[1]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def largest_and_least_in_a_test(x, n):
    L = 0.0

    def st(v):
        nonlocal L
        L = max([v * k for k in range(n)]) + min([v] * n)
        return True

    if st(x[1]):
        return L
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def lists_under_keys_in_a_test(x, n):
    L = {}

    def st(v):
        L["a"] = [v] * n
        L["b"] = ([v] * n, 1.0)
        return True

    if st(x[1]):
        return L["a"][1] * L["b"][0][0]
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def all_kinds_of_stores_in_a_test(x, n):
    L = {"a": 0.0}
    M = [0.0]

    class O:
        pass

    o = O()
    o.v = 0.0

    def st(v):
        w = [v] * n
        L["a"] = max(w)
        M[0] = min(w)
        M.append(sum(w))
        o.v = sum(w)
        return True

    if st(x[1]):
        return L["a"] * M[0] + M[1] * o.v
    return x[0]


@program("effects in conditions", args=point, wrt=0)
def append_and_array_store_in_a_test(x, n):
    M = [0.0] * n
    M2 = np.zeros(n)

    def st(v):
        w = [v] * n
        M.append(sum(w))
        M2[1] = max(w)
        return True

    if st(x[1]):
        return M[-1] * M2[1]
    return x[0]


# --- stores as functions, and objects that are asked in an index


@program("effects in conditions", args=point, wrt=0)
def item_set_by_an_operator_in_a_test(x, n):
    S = [x[0], x[1], 0.5]
    r, i = x[1], 0
    while not (operator.setitem(S, i % n, S[0] * x[1]) or i) >= 2:
        r *= x[0]
        i += 1
    return r + S[0] * S[1] + S[2]


@program("effects in conditions", args=point, wrt=0)
def item_set_by_a_method_in_a_comprehension(x, n):
    S, D = [0.0] * n, dict.fromkeys(range(n), 0.0)
    count = len([i for i in range(n) if S.__setitem__(i, x[i] * i) is None])
    count += sum(D.__setitem__(i, x[i] ** 2) is None for i in range(n))
    return (sum(S) + sum(D.values())) * count


@program("effects in conditions", args=point, wrt=0, refused="may")
def default_set_in_a_comprehension(x, n):
    S = {}
    tested = [S.setdefault(i % 2, x[i] * 3.0) > 100.0 for i in range(n)]
    return sum(S.values()) + sum(tested)


class Counting:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, k):
        self.v = self.v * 0.5 + 1.0
        return k

    @property
    def one(self):
        self.v = self.v * 2.0
        return 1

    def __contains__(self, k):
        self.v = self.v + 0.25
        return k < 2


@program("effects in conditions, all augmented stores", args=point, wrt=0)
def index_asked_of_an_object_once(x, n):
    o = Counting(x[0])
    V = [x[0], x[1], x[2]]
    V[o[1] % n] = x[0]
    V[o[2] % n] += x[1]
    V[o.one % n] *= x[2]
    V[2 * (1 in o) % n] -= 1.5
    return V[0] * V[1] + V[2] + o.v


@program("effects in conditions, all augmented stores", args=point, wrt=0)
def conditional_index_of_an_augmented_store(x, n):
    V, S = [x[0], x[1], x[2]], []
    if x[0] < 5.0:
        V[(0 if S.append(x[1]) is None and x[2] < 0.0 else 1) + len(S) - 1] += x[0]
    return V[0] * V[1] + S[0]


class Tank:
    def __init__(self, level):
        self._level, self.spilled = level, 0.0

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        if value > 1.0:
            self.spilled += value - 1.0
            value = 1.0
        elif value < 0.0:
            raise ValueError(f"level {value}")
        self._level = value


@program("try, properties and class methods", args=lambda: (np.array([0.7, -2.5, 0.4, 0.9]), 0.6), wrt=(0, 1))
def setter_that_may_refuse(flows, start):
    tank = Tank(start)
    for q in flows:
        try:
            tank.level += q
        except ValueError:
            tank.level = 0.1 * start
        tank.level *= 0.95
    return tank.level + tank.spilled**2


@program("effects in conditions, dict operations", args=point, wrt=0)
def dict_of_keys_that_store_in_a_test(x, n):
    seen = {}

    def key(k):
        if k not in seen:
            seen[k] = x[0] * (k + 1)
        return k

    if {key(i): x[0] * i for i in range(2)}.get(1, x[1]) > 0.5:
        return x[0] ** 2 + sum(seen.values())
    return x[1]


@program("effects in conditions, dict operations", args=point, wrt=0)
def slot_of_a_list_by_an_index_with_a_branch(x, n):
    seen, slots = {}, [x[0], x[1]]

    def place(k):
        if k not in seen:
            seen[k] = x[2]
        return k

    if not [slots.__setitem__(place(i), x[2] * (i + 1)) for i in range(2)]:
        return x[0]
    slots[place(1)] = slots[0] * x[1]
    del slots[place(0)]
    return slots[0] * len(seen)


class Asked:
    def __init__(self, v):
        self.v = v

    @property
    def doubled(self):
        self.v = self.v * 2.0
        return self.v

    def __bool__(self):
        self.v = self.v * 1.2
        return bool(self.v > 2.0)


@program("effects in conditions, generator expressions", args=point, wrt=0)
def objects_asked_until_any_is_decided(x, n):
    asked = [Asked(x[0]), Asked(x[1]), Asked(x[2])]
    found = any(one.doubled > 1.0 for one in asked)
    found += not all(not one for one in asked)
    return sum(one.v * (k + 1) for k, one in enumerate(asked)) + found


@program("run-time lists", args=lambda: (0.7, np.array([0.3, 0.5, 0.7, 0.2, 0.9])), wrt=0)
def part_of_a_list_that_is_emptied_in_a_turn(x, w):
    s = 0.0
    for k in range(2):
        q = list(w)[:4]
        while q:
            q.pop()
        q.append(x * 2)
        s = 0.3 * s + x + q[-1] * q[0]
    return s


@program("run-time lists", args=lambda: (0.7, np.array([0.3, 0.5, 0.7, 0.2, 0.9])), wrt=0)
def part_of_a_list_that_grows_in_a_turn(x, w):
    s = 0.0
    for k in range(2):
        q = list(w)[:4]
        for i in range(6):
            q.append(0.1 * i)
        q.append(x * 2)
        s = 0.3 * s + x + q[-1] * q[0]
    return s


@program("run-time lists", args=lambda: (0.7, np.array([0.3, 0.5, 0.7, 0.2, 0.9])), wrt=0)
def part_of_a_list_that_is_put_into_its_place(x, w):
    s = 0.0
    for k in range(2):
        q = list(w)[:4]
        q[:1] += q
        total = sum(v * v for v in q)
        q.append(x * 2)
        s = 0.3 * s + x * total + q[-1] * q[4]
    return s
