"""pymap3d (BSD): coordinate conversions; scalars and arrays through one code path, ellipsoids as objects."""

import numpy as np
import pymap3d as pm
import pymap3d.haversine
import pymap3d.los
import pymap3d.lox
import pymap3d.rcurve
import pymap3d.rsphere
import pymap3d.spherical
import pymap3d.vincenty

pm.geodetic2ecef(42.0, -82.0, 200.0)
pm.geodetic2ecef(np.array([42.0, 40.0]), np.array([-82.0, -80.0]), np.array([200.0, 100.0]))
pm.ecef2geodetic(660675.2518247, -4700948.68316, 4245737.66222)
pm.ecef2enu(660930.2, -4701424.0, 4246579.6, 42.0, -82.0, 200.0)
pm.ecef2enuv(0.1, 0.2, 0.3, 42.0, -82.0)
pm.enu2ecef(186.277521, 286.84222, 939.69262, 42.0, -82.0, 200.0)
pm.enu2uvw(186.277521, 286.84222, 939.69262, 42.0, -82.0)
pm.uvw2enu(1.0, 2.0, 3.0, 42.0, -82.0)
pm.ecef2aer(660930.2, -4701424.0, 4246579.6, 42.0, -82.0, 200.0)  # step 0.1
pm.aer2ecef(33.0, 70.0, 1000.0, 42.0, -82.0, 200.0)
pm.geodetic2aer(42.002582, -81.997752, 1139.7, 42.0, -82.0, 200.0)  # step 0.1
pm.aer2geodetic(33.0, 70.0, 1000.0, 42.0, -82.0, 200.0)  # step 10
pm.enu2aer(186.277521, 286.84222, 939.69262)
pm.aer2enu(33.0, 70.0, 1000.0)
pm.enu2geodetic(186.277521, 286.84222, 939.69262, 42.0, -82.0, 200.0)  # step 1e4
pm.geodetic2enu(42.002582, -81.997752, 1139.7, 42.0, -82.0, 200.0)
pm.aer2ned(33.0, 70.0, 1000.0)
pm.ned2aer(286.84222, 186.277521, -939.69262)
pm.ned2geodetic(286.84222, 186.277521, -939.69262, 42.0, -82.0, 200.0)  # step 1e4
pm.geodetic2ned(42.002582, -81.997752, 1139.7, 42.0, -82.0, 200.0)
pm.geodetic2geocentric(45.0, 0.0)  # step 1000
pm.geocentric2geodetic(45.0, 0.0)  # step 1000
pm.geodetic2isometric(45.0)
pm.isometric2geodetic(50.227465817)
pm.geodetic2conformal(45.0)
pm.conformal2geodetic(44.80768406)
pm.geodetic2rectifying(45.0)
pm.rectifying2geodetic(44.855682)
pm.geodetic2authalic(45.0)
pm.geodetic2parametric(45.0)
pm.haversine.anglesep(35.0, 23.0, 84.0, 20.0)
pm.haversine.anglesep_meeus(35.0, 23.0, 84.0, 20.0)
pm.vincenty.vdist(10.0, 20.0, 10.021137267, 20.0168471)
pm.vincenty.vreckon(10.0, 20.0, 3e3, 38.0)
pm.rcurve.meridian(45.0)
pm.rcurve.transverse(45.0)
pm.rcurve.geocentric_radius(45.0)
pm.rsphere.euler(42.0, 82.0, 44.0, 100.0)
pymap3d.los.lookAtSpheroid(42.0, -82.0, 200.0, 45.0, 30.0)  # step 300
pm.lox.loxodrome_inverse(40.0, -80.0, 65.0, -148.0)
pm.lox.loxodrome_direct(40.0, -80.0, 10000.0, 30.0)
pm.lox.meridian_arc(40.0, 42.0)
pm.lox.departure(20.0, 30.0, 40.0)
pm.spherical.geodetic2spherical(42.0, -82.0, 200.0)
pm.spherical.spherical2geodetic(41.8, -82.0, 6368000.0)
