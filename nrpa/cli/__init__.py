"""The command line."""

from time import perf_counter

# Before anything else is imported: the setup time that a result tells begins here.
STARTED = perf_counter()
# The exit status of a command that is interrupted before it has a result.
INTERRUPTED = 130
# That of `solve` where the solution found has faults that its score does not count.
NOT_VALID = 3
