"""How far the kernel ``improve`` is: it works in stretches, between which a search looks whether it shall stop.

Work is counted, never timed, so that a game is improved in the same way everywhere. A unit is a cell of a table, an
item looked at, or a node in a search for a set.
"""

STRETCH = 10_000_000
"""The work after which ``improve`` comes back; 0.01 to 0.1 seconds."""

# The entries of ``State.progress``: what is done now; how many ways were tried; the work since the game began, and that
# with which the stretch ends; the bins that are wanted.
PHASE, TRIED, WORK, UNTIL, BOUND = range(5)
# Of a game that is played again: the moves made, the items crossed off, the wanted bin that is open.
STEP, SEEN, WANTED = range(5, 8)
# By columns: the dive, and how many there are; the columns; the bins that the dive has fixed, and the items that are
# not in these; the rows of its program; the work after which there is no other dive.
DIVE, DIVES, COLUMNS, FIXED, UNPACKED, PROGRAM_ROWS, GIVEN_UP = range(8, 15)
# By refilling: the bins, and those of pairs; whether they are fewer than at first; the turn of the annealing, and how
# many there are; whether the last one has changed the free items.
BINS_LEFT, PAIRS, FOUND, TURN, TURNS, CHANGED = range(15, 21)
REGISTERS = 21

# What is done, in ``PHASE``.
REPLAY, BY_COLUMNS, BY_REFILLING, REBUILD = range(4)
