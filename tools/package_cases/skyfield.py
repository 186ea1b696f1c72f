"""skyfield (MIT): astronomy; einsum-like array code, rotations, Kepler orbits."""

import numpy as np
from skyfield.earthlib import earth_rotation_angle, refract, refraction, reverse_terra, terra
from skyfield.functions import (
    angle_between, dots, from_spherical, length_of, mxm, mxv, rot_x, rot_y, rot_z, to_spherical,
)
from skyfield.geometry import intersect_line_and_sphere, line_and_ellipsoid_intersection
from skyfield.keplerlib import eccentric_anomaly, ele_to_vec, propagate, stumpff, true_anomaly_closed
from skyfield.magnitudelib import _mars_magnitude, _mercury_magnitude, _venus_magnitude
from skyfield.nutationlib import build_nutation_matrix, fundamental_arguments, mean_obliquity
from skyfield.precessionlib import compute_precession
from skyfield.relativity import add_aberration, light_time_difference

v = np.array([0.4, -0.2, 0.9])
u = np.array([1.1, 0.3, -0.5])
M = np.array([[0.8660254, -0.5, 0.0], [0.4330127, 0.75, -0.5], [0.25, 0.4330127, 0.8660254]])

dots(v, u)
length_of(v)
angle_between(u, v)
to_spherical(v)
from_spherical(2.0, 0.3, 0.7)
mxv(M, v)
mxm(M, M)
rot_x(0.3)
rot_y(0.3)
rot_z(0.3)
terra(0.7, 0.2, 0.0001, 5.0)
reverse_terra(np.array([2e-5, 1e-5, 3.5e-5]), 5.0)
refraction(20.0, 10.0, 1010.0)
refract(20.0, 10.0, 1010.0)
earth_rotation_angle(2451545.25)
intersect_line_and_sphere(np.array([1.0, 0.1, 0.2]), np.array([2.0, 0.2, 0.3]), 0.5)
line_and_ellipsoid_intersection(
    np.array([4.0, 0.1, 0.2]), np.array([-1.0, 0.01, 0.02]), np.array([1.0, 1.0, 0.9])
)
eccentric_anomaly(0.3, 1.2)
true_anomaly_closed(0.3, 1.2)
ele_to_vec(7000.0, 0.1, 0.5, 0.4, 0.3, 0.2, 398600.4418)
stumpff(np.array([0.5, -0.4, 2.0]))
propagate(np.array([7000.0, 100.0, 20.0]), np.array([0.1, 7.4, 1.0]), 0.0, np.array([600.0]), 398600.4418)
mean_obliquity(2459000.5)
fundamental_arguments(0.2)
build_nutation_matrix(0.4090926, 0.4090629, -6.8e-5)
compute_precession(2459000.5)


def aberrated(position, velocity, light_time):
    apparent = position.copy()
    add_aberration(apparent, velocity, light_time)  # changes it in place
    return apparent


aberrated(u, 0.01 * v, 0.005)
light_time_difference(u, v)
_mars_magnitude(1.5, 1.2, 20.0)
_mercury_magnitude(0.4, 0.9, 60.0)
_venus_magnitude(0.72, 0.5, 60.0)
