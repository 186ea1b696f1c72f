"""ht (MIT): heat transfer correlations."""

from ht.boiling_flow import Chen_Bennett, Lazarek_Black, Liu_Winterton, Thome
from ht.boiling_nucleic import Cooper, Forster_Zuber, Rohsenow, Stephan_Abdelsalam, Zuber, h_nucleic, qmax_boiling
from ht.condensation import Boyko_Kruzhilin, Nusselt_laminar, Shah, h_kinetic
from ht.conduction import R_cylinder, S_isothermal_pipe_to_isothermal_pipe, cylindrical_heat_transfer
from ht.conv_external import Nu_cylinder_Churchill_Bernstein, Nu_cylinder_Zukauskas, Nu_external_cylinder
from ht.conv_free_enclosed import Nu_Nusselt_Rayleigh_Holling_Herwig, Nu_vertical_helical_coil_Ali
from ht.conv_free_immersed import (
    Nu_coil_Xin_Ebadian, Nu_free_vertical_plate, Nu_horizontal_cylinder, Nu_sphere_Churchill,
    Nu_vertical_cylinder_Popiel_Churchill,
)
from ht.conv_internal import (
    Nu_conv_internal, laminar_entry_Seider_Tate, laminar_entry_thermal_Hausen, turbulent_Dittus_Boelter,
    turbulent_Gnielinski,
)
from ht.conv_jacket import Lehrer, Stein_Schmidt
from ht.conv_packed_bed import Nu_packed_bed_Gnielinski
from ht.conv_plate import Nu_plate_Kumar, Nu_plate_Muley_Manglik
from ht.conv_tube_bank import Nu_Grimison_tube_bank, Nu_HEDH_tube_bank, baffle_leakage_Bell, dP_Kern, dP_Zukauskas
from ht.core import LMTD, fin_efficiency_Kern_Kraus, wall_factor
from ht.hx import (
    F_LMTD_Fakheri, NTU_from_effectiveness, P_NTU_method, effectiveness_from_NTU, effectiveness_NTU_method,
    temperature_effectiveness_air_cooler, temperature_effectiveness_basic, temperature_effectiveness_TEMA_E,
    temperature_effectiveness_TEMA_H, temperature_effectiveness_plate,
)
from ht.air_cooler import Ft_aircooler, air_cooler_noise_GPSA
from ht.radiation import blackbody_spectral_radiance, grey_transmittance, q_rad

laminar_entry_thermal_Hausen(Re=100000, Pr=1.1, L=5, Di=0.5)
laminar_entry_Seider_Tate(Re=100000, Pr=1.1, L=5, Di=0.5)
turbulent_Dittus_Boelter(Re=1e5, Pr=1.2)
turbulent_Gnielinski(Re=1e5, Pr=1.2, fd=0.0185)
Nu_conv_internal(Re=1e5, Pr=0.7)
Nu_cylinder_Zukauskas(7992, 0.707, 0.69)
Nu_cylinder_Churchill_Bernstein(6071, 0.7)
Nu_external_cylinder(6071, 0.7)
Nu_Nusselt_Rayleigh_Holling_Herwig(5.54, 3.21e8, buoyancy=True)
Nu_vertical_helical_coil_Ali(4.4, 1e11)
Nu_free_vertical_plate(0.69, 2.63e9, False)
Nu_sphere_Churchill(0.7, 1e7)
Nu_vertical_cylinder_Popiel_Churchill(0.7, 1e10, 2.5, 1)
Nu_horizontal_cylinder(0.72, 1e7)
Nu_coil_Xin_Ebadian(0.7, 2e4, horizontal=False)
Nu_plate_Kumar(Re=2000, Pr=0.7, chevron_angle=30)
Nu_plate_Muley_Manglik(Re=2000, Pr=0.7, chevron_angle=45, plate_enlargement_factor=1.18)
Lehrer(
    m=2.5, Dtank=0.6, Djacket=0.65, H=0.6, Dinlet=0.025, dT=20.0, rho=995.7, Cp=4178.1, k=0.615, mu=798e-6, muw=355e-6
)
Stein_Schmidt(
    m=2.5, Dtank=0.6, Djacket=0.65, H=0.6, Dinlet=0.025, rho=995.7, Cp=4178.1, k=0.615, mu=798e-6, muw=355e-6, rhow=971.8
)
Nu_Grimison_tube_bank(Re=10263.37, Pr=0.708, tube_rows=11, pitch_normal=0.05, pitch_parallel=0.05, Do=0.025)
Nu_HEDH_tube_bank(Re=1e4, Pr=7.0, tube_rows=10, pitch_normal=0.05, pitch_parallel=0.05, Do=0.03)
dP_Kern(
    m=11.0, rho=995.0, mu=0.000803, mu_w=0.000657, DShell=0.584, LSpacing=0.1524, pitch=0.0254, Do=0.019, NBaffles=22
)
dP_Zukauskas(Re=13943.0, n=7, ST=0.0313, SL=0.0343, D=0.0164, rho=1.217, Vmax=12.6)
baffle_leakage_Bell(1, 3, 8)
Rohsenow(
    rhol=957.854, rhog=0.595593, mul=2.79e-4, kl=0.680, Cpl=4217, Hvap=2.257e6, sigma=0.0589, Te=4.9, Csf=0.011, n=1.26
)
Forster_Zuber(
    Te=4.3, dPsat=3906 * 4.3, Cpl=4180.0, kl=0.688, mul=0.275e-3, sigma=0.0588, Hvap=2.25e6, rhol=958.0, rhog=0.597
)
Stephan_Abdelsalam(
    Te=16.2, Tsat=437.5, Cpl=2730.0, kl=0.086, mul=156e-6, sigma=0.0082, Hvap=272e3, rhol=567, rhog=18.09, angle=35
)
Cooper(P=101325.0, Pc=22048321.0, MW=18.02, Te=4.3)
h_nucleic(P=3e5, Pc=22048320.0, q=2e4, CAS="7732-18-5", Ra=1e-6)
Zuber(sigma=8.2e-3, Hvap=272e3, rhol=567, rhog=18.09, K=0.149)
qmax_boiling(D=0.0127, sigma=8.2e-3, Hvap=272e3, rhol=567, rhog=18.09)
Lazarek_Black(m=10, D=0.3, mul=1e-3, kl=0.6, Hvap=2e6, Te=100)
Thome(
    m=1, x=0.4, D=0.3, rhol=567.0, rhog=18.09, kl=0.086, kg=0.2, mul=156e-6, mug=1e-5, Cpl=2300, Cpg=1400, sigma=0.02,
    Hvap=9e5, Psat=1e5, Pc=22e6, q=1e5,
)
Chen_Bennett(
    m=0.106, x=0.2, D=0.0212, rhol=567, rhog=18.09, mul=156e-6, mug=7.11e-6, kl=0.086, Cpl=2730, Hvap=2e5, sigma=0.02,
    dPsat=1e5, Te=3,
)
Liu_Winterton(
    m=1, x=0.4, D=0.3, rhol=567.0, rhog=18.09, kl=0.086, mul=156e-6, Cpl=2300, P=1e6, Pc=22e6, MW=44.02, Te=7
)
Nusselt_laminar(Tsat=370, Tw=350, rhog=7.0, rhol=585.0, kl=0.091, mul=158.9e-6, Hvap=776900, L=0.1)
Boyko_Kruzhilin(m=0.353, rhog=6.36, rhol=582.9, kl=0.098, mul=159e-6, Cpl=2520.0, D=0.03, x=0.85)
h_kinetic(300, 1e5, 18.02, 2441674)
Shah(m=1, x=0.4, D=0.3, rhol=800, mul=1e-5, kl=0.6, Cpl=2300, P=1e6, Pc=2e7)
LMTD(100.0, 60.0, 30.0, 40.2)
wall_factor(mu=8e-4, mu_wall=3e-4, Pr=1.2, Pr_wall=1.1, T=300, T_wall=350, property_option="Prandtl")
fin_efficiency_Kern_Kraus(0.0254, 0.05715, 3.8e-4, 200, 58)
effectiveness_from_NTU(NTU=5, Cr=0.7, subtype="parallel")
NTU_from_effectiveness(0.9, Cr=0.7, subtype="counterflow")
effectiveness_NTU_method(
    mh=5.2, mc=1.45, Cph=1860.0, Cpc=1900, subtype="crossflow, mixed Cmax", Tci=15.0, Tco=85.0, Thi=130.0
)
temperature_effectiveness_air_cooler(0.5, 2.0, rows=2, passes=2)
temperature_effectiveness_basic(R1=0.1, NTU1=4, subtype="counterflow")
temperature_effectiveness_TEMA_E(R1=1 / 3.0, NTU1=1.0, Ntp=1)
temperature_effectiveness_TEMA_H(R1=1 / 3.0, NTU1=1.0, Ntp=1)
temperature_effectiveness_plate(R1=0.3, NTU1=1.0, Np1=3, Np2=1)
P_NTU_method(m1=5.2, m2=1.45, Cp1=1860.0, Cp2=1900, subtype="E", Ntp=4, T2i=15.0, T1i=130.0, UA=3041.75)
F_LMTD_Fakheri(Tci=15, Tco=85, Thi=130, Tho=110, shells=1)
Ft_aircooler(Thi=125.0, Tho=45.0, Tci=25.0, Tco=95.0, Ntp=1, rows=4)
air_cooler_noise_GPSA(tip_speed=3177 / 60.0, power=25.1 * 745.7)
blackbody_spectral_radiance(800.0, 4e-6)
q_rad(emissivity=1, T=400)
grey_transmittance(3.8e-4, molar_density=55300, length=1e-2)
R_cylinder(0.9, 1.0, 20, 10)
S_isothermal_pipe_to_isothermal_pipe(0.1, 0.2, 1, 1)
cylindrical_heat_transfer(
    Ti=453.15, To=301.15, hi=1e12, ho=22.697193, Di=0.0779272, ts=[0.0054864, 0.05], ks=[56.045, 0.0598535265]
)
Nu_packed_bed_Gnielinski(dp=8e-4, voidage=0.4, vs=1, rho=1e3, mu=1e-3, Pr=0.7)
