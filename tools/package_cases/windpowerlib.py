"""windpowerlib (MIT): wind turbines; formulas over numbers and arrays."""

import numpy as np
from windpowerlib import density, power_output, temperature, wind_speed

density.barometric(101125.0, 0.0, 100.0, 267.0)
density.ideal_gas(101125.0, 0.0, 100.0, 267.0)
temperature.linear_gradient(np.array([267.0, 268.0]), 2.0, 100.0)
wind_speed.logarithmic_profile(np.array([5.0, 6.5]), 10.0, 100.0, 0.15)
wind_speed.hellman(np.array([5.0, 6.5]), 10.0, 100.0, 0.15)
power_output.power_coefficient_curve(
    np.array([5.5, 7.0]), np.array([4.0, 6.0, 8.0]), np.array([0.3, 0.4, 0.45]), 80.0, np.array([1.3, 1.29])
)
power_output.power_curve(np.array([5.5, 7.0]), np.array([4.0, 6.0, 8.0]), np.array([300.0, 400.0, 450.0]))
