"""vollib (MIT), lets_be_rational (MIT), blackscholes (MIT): option prices, greeks and implied volatilities."""

from blackscholes import BlackScholesCall, BlackScholesPut, Black76Call, BlackScholesBullSpread, BlackScholesStraddleLong
from lets_be_rational.lets_be_rational import black, implied_volatility_from_a_transformed_rational_guess
from lets_be_rational.normaldistribution import inverse_norm_cdf, norm_cdf, norm_pdf
from lets_be_rational.rationalcubic import rational_cubic_interpolation
from vollib.ref_python import black as ref_black
from vollib.ref_python import black_scholes as ref_black_scholes
from vollib.ref_python import black_scholes_merton as ref_merton
from vollib.ref_python.black_scholes.greeks import analytical

ref_black_scholes.d1(42.0, 40.0, 0.5, 0.10, 0.20)
ref_black_scholes.black_scholes("c", 42.0, 40.0, 0.5, 0.10, 0.20)
ref_black.black("c", 100.0, 95.0, 0.2, 0.5, 0.02)
ref_black.black_put(20.0, 20.0, 0.25, 0.09, 0.25)
ref_merton.black_scholes_merton("p", 100.0, 90.0, 0.5, 0.01, 0.2, 0.0)
analytical.delta("c", 49.0, 50.0, 0.3846, 0.05, 0.2)
analytical.theta("p", 49.0, 50.0, 0.3846, 0.05, 0.2)
analytical.gamma("c", 49.0, 50.0, 0.3846, 0.05, 0.2)
analytical.vega("c", 49.0, 50.0, 0.3846, 0.05, 0.2)
analytical.rho("c", 49.0, 50.0, 0.3846, 0.05, 0.2)
norm_cdf(0.3)
norm_pdf(0.3)
inverse_norm_cdf(0.3)
black(100.0, 95.0, 0.2, 0.5, 1)
implied_volatility_from_a_transformed_rational_guess(11.0, 100.0, 95.0, 0.5, 1)
rational_cubic_interpolation(0.3, 0.0, 1.0, 2.0, 3.0, 0.8, 1.3, 0.5)
BlackScholesCall(S=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15, q=0.0).price()
BlackScholesCall(S=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15, q=0.0).delta()
BlackScholesCall(S=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15, q=0.0).charm()
BlackScholesPut(S=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15).theta()
BlackScholesPut(S=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15).get_core_greeks()
Black76Call(F=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15).vega()
BlackScholesBullSpread(S=55.0, K1=40.0, K2=50.0, T=1.0, r=0.0025, sigma=0.15).price()
BlackScholesStraddleLong(S=55.0, K=50.0, T=1.0, r=0.0025, sigma=0.15).gamma()
