"""Whether the class of a problem in plain Python compiles as it stands, and how quick it then is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nrpa.base.errors import ProblemError
from nrpa.base.lazy import lazy
from nrpa.modelling.problem import Problem
from nrpa.search.solve import start
from nrpa.solvers.interface import Solver

compiling = lazy("nrpa.compiling.problem")

WORTH_IT = 1.5


@dataclass(frozen=True)
class CompiledSpeed:
    """How a search of the compiled class went.

    - ``rate``: Playouts per second; 0 where it does not compile.
    - ``why_not``: Why it does not compile, in words; empty where it does.
    """

    rate: float
    why_not: str = ""

    def sentence(self, solver: str, plain_rate: float) -> str:
        """Return what was seen, beside the playouts per second in plain Python, with what to do next."""
        if self.why_not:
            return f"The class does not compile as it stands: {self.why_not}. Next: change that, and try --compile."
        times = self.rate / plain_rate
        seen = f"Compiled, {solver} makes {times:.{0 if times >= 10 else 1}f} times as many playouts a second"
        if times < WORTH_IT:
            return f"{seen}. Next: leave the class as it is."
        return f"{seen}. Next: add --compile (in Python: nrpa.compiled(problem))."


def compiled_speed(problem: Problem, solver: Solver, seed: int, clock: str, limits: dict[str, Any]) -> CompiledSpeed:
    """Search the compiled class up to some limits. What it raises is taken for why it does not compile."""
    try:
        run = start(compiling.compiled(problem), solver, seed=seed, clock=clock)
        try:
            status = run.advance(**limits)
        finally:
            run.close()
    except ProblemError as error:
        return CompiledSpeed(0.0, str(error))
    except Exception as error:
        return CompiledSpeed(0.0, f"{type(error).__name__}: {error}")
    if status == "interrupted":
        raise KeyboardInterrupt
    return CompiledSpeed(run.progress.playouts / max(run.progress.seconds, 1e-9))
