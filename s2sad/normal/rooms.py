"""All rooms that answer something or lower something: to import them makes them known."""

from __future__ import annotations

import s2sad.normal.builtins.arrays
import s2sad.normal.builtins.containers
import s2sad.normal.builtins.itertools_
import s2sad.normal.builtins.python
import s2sad.normal.calls.call
import s2sad.normal.calls.core_calls
import s2sad.normal.calls.dispatch
import s2sad.normal.calls.methods
import s2sad.normal.calls.objects
import s2sad.normal.calls.passive
import s2sad.normal.calls.written_out
import s2sad.normal.changing
import s2sad.normal.expressions.atoms
import s2sad.normal.expressions.attributes
import s2sad.normal.expressions.choices
import s2sad.normal.expressions.comparisons
import s2sad.normal.expressions.comprehensions
import s2sad.normal.expressions.displays
import s2sad.normal.expressions.operation
import s2sad.normal.expressions.operators
import s2sad.normal.expressions.subscripts
import s2sad.normal.handlers
import s2sad.normal.iteration.asking
import s2sad.normal.iteration.at_once
import s2sad.normal.iteration.by_position
import s2sad.normal.iteration.turning
import s2sad.normal.iteration.watching
import s2sad.normal.learning
import s2sad.normal.names
import s2sad.normal.statements.assign
import s2sad.normal.statements.augmented
import s2sad.normal.statements.define
import s2sad.normal.statements.leave
import s2sad.normal.statements.lists
import s2sad.normal.statements.stores
import s2sad.normal.statements.tries
import s2sad.normal.statements.turns
import s2sad.normal.values.entering
import s2sad.normal.values.facts
import s2sad.normal.values.joined
import s2sad.normal.values.lists_of_the_run
import s2sad.normal.values.making
import s2sad.normal.values.structure  # noqa: F401
