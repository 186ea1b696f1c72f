"""transforms3d (BSD): rotations, zooms, shears; small matrices built entry by entry."""

import numpy as np
from transforms3d import taitbryan
from transforms3d.affines import compose, decompose44
from transforms3d.axangles import axangle2aff, axangle2mat, mat2axangle
from transforms3d.euler import (
    axangle2euler, euler2axangle, euler2mat, euler2quat, mat2euler, quat2euler,
)
from transforms3d.quaternions import (
    axangle2quat, fillpositive, mat2quat, qconjugate, qexp, qinverse, qlog, qmult, qnorm, qpow, quat2axangle, quat2mat,
    rotate_vector,
)
from transforms3d.reflections import rfnorm2mat
from transforms3d.shears import inverse_outer, sadn2mat, striu2mat
from transforms3d.utils import normalized_vector, vector_norm
from transforms3d.zooms import zfdir2mat

q = np.array([0.8, 0.2, 0.4, 0.4])
p = np.array([0.603297, 0.749259, 0.176548, 0.20850])
R = np.array([[0.8660254, -0.5, 0.0], [0.4330127, 0.75, -0.5], [0.25, 0.4330127, 0.8660254]])

fillpositive(np.array([0.2, 0.3, 0.4]))
quat2mat(q)
mat2quat(R)
qmult(q, p)
qconjugate(q)
qnorm(q)
qinverse(q)
qexp(q)
qlog(q)
qpow(q, 2.0)
rotate_vector(np.array([1.0, 2.0, 3.0]), q)
axangle2quat([1.0, 0.5, 0.2], 0.7)
quat2axangle([0.8, 0.2, 0.4, 0.4])
euler2mat(1.0, 2.0, 3.0, "syxz")
euler2mat(0.1, 0.2, 0.3)
mat2euler(R, "syxz")
euler2quat(1.0, 2.0, 3.0, "ryxz")
quat2euler([0.99810947, 0.06146124, 0.1, 0.2])
euler2axangle(0.2, 1.5, 0.1, "szyx")
axangle2euler([1.0, 0.2, 0.3], 0.4)
axangle2mat([1.0, 0.2, 0.3], 0.4)
axangle2aff([1.0, 0.2, 0.3], 0.4, [0.1, 0.2, 0.3])
mat2axangle(R)
compose([20.0, 30.0, 40.0], R, [2.0, 3.0, 4.0])
decompose44(compose([20.0, 30.0, 40.0], R, [2.0, 3.0, 4.0]))
rfnorm2mat([0.3, 0.2, 0.5])
striu2mat([0.1, 0.2, 0.3])
sadn2mat(0.5, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
inverse_outer(striu2mat([0.1, 0.2, 0.3]))
normalized_vector([1.0, 2.0, 3.0])
vector_norm([1.0, 2.0, 3.0])
zfdir2mat(-1.234)
zfdir2mat(1.234, [1.0, 0.2, 0.3])
taitbryan.euler2mat(1.3, -0.1, 0.2)
taitbryan.euler2quat(1.3, -0.1, 0.2)
taitbryan.mat2euler(R)
