"""The functions of pandas that numeric code calls on arrays of floats."""

import numpy as np
import pandas as pd

from s2sad.kinds import known
from s2sad.rules import definition


@known.rule(pd.isna, pd.notna)
def _missing(args, kwargs):
    return known.elementwise(np.isnan, args)


@definition(pd.isna)
def isna(obj):
    return np.isnan(obj)


@definition(pd.notna)
def notna(obj):
    return np.logical_not(np.isnan(obj))
