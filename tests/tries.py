"""Attacks at random: a few tries as a test, and more by ``TRIES=100 pytest tests/attacks``, which multiplies them."""

import os

SEED = int(os.environ.get("SEED", "1"))
"""Another seed draws other tries."""


def tries(few):
    """Return the numbers of so many tries, or of many times as many."""
    return range(few * int(os.environ.get("TRIES", "1")))
