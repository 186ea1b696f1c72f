"""quantecon (MIT): economics; linear systems, filters, quadrature."""

import numpy as np
import quantecon as qe
from quantecon import LQ, Kalman, LinearStateSpace
from quantecon._quadsums import m_quadratic_sum, var_quadratic_sum
from quantecon.quad import qnwsimp, qnwtrap

A = np.array([[0.9, 0.1], [0.0, 0.8]])
C = np.array([[0.3], [0.2]])
G = np.array([[1.0, 0.5]])


def kalman_step(A, C, G, y):
    """The prior of Kalman's docstring, one measurement."""
    kalman = Kalman(LinearStateSpace(A, C, G, np.array([[0.4]])), np.array([0.1, 0.2]), np.eye(2))
    kalman.update(y)
    return kalman.x_hat


def lq_values(Q, R, A, B):
    lq = LQ(Q, R, A, B, T=3, Rf=np.eye(2))
    lq.update_values()
    return lq.P


kalman_step(A, C, G, np.array([0.7]))
lq_values(np.array([[1.0]]), np.eye(2), A, np.array([[0.0], [1.0]]))
m_quadratic_sum(0.5 * A, np.eye(2))
var_quadratic_sum(A, C, np.eye(2), 0.9, np.array([1.0, 2.0]))
qe.solve_discrete_lyapunov(0.5 * A, np.eye(2))
qnwsimp(5, 0.0, 2.0)  # not n: how many nodes
qnwtrap(5, 0.0, 2.0)  # not n: how many nodes
qe.ECDF(np.array([0.1, 0.4, 0.9]))(0.5)
