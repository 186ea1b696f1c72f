"""Why a call has no derivative, and what to write instead."""

from __future__ import annotations

#: what to do about an option or an argument that a rule does not cover, and about one that only the run knows
USE_OTHERS = "leave out what has no rule, or compute it with other functions that `s2sad rules` lists"
WRITE_OUT = "write it in the call as a constant; the rank of an array is known behind np.reshape(a, (n, m))"


class NoDerivative(Exception):
    """A call that the rules cannot differentiate: why, and the way out."""

    def __init__(self, reason: str, way_out: str = "") -> None:
        super().__init__(reason + (f"; {way_out}" if way_out else ""))
        self.reason = reason
        self.way_out = way_out
