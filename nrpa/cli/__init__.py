"""The command line."""

from time import perf_counter

# Before anything else is imported: the setup time that a result tells begins here.
STARTED = perf_counter()
# The exit status of a command that is interrupted before it has a result.
INTERRUPTED = 130
