"""Products of vectors, matrices and stacks of matrices."""

import operator

import numpy as np

from s2sad.rules import d, linear


@linear(operator.matmul, np.matmul, lazy=True)
def matmul(y, a, b):
    d[a] = matmul_left(d[y], a, b)
    d[b] = matmul_right(d[y], a, b)
