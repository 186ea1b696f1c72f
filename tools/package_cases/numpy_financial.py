"""numpy-financial (BSD): annuities; broadcasting formulas with masks."""

import numpy as np
import numpy_financial as npf

npf.fv(0.05 / 12, 10 * 12, -100.0, -100.0)
npf.pmt(0.075 / 12, 12 * 15, 200000.0)
npf.nper(0.07 / 12, -150.0, 8000.0)
npf.ipmt(0.0824 / 12, np.arange(12) + 1, 12, 2500.0)
npf.ppmt(0.0824 / 12, np.arange(12) + 1, 12, 2500.0)
npf.pv(0.05 / 12, 10 * 12, -100.0, 15692.93)
npf.rate(10, 0.0, -3500.0, 10000.0)
npf.irr([-100.0, 39.0, 59.0, 55.0, 20.0])
npf.npv(0.08, [-40000.0, 5000.0, 8000.0, 12000.0, 30000.0])
npf.mirr([-100.0, 50.0, -60.0, 70.0], 0.10, 0.12)
