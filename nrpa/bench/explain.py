"""Why a problem has no solution without faults: the parts or rules that clash, and what each of them costs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from time import perf_counter
from typing import Any, NamedTuple, cast

from nrpa.base.errors import InputError
from nrpa.base.values import SeedLike, agree, checked_seed, counted, plain, positive
from nrpa.bench.enumeration import enumerated, lost
from nrpa.compiling.problem import CompiledClass, compiled
from nrpa.modelling.base_problem import BaseProblem, require_one_player, require_problem
from nrpa.modelling.problem import Problem
from nrpa.modelling.rule import rules_of, without_rules
from nrpa.search.result import figures_text
from nrpa.search.run import Run
from nrpa.search.solve import solve
from nrpa.solvers.interface import Solver

PLAYOUTS, NODES = 1000, 10_000
# Below it, the score of a class whose check names no faults says that the solution is not allowed: -1e9 and the like.
NOT_ALLOWED = -5e8
# So many smaller sets are searched, and so many of one size listed.
MOST_SMALLER, MOST_LISTED = 200, 100_000


class TimeIsOverError(Exception):
    """The seconds that were given are over."""


class Best(NamedTuple):
    """The best solution that was found, with its figures, and its faults in words.

    It is wanted if it has none and reaches the target.
    """

    solution: Any
    figures: dict[str, Any]
    faults: list[str]
    is_wanted: bool


class Attempt(NamedTuple):
    """What is known of a set: the best that keeps it, None where no move is legal, and how it was looked for."""

    best: Best | None = None
    is_proven: bool = False  # whether none is wanted, as all games were looked at
    playouts: int = 0
    nodes: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether a solution that is wanted was found."""
        return self.best is not None and self.best.is_wanted


@dataclass(frozen=True)
class Explanation:
    """Which parts or rules of a problem clash, and what was proven of them.

    Attributes
    ----------
    clash : list of str
        The parts and rules that no solution keeps together; empty where one keeps all, or none is there even without
        the rules.
    is_minimal, is_smallest : bool
        Whether there is a solution without any one of them, and one for each smaller set.
    tried : Attempt
        How a solution for them was looked for: so many ``playouts``, and ``nodes`` of an enumeration. If it
        ``is_proven``, these were all games. ``tried.best`` is the best found, with its faults.
    whole : Best or None
        The best ``solution`` found of the whole problem, its ``figures``, its ``faults``, and whether it ``is_wanted``;
        None where no move is legal.
    without : dict of str to Best or None
        The same without each rule, and without each part that clashes. Solutions and faults of fewer parts, as those of
        ``tried.best``, have the numbers of what is left: without city 2 of four, city 3 is called 2.
    seed : int
        The seed of the random numbers.
    """

    clash: list[str]
    is_minimal: bool
    is_smallest: bool
    tried: Attempt
    whole: Best | None
    without: dict[str, Best | None]
    seed: int
    _problem: BaseProblem = field(repr=False, compare=False)

    @property
    def sentences(self) -> list[str]:
        """All that in words."""
        return [*_sentences(self)]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as what JSON can hold."""
        known = {name: value for name, value in vars(self).items() if name != "_problem"}
        whole, of_clash = ({} if best is None else best._asdict() for best in (self.whole, self.tried.best))
        without = {name: {} if best is None else best._asdict() for name, best in self.without.items()}
        tried = {**self.tried._asdict(), "best": of_clash}
        found: dict[str, Any] = plain({**known, "tried": tried, "whole": whole, "without": without})
        return found | {"sentences": self.sentences}


def explain(
    problem: BaseProblem,
    solver: Solver | str | None = None,
    *,
    seed: SeedLike = 0,
    playouts: int = PLAYOUTS,
    nodes: int = NODES,
    time: float | None = None,
    target: float | Sequence[float] | None = None,
) -> Explanation:
    """Look for a smallest set of parts and rules of a problem that clash, and for what each rule costs.

    A set clashes if no solution keeps it without faults. Without any one member of the set that is returned there is a
    solution. What was enumerated is proven; else none was found.

    Parameters
    ----------
    problem : BaseProblem
        One that can leave out parts, such as ``nrpa.TSPTW``, or a class in plain Python whose rules are marked by
        ``nrpa.rule``, or both.
    solver : Solver or str, optional
        What searches; ``Auto()`` if it is not given.
    seed : int or numpy.random.Generator, optional
        The seed of the random numbers. Without ``time``, the same seed gives the same explanation.
    playouts, nodes : int
        How many playouts look for a solution of each set, and where these found none, of how many states the games are
        enumerated.
    time : float, optional
        So many seconds in all, after which what is known by then is returned.
    target : float or sequence of float, optional
        The objective value that a solution must reach, too, in the problem's own terms; by default its ``goal``.

    Returns
    -------
    Explanation
        What clashes, with ``sentences`` for people.

    Raises
    ------
    InputError
        If the problem has neither parts nor rules, or an argument is out of range.

    Notes
    -----
    A problem that can leave out parts has the methods ``parts()``, a list of different names, and ``without(parts)``,
    the problem without some of them, which must not be harder. With a method ``is_lost(moves)``, whether each game that
    begins with these moves has a fault at its end, enumerations end sooner.

    A solution has a fault if the problem's check names one, or, in plain Python without a check of its own, if its
    score is below -5e8: -1e9 for what is not allowed.

    The set is found by QuickXplain: U. Junker, *QuickXplain: preferred explanations and relaxations for
    over-constrained problems*, AAAI 2004. Then smaller sets are tried.

    Examples
    --------
    Nobody can be at city 1 and at city 2 in time; city 3 has nothing to do with it:

    >>> import nrpa
    >>> distances = [[0, 4, 4, 1], [4, 0, 6, 5], [4, 6, 0, 5], [1, 5, 5, 0]]
    >>> found = nrpa.explain(nrpa.TSPTW(distances, [[0, 50], [0, 8], [0, 8], [0, 50]]))
    >>> found.clash, found.tried.is_proven, found.is_smallest
    (['city 1', 'city 2'], True, True)
    """
    require_problem(problem)
    require_one_player(problem)
    limits = counted("playouts", playouts), counted("nodes", nodes)
    end = math.inf if time is None else perf_counter() + positive("time", time)
    asked = _Asked(problem, solver, checked_seed(seed), *limits, end, target)
    names, clash, is_minimal, is_smallest = asked.names, list[str](), False, False
    try:
        if not asked.tried(names).is_kept and (asked.parts or asked.tried([]).is_kept):
            clash = asked.minimal()
            is_minimal = True
            for name in clash:
                asked.best_without(name)
            clash, is_smallest = asked.smallest(clash)
        for name in asked.rules + clash:
            asked.best_without(name)
    except TimeIsOverError:
        clash = clash if is_minimal else asked.clashing
    tried, whole = (asked.known.get(frozenset(kept), Attempt()) for kept in (clash, names))
    without = {name: asked.without[name] for name in asked.rules + clash if name in asked.without}
    return Explanation(clash, is_minimal, is_smallest, tried, whole.best, without, asked.seed, problem)


class _Asked:
    """Which sets of parts and rules have a solution: what was asked, and what is known by now."""

    def __init__(
        self, problem: BaseProblem, solver: Any, seed: int, playouts: int, nodes: int, end: float, target: Any
    ) -> None:
        self.problem, self.solver, self.seed = problem, solver, seed
        self.playouts, self.nodes, self.end = playouts, nodes, end
        self.plain = cast("Any", problem.plain if isinstance(problem, CompiledClass) else problem)
        self.rules = rules_of(self.plain)
        self.parts: list[str] = self.plain.parts() if callable(getattr(self.plain, "without", None)) else []
        self.names = [*self.rules, *self.parts]
        if not self.names:
            what = "no parts that it could do without (parts() and without(parts)), and no rules that nrpa.rule marks"
            raise InputError(f"nothing of {problem.name} can clash: it has {what}")
        target = problem.goal if target is None else target
        self.least = -math.inf if type(self.plain).check is not Problem.check else NOT_ALLOWED
        self.least = self.least if target is None else problem.objective.score(target)
        self.clashing: list[str] = []  # the smallest set by now for which no solution was found
        self.known: dict[frozenset[str], Attempt] = {}
        self.without: dict[str, Best | None] = {}
        self._kept = [frozenset(self.rules)] if self.parts else []  # without parts there is nothing to keep

    def only(self, kept: Collection[str]) -> BaseProblem:
        """Return the problem with some parts and rules alone."""
        parts, rules = ([name for name in names if name not in kept] for names in (self.parts, self.rules))
        made = self.plain.without(parts) if self.parts else self.plain
        if rules:
            return without_rules(made, rules)
        found: BaseProblem = compiled(made) if isinstance(self.problem, CompiledClass) else made
        return found

    def judged(self, problem: BaseProblem, solution: Any) -> Best:
        """Return what a solution is worth."""
        verdict = problem.check(solution)
        score = -math.inf if verdict.faults or verdict.score is None else verdict.score
        is_wanted = score > -math.inf and (score >= self.least or agree(score, self.least))
        return Best(solution, verdict.figures, verdict.faults, is_wanted)

    def searched(self, problem: BaseProblem, most: int, stops: bool) -> tuple[Best | None, int]:
        """Return the best of so many playouts, and how many; if it ``stops``, of those up to one that is wanted."""
        if isinstance(problem, Problem) and not problem._may_be_done and not _has_moves(problem):
            return None, 0

        def is_done(run: Run) -> bool:
            return stops and self.judged(problem, run.solution).is_wanted

        seconds = None if self.end == math.inf else self._seconds_left()
        limits: Any = {"playouts": most, "time": seconds}
        found = solve(problem, self.solver, seed=self.seed, on_improvement=is_done, **limits)
        if found.status == "interrupted":
            raise KeyboardInterrupt
        return self.judged(problem, found.solution), found.playouts

    def _seconds_left(self) -> float:
        left = self.end - perf_counter()
        if left <= 0.0:
            raise TimeIsOverError
        return left

    def tried(self, kept: Collection[str]) -> Attempt:
        """Look for a solution that keeps some parts and rules: by a search, then by enumeration."""
        asked = frozenset(kept)
        if asked not in self.known:
            problem = self.only(asked)
            is_whole = len(asked) == len(self.names)
            # Where no game has a hope, one of them says what is wrong.
            most = 1 if lost(problem)([]) and not is_whole else self.playouts
            best, playouts = self.searched(problem, most, stops=not (is_whole and self.rules))
            self._learn(asked, Attempt(best, best is None, playouts, int(best is None)))
            if best is not None and not best.is_wanted:
                wanted = lambda solution: self.judged(problem, solution).is_wanted  # noqa: E731
                of_all = enumerated(problem, wanted, self.nodes, lambda: perf_counter() > self.end)
                is_kept = of_all.solution is not None
                best = self.judged(problem, of_all.solution) if is_kept else best
                self._learn(asked, Attempt(best, of_all.is_whole and not is_kept, playouts, of_all.nodes))
                self._seconds_left()
        return self.known[asked]

    def _learn(self, asked: frozenset[str], found: Attempt) -> None:
        self.known[asked] = found
        if found.is_kept:
            self._kept.append(asked)
        if not self.clashing or len(asked) < len(self.clashing):
            self.clashing = self.clashing if found.is_kept else [name for name in self.names if name in asked]

    def best_without(self, name: str) -> None:
        """Learn the best that a whole search finds without a part or rule."""
        if name not in self.without:
            kept = frozenset(self.names) - {name}
            best, _ = self.searched(self.only(kept), self.playouts, stops=False)
            self.without[name] = best
            self._kept += [kept] if best is not None and best.is_wanted else []

    def _is_kept(self, kept: Collection[str]) -> bool:
        """Return whether a solution keeps some parts and rules; less to keep is never harder."""
        asked = frozenset(kept)
        if any(asked <= known for known in self._kept) or not asked:
            return True
        if any(known <= asked and not tried.is_kept for known, tried in self.known.items()):
            return False
        return self.tried(asked).is_kept

    def minimal(self) -> list[str]:
        """Return parts and rules that clash, of which none can be left out."""
        clash = self._quick([], False, self.names)
        self.tried(clash)
        return clash

    def _quick(self, kept: list[str], is_new: bool, names: list[str]) -> list[str]:
        """Return those of the names without which the others, beside what is kept, would not clash (QuickXplain)."""
        if is_new and not self._is_kept(kept):
            return []
        if len(names) == 1:
            return names
        first, second = names[: len(names) // 2], names[len(names) // 2 :]
        of_second = self._quick([*kept, *first], True, second)
        return [*self._quick([*kept, *of_second], bool(of_second), first), *of_second]

    def smallest(self, clash: list[str]) -> tuple[list[str], bool]:
        """Return the first smaller set that surely clashes, else the given one, and whether none is smaller."""
        is_shown, looked = True, 0
        for size in range(1, len(clash)):
            if math.comb(len(self.names), size) > MOST_LISTED:
                return clash, False
            for few in combinations(self.names, size):
                if any(kept.issuperset(few) for kept in self._kept):
                    continue
                looked += 1
                if looked > MOST_SMALLER:
                    return clash, False
                found = self.tried(few)
                if found.is_proven:
                    return list(few), is_shown
                is_shown &= found.is_kept
        return clash, is_shown


def _has_moves(problem: Problem) -> bool:
    return any(True for _ in problem.legal_moves(problem.initial_state()))


def _sentences(found: Explanation) -> Iterator[str]:
    clash, tried, problem = found.clash, found.tried, found._problem
    if not clash:
        is_kept = found.whole is not None and found.whole.is_wanted
        yield "Nothing clashes." if is_kept else "No solution was found even without all rules."
    else:
        yield f"{len(clash)} clash: {'; '.join(clash)}." if len(clash) > 1 else f"{clash[0]} cannot be kept alone."
        states = f"{tried.nodes:,} state{'s' * (tried.nodes != 1)}"
        if tried.is_proven:
            yield f"Proven: no solution keeps {'them' if clash[1:] else 'it'}; all games ({states}) were looked at."
        else:
            yield f"Not proven: no solution was found in {tried.playouts:,} playouts and {states} of all games."
        if not found.is_minimal:
            yield "The time was over before it was known whether fewer clash."
        elif len(clash) > 1:
            smaller = "no smaller set clashes" if found.is_smallest else "whether a smaller set clashes is not known"
            yield f"Without any one of them the others can be kept; {smaller}."
    yield f"The best of all: {_text(problem, found.whole)}."
    for name, best in found.without.items():
        # Parts may have other numbers in the faults of what is left.
        yield f"Without {name}: {_text(problem, best, name in rules_of(problem))}."


def _text(problem: BaseProblem, best: Best | None, is_named: bool = True) -> str:
    if best is None:
        return "no move is legal"
    fault = (best.faults[0] if is_named else "which has faults") if best.faults else "which does not count"
    return figures_text(problem.objective, plain(best.figures)) + ("" if best.is_wanted else f", {fault}")
