"""statsmodels (BSD): statistics; criteria, robust norms, link functions, kernels."""

import numpy as np
from statsmodels.genmod.families import links, varfuncs
from statsmodels.robust import norms
from statsmodels.robust.scale import mad
from statsmodels.stats.moment_helpers import cov2corr, corr2cov, cum2mc, mc2mnc, mnc2cum, mvsk2mc
from statsmodels.stats.stattools import durbin_watson, jarque_bera, robust_skewness
from statsmodels.stats.weightstats import DescrStatsW
from statsmodels.tools.eval_measures import aic, aicc_sigma, bic, bias, hqic, maxabs, meanabs, medianabs, mse, rmse, rmspe, stde, vare
from statsmodels.tsa.stattools import acf, acovf
from statsmodels.tsa.tsatools import detrend, lagmat

x1 = np.array([1.2, 0.7, 2.3, 1.9, 0.4])
x2 = np.array([1.0, 0.9, 2.0, 2.2, 0.6])
p = np.array([0.2, 0.5, 0.8])
z = np.array([-2.5, -0.7, 0.3, 1.1, 4.0])
cov = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 1.5]])

mse(x1, x2)
rmse(x1, x2)
rmspe(x1, x2)
maxabs(x1, x2)
meanabs(x1, x2)
medianabs(x1, x2)
bias(x1, x2)
vare(x1, x2)
stde(x1, x2)
aic(-120.5, 100, 4)
bic(-120.5, 100, 4)
hqic(-120.5, 100, 4)
aicc_sigma(0.7, 100, 4)
durbin_watson(x1)
jarque_bera(x1)
robust_skewness(x1)
mc2mnc([0.5, 1.2, 0.3, 3.0])
mnc2cum([0.5, 1.4, 2.0, 5.0])
cum2mc([0.5, 1.2, 0.3, 0.6])
mvsk2mc([0.5, 1.2, 0.3, 0.6])
cov2corr(cov)
corr2cov(np.array([[1.0, 0.3], [0.3, 1.0]]), np.array([1.2, 0.8]))
mad(x1)
norms.HuberT().rho(z)
norms.HuberT().psi(z)
norms.TukeyBiweight().rho(z)
norms.AndrewWave().psi(z)
norms.Hampel().weights(z)
norms.RamsayE().rho(z)
links.Logit()(p)
links.Logit().inverse(z)
links.CLogLog()(p)
links.Power(power=0.5)(p)
links.NegativeBinomial(alpha=0.7)(p)
varfuncs.Binomial()(p)
DescrStatsW(x1, weights=x2).var
acovf(x1)
acf(x1, nlags=2)
detrend(x1, order=1)
lagmat(x1, maxlag=2)
