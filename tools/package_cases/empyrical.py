"""empyrical-reloaded (Apache): risk statistics of return series; NaN-aware array code with out= buffers."""

import empyrical
import numpy as np

returns = np.array([0.010, -0.021, 0.033, 0.004, -0.012, 0.026, 0.015, -0.008, 0.019, -0.003])
market = np.array([0.008, -0.015, 0.021, 0.006, -0.016, 0.018, 0.012, -0.011, 0.022, 0.001])
prices = np.array([100.0, 101.0, 99.5, 103.0, 104.2])

empyrical.simple_returns(prices)
empyrical.cum_returns(returns)
empyrical.cum_returns_final(returns)
empyrical.max_drawdown(returns)
empyrical.annual_return(returns)
empyrical.cagr(returns)
empyrical.annual_volatility(returns)
empyrical.calmar_ratio(returns)
empyrical.omega_ratio(returns)
empyrical.sharpe_ratio(returns)
empyrical.sortino_ratio(returns)
empyrical.downside_risk(returns)
empyrical.excess_sharpe(returns, market)
empyrical.alpha_beta(returns, market)
empyrical.alpha(returns, market)
empyrical.beta(returns, market)
empyrical.stability_of_timeseries(returns)
empyrical.tail_ratio(returns)
empyrical.capture(returns, market)
empyrical.up_capture(returns, market)
empyrical.value_at_risk(returns, 0.1)
empyrical.conditional_value_at_risk(returns, 0.3)
empyrical.batting_average(returns, market)
