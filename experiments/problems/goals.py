"""Goals and rules beside the cheapest rule at each goal.

The instances: all that are drawn. There is no peer: planners for retrosynthesis that pip installs (AiZynthFinder,
SynPlanner) take molecules, not rule books; and dynamic programming, which proves the best values, needs all rules in
advance.
"""

INSTANCES = "goals-100", "goals-300", "goals-800"
PEER = None
BASELINE = "the cheapest rule"


def baseline(problem):
    """Use the cheapest rule for each goal."""
    plain = problem.plain
    state, moves = plain.initial_state(), []
    while legal := plain.legal_moves(state):
        moves.append(min(legal, key=lambda rule: plain.costs[rule]))
        state = plain.play(state, moves[-1])
    return moves
