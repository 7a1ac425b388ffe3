"""The runs of ``nrpa tune``: configurations on instances, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

from nrpa.bench.distribute import distribute
from nrpa.bench.space import Configuration
from nrpa.bench.tune_plan import Plan, read_or_given
from nrpa.bench.worker import Task, work
from nrpa.search.problem_pickle import packed


class Runner:
    """Does runs: in this process, or one at a time on each of some executors."""

    def __init__(self, plan: Plan, executors: Sequence[Executor]) -> None:
        self._plan = plan
        self._instances = plan.instances | plan.holdout
        self._executors = executors
        self.workers = max(1, len(executors))

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
        limits = {"time": self._plan.time, "playouts": self._plan.playouts}
        problems = {
            name: read_or_given(self._plan.problem, self._instances[name], options)
            for name in {name for _, name, _ in pairs}
        }
        if not self._executors:
            for pair, name, seed in pairs:
                answer = work(Task(pair, problems[name], solver, seed, limits))
                if answer is None:
                    raise KeyboardInterrupt
                if isinstance(answer, Exception):
                    raise answer
                keep(pair, answer.score)
            return
        parcels = {name: packed(problem) for name, problem in problems.items()}
        distribute(
            work,
            [Task(pair, parcels[name], solver, seed, limits) for pair, name, seed in pairs],
            self._executors,
            lambda task, result, running: keep(task.key, result.score),
            lambda running: None,
            lambda task: f"the run {task.key} with seed {task.seed}",
        )
