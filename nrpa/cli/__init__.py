"""The command line."""

from time import perf_counter

# Before anything else is imported: the setup time that a result tells begins here.
STARTED = perf_counter()
