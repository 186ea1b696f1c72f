"""pythermalcomfort (MIT): thermal comfort; keyword calls, checks, results as dataclasses."""

from pythermalcomfort.models import at, discomfort_index, esi, humidex, net, wbgt, wci
from pythermalcomfort.utilities import (
    body_surface_area, enthalpy_air, dew_point_tmp, mean_radiant_tmp, operative_tmp, p_sat, v_relative,
    wet_bulb_tmp,
)

at(tdb=25.0, rh=30.0, v=0.1).at
discomfort_index(tdb=25.0, rh=50.0).di
esi(tdb=30.2, rh=42.2, sol_radiation_global=766.0).esi
humidex(tdb=25.0, rh=50.0).humidex
net(tdb=37.0, rh=100.0, v=0.1).net
wbgt(twb=25.0, tg=32.0).wbgt
wci(tdb=-5.0, v=5.5).wci
body_surface_area(weight=80.0, height=1.8)
p_sat(25.0)
dew_point_tmp(31.6, 59.6)
wet_bulb_tmp(tdb=25.0, rh=50.0)
enthalpy_air(25.0, 0.01)
mean_radiant_tmp(tg=53.2, tdb=30.0, v=0.3, d=0.1, emissivity=0.95)
operative_tmp(25.0, 28.0, 0.2)
v_relative(0.2, 1.4)
