"""Values as sums of products of atoms: enough of algebra to see that two of them are equal where they meet.

    x * (p + 1.0) - x  ->  x*p              np.sin(x - x)  ->  0

An atom is a variable, a function of other sums, or a step: 1 where a sum is above zero, else 0. A choice is a sum as
well: `a if c else b` is c * a + (1 - c) * b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Product = tuple[tuple[str, int], ...]

#: with more terms than this, a sum is not looked into any more
TERMS = 80


class Form:
    """A sum of products of powers of atoms, with rational factors."""

    def __init__(self, terms: dict[Product, Fraction]) -> None:
        self.terms = {product: factor for product, factor in terms.items() if factor}
        self.key = " + ".join(
            f"{factor}" + "".join(f"*{atom}^{power}" for atom, power in product)
            for product, factor in sorted(self.terms.items())
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def atoms(self) -> set[str]:
        return {atom for product in self.terms for atom, _ in product}

    def number(self) -> Fraction | None:
        """The value of a sum without atoms."""
        if not self.terms:
            return Fraction(0)
        return self.terms.get(()) if len(self.terms) == 1 else None


def constant(value: float | Fraction) -> Form:
    """A number, as it is written: 0.9 is nine tenths."""
    return Form({(): Fraction(repr(float(value)) if isinstance(value, float) else value)})


ZERO, ONE = constant(0), constant(1)


@dataclass(frozen=True)
class Atom:
    """What an atom stands for.

    along: does it vary with what is integrated over? moved: does it vary with active values? inside: does it vary with
    what an integral inside runs over? lost: a condition at which it jumps at a place that moves, for all that is known.
    rebuild: makes it of other sums than args. step: the text of the condition, of a step.
    """

    along: bool = False
    moved: bool = False
    inside: bool = False
    lost: str = ""
    rebuild: Callable[..., Form | None] | None = None
    args: tuple[Form, ...] = ()
    step: str = ""

    @property
    def jumps(self) -> bool:
        """Is it a step at a place that moves?"""
        return bool(self.step) and self.along and self.moved and not self.inside


class Forms:
    """Arithmetic of sums, and the atoms in them."""

    def __init__(self) -> None:
        self.table: dict[str, Atom] = {}
        self.fresh = 0

    # --- making them

    def leaf(self, key: str, traits: Atom) -> Form:
        """A sum that is one atom."""
        self.table[key] = traits
        return Form({((key, 1),): Fraction(1)})

    def unknown(self, traits: Atom) -> Form:
        """A value of which nothing else is known."""
        self.fresh += 1
        return self.leaf(f"?{self.fresh}", traits)

    def step(self, at: Form, text: str) -> Form:
        """1 where a sum is above zero, else 0."""
        number = at.number()
        if number is not None:
            return ONE if number > 0 else ZERO
        first = at.terms[min(at.terms)]
        if first < 0:
            return add(ONE, self.step(scale(at, -1), text), -1)
        traits = self.traits([at])
        return self.leaf(
            f"[{at.key}]",
            Atom(traits.along, traits.moved, traits.inside, traits.lost, lambda h: self._side(h, text), (at,), text),
        )

    def _side(self, at: Form, text: str) -> Form | None:
        return None if at.number() == 0 else self.step(at, text)

    def apply(self, name: str, function: Callable[..., Any] | None, args: list[Form], of_equals: bool = False) -> Form:
        """A function of sums, element by element; of numbers it is a number. of_equals: of equals it is that one."""

        def make(*parts: Form) -> Form | None:
            if of_equals and len(set(parts)) == 1:
                return parts[0]
            numbers = [p.number() for p in parts]
            if function is not None and all(n is not None for n in numbers):
                try:
                    value = float(function(*(float(n) for n in numbers if n is not None)))
                except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                    return None
                return constant(value) if math.isfinite(value) else None
            key = f"{name}({', '.join(p.key for p in parts)})"
            t = self.traits(parts)
            return self.leaf(key, Atom(t.along, t.moved, t.inside, t.lost, make, parts))

        made = make(*args)
        return made if made is not None else self.unknown(self.traits(args))

    def times(self, a: Form, b: Form) -> Form:
        """The product. Steps are their own squares."""
        if len(a.terms) * len(b.terms) > TERMS:
            return self.unknown(self.traits([self.settled(a), self.settled(b)]))
        terms: dict[Product, Fraction] = {}
        for p, x in a.terms.items():
            for q, y in b.terms.items():
                powers = dict(p)
                for atom, power in q:
                    powers[atom] = powers.get(atom, 0) + power
                product = tuple(
                    sorted((n, 1 if self.table[n].step and k > 1 else k) for n, k in powers.items() if k != 0)
                )
                terms[product] = terms.get(product, Fraction(0)) + x * y
        return Form(terms)

    def power(self, base: Form, exponent: int) -> Form | None:
        """A power by an integer; None for a negative one of zero."""
        if exponent < 0:
            if not base.terms:
                return None
            if len(base.terms) > 1:
                over = self.apply("over", lambda v: 1.0 / v, [base])
                return self.power(over, -exponent)
            ((product, factor),) = base.terms.items()
            return Form({tuple((n, k * exponent) for n, k in product): factor**exponent})
        out = ONE
        for _ in range(exponent):
            out = self.times(out, base)
        return out

    def choice(self, condition: Form, a: Form, b: Form) -> Form:
        """One value or another."""
        if a == b:
            return a
        return add(b, self.times(condition, add(a, b, -1)))

    # --- what is known of them

    def traits(self, forms: Iterable[Form]) -> Atom:
        """What sums vary with. (A step by itself does not vary: it jumps.)"""
        along = moved = inside = False
        lost = ""
        for form in forms:
            for key in form.atoms():
                atom = self.table[key]
                lost = lost or atom.lost
                if not atom.step:
                    along, moved, inside = along or atom.along, moved or atom.moved, inside or atom.inside
        return Atom(along, moved, inside, lost)

    def steps(self, form: Form) -> set[str]:
        """The steps at places that move that a sum depends on."""
        found: set[str] = set()
        for key in form.atoms():
            atom = self.table[key]
            if atom.jumps:
                found.add(key)
            elif atom.args and not atom.step:
                for part in atom.args:
                    found |= self.steps(part)
        return found

    def jump(self, form: Form) -> str:
        """A condition at which a sum may jump, at a place that moves; empty where it jumps nowhere."""
        lost = self.traits([form]).lost
        for key in sorted(self.steps(form)):
            if not self._meets(form, key):
                lost = lost or self.table[key].step
        return lost

    def settled(self, form: Form) -> Form:
        """A sum whose steps are not looked into any more."""
        if not self.steps(form) and not self.traits([form]).lost:
            return form
        t = self.traits([form])
        return self.unknown(Atom(t.along, t.moved, t.inside, self.jump(form)))

    def _meets(self, form: Form, step: str) -> bool:
        """Has a sum the same value on both sides of a step?"""
        sides = self.replaced(form, step, ONE), self.replaced(form, step, ZERO)
        if None not in sides and sides[0] == sides[1]:
            return True
        solved = self.solved(self.table[step].args[0])
        if solved is None:
            return False
        name, value = solved
        there = [None if side is None else self.replaced(side, name, value) for side in sides]
        return None not in there and there[0] == there[1]

    def solved(self, at: Form) -> tuple[str, Form] | None:
        """A variable, and what it is where a sum is zero."""
        for name in sorted(at.atoms(), key=lambda n: (not self.table[n].along, n)):
            if self.table[name].args or self.table[name].step:
                continue
            own = {p: f for p, f in at.terms.items() if any(n == name for n, _ in p)}
            rest = Form({p: f for p, f in at.terms.items() if p not in own})
            if len(own) != 1 or any(self._within(n, name) for n in at.atoms() if n != name):
                continue
            ((product, factor),) = own.items()
            if dict(product)[name] != 1:
                continue
            inverse = Form({tuple((n, -k) for n, k in product if n != name): -1 / factor})
            return name, self.times(rest, inverse)
        return None

    def _within(self, key: str, name: str) -> bool:
        return any(n == name or self._within(n, name) for part in self.table[key].args for n in part.atoms())

    def replaced(self, form: Form, name: str, value: Form) -> Form | None:
        """A sum with another sum in place of an atom; None where it has no value there."""
        out = ZERO
        for product, factor in form.terms.items():
            whole: Form | None = constant(factor)
            for atom, power in product:
                part: Form | None
                if atom == name:
                    part = value
                elif self._within(atom, name) and (rebuild := self.table[atom].rebuild) is not None:
                    parts = [self.replaced(a, name, value) for a in self.table[atom].args]
                    part = None if None in parts else rebuild(*parts)
                else:
                    part = Form({((atom, 1),): Fraction(1)})
                part = None if part is None else self.power(part, power)
                if part is None or whole is None:
                    return None
                whole = self.times(whole, part)
            assert whole is not None
            out = add(out, whole)
        return out


def add(a: Form, b: Form, factor: int = 1) -> Form:
    """a + factor * b."""
    terms = dict(a.terms)
    for product, value in b.terms.items():
        terms[product] = terms.get(product, Fraction(0)) + factor * value
    return Form(terms)


def scale(a: Form, factor: int) -> Form:
    return Form({product: value * factor for product, value in a.terms.items()})
