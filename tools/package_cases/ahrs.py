"""ahrs (MIT): attitude estimation; quaternions, frames, filters as classes."""

import numpy as np
from ahrs.common.frames import (
    aer2enu, dca2enu, ecef2enuv, ecef2geodetic, ecef2lla, eci2ecef, enu2aer, enu2dca, enu2ecef, geodetic2ecef, llf2ecef,
)
from ahrs.common.mathfuncs import cosd, skew
from ahrs.common.orientation import (
    acc2q, am2angles, axang2quat, chiaverini, dcm2quat, ecompass, q2euler, q2R, q2rpy, q_conj, q_correct, q_mult_L,
    q_norm, q_prod, q_rot, quat2axang, rpy2q, sarabandi, shepperd, slerp,
)
from ahrs.filters import AQUA, EKF, FAMC, FLAE, Madgwick, Mahony, QUEST, SAAM, Tilt
from ahrs.utils.metrics import angular_distance, chordal, euclidean, identity_deviation, qad, qcip, qdist, qeip, rmse
from ahrs.utils.wgs84 import international_gravity, welmec_gravity
from ahrs.utils.wmm import geodetic2spherical

q = np.array([0.603297, 0.749259, 0.176548, 0.20850])
p = np.array([0.8, 0.2, 0.4, 0.4])
q0 = q / np.linalg.norm(q)
p0 = p / np.linalg.norm(p)
R = np.array([[0.8660254, -0.5, 0.0], [0.4330127, 0.75, -0.5], [0.25, 0.4330127, 0.8660254]])
acc = np.array([0.3, -0.2, 9.7])
mag = np.array([21.0, 1.5, 42.0])
gyr = np.array([0.01, -0.02, 0.03])

q_conj(q)
q_norm(q)
q_prod(q, p)
q_mult_L(q)
q_rot(q0, acc)
q_correct(np.array([q0, p0, -q0]))
axang2quat([1.0, 0.0, 0.0], 1.5707963)
quat2axang(q0)
q2R(q0)
q2euler(q0)
q2rpy(q0)
rpy2q(np.array([0.1, 0.2, 0.3]))
dcm2quat(R)
chiaverini(R)
sarabandi(R)
shepperd(R)
ecompass(acc, mag)
acc2q(acc)
am2angles(acc, mag)
slerp(q0, p0, np.array([0.2, 0.5]))
cosd(30.0)
skew(np.array([1.0, 2.0, 3.0]))
geodetic2ecef(48.0, 11.0, 500.0)
ecef2geodetic(4201000.0, 172460.0, 4780100.0)
ecef2lla(4201000.0, 172460.0, 4780100.0)
llf2ecef(0.6, 0.2)
eci2ecef(7.292e-5, 100.0)  # step 1
ecef2enuv(660930.2, -4701424.2, 4246579.6, 660900.0, -4701400.0, 4246500.0, 42.0, -82.0)
enu2ecef(186.0, 286.0, 939.0, 42.0, -82.0, 200.0)
aer2enu(33.0, 70.0, 1000.0)
enu2aer(186.0, 286.0, 939.0)
enu2dca(186.0, 286.0, 939.0, 33.0)
dca2enu(186.0, 286.0, 939.0, 33.0)
geodetic2spherical(0.7, 0.2, 0.5)
international_gravity(10.0)
welmec_gravity(52.3, 80.0)
euclidean(acc, mag)
chordal(R, np.eye(3))
identity_deviation(R, np.eye(3))
angular_distance(R, np.eye(3))
qdist(q0, p0)
qeip(q0, p0)
qcip(q0, p0)
qad(q0, p0)
rmse(acc, mag)
Madgwick().updateIMU(q0, gyr, acc)
Madgwick().updateMARG(q0, gyr, acc, mag)
Mahony().updateIMU(q0, gyr, acc)
Mahony().updateMARG(q0, gyr, acc, mag)
AQUA().estimate(acc, mag)
EKF(magnetic_ref=60.0).update(q0, gyr, acc)
Tilt().estimate(acc, mag)
SAAM().estimate(acc, mag)
FAMC().estimate(acc, mag)
FLAE(magnetic_dip=64.0).estimate(acc, mag)
QUEST(magnetic_dip=64.0).estimate(acc, mag)
