"""colour-science (BSD): vectorised colour models over arrays whose last axis is the colour."""

import colour
import numpy as np
from colour.colorimetry import luminance_CIE1976, luminance_Newhall1943, planck_law
from colour.models import (
    Jab_to_JCh, RGB_to_CMY, XYZ_to_hdr_CIELab, XYZ_to_Hunter_Lab, XYZ_to_IPT, XYZ_to_Jzazbz, XYZ_to_Lab, XYZ_to_Luv,
    XYZ_to_Oklab, XYZ_to_ProLab, XYZ_to_UCS, XYZ_to_xy, XYZ_to_xyY, Lab_to_XYZ, Oklab_to_XYZ, xyY_to_XYZ,
)
from colour.models.rgb.transfer_functions import (
    eotf_BT1886, eotf_inverse_sRGB, eotf_sRGB, eotf_ST2084, gamma_function, log_decoding_Log3G10, log_encoding_SLog3,
    oetf_BT709,
)

XYZ = np.array([0.20654008, 0.12197225, 0.05136952])
RGB = np.array([0.45620519, 0.03081071, 0.04091952])
Lab = np.array([41.52787529, 52.63858304, 26.92317922])

colour.sRGB_to_XYZ(RGB)
colour.XYZ_to_sRGB(XYZ)
XYZ_to_Lab(XYZ)
Lab_to_XYZ(Lab)
XYZ_to_Luv(XYZ)
XYZ_to_xyY(XYZ)
xyY_to_XYZ(np.array([0.54369557, 0.32107944, 0.12197225]))
XYZ_to_xy(XYZ)
XYZ_to_UCS(XYZ)
XYZ_to_Hunter_Lab(XYZ * 100)
XYZ_to_hdr_CIELab(XYZ)
XYZ_to_IPT(XYZ)
XYZ_to_Jzazbz(XYZ)
XYZ_to_Oklab(XYZ)
Oklab_to_XYZ(np.array([0.51634019, 0.15469500, 0.06289579]))
XYZ_to_ProLab(XYZ)
Jab_to_JCh(Lab)
RGB_to_CMY(RGB)
colour.RGB_to_HSV(RGB)
colour.RGB_to_HSL(RGB)
colour.HSV_to_RGB(np.array([0.99603944, 0.93246304, 0.45620519]))
luminance_CIE1976(41.527875844653451)
luminance_Newhall1943(4.08244375)
colour.lightness(12.19722535)
eotf_sRGB(0.461356129500442)
eotf_inverse_sRGB(0.18)
eotf_BT1886(0.409007728864150)
eotf_ST2084(0.508078421517399)
oetf_BT709(0.18)
gamma_function(0.18, 2.2)
log_encoding_SLog3(0.18)
log_decoding_Log3G10(0.333333)
colour.delta_E(Lab, np.array([40.0, 50.0, 30.0]), method="CIE 1976")
colour.delta_E(Lab, np.array([40.0, 50.0, 30.0]), method="CIE 1994")
colour.delta_E(Lab, np.array([40.0, 50.0, 30.0]), method="CIE 2000")
colour.temperature.xy_to_CCT_McCamy1992(np.array([0.31270, 0.32900]))
colour.temperature.xy_to_CCT_Hernandez1999(np.array([0.31270, 0.32900]))
colour.temperature.CCT_to_xy_CIE_D(6504.38938305)
colour.temperature.CCT_to_xy_Kang2002(6504.38938305)
planck_law(500e-9, 5500.0)
colour.adaptation.chromatic_adaptation_VonKries(
    XYZ, np.array([0.95045593, 1.0, 1.08905775]), np.array([0.96429568, 1.0, 0.82510460])
)
colour.algebra.cartesian_to_spherical(np.array([3.0, 1.0, 6.0]))
colour.algebra.spherical_to_cartesian(np.array([6.78232998, 0.48504979, 0.32175055]))
colour.algebra.lerp(0.1, 0.6, 0.5)
colour.algebra.smoothstep_function(0.3)
colour.phenomena.rayleigh_optical_depth(0.555)
colour.contrast.optical_MTF_Barten1999(4.0, 0.01)
