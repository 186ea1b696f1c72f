"""geomdl (MIT): splines and NURBS in pure Python; lists of lists, knot vectors, shapes as objects."""

from geomdl import BSpline, NURBS, fitting, helpers, linalg, utilities

POINTS = [[0.0, 0.0], [1.0, 2.0], [3.0, 2.5], [4.0, 0.5]]
KNOTS = [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0]


def point_on_curve(points, u):
    """The curve of the documentation's first steps."""
    curve = BSpline.Curve()
    curve.degree = 2
    curve.ctrlpts = points
    curve.knotvector = KNOTS
    return curve.evaluate_single(u)


def point_on_rational_curve(points, u):
    curve = NURBS.Curve()
    curve.degree = 2
    curve.ctrlptsw = points
    curve.knotvector = KNOTS
    return curve.evaluate_single(u)


def slopes_of_curve(points, u):
    curve = BSpline.Curve()
    curve.degree = 2
    curve.ctrlpts = points
    curve.knotvector = KNOTS
    return curve.derivatives(u, order=1)


linalg.vector_cross([1.0, 2.0, 0.5], [0.3, -1.0, 2.0])
linalg.vector_dot([1.0, 2.0, 0.5], [0.3, -1.0, 2.0])
linalg.vector_normalize([1.0, 2.0, 0.5])
linalg.vector_angle_between([1.0, 2.0, 0.5], [0.3, -1.0, 2.0], degrees=True)
linalg.point_distance([1.0, 2.0, 0.5], [0.3, -1.0, 2.0])
linalg.matrix_multiply([[1.0, 2.0], [0.5, 1.5]], [[0.3, -1.0], [2.0, 0.7]])
linalg.lu_solve([[4.0, 2.0], [0.5, 1.5]], [[0.3, -1.0], [2.0, 0.7]])
linalg.matrix_determinant([[4.0, 2.0], [0.5, 1.5]])
linalg.lu_decomposition([[4.0, 2.0], [0.5, 1.5]])
helpers.basis_function(2, KNOTS, 3, 0.6)
helpers.basis_function_one(2, KNOTS, 2, 0.6)
helpers.basis_function_ders(2, KNOTS, 3, 0.6, 2)
helpers.knot_insertion(2, KNOTS, POINTS, 0.3)  # not knotvector: where it jumps, the span does
helpers.degree_elevation(3, POINTS, num=1)
utilities.evaluate_bounding_box(POINTS)
fitting.compute_params_curve(POINTS, centripetal=True)
fitting.interpolate_curve(POINTS, 3).ctrlpts
point_on_curve(POINTS, 0.6)
point_on_rational_curve([[0.0, 0.0, 1.0], [1.0, 2.0, 1.2], [3.0, 2.5, 0.8], [4.0, 0.5, 1.0]], 0.6)
slopes_of_curve(POINTS, 0.6)
