"""astral (Apache): sun and moon; annotated scalar formulas, dataclasses, enumerations."""

from astral import SunDirection, refraction_at_zenith
from astral.julian import juliancentury_to_julianday, julianday_to_juliancentury
from astral.moon import interpolate, moon_position
from astral.sun import (
    adjust_to_horizon, eccentric_location_earth_orbit, eq_of_time, geom_mean_anomaly_sun, geom_mean_long_sun,
    hour_angle, mean_obliquity_of_ecliptic, obliquity_correction, sun_apparent_long, sun_declination,
    sun_eq_of_center, sun_rad_vector, sun_rt_ascension, sun_true_long, var_y,
)

geom_mean_long_sun(0.119)
geom_mean_anomaly_sun(0.119)
eccentric_location_earth_orbit(0.119)
sun_eq_of_center(0.119)
sun_true_long(0.119)
sun_rad_vector(0.119)
sun_apparent_long(0.119)
mean_obliquity_of_ecliptic(0.119)
obliquity_correction(0.119)
sun_rt_ascension(0.119)
sun_declination(0.119)
var_y(0.119)
eq_of_time(0.119)
hour_angle(51.5, 14.0, 90.833, SunDirection.RISING)
adjust_to_horizon(300.0)
refraction_at_zenith(80.0)
julianday_to_juliancentury(2459000.5)
juliancentury_to_julianday(0.119)
interpolate(0.1, 0.3, 0.9, 0.4)
moon_position(7000.5).right_ascension
