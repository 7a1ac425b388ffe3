"""The runs of ``nrpa tune``: configurations on instances, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any, NamedTuple

from nrpa.bench.distribute import distribute, outcome
from nrpa.bench.space import Configuration
from nrpa.bench.tune_plan import Plan, read_or_given
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.problem_pickle import packed, unpacked
from nrpa.search.run import solve
from nrpa.solvers.interface import Solver


class TuneTask(NamedTuple):
    """One run of a solver and its budget.

    - ``pair``: The number of the pair of instance and seed.
    - ``problem``: The instance, packed where another process runs it.
    """

    pair: int
    problem: BaseProblem | bytes
    solver: Solver
    seed: int
    time: float | None
    playouts: int | None


def score_of(task: TuneTask) -> Any:
    """Return the score of a run, None if it was interrupted, or what went wrong."""
    return outcome(lambda: _score_of(task))


def _score_of(task: TuneTask) -> float | None:
    problem = unpacked(task.problem) if isinstance(task.problem, bytes) else task.problem
    result = solve(problem, task.solver, seed=task.seed, time=task.time, playouts=task.playouts)
    return None if result.status == "interrupted" else result.score


class Runner:
    """Does runs: in this process, or one at a time in each of some places."""

    def __init__(self, plan: Plan, places: Sequence[Executor]) -> None:
        self._plan = plan
        self._instances = plan.instances | plan.holdout
        self._places = places
        self.workers = max(1, len(places))

    def run(
        self,
        configuration: Configuration,
        pairs: Sequence[tuple[int, str, int]],
        keep: Callable[[int, float], object],
    ) -> None:
        """Run a configuration on pairs (number, instance, seed); ``keep`` takes the number and the score of each."""
        if not pairs:
            return
        solver, options = self._plan.space.make(configuration)
        time, playouts = self._plan.time, self._plan.playouts
        problems = {
            name: read_or_given(self._plan.problem, self._instances[name], options)
            for name in {name for _, name, _ in pairs}
        }
        if not self._places:
            for pair, name, seed in pairs:
                keep(pair, _own_answer(TuneTask(pair, problems[name], solver, seed, time, playouts)))
            return
        parcels = {name: packed(problem) for name, problem in problems.items()}
        tasks = [TuneTask(pair, parcels[name], solver, seed, time, playouts) for pair, name, seed in pairs]
        distribute(
            score_of,
            tasks,
            self._places,
            lambda task, score, running: keep(task.pair, score),
            lambda running: None,
            lambda task: f"the run {task.pair} with seed {task.seed}",
        )


def _own_answer(task: TuneTask) -> float:
    answer = score_of(task)
    if answer is None:
        raise KeyboardInterrupt
    if isinstance(answer, Exception):
        raise answer
    return float(answer)
