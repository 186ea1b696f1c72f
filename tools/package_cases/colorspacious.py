"""colorspacious (MIT): colour appearance; arrays of colours, spaces as objects and as names, a graph of conversions."""

import numpy as np
from colorspacious import CAM02UCS, CIECAM02Space, cspace_convert, deltaE
from colorspacious.basics import (
    C_linear, C_srgb, CIELab_to_CIELCh, CIELab_to_XYZ100, CIELCh_to_CIELab, XYZ100_to_CIELab, XYZ100_to_sRGB1_linear,
    XYZ_to_xyY, xyY_to_XYZ,
)

RGB = np.array([0.3, 0.5, 0.7])
XYZ = np.array([19.31, 23.93, 10.14])
WHITE = np.array([95.047, 100.0, 108.883])
LAB = np.array([56.0, -20.0, 30.0])

C_linear(RGB)
C_srgb(RGB)
XYZ100_to_sRGB1_linear(XYZ)
XYZ_to_xyY(XYZ)
xyY_to_XYZ(np.array([0.3, 0.4, 50.0]))
XYZ100_to_CIELab(XYZ, WHITE)
CIELab_to_XYZ100(LAB, WHITE)
CIELab_to_CIELCh(LAB)
CIELCh_to_CIELab(np.array([56.0, 36.0, 124.0]))
CIECAM02Space.sRGB.XYZ100_to_CIECAM02(XYZ).J
CIECAM02Space.sRGB.CIECAM02_to_XYZ100(J=45.0, C=20.0, h=140.0)
CAM02UCS.JMh_to_Jpapbp(np.array([50.0, 20.0, 10.0]))
CAM02UCS.Jpapbp_to_JMh(np.array([50.0, 20.0, 10.0]))
cspace_convert(RGB, "sRGB1", "CIELab")
cspace_convert(RGB, "sRGB1", "XYZ100")
cspace_convert(RGB, "sRGB1", "CAM02-UCS")
deltaE([0.3, 0.5, 0.7], [0.35, 0.45, 0.6], input_space="sRGB1")
