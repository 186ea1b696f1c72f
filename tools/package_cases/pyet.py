"""pyet (MIT): meteorology for evapotranspiration, on arrays; optional inputs decide which formula is meant."""

import numpy as np
import pandas as pd
from pyet import meteo_utils, rad_utils, utils

days = pd.date_range("2018-07-06", periods=3, freq="D")
j = np.array([187.0, 188.0, 189.0])
tmean = np.array([16.9, 20.1, 12.3])
tmax = np.array([21.5, 25.6, 16.2])
tmin = np.array([12.3, 14.4, 9.1])
rhmax = np.array([84.0, 71.0, 90.0])
rhmin = np.array([63.0, 52.0, 66.0])
rh = np.array([73.0, 62.0, 78.0])
wind = np.array([2.08, 1.4, 3.3])

meteo_utils.calc_psy(100.1)
meteo_utils.calc_psy(100.1, tmean)
meteo_utils.calc_vpc(tmean)
meteo_utils.calc_lambda(tmean)
meteo_utils.calc_press(1800.0)
meteo_utils.calc_rho(100.1, tmean, 1.4)
meteo_utils.calc_e0(tmean)
meteo_utils.calc_es(tmax=tmax, tmin=tmin)
meteo_utils.calc_es(tmean=tmean)
meteo_utils.calc_ea(tmax=tmax, tmin=tmin, rhmax=rhmax, rhmin=rhmin)
meteo_utils.calc_ea(tmean=tmean, rh=rh)
meteo_utils.solar_declination(j)  # step 1
meteo_utils.sunset_angle(np.array([0.3, 0.35]), 0.8)
meteo_utils.relative_distance(j)
meteo_utils.daylight_hours(days, 0.85)
meteo_utils.extraterrestrial_r(days, 0.85)
meteo_utils.calc_res_surf(lai=2.88)
meteo_utils.calc_res_surf(r_s=70.0)
meteo_utils.calc_laieff(lai=2.88)
meteo_utils.calc_res_aero(wind, croph=0.12, zw=2.0, zh=2.0, ra_method=1)
rad_utils.calc_rso(np.array([41.0, 40.5]), 100.0)
utils.deg_to_rad(48.0)
