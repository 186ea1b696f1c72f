"""ambiance (Apache): the standard atmosphere; a class of properties over arrays, layers looked up by index."""

import numpy as np
from ambiance import Atmosphere

HEIGHTS = np.array([1000.0, 12500.0, 25000.0, 40000.0])

Atmosphere(9500.0).temperature
Atmosphere(HEIGHTS).temperature
Atmosphere(HEIGHTS).temperature_in_celsius
Atmosphere(HEIGHTS).pressure
Atmosphere(HEIGHTS).density
Atmosphere(HEIGHTS).grav_accel
Atmosphere(HEIGHTS).specific_weight
Atmosphere(HEIGHTS).pressure_scale_height
Atmosphere(HEIGHTS).number_density
Atmosphere(HEIGHTS).mean_particle_speed
Atmosphere(HEIGHTS).mean_free_path
Atmosphere(HEIGHTS).collision_frequency
Atmosphere(HEIGHTS).speed_of_sound
Atmosphere(HEIGHTS).dynamic_viscosity
Atmosphere(HEIGHTS).kinematic_viscosity
Atmosphere(HEIGHTS).thermal_conductivity
Atmosphere.geom2geop_height(HEIGHTS)
Atmosphere.T2t(280.0)
Atmosphere.from_pressure(np.array([54000.0])).h  # accuracy 1e-5
