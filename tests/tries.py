"""Attacks at random: a tenth of the tries as a test, all by ``TRIES=1 pytest``, 100 times as many by ``TRIES=100``."""

import os
from math import ceil

SEED = int(os.environ.get("SEED", "1"))
"""Another seed draws other tries."""
TIMES = int(os.environ.get("TRIES", "0"))
WHOLE = TIMES > 0
"""Whether the tests may take as long as it takes to look at all: tree searches are compiled for every problem."""


def tries(all_of_them):
    """Return the numbers of so many tries, a tenth of them, or of many times as many."""
    return range(all_of_them * TIMES if WHOLE else ceil(all_of_them / 10))
