"""The solver that chooses for you: a portfolio of GNRPA and parallel tempering, or what the problem asks for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Options, documented, option, words_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.solvers.interface import Search, Seed, Weights
from nrpa.solvers.nrpa.options import GNRPA
from nrpa.solvers.portfolio.arms import BY_CODES, Arm, FirstGame
from nrpa.solvers.tempering.options import Tempering

race = lazy("nrpa.solvers.portfolio.search")

REPETITIONS, GAMMA = 10, 0.3
LEVEL, REPETITIONS_IMPROVED = 3, 5
PERIOD = 50
MOST_ARMS = 6


@documented
@dataclass(frozen=True)
class Auto(Options):
    """The solver if you only want the answer: a portfolio that finds out which search suits the problem.

    A problem of which nothing is known is searched by tempering by moves, of one chain that anneals and of ten, by
    GNRPA, and by tempering by codes where those are not the moves. They take turns, and the worst are dropped
    (``nrpa.solvers.portfolio.search``); ``Result.chosen`` says how that ended.

    A problem can say what suits it. Where ``is_tempered`` is True, it is searched by ``Tempering``; where it is
    False, it is not tempered. If it can improve playouts, GNRPA has level 3, ``improve=True``, ``repetitions=5`` and
    ``problem.iterations_improved`` iterations. With a bias or weights of the caller's it is GNRPA alone.

    GNRPA has no top level here (``GNRPA(level=None)``), so that none has to be chosen for a budget; where the bias β
    depends on the code of a move, it has ``repetitions=10`` and γ = 0.3. The problem is searched with the options that
    ``problem.recommended()`` gives it, or with each of those of ``problem.arms()``, as with the options that a compiled
    problem says are worth trying. What the caller gave stays (``problem.given_options``).

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420, 2024.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc204.1")
    >>> [arm.label for arm in nrpa.Auto().arms(problem)], problem.recommended().moves
    (['gnrpa, improved', 'gnrpa, improved --moves all --bias-rule range'], 'lookahead')
    >>> nrpa.Auto(improve=False, tempering=False).arms(problem)[0].solver.repetitions
    10
    >>> [arm.label for arm in nrpa.Auto().arms(nrpa.Morpion("5D"))]
    ['tempering']
    """

    name: ClassVar[str] = "auto"

    improve: bool = option(True, "Let the problem improve the best playouts, if it can", tried=())
    tempering: bool = option(True, "Try tempering, alone where the problem asks", tried=())

    @property
    def uses_bias(self) -> bool:
        return True

    def arms(self, problem: BaseProblem, has_weights: bool = False, has_codes: bool | None = None) -> tuple[Arm, ...]:
        """Return the searches that take turns; one alone where the problem or the caller has chosen.

        ``has_codes`` says whether codes say anything else than moves do; without it, a game is played to find out.
        """
        caller_chooses = has_weights or problem.bias_replaced
        tempers = self.tempering and not caller_chooses
        if tempers and problem.is_tempered:
            return (Arm("tempering", Tempering(), problem, "the problem asks for it"),)
        tried = (problem.recommended(),) if caller_chooses else problem.arms()
        label, why = "gnrpa", "a bias or weights were given" if caller_chooses else "it is not tempered"
        if self.improve and problem.can_improve:
            label, why = "gnrpa, improved", "the problem can improve playouts"
        adapting = [Arm(label + other, self._adapting(problem), each, why) for other, each in _labelled(tried)]
        if not tempers or problem.is_tempered is not None:
            return tuple(adapting)
        by_move, by_code = (Tempering(1, period=PERIOD, anneals=True, names=names) for names in ("move", "code"))
        few = MOST_ARMS // 2
        arms = [Arm("tempering by moves" + other, by_move, each) for other, each in _labelled(tried[:few])]
        arms += adapting[:few]
        arms.append(Arm("tempering by moves, ten chains", Tempering(names="move"), tried[0]))
        if FirstGame.of(tried[0]).has_codes if has_codes is None else has_codes:
            arms.append(Arm(BY_CODES, by_code, tried[0]))
        return tuple(arms[:MOST_ARMS])

    def moves_of(self, problem: BaseProblem, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build a solution, in the problem or in one of its ``arms()``.

        Raises the problem's InputError if no legal sequence builds it in any of them.
        """
        try:
            return problem.moves_of(solution)
        except InputError:
            for each in problem.arms() if isinstance(problem, CompiledProblem) else ():
                with suppress(InputError):
                    return each.moves_of(solution)
            raise

    def _adapting(self, problem: BaseProblem) -> GNRPA:
        if self.improve and problem.can_improve:
            return GNRPA(
                level=LEVEL,
                iterations=problem.iterations_improved,
                repetitions=REPETITIONS_IMPROVED,
                improve=True,
            )
        if problem.recommended().bias_by_code() is None:
            return GNRPA(level=None)
        return GNRPA(level=None, repetitions=REPETITIONS, gamma=GAMMA)

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; parameters and errors are those of ``Solver.start``."""
        search: Search = race.start(self, problem, seed, warm_start, weights)
        return search


def _labelled(tried: Sequence[BaseProblem]) -> list[tuple[str, BaseProblem]]:
    """Return problems, each after the options in which it differs from the first one, or else its number."""
    first = tried[0].options
    found = [("", tried[0])]
    for number, problem in enumerate(tried[1:], 2):
        other = {name: value for name, value in problem.options.items() if value != first.get(name)}
        found.append((" " + " ".join(words_of(other) or [str(number)]), problem))
    return found
