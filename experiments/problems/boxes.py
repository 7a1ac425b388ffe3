"""Containers of Bischoff and Ratcliff: the first of BR1 and of BR7, which have 3 and 20 kinds of boxes.

There is no public solver beside it: py3dbp puts boxes in a given order, and was not to be had.
"""

INSTANCES = ("BR1-1", "BR7-1")
PEER = None
BASELINE = "the largest block that fits into the next free space"


def baseline(problem):
    """Return the loading of the rule; of blocks of the same volume, the first."""
    plain, state, moves = problem.plain, problem.plain.initial_state(), []

    def volume(move):
        _, _, _, _, *block = plain.block_row(state, move)
        return block[0] * block[1] * block[2] * block[3] * block[4] * block[5]

    while legal := plain.legal_moves(state):
        moves.append(max(legal, key=volume))
        state = plain.play(state, moves[-1])
    return plain.solution_of(moves)
