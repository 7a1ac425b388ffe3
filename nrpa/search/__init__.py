"""A search under a clock: run, stop, curve, result."""
