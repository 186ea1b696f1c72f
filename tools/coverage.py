"""Which functions of NumPy and of Python's numeric modules have a derivative, and why the others have none.

python tools/coverage.py              the share of each namespace, and what is not covered, under its reason
python tools/coverage.py --all        also what is covered, and how
python tools/coverage.py --check      exit status 1 when a public name is neither covered nor listed here

A function is covered when it has a derivative rule (a template or a definition), is known to be constant (a zero rule),
or is followed when a program is lowered. All others are listed in `REASONS`.
"""

from __future__ import annotations

import argparse
import cmath
import collections
import math
import operator
import statistics
import types
from typing import Any

import numpy as np

from s2sad import rules
from s2sad.normal import builtins_  # noqa: F401  (fills the table of what lowering follows)
from s2sad.normal.calls import BUILTINS

#: why a public name has no rule, by namespace. Names that only some versions have are listed too.
REASONS: dict[str, dict[str, str]] = {
    "numpy": {
        "types": """
            bool bool_ bool8 byte bytes_ bytes0 cdouble cfloat character chararray clongdouble clongfloat complex128
            complex192 complex256 complex64 complex_ complexfloating csingle datetime64 double dtype dtypes flexible
            float128 float16 float32 float64 float96 float_ floating generic half inexact int0 int16 int32 int64 int8
            int_ intc integer intp long longcomplex longdouble longfloat longlong matrix memmap ndarray number object0
            object_ recarray record short signedinteger single singlecomplex str0 str_ string_ timedelta64 ubyte uint
            uint0 uint16 uint32 uint64 uint8 uintc uintp ulong ulonglong unicode_ unsignedinteger ushort void void0
            ufunc errstate printoptions finfo iinfo busdaycalendar flatiter ndenumerate ndindex nditer nested_iters
            broadcast DataSource RankWarning VisibleDeprecationWarning ComplexWarning AxisError TooHardError
            ModuleDeprecationWarning""",
        "text and files": """
            array2string array_repr array_str base_repr binary_repr datetime_as_string format_float_positional
            format_float_scientific frombuffer fromfile fromregex fromstring genfromtxt load loadtxt save savetxt savez
            savez_compressed recfromcsv recfromtxt from_dlpack disp""",
        "questions about types, shapes and memory": """
            broadcast_shapes can_cast common_type cast datetime_data einsum_path find_common_type isdtype isfortran
            isnat issctype issubclass_ issubsctype iterable may_share_memory maximum_sctype min_scalar_type mintypecode
            obj2sctype promote_types sctype2char shares_memory typename byte_bounds format_parser""",
        "settings and information": """
            get_include get_printoptions getbufsize geterr geterrcall geterrobj info set_numeric_ops set_printoptions
            set_string_function setbufsize seterr seterrcall seterrobj show_config show_runtime test who lookfor source
            deprecate deprecate_with_doc add_docstring add_newdoc add_newdoc_ufunc tracemalloc_domain safe_eval
            compare_chararrays get_array_wrap""",
        "integers, dates and bits": """
            bitwise_count busday_count busday_offset is_busday packbits unpackbits""",
        "functions that are known at run time only": "frompyfunc",
        "an index or a count beside what varies: take them apart": """
            unique_all unique_counts unique_inverse histogramdd""",
        "superseded, and gone from newer versions": """
            asmatrix bmat mat asfarray alltrue sometrue product cumproduct msort round_ in1d row_stack
            fastCopyAndTranspose asscalar rank""",
    },
    "numpy.linalg": {"types": "LinAlgError", "settings and information": "test"},
    "numpy.fft": {"settings and information": "test"},
    "numpy.random.Generator": {
        "draws with no argument that could vary": """
            bytes integers random standard_cauchy standard_exponential standard_normal permutation permuted shuffle
            choice spawn bit_generator hypergeometric multivariate_hypergeometric multinomial logseries zipf""",
        "drawn by rejection: no derivative of the draw in its shape parameters": """
            beta chisquare dirichlet f noncentral_chisquare noncentral_f standard_gamma standard_t wald""",
    },
    "numpy.ndarray": {
        "questions about types, shapes and memory": "base ctypes data device dtype flags itemsize nbytes strides",
        "text and files": "dump dumps tobytes tofile tostring",
        "another meaning of the same memory": "byteswap getfield setfield setflags view newbyteorder to_device",
        "followed when it is lowered": "fill flat partition put sort",
        "its shape changes in place: use np.resize": "resize",
        "superseded, and gone from newer versions": "itemset",
        "an index": "argpartition",
    },
    "operator": {"followed when it is lowered": "attrgetter delitem itemgetter methodcaller"},
    "statistics": {
        "types": "Counter Decimal Fraction LinearRegression NormalDist StatisticsError defaultdict namedtuple groupby",
        "tools that the module imports": """
            attrgetter bisect_left bisect_right count hypot itemgetter mul random repeat reduce seed sub add truediv
            sqrt sumprod exp log fabs tau erf erfc fsum acos asin atan cos cosh sin sinh tan tanh isfinite isinf pi
            ceil floor acosh asinh cbrt swap cdf invcdf""",
        "the most frequent value: a choice by equality": "mode multimode",
        "estimates by kernels: write the sum": "kde kde_random",
    },
}  # fmt: skip

NAMESPACES: dict[str, Any] = {
    "numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft, "numpy.random.Generator": np.random.Generator,
    "numpy.ndarray": np.ndarray, "math": math, "cmath": cmath, "operator": operator, "statistics": statistics,
}  # fmt: skip


def public(name: str) -> dict[str, Any]:
    """The public functions of a namespace; of ndarray the attributes as well."""
    import warnings

    space = NAMESPACES[name]
    out: dict[str, Any] = {}
    for each in dir(space):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(space, each, None)
        if each.startswith("_") or isinstance(value, types.ModuleType):
            continue
        if callable(value) or name == "numpy.ndarray":
            out[each] = value
    return out


def covered(namespace: str, name: str, value: Any) -> str:
    """How a function is covered: "rule", "zero", "lowering", or "" when it is not."""
    rules.registry()
    if namespace == "numpy.ndarray":
        value = rules._methods.get(name, rules._attributes.get(name))
        if value is None:
            return ""
    try:
        if value in BUILTINS:
            return "lowering"
        rule = rules.lookup(value)
    except TypeError:
        return ""
    if rule is None:
        return "rule" if namespace == "numpy.ndarray" else ""
    return "zero" if rule.zero else "rule"


def survey(namespace: str) -> tuple[dict[str, list[str]], dict[str, list[str]], list[str]]:
    """What is covered by how, what is not by reason, and what is neither covered nor listed."""
    reasons = {n: why for why, names in REASONS.get(namespace, {}).items() for n in names.split()}
    how: dict[str, list[str]] = collections.defaultdict(list)
    why: dict[str, list[str]] = collections.defaultdict(list)
    missing = []
    for name, value in sorted(public(namespace).items()):
        found = covered(namespace, name, value)
        if found:
            how[found].append(name)
        elif name in reasons:
            (how if reasons[name].startswith("followed") else why)[
                "lowering" if reasons[name].startswith("followed") else reasons[name]
            ].append(name)
        else:
            missing.append(name)
    return how, why, missing


def report(everything: bool = False) -> tuple[str, list[str]]:
    """The text, and the names that are not accounted for."""
    lines, lost = [], []
    for namespace in NAMESPACES:
        how, why, missing = survey(namespace)
        lost += [f"{namespace}.{n}" for n in missing]
        differentiable = len(how["rule"]) + len(how["lowering"])
        total = differentiable + len(missing)
        share = 100.0 * differentiable / total if total else 100.0
        lines.append(
            f"{namespace}: {share:.0f} % of {total} differentiable functions; {len(how['zero'])} are constant, "
            f"{sum(map(len, why.values()))} have no derivative"
        )
        if everything:
            lines += [f"    {form}: {' '.join(names)}" for form, names in sorted(how.items())]
        lines += [f"    {reason}: {' '.join(names)}" for reason, names in why.items()]
        if missing:
            lines.append(f"    NOT ACCOUNTED FOR: {' '.join(missing)}")
    return "\n".join(lines), lost


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--all", action="store_true", help="also what is covered")
    parser.add_argument("--check", action="store_true", help="fail when a name is not accounted for")
    chosen = parser.parse_args()
    text, lost = report(chosen.all)
    print(text)
    return int(chosen.check and bool(lost))


if __name__ == "__main__":
    raise SystemExit(main())
