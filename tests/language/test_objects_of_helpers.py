"""Objects that helpers make: in lists, of several classes, on some paths only, and where nothing is active yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from s2sad import DerivationError, grad

from tests import numeric


class Lens:
    def __init__(self, f: Any) -> None:
        self.f = f

    def apply(self, ray: Any) -> Any:
        return np.array([ray[0], ray[1] - ray[0] / self.f])


class Gap:
    def __init__(self, d: Any) -> None:
        self.d = d
        self.met = 0

    def apply(self, ray: Any) -> Any:
        self.met += 1
        return np.array([ray[0] + self.d * ray[1], ray[1]])


@dataclass
class Ray:
    origin: np.ndarray
    direction: np.ndarray
    path: float = 0.0

    def at(self, t: Any) -> Any:
        return self.origin + t * self.direction


START = np.array([1.0, 0.1])
HEIGHTS = np.array([0.1, 0.2, 0.4, 0.7])


def trace(elements: Any, ray: Any) -> Any:
    for element in elements:
        ray = element.apply(ray)
    return ray


def system(p: Any) -> Any:
    return [Lens(p[0]), Gap(p[1])]


def with_gap(p: Any, gap: bool) -> Any:
    made = [Lens(p[0])]
    if gap:
        made.append(Gap(p[1]))
    made += [Lens(v) if k % 2 else Gap(v) for k, v in enumerate(p)]
    return made


def shorter(p: Any) -> Any:
    if p[0] > 0.5:
        return [Lens(p[0]), Gap(p[1])]
    return [Gap(p[1])]


def one_of(p: Any) -> Any:
    return Lens(p[0]) if p[1] > 0.5 else Gap(p[1])


def one_of_three(p: Any) -> Any:
    if p[0] > 2.0:
        return Gap(p[0])
    if p[1] > 0.5:
        return Lens(p[0])
    return Lens(p[0] * p[1])


def list_or_array(p: Any) -> Any:
    if p[0] > 0.0:
        return [p[0] * 2.0, p[1]]
    return np.array([p[0], p[1] * 3.0])


def refracted(ray: Ray, f: Any) -> Any:
    if ray.origin[0] > 1.5 * f:
        return None
    return Ray(ray.origin * f, ray.direction, ray.path + 1.0)


def fan(n: int, height: float) -> Any:
    return [Ray(np.array([0.0, y]), np.array([1.0, 0.2 * y])) for y in np.linspace(-height, height, n)]


class Missed(Exception):
    pass


def hit(ray: Ray, t: Any) -> Any:
    point = ray.at(t)
    if point[1] < -1.5:
        raise Missed
    return point


# --- programs of parameters p


def in_a_loop(p: Any) -> Any:
    ray = START
    for element in system(p):
        ray = element.apply(ray)
    return ray[0] ** 2 + ray[1]


def conditionally_appended(p: Any) -> Any:
    return np.sum(trace(with_gap(p, True), START) * trace(with_gap(p, False), START))


def with_state(p: Any) -> Any:
    elements = system(p)
    ray = START
    for _ in range(3):
        ray = trace(elements, ray)
    return ray @ ray + elements[1].met * p[0]


def of_other_lengths(p: Any) -> Any:
    ray = START
    for element in shorter(p):
        ray = element.apply(ray)
    return ray @ ray


def appended_on_a_path(p: Any) -> Any:
    elements = [Lens(p[0])]
    if p[1] > 0.5:
        elements.append(Gap(p[1]))
    elements.append(Lens(p[2]))
    return np.sum(trace(elements, START) ** 2)


def of_one_class_or_another(p: Any) -> Any:
    element = one_of(p)
    ray = element.apply(START)
    return ray @ ray


def of_three_returns(p: Any) -> Any:
    return np.sum(one_of_three(p).apply(START) ** 3)


def handed_on(p: Any) -> Any:
    def chosen(q: Any) -> Any:
        return one_of(q)

    return trace([chosen(p), Gap(p[2])], START) @ START


def a_list_or_an_array(p: Any) -> Any:
    found = list_or_array(p)
    return found[0] * found[1] + sum(found) ** 2


def there_or_none(p: Any) -> Any:
    total = 0.0
    for height in (0.1, 0.2, 4.0):
        ray = refracted(Ray(np.array([height, 0.1]), START), p[0])
        if ray is None:
            continue
        total += ray.at(2.0) @ ray.at(p[1])
    return total


def until_none(p: Any) -> Any:
    ray = Ray(START, START)
    for f in p:
        ray = refracted(ray, f)
        if ray is None:
            return p[0] ** 2
    return ray.at(2.0) @ ray.at(p[0])


def inactive_at_first(p: Any) -> Any:
    total = 0.0
    for ray in fan(4, 2.0):
        for _ in range(2):
            ray = Ray(ray.at(p[0]), ray.direction * p[1], ray.path + p[2])
        total += np.sum(ray.at(p[0]) ** 2) + ray.path
    return total


def over_an_array(p: Any, heights: Any = HEIGHTS) -> Any:
    rays = []
    for y in heights:
        rays.append(Ray(np.array([0.0, y]), np.array([1.0, p[1]])))
    return sum(np.sum(ray.at(p[0]) ** 2) for ray in rays)


def tried(p: Any) -> Any:
    total = 0.0
    for ray in fan(3, 2.0):
        try:
            point = hit(ray, p[0])
        except Missed:
            continue
        total += point[1] ** 2 + point[0] * p[1]
    return total


PROGRAMS: list[Callable[..., Any]] = [
    in_a_loop, conditionally_appended, with_state, of_other_lengths, appended_on_a_path, of_one_class_or_another,
    of_three_returns, handed_on, a_list_or_an_array, there_or_none, until_none, inactive_at_first, over_an_array, tried,
]  # fmt: skip
POINTS = [np.array([1.3, 0.7, 2.1]), np.array([0.4, 0.3, 1.1]), np.array([2.6, 0.3, 0.8]), np.array([-1.2, 0.9, 0.5])]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_objects_of_helpers(program: Callable[..., Any]) -> None:
    for point in POINTS:
        numeric.check(program, (point.copy(),), second=program is of_one_class_or_another)


def test_what_is_read_before_the_call_is_read_before_it() -> None:
    def f(p: Any) -> Any:
        u, scale = p * 2.0, p[0]

        def made() -> Any:
            nonlocal scale
            u[0], scale = p[1], p[1] * 5.0
            return Lens(u[0]) if p[1] > 0.5 else Gap(u[1])

        return u[0] * np.sum(made().apply(START)) + scale

    def in_a_statement(p: Any) -> Any:
        u, scale = p * 2.0, p[0]

        def made() -> Any:
            nonlocal scale
            u[0], scale = p[1], p[1] * 5.0
            return Lens(u[0]) if p[1] > 0.5 else Gap(u[1])

        before = u[0]
        element = made()
        return before * np.sum(element.apply(START)) + scale

    with pytest.raises(DerivationError, match="call it in a statement of its own"):
        grad(f)(POINTS[0])
    for point in POINTS[:2]:
        numeric.check(in_a_statement, (point.copy(),))


def test_the_text_behind_the_call_is_written_once_where_it_can_be() -> None:
    slope = grad(of_one_class_or_another)
    slope(POINTS[0])
    assert slope.source.count("ray @ ray") == 1, slope.source
