"""A user's program, as strict type checkers see it: a problem in plain Python, a search, its result."""

from collections.abc import Sequence
from typing import assert_type

import nrpa
from nrpa.solvers.interface import Solver


class Sums(nrpa.Problem):
    """Numbers that add up to as much as possible."""

    objective = nrpa.Objective("sum", sign=1)
    least = nrpa.Option(1, "The least number.")

    def __init__(self, count: int, **options: int) -> None:
        super().__init__(**options)
        self.count = count

    @classmethod
    def from_source(cls, source: nrpa.Source, **options: int) -> "Sums":
        """Read the count."""
        return cls(int(source.text), **options)

    def initial_state(self) -> tuple[int, ...]:
        """Return the empty sequence."""
        return ()

    def legal_moves(self, state: tuple[int, ...]) -> Sequence[int]:
        """Return three numbers until there are enough."""
        return range(self.least, self.least + 3) if len(state) < self.count else ()

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Append the number."""
        return (*state, move)

    def score(self, state: tuple[int, ...]) -> float:
        """Return the sum."""
        return float(sum(state))


SOLVERS: tuple[Solver, ...] = (
    nrpa.Auto(),
    nrpa.GNRPA(),
    nrpa.MCPS(),
    nrpa.NMCS(),
    nrpa.NRPA(),
    nrpa.RandomSampling(),
    nrpa.Tempering(),
)


def best(solver: nrpa.GNRPA | nrpa.NMCS) -> float:
    """Return the largest sum of five numbers that the solver finds."""
    result: nrpa.Result = nrpa.solve(Sums(5), solver, seed=1, playouts=200, stop=nrpa.ScoreLimit(15.0))
    return result.score


def main() -> None:
    """Solve, and go on by hand."""
    print(best(nrpa.GNRPA(level=2, tau=1.4)), best(nrpa.NMCS(level=1)))
    run = nrpa.start(Sums(3), nrpa.NRPA(level=1), seed=1)
    run.advance(time=0.01, no_improvement=nrpa.NoImprovement(playouts=50))
    assert_type(run.value, float)
    assert_type(run.result().value, float)
    points: list[nrpa.Point] = run.result().improvements
    known: nrpa.BestKnown | None = run.problem.best_known
    print(len(points) > 0, known, Sums(3, least=2).least)
    others: list[nrpa.CompiledProblem] = [
        nrpa.compiled(Sums(3)),
        nrpa.compiled(Sums)(3),
        nrpa.permutation(3, lambda order: float(order[0])),
        nrpa.assignment([2, 3], sum),
        nrpa.subset(3, sum),
    ]
    print([problem.name for problem in others])
    try:
        nrpa.TSPTW.load("no-such-instance")
    except nrpa.InputError as error:
        print(type(error).__name__)


if __name__ == "__main__":
    main()
