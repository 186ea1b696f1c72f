"""The tests, and what programs in tools/ share with them: what is derived is derived anew, and nothing is kept."""

import os

os.environ["S2SAD_CACHE"] = "0"
