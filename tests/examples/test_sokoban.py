import pytest

import nrpa
from nrpa.examples.sokoban import Sokoban


def fewest_steps(problem):
    """Return the fewest steps to the end, breadth first, step by step."""
    first = problem.initial_state()
    seen, level = {first[:2]}, [first]
    for state in level:
        if state[1] == problem.marks:
            return state[2]
        for move in problem.legal_moves(state):
            after = problem.play(state, move)
            if after[:2] not in seen:
                seen.add(after[:2])
                level.append(after)
    return None


@pytest.mark.parametrize("whole", [True, False])
def test_games_keep_the_rules(whole):
    assert nrpa.check_problem(Sokoban(whole=whole), games=3, seed=1).faults == []


def test_whole_pushes_are_the_same_puzzle():
    """They solve it, never in fewer steps than the fewest; the playouts of steps do not."""
    fewest = fewest_steps(Sokoban(whole=False))
    problems = Sokoban(whole=True), Sokoban(whole=False)
    pushes, steps = (nrpa.solve(problem, nrpa.NMCS(level=1), seed=2, playouts=400).cost for problem in problems)
    assert fewest == 14
    assert fewest <= pushes < 100 < steps
