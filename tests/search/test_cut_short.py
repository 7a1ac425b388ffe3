"""What an improvement has when the search is stopped is the result if it is the best; the search goes on without it."""

import time

import pytest
from executors import Inline

import nrpa

STEPS = 12


class Slow(nrpa.Problem):
    """Twelve digits, whose sum counts; an improvement takes longer than any limit if it ``waits``."""

    waits = True
    answer = (3,) * STEPS

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return (0, 1, 2, 3) if len(state) < STEPS else ()

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return float(sum(state))

    def improve(self, moves, stop):
        while self.waits and not stop[0]:
            time.sleep(0.001)
        return self.answer if stop[0] else moves


class Unfinished(Slow):
    """What it has is no whole game."""

    answer = (3, 3)


class NotLegal(Slow):
    """What it has is not legal."""

    answer = (*(3,) * (STEPS - 1), 9)


GNRPA = nrpa.GNRPA(level=2, improve=True)


@pytest.mark.parametrize("solver", [GNRPA, nrpa.Auto(tempering=False)], ids=lambda solver: solver.name)
@pytest.mark.parametrize("at_once", [False, True], ids=["later", "at once"])
def test_it_is_the_result(at_once, solver, tmp_path):
    """Also of a run that was saved; the search's own best stays what it was, and goes on as without a stop."""
    problem, seen = Slow(), []
    run = nrpa.start(problem, solver, seed=1)
    problem.waits = at_once
    if not at_once:
        run.advance(playouts=2)
        problem.waits = True
    assert run.advance(time=0.1, on_improvement=lambda run: seen.append(run.solution)) == "time"
    result, own = run.result(), run._search.score
    assert (result.score, result.solution, seen[-1]) == (36.0, [3] * STEPS, [3] * STEPS)
    assert result.improvements[-1].score == 36.0
    assert own < 36.0
    run.save(tmp_path / "run.npz")
    again = nrpa.resume(tmp_path / "run.npz", Slow())
    assert (again.progress.score, again.result().solution, again._search.score) == (36.0, [3] * STEPS, own)
    whole = nrpa.start(Slow(), solver, seed=1)
    whole.problem.waits = again.problem.waits = False
    whole.advance(playouts=4)
    again.advance(playouts=4 - again.progress.playouts)
    assert again._search.score == whole.progress.score < again.progress.score == 36.0


def test_of_several_workers_the_best_counts():
    run = nrpa.start(Slow(), GNRPA, seed=1, workers=2, executor=Inline())
    run.advance(time=0.5)
    assert run.result().solution == [3] * STEPS
    assert run._search.score < 36.0
    run.close()


@pytest.mark.parametrize("kind", [Unfinished, NotLegal])
def test_what_is_no_game_does_not_count(kind):
    run = nrpa.start(kind(), GNRPA, seed=1)
    assert run.advance(time=0.1) == "time"
    assert run.result().score == run._search.score


def test_a_better_game_takes_its_place():
    """A target above what was handed over is met by the search."""
    problem = Slow()
    problem.answer = (2,) * STEPS
    run = nrpa.start(problem, GNRPA, seed=1)
    run.advance(time=0.1)
    assert run.result().score == max(24.0, run._search.score)
    problem.waits = False
    assert run.advance(target=36.0) == "target"
    assert (run.result().score, run._search.score) == (36.0, 36.0)
    scores = [point.score for point in run.recorder.improvements]
    assert scores == sorted(set(scores))
