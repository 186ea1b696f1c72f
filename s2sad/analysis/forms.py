"""Values as sums of products of atoms: enough of algebra to see that two of them are equal where they meet.

    x * (p + 1.0) - x  ->  x*p              np.sin(x - x)  ->  0

An atom is a variable, a function of other sums, or a step: 1 where a sum is above zero, else 0. A choice is a sum as
well: `a if c else b` is c * a + (1 - c) * b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
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
    pole: may it be infinite at a place that moves? rebuild: makes it of other sums than
    args, by the function with that name. step: the text of the condition, of a step.
    """

    along: bool = False
    moved: bool = False
    inside: bool = False
    lost: str = ""
    pole: bool = False
    rebuild: Callable[..., Form | None] | None = None
    args: tuple[Form, ...] = ()
    name: str = ""
    step: str = ""

    @property
    def jumps(self) -> bool:
        """Is it a step at a place that moves?"""
        return bool(self.step) and self.moves

    @property
    def moves(self) -> bool:
        """Does it take a value at a place that moves?"""
        return self.along and self.moved and not self.inside


#: functions that are not smooth where their argument is zero; those whose values are above zero, or not below it
_BENT = {"abs", "absolute", "fabs", "sqrt", "pow"}
_POSITIVE = {"exp", "exp2", "cosh", "expit", "ndtr"}
_NOT_NEGATIVE = {"abs", "absolute", "fabs", "sqrt", "hypot", "square"}
_GREATEST, _SMALLEST = {"max", "maximum", "fmax"}, {"min", "minimum", "fmin"}


class Forms:
    """Arithmetic of sums, and the atoms in them."""

    def __init__(self) -> None:
        self.table: dict[str, Atom] = {}
        self.fresh = 0
        #: sums that are zero at places of which it is known that there may be a jump
        self.places: list[Form] = []

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
        if any(at == scale(place, first / place.terms[min(place.terms)]) for place in self.places if place.terms):
            traits = replace(traits, moved=False)
        return self.leaf(
            f"[{at.key}]",
            replace(traits, rebuild=lambda h: self._side(h, text), args=(at,), step=text),
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
            return self.leaf(key, replace(t, rebuild=make, args=parts, name=name))

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
                key = next(iter(over.atoms()), "")
                if key and self.may_vanish(base):
                    self.table[key] = replace(self.table[key], pole=True)
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
        along = moved = inside = pole = False
        lost = ""
        for form in forms:
            for product in form.terms:
                for key, power in product:
                    atom = self.table[key]
                    lost = lost or atom.lost
                    pole = pole or atom.pole or (power < 0 and self.may_vanish(Form({((key, 1),): Fraction(1)})))
                    if not atom.step:
                        along, moved, inside = along or atom.along, moved or atom.moved, inside or atom.inside
        return Atom(along, moved, inside, lost, pole)

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
        return self.unknown(replace(t, lost=self.jump(form)))

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

    # --- where they are zero

    def sign(self, form: Form) -> int:
        """1 for a sum that is above zero for certain, 0 for one that is not below it, -1 where that is not known."""
        signs = []
        for product, factor in form.terms.items():
            parts = [max(self._sign(n), 0) if k % 2 == 0 else self._sign(n) for n, k in product]
            signs.append(-1 if factor < 0 else min(parts, default=1))
        if min(signs, default=0) >= 0:
            return max(signs, default=0)
        quadratic = self.quadratic(form)
        return -1 if quadratic is None else self.sign(scale(quadratic[2], -1))

    def _sign(self, key: str) -> int:
        atom = self.table[key]
        signs = [self.sign(a) for a in atom.args]
        if atom.name in _POSITIVE:
            return 1
        if atom.name in _GREATEST:
            return max(signs)
        if atom.name in (_SMALLEST | {"sqrt", "pow", "over"}) and min(signs) > 0:
            return 1
        return 0 if atom.step or atom.name in _NOT_NEGATIVE else -1

    def may_vanish(self, form: Form) -> bool:
        """May a sum be zero at a place that moves?"""
        return any(map(self._moves, self.roots(form)))

    def _moves(self, root: Form) -> bool:
        """Is there a place that moves where a sum is zero, for all that is known?"""
        if not self.traits([root]).moves or self.sign(root) > 0 or self.sign(scale(root, -1)) > 0:
            return False
        solved = self.solved(root)
        return solved is None or self.table[solved[0]].moved or self.traits([solved[1]]).moved

    def roots(self, form: Form) -> list[Form]:
        """Simpler sums, one of which is zero where a sum is."""
        if len(form.terms) == 1:
            (product,) = form.terms
            found: list[Form] = []
            for key, power in product:
                atom = self.table[key]
                inner = atom.name in _BENT and power > 0
                found += self.roots(atom.args[0]) if inner else [Form({((key, 1),): Fraction(1)})]
            return found
        quadratic = self.quadratic(form)
        if quadratic is not None:
            twice, middle, discriminant = quadratic
            if not discriminant.terms:
                return [add(twice, middle)]
            return [] if self.sign(scale(discriminant, -1)) >= 0 else [form]  # of two squares: both at once
        if self.sign(form) < 0:
            return [form]
        each = [self.roots(Form({product: factor})) for product, factor in form.terms.items()]  # all at once
        return [root for root in each[0] if all(root in others for others in each)]

    def quadratic(self, form: Form) -> tuple[Form, Form, Form] | None:
        """Of a v**2 + b v + c in a variable v: 2 a v, b and b**2 - 4 a c."""
        for name in sorted(form.atoms(), key=lambda n: (not self.table[n].along, n)):
            if self.table[name].args or any(self._within(n, name) for n in form.atoms() if n != name):
                continue
            parts = dict.fromkeys(range(3), ZERO)
            for product, factor in form.terms.items():
                rest = Form({tuple((n, k) for n, k in product if n != name): factor})
                power = dict(product).get(name, 0)
                parts[power] = add(parts.get(power, ZERO), rest)
            if set(parts) == {0, 1, 2} and self.sign(parts[2]) > 0:
                c, b, a = (parts[k] for k in range(3))
                double = self.times(scale(a, 2), Form({((name, 1),): Fraction(1)}))
                return double, b, add(self.times(b, b), self.times(a, c), -4)
        return None

    def bends(self, form: Form) -> list[Form]:
        """Sums at whose zeros a sum is not smooth."""
        found: list[Form] = []
        for key in sorted(form.atoms()):
            atom = self.table[key]
            for part in atom.args:
                found += self.bends(part)
            fraction = atom.name != "pow" or (n := atom.args[1].number()) is None or n.denominator != 1
            if atom.name in _BENT and fraction:
                found += self.roots(atom.args[0])
            elif atom.name == "hypot":
                found += [a for a, b in (atom.args, atom.args[::-1]) if not b.terms]
            elif atom.name in _GREATEST | _SMALLEST:
                found.append(add(atom.args[0], atom.args[1], -1))
        return found

    def below(self, form: Form) -> list[Form]:
        """What a sum is divided by."""
        found: list[Form] = []
        for product in form.terms:
            for key, power in product:
                atom = self.table[key]
                found += [Form({((key, 1),): Fraction(1)})] if power < 0 else []
                found += atom.args if atom.name == "over" else []
        return found

    def vanishes(self, form: Form, place: Form) -> bool:
        """May a sum be zero just where another is, at a place that moves?"""
        if not self._moves(place) or self.sign(form) > 0 or self.sign(scale(form, -1)) > 0:
            return False
        solved = self.solved(place)
        if solved is None and len(place.terms) == 1 and len(place.atoms()) == 1:
            solved = next(iter(place.atoms())), ZERO
        if solved is None:
            return self.traits([form]).moves
        there = self.replaced(form, *solved)
        return there is None or not there.terms

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


def scale(a: Form, factor: int | Fraction) -> Form:
    return Form({product: value * factor for product, value in a.terms.items()})
