"""SciPy's distances. All of them are symmetric: the derivative with respect to the second vector is that with respect
to the first, with the two exchanged."""

import numpy as np
from scipy import special
from scipy.spatial import distance

from s2sad.kinds import dims, known
from s2sad.kinds.kind import Array
from s2sad.rules import adjoint, d, definition, linear, tangent, zero


@adjoint(
    distance.euclidean, distance.sqeuclidean, distance.cityblock, distance.chebyshev, distance.canberra,
    distance.braycurtis, distance.cosine,
)  # fmt: skip
def plain_distance(y, u, v, w=None):
    """0 between equal vectors; where several elements are farthest apart (chebyshev) they share evenly."""
    only_without(w, None, "w", "scale the vectors")
    d[u] = d[y] * slope_of_distance(name_of_distance(), u, v, y)
    d[v] = d[y] * slope_of_distance(name_of_distance(), v, u, y)


@tangent(
    distance.euclidean, distance.sqeuclidean, distance.cityblock, distance.chebyshev, distance.canberra,
    distance.braycurtis, distance.cosine,
)  # fmt: skip
def plain_distance(y, u, v, w=None):
    only_without(w, None, "w", "scale the vectors")
    d[y] = slope_of_distance(name_of_distance(), u, v, y) @ d[u] + slope_of_distance(name_of_distance(), v, u, y) @ d[v]


@adjoint(distance.correlation)
def correlation(y, u, v, w=None, centered=True):
    only_without(w, None, "w", "scale the vectors")
    only_without(centered, True, "centered=False", "use cosine")
    d[u] = d[y] * slope_of_distance("correlation", u, v, y)
    d[v] = d[y] * slope_of_distance("correlation", v, u, y)


@tangent(distance.correlation)
def correlation(y, u, v, w=None, centered=True):
    only_without(w, None, "w", "scale the vectors")
    only_without(centered, True, "centered=False", "use cosine")
    d[y] = slope_of_distance("correlation", u, v, y) @ d[u] + slope_of_distance("correlation", v, u, y) @ d[v]


@adjoint(distance.minkowski)
def minkowski(y, u, v, p=2, w=None):
    """0 between equal vectors."""
    only_without(w, None, "w", "scale the vectors")
    d[u] = d[y] * slope_of_distance("minkowski", u, v, y, p)
    d[v] = d[y] * slope_of_distance("minkowski", v, u, y, p)


@tangent(distance.minkowski)
def minkowski(y, u, v, p=2, w=None):
    only_without(w, None, "w", "scale the vectors")
    d[y] = slope_of_distance("minkowski", u, v, y, p) @ d[u] + slope_of_distance("minkowski", v, u, y, p) @ d[v]


@adjoint(distance.seuclidean)
def seuclidean(y, u, v, V):
    d[u] = d[y] * slope_of_distance("seuclidean", u, v, y, V)
    d[v] = d[y] * slope_of_distance("seuclidean", v, u, y, V)
    d[V] = -0.5 * d[y] * ((u - v) / V / nonzero(y)) * ((u - v) / V)


@tangent(distance.seuclidean)
def seuclidean(y, u, v, V):
    d[y] = (
        slope_of_distance("seuclidean", u, v, y, V) @ d[u]
        + slope_of_distance("seuclidean", v, u, y, V) @ d[v]
        - 0.5 * ((u - v) / V / nonzero(y) * ((u - v) / V)) @ d[V]
    )


@adjoint(distance.mahalanobis)
def mahalanobis(y, u, v, VI):
    d[u] = d[y] * slope_of_distance("mahalanobis", u, v, y, VI)
    d[v] = d[y] * slope_of_distance("mahalanobis", v, u, y, VI)
    d[VI] = np.outer(0.5 * d[y] / nonzero(y) * (u - v), u - v)


@tangent(distance.mahalanobis)
def mahalanobis(y, u, v, VI):
    d[y] = (
        slope_of_distance("mahalanobis", u, v, y, VI) @ d[u]
        + slope_of_distance("mahalanobis", v, u, y, VI) @ d[v]
        + (u - v) @ d[VI] @ (u - v) / (2.0 * nonzero(y))
    )


@adjoint(distance.jensenshannon)
def jensenshannon(y, p, q, base=None, *, axis=0, keepdims=False):
    """Of two vectors."""
    only_without(base, None, "base", "divide by the square root of the logarithm of the base")
    one_vector(p)
    d[p] = d[y] * slope_of_distance("jensenshannon", p, q, y)
    d[q] = d[y] * slope_of_distance("jensenshannon", q, p, y)


@tangent(distance.jensenshannon)
def jensenshannon(y, p, q, base=None, *, axis=0, keepdims=False):
    only_without(base, None, "base", "divide by the square root of the logarithm of the base")
    one_vector(p)
    d[y] = slope_of_distance("jensenshannon", p, q, y) @ d[p] + slope_of_distance("jensenshannon", q, p, y) @ d[q]


_SCALED = ("euclidean", "sqeuclidean", "seuclidean", "cosine")


def _seldom_metric(call):
    if any(call.varied(n) for n in ("V", "VI", "w", "p")) or call.given("w"):
        return True
    metric = call.static("metric")
    missing = {"seuclidean": "V", "mahalanobis": "VI"}.get(metric)
    return metric == "jensenshannon" or (missing is not None and not call.given(missing))


@definition(distance.cdist, when=_seldom_metric)
def cdist(XA, XB, metric="euclidean", *, out=None, p=2, V=None, VI=None, w=None):
    """With weights, in the parameters, and with those that are estimated from the vectors."""
    if metric == "mahalanobis":
        inverse = np.linalg.inv(np.cov(np.concatenate((XA, XB)), rowvar=False)).T if VI is None else VI
        return _lengths(XA[:, None] - XB, inverse)
    if metric == "jensenshannon":
        return _divergences(XA[:, None], XB)
    if metric == "minkowski":
        powers = np.abs(XA[:, None] - XB) ** p
        totals = np.sum(powers if w is None else w * powers, axis=-1)
        there = totals > 0.0
        return np.where(there, np.where(there, totals, 1.0) ** (1.0 / p), 0.0)
    scale = _scales(metric, V, w, XA, XB)
    return distance.cdist(XA * scale, XB * scale, "euclidean" if metric == "seuclidean" else metric)


def _seldom_pairs(call):
    return _seldom_metric(call) or call.static("metric") == "minkowski"


@definition(distance.pdist, when=_seldom_pairs)
def pdist(X, metric="euclidean", *, out=None, p=2, V=None, VI=None, w=None):
    """With weights, in the parameters, and with those that are estimated from the vectors."""
    i, j = np.triu_indices(np.shape(X)[0], 1)
    if metric == "mahalanobis":
        inverse = np.linalg.inv(np.cov(X, rowvar=False)).T if VI is None else VI
        return _lengths(X[i] - X[j], inverse)
    if metric == "jensenshannon":
        return _divergences(X[i], X[j])
    if metric == "minkowski":  # not by rows against rows: each has no slope beside itself where p < 2
        powers = np.abs(X[i] - X[j]) ** p
        return np.sum(powers if w is None else w * powers, axis=1) ** (1.0 / p)
    scale = _scales(metric, V, w, X, None)
    return distance.pdist(X * scale, "euclidean" if metric == "seuclidean" else metric)


def _scales(metric, V, w, x, more):
    """What the elements are multiplied with, so that the distance is a plain one."""
    if metric not in (*_SCALED, "cityblock"):
        raise NoDerivative("this metric has no rule with weights", "write it with np.sum")
    if metric == "seuclidean":
        if w is not None:
            raise NoDerivative("seuclidean has no rule with weights", "scale the vectors")
        if V is not None:
            return 1.0 / np.sqrt(V)
        return 1.0 / np.std(x if more is None else np.concatenate((x, more)), axis=0, ddof=1)
    return np.asarray(w) if metric == "cityblock" else np.sqrt(w)


def _lengths(u, inverse):
    """Mahalanobis' lengths of vectors: 0 of those that are 0."""
    squares = np.sum((u @ inverse) * u, axis=-1)
    there = squares > 0.0
    return np.where(there, np.sqrt(np.where(there, squares, 1.0)), 0.0)


def _divergences(p, q):
    """Jensen and Shannon's distances of rows, which are divided by their sums."""
    p, q = p / np.sum(p, axis=-1, keepdims=True), q / np.sum(q, axis=-1, keepdims=True)
    m = 0.5 * (p + q)
    squares = 0.5 * np.sum(special.rel_entr(p, m) + special.rel_entr(q, m), axis=-1)
    there = squares > 0.0
    return np.where(there, np.sqrt(np.where(there, squares, 1.0)), 0.0)


@adjoint(distance.cdist)
def cdist(y, XA, XB, metric="euclidean", *, out=None, p=2, V=None, VI=None):
    """0 between equal vectors.

    Cost: of metrics that are no products (cityblock, chebyshev, canberra, braycurtis) about five: a difference, two
    comparisons, a product and two sums of NumPy for each element of each pair, where SciPy's compiled loop makes one
    pass; braycurtis of elements of both signs has twice that.
    """
    known_metric(metric, V, VI)
    if metric in ("euclidean", "sqeuclidean", "seuclidean", "mahalanobis") or plain_minkowski(metric, p):
        t = euclidean_weights(d[y], y, metric)
        d[XA] = scaled_back(np.sum(t, axis=1, keepdims=True) * XA - t @ XB, metric, V, VI)
        d[XB] = scaled_back(np.sum(t, axis=0)[:, None] * XB - t.T @ XA, metric, V, VI)
    elif metric in ("cosine", "correlation"):
        u, v = centred_rows(XA, metric), centred_rows(XB, metric)
        a, b = np.linalg.norm(u, axis=1, keepdims=True), np.linalg.norm(v, axis=1, keepdims=True)
        d[XA] = (np.sum(d[y] * (1.0 - y), axis=1, keepdims=True) * u / a - d[y] @ (v / b)) / a
        d[XB] = (np.sum(d[y] * (1.0 - y), axis=0)[:, None] * v / b - d[y].T @ (u / a)) / b
    else:
        ga, gb = distances_back(d[y], y, XA, XB, metric, p)
        d[XA] = ga
        d[XB] = gb


@tangent(distance.cdist)
def cdist(y, XA, XB, metric="euclidean", *, out=None, p=2, V=None, VI=None):
    known_metric(metric, V, VI)
    if metric in ("euclidean", "sqeuclidean"):
        d[y] = euclidean_weights(
            np.sum(XA * d[XA], axis=1, keepdims=True) - d[XA] @ XB.T + np.sum(XB * d[XB], axis=1) - XA @ d[XB].T,
            y,
            metric,
        )
    else:
        parameter = metric_parameter(metric, p, V, VI)
        d[y] = np.einsum(
            "ijk,ik->ij", slope_of_distance(metric, as_rows(XA), XB, deeper(y), parameter), d[XA]
        ) + np.einsum("ijk,jk->ij", slope_of_distance(metric, XB, as_rows(XA), deeper(y), parameter), d[XB])


@adjoint(distance.pdist)
def pdist(y, X, metric="euclidean", *, out=None, p=2, V=None, VI=None):
    """0 between equal vectors.

    Cost: as cdist of the vectors with themselves, which sees each pair from both sides: one side alone has blocks of so
    many shapes that no time is saved.
    """
    known_metric(metric, V, VI)
    if metric in ("euclidean", "sqeuclidean", "seuclidean", "mahalanobis"):
        t = all_pairs(euclidean_weights(d[y], y, metric), X)
        d[X] = scaled_back(np.sum(t, axis=1, keepdims=True) * X - t @ X, metric, V, VI)
    elif metric in ("cosine", "correlation"):
        g = all_pairs(d[y], X)
        u = centred_rows(X, metric)
        a = np.linalg.norm(u, axis=1, keepdims=True)
        d[X] = (np.sum(g * (1.0 - all_pairs(y, X)), axis=1, keepdims=True) * u / a - g @ (u / a)) / a
    else:
        ga, gb = distances_back(all_pairs(d[y], X), all_pairs(y, X), X, X, metric, p)
        d[X] = ga


@tangent(distance.pdist)
def pdist(y, X, metric="euclidean", *, out=None, p=2, V=None, VI=None):
    known_metric(metric, V, VI)
    i, j = np.triu_indices(len(X), 1)
    parameter = metric_parameter(metric, p, V, VI)
    d[y] = np.sum(
        slope_of_distance(metric, rows_at(X, i), rows_at(X, j), deeper(y), parameter) * rows_at(d[X], i)
        + slope_of_distance(metric, rows_at(X, j), rows_at(X, i), deeper(y), parameter) * rows_at(d[X], j),
        axis=1,
    )


@known.rule(distance.squareform)
def squareform_kind(args, kwargs):
    """A square matrix from a vector, and back."""
    shape = known.shape_of(args[0])
    if not isinstance(args[0], Array) or shape is None or len(shape) not in (1, 2):
        return None
    n = dims.fresh()
    return Array(args[0].dtype, (n, n) if len(shape) == 1 else (n,))


@linear(distance.squareform)
def squareform(y, X, force="no", checks=True):
    """A matrix from its upper triangle, or the other way round."""
    d[X] = squareform_back(d[y], X)


@definition(distance.hamming, active=("w",))
def hamming(u, v, w=None):
    """In the weights."""
    return np.sum(w * (np.asarray(u) != np.asarray(v))) / np.sum(w)


@definition(
    distance.dice, distance.jaccard, distance.rogerstanimoto, distance.russellrao, distance.sokalsneath, distance.yule,
    active=("w",),
)  # fmt: skip
def dice(u, v, w=None):
    raise NoDerivative("a distance of sets in its weights", "write it with np.sum")


zero(distance.hamming, distance.is_valid_dm, distance.is_valid_y, distance.num_obs_dm, distance.num_obs_y)
zero(distance.dice, distance.jaccard, distance.rogerstanimoto, distance.russellrao, distance.sokalsneath, distance.yule)
