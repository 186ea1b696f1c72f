"""`python -m s2sad`: the command line."""

import sys

from s2sad.cli import main

sys.exit(main())
