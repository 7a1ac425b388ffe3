"""The runs of ``nrpa tune``: configurations on instances, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, NamedTuple

from nrpa.base.errors import InputError
from nrpa.bench.distribute import distribute
from nrpa.bench.space import Configuration
from nrpa.bench.tune_plan import Plan, read_or_given
from nrpa.modelling.base_problem import BaseProblem
from nrpa.search.parcel import packed, unpacked
from nrpa.search.processes import WorkerProcess
from nrpa.search.run import solve
from nrpa.solvers.interface import Solver


class TuneTask(NamedTuple):
    """One run and all that it needs.

    Attributes
    ----------
    pair : int
        What the caller calls it.
    problem : BaseProblem or bytes
        The instance, packed for another process.
    solver : Solver
        The solver with its options.
    seed : int
        The seed.
    time : float or None
        The budget in seconds.
    playouts : int or None
        The budget in playouts.
    """

    pair: int
    problem: BaseProblem | bytes
    solver: Solver
    seed: int
    time: float | None
    playouts: int | None


def score_of(task: TuneTask) -> Any:
    """Return the score of a run.

    Parameters
    ----------
    task : TuneTask
        The run.

    Returns
    -------
    float, Exception or None
        The score; what went wrong; None if Ctrl-C ended the run.
    """
    try:
        problem = unpacked(task.problem) if isinstance(task.problem, bytes) else task.problem
        result = solve(problem, task.solver, seed=task.seed, time=task.time, playouts=task.playouts)
    except Exception as error:
        return error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}")
    return None if result.status == "interrupted" else result.score


class Runner:
    """Does runs, several at once if that is asked for.

    Parameters
    ----------
    plan : Plan
        What is tuned, and how long.
    workers : int
        How many runs at once. One runs in this process, several in processes of their own.
    """

    def __init__(self, plan: Plan, workers: int) -> None:
        self._plan = plan
        self._instances = plan.instances | plan.holdout
        self._places = [WorkerProcess() for _ in range(workers)] if workers > 1 else []
        self.workers = workers

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for place in self._places:
            place.end()

    def run(
        self,
        configuration: Configuration,
        pairs: Sequence[tuple[int, str, int]],
        keep: Callable[[int, float], object],
    ) -> None:
        """Run a configuration.

        Parameters
        ----------
        configuration : dict
            The configuration.
        pairs : sequence of tuple
            What a run is called, its instance and its seed.
        keep : callable
            Called with what a run is called and its score, as soon as it has ended.

        Raises
        ------
        InputError
            If the configuration cannot be run.
        KeyboardInterrupt
            On Ctrl-C; only the runs in progress are lost.
        """
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
