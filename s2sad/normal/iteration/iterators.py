"""Iterators that are followed item by item: objects that hold what they take their items from.

The compiler looks into them as into classes of the user's: nothing of them is left in what it writes.
"""

from __future__ import annotations

from typing import Any


class Asked:
    """An iterator that computes its items when it is asked for them.

    `has` says whether there is one more, and `take` gives it; where `peek` is, it gives that item and leaves it there.
    """

    def has(self) -> Any:
        raise NotImplementedError

    def take(self) -> Any:
        raise NotImplementedError

    def __iter__(self) -> Any:
        """All that is left."""
        items = []
        while self.has():
            items.append(self.take())
        return items

    def __next__(self) -> Any:
        if not self.has():
            raise StopIteration
        return self.take()

    def __contains__(self, item: Any) -> Any:
        while self.has():
            if self.take() == item:
                return True
        return False


class Steps(Asked):
    """An iterator over what can be indexed and keeps its length, which has one name alone."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position = 0

    def __iter__(self) -> Any:
        at = self.position
        self.position = len(self.items)
        return self.items[at:]

    def has(self) -> Any:
        return self.position < len(self.items)

    def peek(self) -> Any:
        return self.items[self.position]

    def take(self) -> Any:
        item = self.items[self.position]
        self.position = self.position + 1
        return item


class StepsOfArray(Steps):
    """One that others may hold."""


class StepsOfList(Steps):
    """Over a list that may grow: an iterator that was at its end stays there."""

    def __iter__(self) -> Any:
        at = self.position
        self.position = END
        return self.items[at:]

    def has(self) -> Any:
        if self.position >= len(self.items):
            self.position = END
            return False
        return True


class StepsOfDeque(Steps):
    """Over a deque, which must keep its length."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position, self.size = 0, len(items)

    def __iter__(self) -> Any:
        items = []
        while self.has():
            items.append(self.take())
        return items

    def has(self) -> Any:
        if len(self.items) != self.size:
            raise RuntimeError("deque mutated during iteration")
        return self.position < self.size


class Back(Asked):
    """reversed(items)"""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position = len(items) - 1

    def has(self) -> Any:
        return 0 <= self.position < len(self.items)

    def peek(self) -> Any:
        return self.items[self.position]

    def take(self) -> Any:
        item = self.items[self.position]
        self.position = self.position - 1
        return item


class BackOfList(Back):
    """Over a list that may shrink: an iterator that was at its end stays there."""

    def has(self) -> Any:
        if not 0 <= self.position < len(self.items):
            self.position = -1
            return False
        return True


class BackOfDeque(Back):
    """Over a deque, which must keep its length."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.position, self.size = len(items) - 1, len(items)

    def has(self) -> Any:
        if len(self.items) != self.size:
            raise RuntimeError("deque mutated during iteration")
        return self.position >= 0


class Mapped(Asked):
    """map(function, source)"""

    def __init__(self, function: Any, source: Any) -> None:
        self.function, self.source = function, source

    def has(self) -> Any:
        return self.source.has()

    def take(self) -> Any:
        return self.function(self.source.take())


class Starred(Mapped):
    """itertools.starmap(function, source)"""

    def take(self) -> Any:
        return self.function(*self.source.take())


class Chosen(Asked):
    """filter(test, source), of a source whose items can be looked at before they are taken, and a test that changes
    none"""

    def __init__(self, test: Any, source: Any) -> None:
        self.test, self.source = test, source

    def has(self) -> Any:
        while self.source.has():
            if self.test(self.source.peek()):
                return True
            self.source.take()
        return False

    def take(self) -> Any:
        return self.source.take()


class Sieved(Chosen):
    """filter(test, source), where the item that was found is held until it is taken"""

    def __init__(self, test: Any, source: Any) -> None:
        self.test, self.source = test, source
        self.found: list[Any] = []

    def has(self) -> Any:
        while len(self.found) == 0 and self.source.has():
            item = self.source.take()
            if self.test(item):
                self.found.append(item)
        return len(self.found) > 0

    def take(self) -> Any:
        return self.found.pop()


class LeftOut(Chosen):
    """itertools.filterfalse(test, source)"""

    def has(self) -> Any:
        while self.source.has():
            if not self.test(self.source.peek()):
                return True
            self.source.take()
        return False


class While(Chosen):
    """itertools.takewhile(test, source)"""

    def __init__(self, test: Any, source: Any) -> None:
        self.test, self.source, self.ended = test, source, False

    def has(self) -> Any:
        if self.ended or not self.source.has():
            return False
        if self.test(self.source.peek()):
            return True
        self.source.take()
        self.ended = True
        return False


class Behind(Chosen):
    """itertools.dropwhile(test, source)"""

    def __init__(self, test: Any, source: Any) -> None:
        self.test, self.source, self.dropping = test, source, True

    def has(self) -> Any:
        if self.dropping:
            while self.source.has():
                if not self.test(self.source.peek()):
                    break
                self.source.take()
            self.dropping = False
        return self.source.has()


class Sliced(Asked):
    """itertools.islice(source, start, stop)"""

    def __init__(self, source: Any, start: Any, stop: Any) -> None:
        self.source, self.start, self.stop, self.at = source, start, stop, 0

    def has(self) -> Any:
        while self.at < self.start and self.source.has():
            self.source.take()
            self.at = self.at + 1
        return self.at < self.stop and self.source.has()

    def take(self) -> Any:
        self.at = self.at + 1
        return self.source.take()


class Chained(Asked):
    """itertools.chain(first, second)"""

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second

    def has(self) -> Any:
        return self.first.has() or self.second.has()

    def take(self) -> Any:
        if self.first.has():
            return self.first.take()
        return self.second.take()


class Summed(Asked):
    """itertools.accumulate(source), of numbers"""

    def __init__(self, source: Any) -> None:
        self.source, self.total = source, 0

    def has(self) -> Any:
        return self.source.has()

    def take(self) -> Any:
        self.total = self.total + self.source.take()
        return self.total


class SummedUp(Summed):
    """itertools.accumulate(source), of anything: the first item is given as it is, and no copy of it"""

    def __init__(self, source: Any) -> None:
        self.source, self.total, self.begun = source, 0, False

    def take(self) -> Any:
        item = self.source.take()
        self.total = self.total + item if self.begun else item
        self.begun = True
        return self.total


class Counted(Asked):
    """enumerate(source, start)"""

    def __init__(self, source: Any, start: Any) -> None:
        self.source, self.count = source, start

    def has(self) -> Any:
        return self.source.has()

    def take(self) -> Any:
        count = self.count
        self.count = count + 1
        return count, self.source.take()


class Pairs(Asked):
    """zip(first, second): where the second has none, the first has lost one"""

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second

    def has(self) -> Any:
        if not self.first.has():
            return False
        if not self.second.has():
            self.first.take()
            return False
        return True

    def take(self) -> Any:
        return self.first.take(), self.second.take()


class InTurns(Asked):
    """zip(first, second), where taking an item of the first may decide whether the second has one: it is held"""

    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second
        self.held: list[Any] = []

    def has(self) -> Any:
        if not self.first.has():
            return False
        self.held.append(self.first.take())
        if not self.second.has():
            self.held.pop()
            return False
        return True

    def take(self) -> Any:
        return self.held.pop(), self.second.take()


class OneMore(InTurns):
    """zip(*group, second), where `first` gives the groups"""

    def take(self) -> Any:
        return *self.held.pop(), self.second.take()


class Neighbours(Asked):
    """itertools.pairwise(source): the first of a pair is held"""

    def __init__(self, source: Any) -> None:
        self.source = source
        self.last: list[Any] = []

    def has(self) -> Any:
        if len(self.last) == 0 and self.source.has():
            self.last.append(self.source.take())
        return self.source.has()

    def take(self) -> Any:
        first, second = self.last.pop(), self.source.take()
        self.last.append(second)
        return first, second


#: where an iterator over a list is that was at its end
END = 1 << 62
#: those that say whether there is an item with nothing computed and nothing changed
SILENT = (Steps, Back, Mapped, Summed, Counted, Chained)
#: those that can be looked at before the item is taken
WITH_PEEK = (Steps, StepsOfArray, StepsOfList, StepsOfDeque, Back, BackOfList, BackOfDeque)


def next_or(steps: Any, default: Any) -> Any:
    """next(steps, default)"""
    if not steps.has():
        return default
    return steps.take()


def any_of(steps: Any) -> Any:
    """any(steps), which leaves what is behind the first that is true"""
    while steps.has():
        if steps.take():
            return True
    return False


def all_of(steps: Any) -> Any:
    """all(steps), which leaves what is behind the first that is not true"""
    while steps.has():
        if not steps.take():
            return False
    return True
