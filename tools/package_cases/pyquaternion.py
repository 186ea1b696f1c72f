"""pyquaternion (MIT): a class with operator methods, keyword constructors and read-only properties."""

import numpy as np
from pyquaternion import Quaternion

v = np.array([1.0, 2.0, 3.0])

Quaternion(0.9, 0.2, 0.4, 0.4).norm
Quaternion(0.9, 0.2, 0.4, 0.4).rotate(v)
Quaternion(0.9, 0.2, 0.4, 0.4).rotation_matrix
Quaternion(0.9, 0.2, 0.4, 0.4).yaw_pitch_roll
Quaternion(0.9, 0.2, 0.4, 0.4).inverse.elements
Quaternion(axis=[1.0, 0.2, 0.1], angle=0.7).elements
