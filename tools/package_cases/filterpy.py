"""filterpy (MIT): Kalman filters; functions over matrices, filters as objects that are written to."""

import numpy as np
from filterpy.common import Q_discrete_white_noise
from filterpy.discrete_bayes import normalize, update
from filterpy.gh import GHFilter, GHKFilter, least_squares_parameters, optimal_noise_smoothing
from filterpy.kalman import (
    KalmanFilter, MerweScaledSigmaPoints, UnscentedKalmanFilter,
    unscented_transform,
)
from filterpy.kalman.kalman_filter import predict as kalman_predict
from filterpy.kalman.kalman_filter import update as kalman_update
from filterpy.leastsq import LeastSquaresFilter
from filterpy.memory import FadingMemoryFilter
from filterpy.stats import covariance_ellipse, gaussian, log_likelihood, mahalanobis, mul, multivariate_multiply
from filterpy.stats import add as add_gaussians


def kalman_filter(zs, dt, r):
    """The constant velocity filter of the class's docstring."""
    f = KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([[2.0], [0.0]])
    f.F = np.array([[1.0, dt], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P *= 1000.0
    f.R = np.array([[r]])
    f.Q = np.array([[0.02, 0.1], [0.1, 0.5]])
    for z in zs:
        f.predict()
        f.update(z)
    return f.x


def unscented_filter(z, std):
    """The filter of UnscentedKalmanFilter's docstring, one measurement."""

    def fx(x, dt):
        F = np.array([[1, dt, 0, 0], [0, 1, 0, 0], [0, 0, 1, dt], [0, 0, 0, 1]], dtype=float)
        return np.dot(F, x)

    def hx(x):
        return np.array([x[0], x[2]])

    points = MerweScaledSigmaPoints(4, alpha=0.1, beta=2.0, kappa=-1)
    kf = UnscentedKalmanFilter(dim_x=4, dim_z=2, dt=0.1, fx=fx, hx=hx, points=points)
    kf.x = np.array([-1.0, 1.0, -1.0, 1.0])
    kf.P *= 0.2
    kf.R = np.diag([std**2, std**2])
    kf.Q = np.eye(4) * 0.01
    kf.predict()
    kf.update(z)
    return kf.x


def fading_memory(x0, dt, beta, z):
    """update() returns nothing."""
    f = FadingMemoryFilter(x0, dt, 1, beta)
    f.update(z)
    return f.x


x = np.array([0.5, 1.0])
P = np.array([[2.0, 0.3], [0.3, 1.0]])
F = np.array([[1.0, 0.1], [0.0, 1.0]])
H = np.array([[1.0, 0.0]])

kalman_filter(np.array([1.0, 2.1, 2.9]), 0.1, 5.0)
unscented_filter(np.array([0.1, 0.2]), 0.3)
kalman_predict(x, P, F, 0.01)
kalman_update(x, P, np.array([0.7]), np.array([[0.2]]), H)
GHFilter(x=0.0, dx=0.0, dt=1.0, g=0.8, h=0.2).update(z=1.2)
GHKFilter(x=0.0, dx=0.0, ddx=0.0, dt=1.0, g=0.8, h=0.2, k=0.1).update(z=1.2)
optimal_noise_smoothing(0.4)
least_squares_parameters(3)
LeastSquaresFilter(dt=0.1, order=1, noise_sigma=2.3).update(0.5)
fading_memory(np.array([0.1, 0.2]), 1.0, 0.5, 1.2)
unscented_transform(
    np.array([[0.5, 1.0], [0.8, 1.1], [0.1, 0.7]]), np.array([0.4, 0.3, 0.3]), np.array([0.5, 0.25, 0.25]), 0.1 * P
)
MerweScaledSigmaPoints(2, alpha=0.1, beta=2.0, kappa=1.0).sigma_points(x, P)
gaussian(8.0, 1.0, 2.0)
mul(10.0, 1.0, 11.0, 2.0)
add_gaussians(10.0, 1.0, 11.0, 2.0)
mahalanobis(x, np.array([0.2, 0.8]), P)
multivariate_multiply(x, P, np.array([0.2, 0.8]), np.eye(2))
log_likelihood(np.array([0.7]), x, P, H, np.array([[0.2]]))
covariance_ellipse(P)
normalize(np.array([0.2, 0.5, 0.9]))
update(np.array([0.2, 0.5, 0.9]), np.array([0.3, 0.3, 0.4]))
Q_discrete_white_noise(dim=2, dt=0.1, var=1.0)
