"""fluids (MIT): fluid dynamics, scalar formulas with their guards and choices of method."""

from fluids.atmosphere import ATMOSPHERE_1976
from fluids.compressible import (
    IGT, Fritzsche, Muller, Oliphant, P_isothermal_critical_flow, P_stagnation, Panhandle_A, T_critical_flow,
    T_stagnation, Weymouth, isentropic_efficiency, isentropic_work_compression, isothermal_gas, polytropic_exponent,
)
from fluids.control_valve import (
    Reynolds_factor, Reynolds_valve, cavitation_index, control_valve_noise_g_2011, control_valve_noise_l_2015,
    loss_coefficient_piping, size_control_valve_g, size_control_valve_l,
)
from fluids.core import (
    Archimedes, Froude_densimetric, Grashof, K_from_f, Rayleigh, Reynolds, nu_mu_converter, relative_roughness,
)
from fluids.drag import Barati, Clift, Morsi_Alexander, drag_sphere, integrate_drag_sphere, v_terminal
from fluids.filters import round_edge_open_mesh, square_edge_screen
from fluids.fittings import (
    Darby3K, Hooper2K, K_branch_converging_Crane, K_butterfly_valve_Crane, K_gate_valve_Crane, bend_rounded,
    bend_rounded_Crane, bend_rounded_Miller, contraction_beveled, contraction_conical, contraction_round,
    contraction_sharp, diffuser_conical, diffuser_conical_staged, entrance_beveled, entrance_distance,
    entrance_rounded, helix, spiral,
)
from fluids.flow_meter import (
    C_ISA_1932_nozzle, C_Reader_Harris_Gallagher, C_venturi_nozzle, differential_pressure_meter_solver, dP_orifice,
    flow_meter_discharge, orifice_expansibility,
)
from fluids.friction import (
    Blasius, Churchill_1977, Clamond, Colebrook, Haaland, Moody, Serghides_1, friction_factor, friction_factor_curved,
    friction_laminar, friction_plate_Martin_VDI, helical_Re_crit, helical_turbulent_fd_Mandal_Nigam, one_phase_dP,
    roughness_Farshad, von_Karman,
)
from fluids.geometry import (
    A_multiple_hole_cylinder, A_partial_circle, SA_partial_horiz_conical_head, SA_tank, V_horiz_conical,
    V_horiz_ellipsoidal, V_horiz_spherical, V_horiz_torispherical, V_tank, V_vertical_torispherical, sphericity,
)
from fluids.mixing import COV_motionless_mixer, agitator_time_homogeneous
from fluids.numerics import horner, horner_and_der, interp
from fluids.open_flow import Q_weir_V_Shen, Q_weir_rectangular_Kindsvater_Carter, V_Manning
from fluids.packed_bed import Ergun, Guo_Sun, dP_packed_bed, voidage_Benyahia_Oneil
from fluids.particle_size_distribution import cdf_lognormal, pdf_Rosin_Rammler, pdf_lognormal
from fluids.pump import CSA_motor_efficiency, Corripio_pump_efficiency, VFD_efficiency, specific_speed
from fluids.separator import K_separator_Watkins, v_Souders_Brown
from fluids.two_phase import (
    Beggs_Brill, Chisholm, Friedel, Kim_Mudawar, Lockhart_Martinelli, Muller_Steinhagen_Heck, Zhang_Webb, two_phase_dP,
)
from fluids.two_phase_voidage import Gregory_Scott, Smith, Tandon_Varma_Gupta, Thom, liquid_gas_voidage

friction_laminar(128.0)
Blasius(10000.0)
Colebrook(1e5, 1e-4)
Clamond(1e5, 1e-4)
Moody(1e5, 1e-4)
Churchill_1977(1e5, 1e-4)
Serghides_1(1e5, 1e-4)
Haaland(1e5, 1e-4)
von_Karman(1e-4)
friction_factor(Re=1e5, eD=1e-4)
friction_factor_curved(Re=1e5, Di=0.02, Dc=0.5)
friction_plate_Martin_VDI(Re=20000, chevron_angle=45)
helical_Re_crit(Di=0.02, Dc=0.5)
helical_turbulent_fd_Mandal_Nigam(1e4, 0.01, 0.2)
roughness_Farshad("Cr13, bare", 0.05)
one_phase_dP(10.0, 1000, 1e-5, 0.1, L=1)
isentropic_work_compression(P1=1e5, P2=1e6, T1=300, k=1.4, eta=0.78)
isentropic_efficiency(1e5, 1e6, 1.4, eta_p=0.78)
polytropic_exponent(1.4, eta_p=0.78)
T_critical_flow(473, 1.289)
P_isothermal_critical_flow(P=1e6, fd=0.00185, L=1000.0, D=0.5)
P_stagnation(54050.0, 255.7, 286.8, 1.4)
T_stagnation(286.8, 54050, 54050 * 8, 1.4)
isothermal_gas(rho=11.3, fd=0.00185, P1=1e6, P2=9e5, L=1000, D=0.5)
Panhandle_A(D=0.340, P1=90e5, P2=20e5, L=160e3, SG=0.693, Tavg=277.15)
Weymouth(D=0.340, P1=90e5, P2=20e5, L=160e3, SG=0.693, Tavg=277.15)
Oliphant(D=0.340, P1=90e5, P2=20e5, L=160e3, SG=0.693, Tavg=277.15)
Fritzsche(D=0.340, P1=90e5, P2=20e5, L=160e3, SG=0.693, Tavg=277.15)
Muller(D=0.340, P1=90e5, P2=20e5, L=160e3, SG=0.693, mu=1e-5, Tavg=277.15)
IGT(D=0.340, P1=90e5, P2=20e5, L=160e3, SG=0.693, mu=1e-5, Tavg=277.15)
cavitation_index(1e6, 8e5, 2e5)
Reynolds_valve(3.26e-07, 360, 150.0, 0.9, 0.46, 165)
loss_coefficient_piping(0.05, 0.08, 0.1)
Reynolds_factor(FL=0.98, C=0.015483, d=15.0, Rev=1202.0, full_trim=False)
size_control_valve_l(
    rho=965.4, Psat=70.1e3, Pc=22120e3, mu=3.1472e-4, P1=680e3, P2=220e3, Q=0.1, D1=0.2, D2=0.25, d=0.15, FL=0.9, Fd=0.46
)
size_control_valve_g(
    T=433.0, MW=44.01, mu=1.4665e-4, gamma=1.30, Z=0.988, P1=680e3, P2=310e3, Q=38 / 36.0, D1=0.08, D2=0.1, d=0.05,
    FL=0.85, Fd=0.42, xT=0.60,
)
control_valve_noise_l_2015(
    m=40, P1=1e6, P2=6.5e5, Psat=2.32e3, rho=997, c=1400, Kv=77.848, d=0.1, Di=0.1071, FL=0.92, Fd=0.42,
    t_pipe=0.0036, rho_pipe=7800.0, c_pipe=5000.0, rho_air=1.293, c_air=343.0, An=-4.6,
)
control_valve_noise_g_2011(
    m=2.22, P1=1e6, P2=7.2e5, T1=450, rho=5.3, gamma=1.22, MW=19.8, Kv=77.85, d=0.1, Di=0.2031, FL=None, FLP=0.792,
    FP=0.98, Fd=0.296, t_pipe=0.008, rho_pipe=8000.0, c_pipe=5000.0, rho_air=1.293, c_air=343.0, An=-3.8, Stp=0.2,
)
Reynolds(2.5, 0.25, 1.1613, 1.9e-5)
Grashof(L=0.9144, beta=0.000933, T1=178.2, rho=1.1613, mu=1.9e-5)
Rayleigh(1.2, 4.6e9)
Froude_densimetric(1.83, L=2.0, rho1=800, rho2=1.2, g=9.81)
Archimedes(0.002, 2.0, 3000, 1e-3)
relative_roughness(0.5, 1e-4)
nu_mu_converter(998.0, nu=1.0e-6)
K_from_f(fd=0.018, L=100.0, D=0.3)
Barati(200.0)
Morsi_Alexander(200.0)
Clift(200.0)
drag_sphere(200.0)
v_terminal(D=70e-6, rhop=2600.0, rho=1000.0, mu=1e-3)
integrate_drag_sphere(D=0.001, rhop=2200.0, rho=1.2, mu=1.78e-5, t=0.5, V=30, distance=True)  # accuracy 1e-5
round_edge_open_mesh(0.96, angle=33.0)
square_edge_screen(0.99)
entrance_distance(Di=0.1, t=0.0005)
entrance_rounded(Di=0.1, rc=0.0235)
entrance_beveled(Di=0.1, l=0.003, angle=45)
bend_rounded_Miller(Di=0.6, bend_diameters=2, angle=90, Re=2e6, roughness=2e-5, L_unimpeded=30 * 0.6)
bend_rounded_Crane(Di=0.4020, rc=0.4 * 5, angle=30)
bend_rounded(Di=4.020, rc=4.0 * 5, angle=30, Re=1e5)
helix(Di=0.01, rs=0.1, pitch=0.03, N=10, fd=0.0185)
spiral(Di=0.01, rmax=0.1, rmin=0.02, pitch=0.01, fd=0.0185)
contraction_sharp(Di1=1, Di2=0.4)
contraction_round(Di1=1, Di2=0.4, rc=0.04)
contraction_conical(Di1=0.1, Di2=0.04, l=0.04, Re=1e6)
contraction_beveled(Di1=0.5, Di2=0.1, l=0.7 * 0.1, angle=120)
diffuser_conical(Di1=1 / 3.0, Di2=1.0, angle=50.0, Re=1e6)
diffuser_conical_staged(Di1=1.0, Di2=10.0, DEs=[2.1, 3.2, 4.3], ls=[1.1, 1.2, 1.3, 1.4], fd=0.01)
Darby3K(NPS=2.0, Re=10000.0, K1=950, Ki=0.25, Kd=4)
Hooper2K(Di=2.0, Re=10000.0, name="Valve, Globe, Standard")
K_gate_valve_Crane(D1=0.1, D2=0.146, angle=13.115)
K_butterfly_valve_Crane(D=0.1, style=2)
K_branch_converging_Crane(0.1023, 0.1023, 0.018917, 0.00633)
flow_meter_discharge(D=0.0739, Do=0.0222, P1=1e5, P2=9.9e4, rho=1.1646, C=0.5988, expansibility=0.9975)
orifice_expansibility(D=0.0739, Do=0.0222, P1=1e5, P2=9.9e4, k=1.4)
C_Reader_Harris_Gallagher(D=0.07391, Do=0.0222, rho=1.165, mu=1.85e-5, m=0.12, taps="flange")
C_ISA_1932_nozzle(D=0.07391, Do=0.0422, rho=1.2, mu=1.8e-5, m=0.1)
C_venturi_nozzle(D=0.07391, Do=0.0422)
dP_orifice(D=0.07366, Do=0.05, P1=200000.0, P2=183000.0, C=0.61512)
differential_pressure_meter_solver(
    D=0.07366, D2=0.05, P1=200000.0, P2=183000.0, rho=999.1, mu=0.0011, k=1.33, meter_type="ISO 5167 orifice", taps="D"
)
V_horiz_conical(D=108.0, L=156.0, a=42.0, h=36)
V_horiz_ellipsoidal(D=108, L=156, a=42, h=36)
V_horiz_spherical(D=108.0, L=156.0, a=42.0, h=36)
V_horiz_torispherical(D=108.0, L=156.0, f=1.0, k=0.06, h=36)
V_vertical_torispherical(D=132.0, f=1.0, k=0.06, h=24)
A_partial_circle(D=96.0, h=22.0)
SA_partial_horiz_conical_head(D=72.0, a=48.0, h=24.0)
SA_tank(D=2, L=2)
V_tank(D=1.5, L=5.0, horizontal=False, sideA="conical", sideB="conical", sideA_a=2.0, sideB_a=1.0)
A_multiple_hole_cylinder(0.01, 0.1, [(0.005, 1)])
sphericity(10.0, 2.0)
agitator_time_homogeneous(
    D=36 * 0.0254, N=56 / 60.0, P=957.0, T=1.83, H=1.83, mu=0.018, rho=1020, homogeneity=0.995
)
COV_motionless_mixer(Ki=0.33, Q1=11.7, Q2=2.74, pipe_diameters=4.74 / 0.762)
horner([1.0, 3.0], 2.0)
horner_and_der([1.0, 3.0, 5.0], 2.0)
interp(2.5, [1.0, 2.0, 3.0], [3.0, 2.0, 0.0])
Q_weir_V_Shen(0.6, angle=45)
Q_weir_rectangular_Kindsvater_Carter(0.2, 0.5, 1)
V_Manning(0.2859, 0.005236, 0.03)
Ergun(dp=8e-4, voidage=0.4, vs=1e-3, rho=1e3, mu=1e-3)
Guo_Sun(dp=14.2e-3, voidage=0.492, vs=0.6, rho=1e3, mu=1e-3, Dt=40.9e-3)
dP_packed_bed(dp=8e-4, voidage=0.4, vs=1e-3, rho=1e3, mu=1e-3)
voidage_Benyahia_Oneil(Dpe=1e-3, Dt=1e-2, sphericity=0.8)
pdf_lognormal(1e-4, 1e-5, 1.1)
cdf_lognormal(d=1e-4, d_characteristic=1e-5, s=1.1)
pdf_Rosin_Rammler(1e-3, 200, 2)
Corripio_pump_efficiency(461.0 / 15850.323)
VFD_efficiency(10 * 745.7)
CSA_motor_efficiency(100 * 745.7)
specific_speed(0.0402, 100, 3550)
K_separator_Watkins(0.88, 985.4, 1.3, horizontal=True)
v_Souders_Brown(K=0.08, rhol=985.4, rhog=1.3)
Beggs_Brill(
    m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, P=1e7, D=0.05, angle=10.0, roughness=0.0, L=1.0
)
Friedel(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, D=0.05, roughness=0.0, L=1.0)
Chisholm(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, D=0.05, roughness=0.0, L=1.0)
Muller_Steinhagen_Heck(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, D=0.05, roughness=0.0, L=1.0)
Zhang_Webb(m=0.6, x=0.1, rhol=915.0, mul=180e-6, P=2e5, Pc=4055000, D=0.05, roughness=0.0, L=1.0)
Kim_Mudawar(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, D=0.05, L=1.0)
Lockhart_Martinelli(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, D=0.05, L=1.0)
two_phase_dP(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, D=0.05, L=1.0)
Thom(0.4, 800, 2.5, 1e-3, 1e-5)
Smith(0.4, 800, 2.5)
Tandon_Varma_Gupta(0.4, 800, 2.5, 1e-3, 1e-5, m=1, D=0.3)
Gregory_Scott(0.4, 800.0, 2.5)
liquid_gas_voidage(m=0.6, x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, D=0.05)
ATMOSPHERE_1976(5000.0).rho
ATMOSPHERE_1976.gravity(Z=1e5)
