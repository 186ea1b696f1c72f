"""sgp4 (MIT), its Python implementation: satellite orbits; long scalar code that writes to an object."""

from sgp4.ext import jday, newtonnu, rv2coe
from sgp4.model import Satrec
from sgp4.propagation import gstime

LINE1 = "1 25544U 98067A   19343.69339541  .00001764  00000-0  38792-4 0  9991"
LINE2 = "2 25544  51.6439 211.2001 0007417  17.6667  85.6398 15.50103472202482"
satellite = Satrec.twoline2rv(LINE1, LINE2)

gstime(2458826.5)  # step 10
newtonnu(0.1, 0.5)
rv2coe([6524.834, 6862.875, 6448.296], [4.901327, 5.533756, -1.976341], 398600.4418)
jday(2019, 12, 9, 12, 0, 30.5)  # step 1e4
satellite.sgp4_tsince(360.0)
satellite.sgp4(2458827.0, 0.362605)
