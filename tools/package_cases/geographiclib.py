"""geographiclib (MIT): geodesics to round-off; classes, static helpers, series held in lists."""

from geographiclib.accumulator import Accumulator
from geographiclib.geodesic import Geodesic
from geographiclib.geomath import Math

Math.norm(3.0, 4.0)
Math.AngDiff(10.0, 170.5)
Math.AngNormalize(350.0)
Math.sincosd(30.0)
Math.atan2d(0.5, 0.8)
Math.polyval(2, [1.0, 2.0, 3.0], 0, 0.5)
Geodesic.WGS84.Inverse(-41.32, 174.81, 40.96, -5.50)["s12"]
Geodesic.WGS84.Direct(40.6, -73.8, 45.0, 1000000.0)["lat2"]
Geodesic.WGS84.ArcDirect(40.6, -73.8, 45.0, 9.0)["lon2"]
Geodesic.WGS84.Line(40.6, -73.8, 45.0).Position(1000000.0)["lat2"]
Accumulator(1.5).Sum(0.25)
