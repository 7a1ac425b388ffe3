"""The solver that chooses for you: a portfolio of GNRPA and parallel tempering, or what the problem asks for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import (
    Options,
    documented,
    option,
    options_of,
    parse_option_value,
    require_option_names,
    terms_of,
    words_of,
)
from nrpa.base.values import shortened, shown
from nrpa.checking.validate import hints_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.variants import variants
from nrpa.solvers.interface import Search, Seed, Weights
from nrpa.solvers.nrpa.options import GNRPA, NRPA
from nrpa.solvers.portfolio.arms import BY_CODES, Arm, FirstGame, OneSearch
from nrpa.solvers.tempering.options import Tempering

race = lazy("nrpa.solvers.portfolio.search")
bias = lazy("nrpa.modelling.bias")

REPETITIONS, GAMMA = 10, 0.3
LEVEL, REPETITIONS_IMPROVED = 3, 5
PERIOD = 50
# How many times β an arm has where it is the author's.
STRONGER = 4
MOST_ARMS = 6
LONGEST_WORD = 16
# Where whole sequences are evaluated, GNRPA, which lists all legal moves of a game, is no arm beyond so many.
MOST_LISTED = 2**22
CHOSEN = "auto"
KINDS: dict[str, Any] = {kind.name: kind for kind in (GNRPA, NRPA, Tempering)}


@documented
@dataclass(frozen=True)
class Auto(Options):
    """The solver if you only want the answer: a portfolio that finds out which search suits the problem.

    Four searches take turns: GNRPA, tempering by moves with one chain that anneals, the same with ten chains, and, if
    codes are not the moves, tempering by codes. Tempering goes on from the best game of all, and draws random moves by
    the method ``bias`` of a class. The worst are dropped (``nrpa.solvers.portfolio.search``);
    ``Result.chosen`` says how that ended.

    A problem can say what suits it (``nrpa.Hints``): whether it is tempered, and the options with which searches found
    the best answers. Without them, ``auto`` tries the options that a compiled problem declares as worth trying. Options
    that you gave stay.

    You can also say which searches take turns: ``arms``, GNRPA, NRPA and tempering with any options, in the form of the
    problem that ``auto`` searches first. Policies come before tempering, whose first search is never dropped beside
    them; without tempering, or without policies, the worst are dropped by their scores.

    GNRPA has no top level here (``GNRPA(level=None)``), so you need not choose one for a budget. Where there is a
    method ``bias``, or a bias by code, it has ``repetitions=10`` and γ = 0.3. Where the problem can improve playouts,
    it has level 3, ``improve=True`` and ``repetitions=5``. Beside tempering, the same search with four times the β of a
    method ``bias`` takes turns, too. If you give a bias or weights, it is the only search. It is left out where whole
    sequences are evaluated, and a game would list more than four million legal moves.

    References
    ----------
    T. Cazenave, *Generalized Nested Rollout Policy Adaptation with Limited Repetitions*, arXiv 2401.10420, 2024.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.TSPTW.load("rc204.1")
    >>> [arm.label for arm in nrpa.Auto().arms_of(problem)], nrpa.Auto().arms_of(problem)[0].problem.moves
    (['gnrpa, improved', 'gnrpa, improved --moves all --bias-rule range'], 'lookahead')
    >>> nrpa.Auto(improve=False, tempering=False).arms_of(problem)[0].solver.repetitions
    10
    >>> [arm.label for arm in nrpa.Auto().arms_of(nrpa.Morpion("5D"))]
    ['tempering']
    >>> nrpa.Auto(arms=[nrpa.GNRPA(level=2), nrpa.Tempering()]).arms
    'gnrpa --level 2, tempering'
    """

    name: ClassVar[str] = "auto"

    improve: bool = option(True, "Let the problem improve the best playouts", tried=())
    tempering: bool = option(True, "Try tempering, alone where the problem asks", tried=())
    arms: str | Sequence[OneSearch | str] = option(
        CHOSEN,
        "The searches, as 'gnrpa --level 3, tempering'",
        tried=(),
        details="In Python a list, too, of solvers or of texts. They are of gnrpa, nrpa and tempering, and differ.",
    )

    def __post_init__(self) -> None:
        # A comma within the numbers of levels divides no arms.
        given = re.split(r",(?!\d)", self.arms) if isinstance(self.arms, str) else self.arms
        if not isinstance(given, Sequence):
            raise InputError(f"arms must be a text or a list of solvers, not {shown(given)}")
        words = [_words(_search(each)) for each in given or [""]] if self.arms != CHOSEN else [CHOSEN]
        for text, times in Counter(words).items():
            if times > 1:
                raise InputError(f"arms must differ, but {text!r} is there {times} times")
        object.__setattr__(self, "arms", ", ".join(words))
        super().__post_init__()

    @property
    def uses_bias(self) -> bool:
        return True

    def arms_of(
        self, problem: BaseProblem, has_weights: bool = False, has_codes: bool | None = None
    ) -> tuple[Arm, ...]:
        """Return the searches that take turns; one alone where the problem or the caller has chosen.

        ``has_codes`` says whether codes say anything else than moves do; without it, a game is played to find out.
        """
        caller_chooses = has_weights or problem.bias_replaced
        tempers, hints = self.tempering and not caller_chooses, hints_of(problem)
        if self.arms != CHOSEN:
            return self._given(_tried(problem, hints)[0])
        if tempers and hints.tempered:
            forms = hints.arms if hints.arms and hints.replayed is None else (problem,)
            why = "the problem asks for it"
            return tuple(Arm("tempering" + other, Tempering(), each, why) for other, each in _labelled(forms, problem))
        tried = _tried(problem, hints)
        if caller_chooses:
            tried = tuple(each for each in tried if each.codes == problem.codes)[:1]
        label, why = "gnrpa", "a bias or weights were given" if caller_chooses else "it is not tempered"
        if self.improve and problem.can_improve:
            label, why = "gnrpa, improved", "the problem can improve playouts"
        adapting = [Arm(label + other, self._adapting(each, hints), each, why) for other, each in _labelled(tried)]
        if not tempers or hints.tempered is not None:
            return tuple(adapting)
        if problem.has_bias_method:
            stronger = bias.with_stronger_bias(tried[0], STRONGER)
            adapting.append(Arm(f"{label}, β × {STRONGER}", adapting[0].solver, stronger))
        model = problem.model
        if model.is_evaluated and model.limits.total > MOST_LISTED:
            adapting = []
        ten = Tempering(bias=problem.has_bias_method)
        by_move = replace(ten, chains=1, period=PERIOD, anneals=True)
        if len(tried) == 1:
            arms = [*adapting, Arm("tempering by moves", by_move, tried[0], stays=True)]
        else:
            few = MOST_ARMS // 2
            arms = [Arm("tempering by moves" + other, by_move, each) for other, each in _labelled(tried[:few])]
            arms += adapting[:few]
        arms.append(Arm("tempering by moves, ten chains", ten, tried[0]))
        if FirstGame.of(tried[0]).has_codes if has_codes is None else has_codes:
            arms.append(Arm(BY_CODES, replace(by_move, names="code"), tried[0]))
        return tuple(arms[:MOST_ARMS])

    def _given(self, problem: BaseProblem) -> tuple[Arm, ...]:
        """Return the arms that the caller chose: policies, then tempering, whose first stays beside a policy."""
        arms = [Arm(text, _search(text), problem, "it was given") for text in str(self.arms).split(", ")]
        tempered = [arm for arm in arms if isinstance(arm.solver, Tempering)]
        policies = [arm for arm in arms if arm not in tempered]
        first = [tempered[0]._replace(stays=bool(policies))] if tempered else []
        return (*policies, *first, *tempered[1:])

    def moves_of(self, problem: BaseProblem, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build a solution, in the problem or with options that are tried.

        Raises the problem's InputError if no legal sequence builds it in any of them.
        """
        try:
            return problem.moves_of(solution)
        except InputError:
            for each in _tried(problem, hints_of(problem)) if isinstance(problem, CompiledProblem) else ():
                with suppress(InputError):
                    return each.moves_of(solution)
            raise

    def _adapting(self, problem: BaseProblem, hints: Hints) -> GNRPA:
        if self.improve and problem.can_improve:
            iterations = hints.iterations_improved
            return GNRPA(level=LEVEL, iterations=iterations, repetitions=REPETITIONS_IMPROVED, improve=True)
        if problem.bias_by_code() is None and not (problem.has_bias_method or problem.bias_replaced):
            return GNRPA(level=None)
        return GNRPA(level=None, repetitions=REPETITIONS, gamma=GAMMA)

    def start(
        self, problem: BaseProblem, seed: Seed, *, warm_start: np.ndarray | None = None, weights: Weights | None = None
    ) -> Search:
        """Return a search that has not begun; parameters and errors are those of ``Solver.start``."""
        search: Search = race.start(self, problem, seed, warm_start, weights)
        return search


def _search(given: Any) -> OneSearch:
    """Return the search that a text describes, as in ``gnrpa --level 3``, or one that is given as it is."""
    if isinstance(given, OneSearch):
        return given
    name, *words = given.split() or [""] if isinstance(given, str) else [shown(given)]
    if name not in KINDS:
        raise InputError(f"arms must be some of {', '.join(KINDS)}, with commas between, not {shortened(name)!r}")
    terms = terms_of(KINDS[name])
    try:
        options = options_of(words)
        require_option_names(options, terms)
        values = {key: parse_option_value(terms[key].default, value) for key, value in options.items()}
        search: OneSearch = KINDS[name](**values)
    except InputError as error:
        raise InputError(f"arms, {name}: {error}") from None
    return search


def _words(search: OneSearch) -> str:
    """Return a search as a text, with the options that are not at their default."""
    terms = terms_of(type(search))
    other = {name: value for name, value in search.options.items() if value != terms[name].default}
    return " ".join([search.name, *words_of(other)])


def _tried(problem: BaseProblem, hints: Hints) -> tuple[BaseProblem, ...]:
    """Return the problem with each set of options that is searched; with a bias of the caller's, as it is."""
    if problem.bias_replaced:
        return (problem,)
    if hints.arms or problem.can_improve or not isinstance(problem, CompiledProblem):
        return hints.arms or (problem,)
    return problem, *variants(problem)


def _labelled(tried: Sequence[BaseProblem], first: BaseProblem | None = None) -> list[tuple[str, BaseProblem]]:
    """Return problems, each after the options in which it differs from the first one, or else its number."""
    first = first or tried[0]
    found = []
    for number, problem in enumerate(tried, 1):
        other = {name: value for name, value in problem.options.items() if value != first.options.get(name)}
        words = [] if problem is first else words_of(other) or [str(number)]
        found.append(("".join(f" {shortened(word, LONGEST_WORD)}" for word in words), problem))
    return found
