"""Problems that have nothing to do."""

import pytest

import nrpa
from nrpa.base.errors import InputError, ProblemError

FULL = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]


@pytest.mark.parametrize(
    ("problem", "figures", "solution"),
    [
        (nrpa.LatinSquare(FULL), {"empty": 0}, FULL),
        (nrpa.Pancakes([1, 2, 3]), {"flips": 0, "gaps": 0}, []),
        (nrpa.Sliding([0, 1, 2, 3]), {"moves": 0, "distance": 0}, []),
        (nrpa.BoxLoading((5, 5, 5), [(6, 1, 6, 1, 6, 1, 3)]), {"filled": 0.0, "boxes": 0}, []),
    ],
)
def test_what_is_done_is_the_answer(problem, figures, solution):
    """Without a move or a compiled kernel, for any solver, one worker or several."""
    for given in ({}, {"solver": nrpa.NMCS(level=1), "workers": 2}, {"warm_start": solution}):
        result = nrpa.solve(problem, given.pop("solver", None), seed=1, playouts=10, **given)
        assert (result.figures, result.solution, result.valid) == (figures, solution, True)
        assert (result.status, result.playouts) == ("optimal", 1)


def test_no_checkpoint(tmp_path):
    """There is nothing to go on from."""
    with pytest.raises(InputError, match="latin: there is nothing to do, so no checkpoint to go on from"):
        nrpa.start(nrpa.LatinSquare(FULL), seed=1).save(tmp_path / "run.npz")


class Done(nrpa.Problem):
    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return [1] if state > 0 else []

    def play(self, state, move):
        return state + move

    def score(self, state):
        return float(state)


@pytest.mark.parametrize("made", [Done, lambda: nrpa.compiled(Done())])
def test_of_a_class_of_the_author_it_is_a_mistake(made):
    """In the same words, compiled or not."""
    with pytest.raises(ProblemError, match=r"^Done: the initial state has no legal moves \(legal_moves gave none\)$"):
        nrpa.solve(made(), seed=1, playouts=3)
