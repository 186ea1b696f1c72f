"""SciPy's distances."""

from __future__ import annotations

import numpy as np
from s2sad.templates.macros.basics import as_operand, is_static, names_in, nonzero
from s2sad.templates.macros.calls import call_of, several_results, sp

from s2sad.expansion.macros import macro
from s2sad.expansion.operand import Operand
from s2sad.expansion.zero import ZERO
from s2sad.kinds.kind import Array
from s2sad.runtime import helpers

#: the derivative of a distance y of a from b with respect to a; q is a parameter
_DISTANCES = {
    "euclidean": "(a - b) / n",
    "sqeuclidean": "2.0 * (a - b)",
    "cityblock": "np.sign(a - b)",
    "chebyshev": "np.sign(a - b) * (np.abs(a - b) == y) / np.sum(np.abs(a - b) == y, axis=-1, keepdims=True)",
    "minkowski": "np.sign(a - b) * (np.abs(a - b) / n) ** (q - 1)",
    "canberra": "(np.sign(a - b) - np.abs(a - b) / m * np.sign(a)) / m",
    "braycurtis": "(np.sign(a - b) - y * np.sign(a + b)) / np.sum(np.abs(a + b), axis=-1, keepdims=True)",
    "cosine": "((1.0 - y) * a / s - b / r) / s",
    "correlation": "((1.0 - y) * a / s - b / r) / s",
    "seuclidean": "(a - b) / (q * n)",
    "mahalanobis": "(a - b) @ (q + q.T) / (2.0 * n)",
    "jensenshannon": "(t - np.sum(a * t) / s) / s",
}


@macro
def name_of_distance(context):
    """The name of the distance that is asked for."""
    return context.rule.name.rsplit(".", 1)[-1]


@macro
def known_metric(context, metric, v, vi):
    """Refuse metrics that are not known, or that take their parameters from the data."""
    if metric not in _DISTANCES or metric == "jensenshannon":
        names = ", ".join(m for m in _DISTANCES if m != "jensenshannon")
        raise context.refuse("the metric must be one of those with a rule", names)
    if (metric == "seuclidean" and v is None) or (metric == "mahalanobis" and vi is None):
        raise context.refuse("V and VI must be given")
    if any(context.is_active(q) for q in (v, vi)):
        raise context.refuse("it has no derivative with respect to V and VI", "scale the vectors")


@macro
def metric_parameter(context, metric, p, v, vi):
    """The parameter that belongs to a metric."""
    return {"minkowski": p, "seuclidean": v, "mahalanobis": vi}.get(metric)


@macro
def one_vector(context, p):
    """Refuse stacks of vectors."""
    if p.ndim != 1:
        raise context.refuse("only vectors have a rule")


@macro
def slope_of_distance(context, name, a, b, y, q=None):
    """The derivative of a distance y of a from b with respect to a."""
    text = _DISTANCES[name]
    vectors = a.ndim == 1 and b.ndim == 1
    if vectors:
        text = text.replace(", axis=-1, keepdims=True", "")
    parts = {"a": a, "b": b, "y": y, "q": q}
    if name == "minkowski" and is_static(q) and q == 2:
        text = _DISTANCES["euclidean"]
    if name == "chebyshev" and np.dtype(float) not in (a.dtype, b.dtype):  # SciPy subtracts in float64
        apart = context.quote("np.abs(a - b)", a=a, b=b)
        farthest = "np.max(d)" if vectors else "np.max(d, axis=-1, keepdims=True)"
        parts["y"] = context.local("farthest", context.quote(farthest, d=apart))
    if "n" in names_in(text):
        parts["n"] = context.local("n", nonzero(context, as_operand(y)))
    if name == "canberra":
        total = context.quote("np.abs(a) + np.abs(b)", a=a, b=b)
        parts["m"] = context.local("m", nonzero(context, total))
    if name == "correlation":
        for v in "ab":
            mean = "v - np.mean(v)" if vectors else "v - np.mean(v, axis=-1, keepdims=True)"
            parts[v] = context.local(v, context.quote(mean, v=parts[v]))
    if name in ("cosine", "correlation"):
        for v, length in (("a", "s"), ("b", "r")):
            size = "np.linalg.norm(v)" if vectors else "np.linalg.norm(v, axis=-1, keepdims=True)"
            parts[length] = context.local(length, context.quote(size, v=parts[v]))
    if name == "jensenshannon":
        parts["s"] = context.local("s", context.quote("np.sum(a)", a=a))
        ratio = context.quote("np.log(2.0 * a / s / (a / s + b / np.sum(b)))", a=a, s=parts["s"], b=b)
        n = nonzero(context, as_operand(y))
        parts["t"] = context.local("t", context.quote("r / (4.0 * n)", r=ratio, n=n))
    return context.quote(text, **{k: v for k, v in parts.items() if k in names_in(text)})


@macro
def as_rows(context, x):
    """Vectors that broadcast against all of another set."""
    return context.quote("x[:, None]", x=x)


@macro
def deeper(context, y):
    """Distances that broadcast against the elements of the vectors."""
    return context.quote("y[..., None]", y=y)


@macro
def rows_at(context, x, index):
    """The vectors of pairs."""
    return context.quote("x[i]", x=x, i=index)


@macro
def euclidean_weights(context, g, y, metric):
    """g over the distances, 0 where these are; twice g for squared distances."""
    if g is ZERO:
        return ZERO
    if metric == "sqeuclidean":
        return context.quote("2.0 * g", g=g)
    return context.quote("g / n", g=g, n=nonzero(context, y))


@macro
def scaled_back(context, g, metric, v, vi):
    """The adjoint of vectors from that of the vectors whose Euclidean distances are taken."""
    if metric == "seuclidean":
        return context.quote("g / v", g=g, v=v)
    if metric == "mahalanobis":
        return context.quote("0.5 * g @ (v + v.T)", g=g, v=vi)
    return g


@macro
def plain_minkowski(context, metric, p):
    """Is this the Euclidean distance by its other name?"""
    return metric == "minkowski" and is_static(p) and p == 2


@macro
def centred_rows(context, x, metric):
    """The vectors of which a correlation is the cosine."""
    return context.quote("x - np.mean(x, axis=1, keepdims=True)", x=x) if metric == "correlation" else x


@macro
def distances_back(context, g, y, a, b, metric, p):
    """The adjoints of two sets of vectors, of a metric that goes element by element."""
    parts = (g, y, a, b, p) if metric == "minkowski" else (g, a, b) if metric in _OF_PAIRS else (g, y, a, b)
    call = call_of(context, getattr(helpers, f"{metric}_back"), *parts)
    return several_results(context, call, ("ga", "gb"), (a, b))


#: metrics whose derivatives do without the distances
_OF_PAIRS = ("cityblock", "canberra")


@macro
def all_pairs(context, g, x):
    """The square matrix of what is given for each pair once."""
    call = sp(context, "spatial.distance.squareform", g)
    return Operand(call.expr, Array(context.y.dtype, (x.shape[0], x.shape[0])) if x.shape else call.kind)


@macro
def squareform_back(context, g, x):
    """The adjoint of squareform."""
    if x.ndim == 1:
        wide = context.quote("g + g.T", g=g)
        return Operand(sp(context, "spatial.distance.squareform", wide, checks=False).expr, x.kind)
    if x.ndim == 2:
        return Operand(context.quote("np.triu(m)", m=sp(context, "spatial.distance.squareform", g)).expr, x.kind)
    raise context.unknown("the rank")
