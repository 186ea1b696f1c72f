"""pygeodesy (MIT): geodesy in pure Python; checked units as subclasses of float, named tuples, classes of ellipsoids."""

from pygeodesy import Ellipsoids, fmath, formy
from pygeodesy.ecef import EcefKarney, EcefVeness
from pygeodesy.ellipsoidalVincenty import LatLon as VincentyLatLon
from pygeodesy.sphericalTrigonometry import LatLon
from pygeodesy.utm import toUtm8

formy.haversine(52.2, 0.12, 48.86, 2.35)
formy.cosineLaw(52.2, 0.12, 48.86, 2.35)
formy.equirectangular(52.2, 0.12, 48.86, 2.35)
formy.euclidean(52.2, 0.12, 48.86, 2.35)
formy.vincentys(52.2, 0.12, 48.86, 2.35)
formy.thomas(52.2, 0.12, 48.86, 2.35)
formy.flatLocal(52.2, 0.12, 48.86, 2.35)
formy.bearing(52.2, 0.12, 48.86, 2.35)
formy.horizon(1000.0)
formy.angle2chord(12.5)
formy.excessGirard_(0.8, 0.9, 1.1)
fmath.fhorner(0.7, 1.0, 2.0, -0.5)
fmath.fpolynomial(0.7, 1.0, 2.0, -0.5)
fmath.hypot_(1.0, 2.0, 3.0)
fmath.favg(1.0, 4.0, 0.3)
fmath.norm2(3.0, 4.0)
Ellipsoids.WGS84.rocMeridional(45.0)
Ellipsoids.WGS84.rocPrimeVertical(45.0)
LatLon(52.2, 0.12).distanceTo(LatLon(48.86, 2.35))
LatLon(52.2, 0.12).initialBearingTo(LatLon(48.86, 2.35))
LatLon(52.2, 0.12).destination(10000.0, 120.0).lat
VincentyLatLon(52.2, 0.12).distanceTo(VincentyLatLon(48.86, 2.35))
EcefKarney(Ellipsoids.WGS84).forward(48.8, 2.3, 100.0).xyz
EcefVeness(Ellipsoids.WGS84).reverse(4200000.0, 170000.0, 4780000.0).lat
toUtm8(52.2, 0.12).easting
