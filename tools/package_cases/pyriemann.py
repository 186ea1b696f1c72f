"""pyriemann (BSD): geometry of positive definite matrices; stacks of matrices, tables of functions, fixed points."""

import numpy as np
from pyriemann.geometry.base import ddlogm, expm, invsqrtm, logm, powm, sqrtm
from pyriemann.geometry.covariance import covariance_sch, covariance_scm, covariances, normalize
from pyriemann.geometry.distance import (
    distance, distance_euclid, distance_kullback, distance_logdet, distance_logeuclid, distance_riemann,
    distance_wasserstein,
)
from pyriemann.geometry.geodesic import geodesic, geodesic_riemann
from pyriemann.geometry.kernel import kernel_logeuclid
from pyriemann.geometry.mean import gmean, mean_euclid, mean_harmonic, mean_logeuclid, mean_riemann
from pyriemann.geometry.tangentspace import log_map_riemann, tangent_space

A = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.0]])
B = np.array([[1.2, -0.1, 0.3], [-0.1, 2.5, 0.2], [0.3, 0.2, 1.7]])
STACK = np.stack([A, B, 0.5 * (A + B) + np.diag([0.1, 0.4, 0.2])])
SIGNAL = np.random.default_rng(0).normal(size=(3, 20))

expm(A)
logm(A)
sqrtm(A)
invsqrtm(A)
powm(A, 0.3)
ddlogm(B, A)
covariance_scm(SIGNAL)
covariance_sch(SIGNAL)
covariances(SIGNAL[None], estimator="scm")
normalize(STACK, "trace")
distance_euclid(A, B)
distance_kullback(A, B)
distance_logdet(A, B)
distance_logeuclid(A, B)
distance_riemann(A, B)
distance_wasserstein(A, B)
distance(A, B, metric="riemann")
geodesic_riemann(A, B, 0.4)
geodesic(A, B, 0.4, metric="logeuclid")
kernel_logeuclid(STACK, Cref=A)
mean_euclid(STACK)
mean_harmonic(STACK)
mean_logeuclid(STACK)
mean_riemann(STACK)  # accuracy 1e-5
gmean(STACK, metric="euclid")
log_map_riemann(STACK, A)
tangent_space(STACK, A, metric="riemann")
