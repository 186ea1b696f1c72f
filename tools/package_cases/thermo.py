"""thermo (MIT): activity coefficients and equations of state; nested lists, classes with state."""

from thermo.eos import PR, RK, SRK, VDW
from thermo.eos_alpha_functions import Soave_1979_alpha_pure, Twu91_alpha_pure
from thermo.eos_mix_methods import a_alpha_quadratic_terms
from thermo.nrtl import NRTL_gammas, NRTL_gammas_binaries
from thermo.uniquac import UNIQUAC_gammas
from thermo.wilson import Wilson_gammas, wilson_gammas_binaries

NRTL_gammas(xs=[0.252, 0.748], taus=[[0.0, -0.178], [1.963, 0.0]], alphas=[[0.0, 0.2974], [0.2974, 0.0]])
NRTL_gammas_binaries([0.1, 0.9, 0.3, 0.7, 0.85, 0.15], 0.1759, 0.7991, 0.2, 0.3)
Wilson_gammas([0.252, 0.748], [[1.0, 0.154], [0.888, 1.0]])
wilson_gammas_binaries([0.1, 0.9, 0.3, 0.7, 0.85, 0.15], 0.1759, 0.7991)
UNIQUAC_gammas(
    xs=[0.252, 0.748], rs=[2.1055, 0.9200], qs=[1.972, 1.400],
    taus=[[1.0, 1.0919744384510301], [0.37452902779205477, 1.0]],
)
a_alpha_quadratic_terms(
    [0.2491099357671155, 0.6486495863528039], [0.4991091421393877, 0.8053878484015073], 299.0, [0.1164203, 0.8835797],
    [[1.0, 0.917], [0.917, 1.0]],
)
Soave_1979_alpha_pure(300.0, 507.6, 0.4, 0.2)
Twu91_alpha_pure(300.0, 507.6, 0.694911381318495, 0.919907783415812, 1.70412689631515)
PR(Tc=507.6, Pc=3025000, omega=0.2975, T=299.0, P=1e6).V_l
SRK(Tc=507.6, Pc=3025000, omega=0.2975, T=299.0, P=1e6).V_l
VDW(Tc=507.6, Pc=3025000, T=299.0, P=1e6).V_l
RK(Tc=507.6, Pc=3025000, T=299.0, P=1e6).V_l
