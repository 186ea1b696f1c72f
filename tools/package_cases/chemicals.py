"""chemicals (MIT): properties of substances and mixtures; lists of floats, polynomials, iterations."""

from chemicals.acentric import LK_omega, omega_definition
from chemicals.air import lemmon2000_air_Ar, lemmon2000_P
from chemicals.combustion import HHV_modified_Dulong, LHV_from_HHV
from chemicals.critical import Chueh_Prausnitz_Tc, Hekayati_Raeissi, modified_Wilson_Vc
from chemicals.dippr import EQ100, EQ101, EQ102, EQ104, EQ105, EQ106, EQ107, EQ114, EQ116, EQ127
from chemicals.flash_basic import PR_water_K_value, Wilson_K_value, flash_wilson
from chemicals.heat_capacity import (
    Cpg_statistical_mechanics, Lastovka_Shaw, Poling_integral, Rowlinson_Bondi, TRCCp, TRCCp_integral,
    Zabransky_quasi_polynomial,
)
from chemicals.iapws import (
    iapws92_rhol_sat, iapws95_Ar, iapws95_dAr_ddelta, iapws97_G0_region5, iapws97_G_region1, iapws97_rho,
)
from chemicals.interface import Brock_Bird, Jasper, REFPROP_sigma, Weinaug_Katz, Winterfeld_Scriven_Davis, sigma_IAPWS
from chemicals.permittivity import permittivity_CRC, permittivity_IAPWS
from chemicals.phase_change import Chen, Pitzer, Riedel, Watson
from chemicals.rachford_rice import (
    Rachford_Rice_flash_error, Rachford_Rice_polynomial, Rachford_Rice_solution_LN2, flash_inner_loop,
)
from chemicals.refractivity import RI_IAPWS, TDE_RIXExpansion, brix_to_RI, polarizability_from_RI
from chemicals.solubility import Henry_converter, Henry_pressure, solubility_eutectic
from chemicals.thermal_conductivity import Chung_dense, DIPPR9G, DIPPR9H, Lindsay_Bromley, k_IAPWS
from chemicals.utils import (
    API_to_SG, Parachor, SG_to_API, Vfs_to_zs, Watson_K, mixing_logarithmic, mixing_power, mixing_simple, normalize,
    speed_of_sound, zs_to_ws,
)
from chemicals.vapor_pressure import (
    Ambrose_Walton, Antoine, Lee_Kesler, Psat_IAPWS, Sanjari, TDE_PVExpansion, Wagner, Wagner_original, Yaws_Psat, dAntoine_dT,
)
from chemicals.virial import (
    BVirial_Pitzer_Curl, BVirial_Tsonopoulos_extended, BVirial_mixture, CVirial_Orbey_Vera,
    CVirial_mixture_Orentlicher_Prausnitz, Z_from_virial_density_form,
)
from chemicals.viscosity import (
    Brokaw, Herning_Zipperer, Lucas, Lucas_gas, Twu_1985, Viswanath_Natarajan_3, Wilke, Yoon_Thodos, mu_IAPWS,
    viscosity_index,
)
from chemicals.volume import (
    COSTALD, COSTALD_mixture_compressed, Goodman, Rackett, Rackett_mixture, SNM0, Tait_molar, Yen_Woods_saturation,
)

omega_definition(999542, 22048320.0)
LK_omega(425.6, 631.1, 32.1e5)
lemmon2000_air_Ar(132.6312 / 200.0, 13000 / 10447.7)
lemmon2000_P(330.0, 295.5)
HHV_modified_Dulong({"C": 0.716, "H": 0.054, "S": 0.016, "N": 0.016, "O": 0.093, "Ash": 0.105})
LHV_from_HHV(-726024.0, 2)
Chueh_Prausnitz_Tc(
    [0.6449, 0.2359, 0.1192], [425.12, 469.7, 507.6], [0.000255, 0.000313, 0.000371],
    [[0.0, 1.92681, 6.80358], [1.92681, 0.0, 1.89312], [6.80358, 1.89312, 0.0]],
)
Hekayati_Raeissi(MW=92.13842, V_sat=0.00010686, Pc=4108000.0)
modified_Wilson_Vc([0.4271, 0.5729], [0.000273, 0.000256], [[0.0, 0.6671250], [1.3939900, 0.0]])
EQ100(300, 276370.0, -2090.1, 8.125, -0.014116, 0.0000093701)
EQ101(300, 73.649, -7258.2, -7.3037, 4.1653e-6, 2)
EQ102(300, 1.7096e-8, 1.1146, 0, 0)
EQ104(300, 0.02222, -26.38, -16750000, -3.894e19, 3.133e21)
EQ105(300.0, 0.70824, 0.26411, 507.6, 0.27537)
EQ106(300, 647.096, 0.17766, 2.567, -3.3377, 1.9699)
EQ107(300.0, 33363.0, 26790.0, 2610.5, 8896.0, 1169.0)
EQ114(20, 33.19, 66.653, 6765.9, -123.63, 478.27)
EQ116(300.0, 647.096, 17.863, 58.606, -95.396, 213.89, -141.26)
EQ127(20.0, 3.3258e4, 3.6199e4, 1.2057e3, 1.5373e7, 3.2122e3, -1.5318e7, 3.2122e3)
Wilson_K_value(270.0, 7600000.0, 305.4, 4880000.0, 0.098)
PR_water_K_value(300, 1e5, 568.7, 2490000.0)
flash_wilson(
    zs=[0.5, 0.5], Tcs=[305.322, 540.13], Pcs=[4872200.0, 2736000.0], omegas=[0.099, 0.349], T=300.0, P=1e5
)
Poling_integral(T=300.0, a=4.568, b=-0.008975, c=3.631e-05, d=-3.407e-08, e=1.091e-11)
TRCCp(300, 4.0, 7.65e5, 720.0, 3.565, -0.052, -1.55e6, 52.0, 201.0)
TRCCp_integral(298.15, 4.0, 7.65e5, 720.0, 3.565, -0.052, -1.55e6, 52.0, 201.0, 1.2)
Lastovka_Shaw(1000.0, 0.22491)
Rowlinson_Bondi(T=373.28, Tc=535.55, omega=0.323, Cpgm=119.342)
Zabransky_quasi_polynomial(330, 591.79, -3.12743, 0.0857315, 13.7282, 1.28971, 6.42297, 4.10989)
Cpg_statistical_mechanics(300.0, [1360.0, 2330.0, 2330.0, 4800.0, 4880.0, 4880.0])
iapws95_Ar(647.096 / 300.0, 999.0 / 322)
iapws95_dAr_ddelta(647.096 / 300.0, 999.0 / 322)
iapws97_G_region1(1386 / 277.15, 101325 / 16.53e6)
iapws97_G0_region5(1000.0 / 1500, 101325 / 1e6)
iapws97_rho(648.6, 22.5e6)
iapws92_rhol_sat(300.0)
sigma_IAPWS(300.0)
REFPROP_sigma(298.15, 647.096, -0.1306, 2.471, 0.2151, 1.233)
Jasper(298.15, 24, 0.0773)
Brock_Bird(293.15, 404.75, 633.0, 4530000.0)
Winterfeld_Scriven_Davis([0.1606, 0.8394], [0.01547, 0.02877], [8610.0, 15530.0])
Weinaug_Katz([5.1e-5, 7.2e-5], Vml=0.000125, Vmg=0.02011, xs=[0.4, 0.6], ys=[0.6, 0.4])
permittivity_CRC(450.0, 487, -1.5, 0.00129, 0.0)
permittivity_IAPWS(373.0, 958.46)
Riedel(388.4, 620.0, 56.3e5)
Chen(294.0, 466.0, 5.55e6)
Pitzer(452, 645.6, 0.35017)
Watson(T=320, Hvap_ref=43908, T_ref=300.0, Tc=647.14)
Rachford_Rice_polynomial(zs=[0.5, 0.3, 0.2], Ks=[1.685, 0.742, 0.532])
Rachford_Rice_flash_error(0.5, zs=[0.5, 0.3, 0.2], Ks=[1.685, 0.742, 0.532])
Rachford_Rice_solution_LN2(zs=[0.5, 0.3, 0.2], Ks=[1.685, 0.742, 0.532])
flash_inner_loop(zs=[0.5, 0.3, 0.2], Ks=[1.685, 0.742, 0.532])
RI_IAPWS(298.15, 997.047435)
TDE_RIXExpansion(
    330.0, Bs=[-0.000125041, 1.33245], Cs=[1.20771e-7, -3.56795e-5, 0.0], wavelength=589.26e-9 * 0.7
)
brix_to_RI(5.8)
polarizability_from_RI(1.3611, 5.8676e-5)
Henry_converter(1.2e-5, old_scale="Hcp", new_scale="SI", rhom=55344.59, MW=18.01528)
Henry_pressure(300.0, A=15.0, B=300.0, C=0.04, D=1e-3, E=1e2, F=1e-5)
solubility_eutectic(T=260.0, Tm=278.68, Hm=9952.0, Cpl=0, Cps=0, gamma=3.0176)
k_IAPWS(647.35, 750.0)
DIPPR9G(515.05, 3.92e7, 579.15, 3.212e6, 7.085e-2)
DIPPR9H([0.258, 0.742], [0.1692, 0.1528])
Lindsay_Bromley(
    323.15, [0.23, 0.77], [1.939e-2, 1.231e-2], [1.002e-5, 1.015e-5], [248.31, 248.93], [46.07, 50.49]
)
Chung_dense(
    T=473.0, MW=42.081, Tc=364.9, Vc=184.6e-6, omega=0.142, Cvm=82.67, Vm=172.1e-6, mu=134e-7, dipole=0.4
)
Parachor(100.15888, 800.8088185536124, 4.97865317223119, 0.02672166960656005)
SG_to_API(0.7365)
API_to_SG(60.62)
Watson_K(400, 0.8)
speed_of_sound(V=0.00229754, dP_dV=-3.5459e08, Cp=153.235, Cv=132.435, MW=67.152)
zs_to_ws([0.5, 0.5], [10.0, 20.0])
Vfs_to_zs([0.596, 0.404], [8.0234e-05, 9.543e-05])
normalize([3.0, 2.0, 1.0])
mixing_simple([0.1, 0.9], [0.01, 0.02])
mixing_logarithmic([0.1, 0.9], [0.01, 0.02])
mixing_power([0.258, 0.742], [0.1692, 0.1528], -2.2)
TDE_PVExpansion(T=273.16, a1=30.70546, a2=-11422, a3=0.177978)
Yaws_Psat(T=400.0, A=30.7129, B=-2469, C=-7.351, D=2.8025e-10, E=2.7361e-6)
Antoine(100.0, 8.7687, 395.744, -6.469)
dAntoine_dT(100.0, 8.7687, 395.744, -6.469)
Wagner_original(100.0, 190.53, 4596420.0, a=-6.00435, b=1.1885, c=-0.834082, d=-1.22833)
Wagner(100.0, 190.551, 4599200, -6.02242, 1.26652, -0.5707, -1.366)
Psat_IAPWS(300.0)
Lee_Kesler(347.2, 617.1, 36e5, 0.299)
Ambrose_Walton(347.25, 617.15, 36.09e5, 0.304)
Sanjari(347.2, 617.1, 36e5, 0.299)
BVirial_Pitzer_Curl(510.0, 425.2, 38e5, 0.193)
BVirial_Tsonopoulos_extended(430.0, 405.65, 11.28e6, 0.252608, a=0, b=0, species_type="ketone", dipole=1.469)
BVirial_mixture(zs=[0.5, 0.5], Bijs=[[-1.24e-5, 4.5e-6], [4.5e-6, -2.1e-5]])
CVirial_Orbey_Vera(T=300, Tc=568.7, Pc=2490000.0, omega=0.394)
CVirial_mixture_Orentlicher_Prausnitz(
    [0.5, 0.3, 0.2],
    [[1.46e-09, 1.831e-09, 2.12e-09], [1.831e-09, 2.46e-09, 2.996e-09], [2.12e-09, 2.996e-09, 4.927e-09]],
)
Z_from_virial_density_form(300, 122057.233762653, (1e-4, 1e-5, 1e-6, 1e-7))
mu_IAPWS(298.15, 998.0)
Viswanath_Natarajan_3(298.15, -5.7173, -1071.18, -129.51)
Lucas(300.0, 500e5, 572.2, 34.7e5, 0.236, 0, 0.00068)
Yoon_Thodos(300.0, 556.35, 4.5596e6, 153.8)
Lucas_gas(T=550.0, Tc=512.6, Pc=80.9e5, Zc=0.224, MW=32.042, dipole=1.7)
Herning_Zipperer([0.5, 0.25, 0.25], [1.78e-05, 1.12e-05, 9.35e-06], [28.0134, 16.043, 30.07])
Wilke([0.05, 0.95], [1.34e-5, 9.5029e-6], [64.06, 46.07])
Brokaw(308.2, [0.05, 0.95], [1.34e-5, 9.5029e-6], [64.06, 46.07], [0.42, 0.19], [347.0, 432.0])
Twu_1985(T=338.7055, Tb=672.3166, rho=895.5189)
viscosity_index(73.3e-6, 8.86e-6, rounding=False)
Rackett(300, 647.14, 22048320.0, 0.23)
Yen_Woods_saturation(300, 647.14, 55.45e-6, 0.245)
COSTALD(272.03889, 369.83333, 0.20008161e-3, 0.1532)
SNM0(121, 150.8, 7.49e-05, -0.004)
Tait_molar(P=1e8, P_ref=101325.0, V_ref=4.0825e-05, B=79337060.0, C=0.099102)
Rackett_mixture(
    T=298.0, xs=[0.4576, 0.5424], MWs=[32.04, 18.01], Tcs=[512.58, 647.29], Pcs=[8.096e6, 2.209e7], Zrs=[0.2332, 0.2374]
)
COSTALD_mixture_compressed(
    [0.2, 0.8], 300.0, [305.3278, 617.594], [0.00014576928794529767, 0.0006192229409547785], [0.0983, 0.4916], 1e6
)
Goodman(200, 243.225, 0.00023585)
