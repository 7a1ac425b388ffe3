"""The figures of a solution, or of a front of them, as a result keeps them, and printed beside the best known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from nrpa.base.errors import DisagreementError, InputError, escaped
from nrpa.base.lazy import lazy
from nrpa.base.values import agree, plain, unwritable
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.search.workers import ParallelSearch

SIGNIFICANT = 4
MOST_DECIMALS = 10
front_search = lazy("nrpa.solvers.front_search")


def unwritable_figures(figures: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each figure that JSON cannot hold.

    >>> unwritable_figures({"cost": float("inf"), "stops": (1, 2)})
    ["the figure 'cost' must be of finite numbers, text, lists and dicts, not inf (float)"]
    """
    sentences = []
    for name, value in figures.items():
        if not isinstance(name, str):
            sentences.append(f"the name of a figure must be text, not {name!r}")
        elif found := unwritable(value):
            sentences.append(f"the figure {name!r} must be of finite numbers, text, lists and dicts, not {found}")
    return sentences


def figure_text(objective: Objective, name: str, value: Any) -> str:
    """Return a figure as it is printed.

    >>> cost = Objective("cost", sign=-1, digits=2)
    >>> figure_text(cost, "cost", 878.6397), figure_text(cost, "share", 0.0123456), figure_text(cost, "missed", 3)
    ('878.64', '0.01235', '3')
    """
    objective = objective.of(name)
    if not isinstance(value, float):
        return escaped(str(value))
    if name == objective.name or value == 0 or not math.isfinite(value):
        return objective.text(value)
    decimals = max(objective.digits, SIGNIFICANT - 1 - math.floor(math.log10(abs(value))))
    if decimals > max(objective.digits, MOST_DECIMALS):
        return f"{value:.{SIGNIFICANT}g}"
    text = f"{value:.{decimals}f}"
    surplus = len(text) - len(text.rstrip("0"))
    kept = max(objective.digits, decimals - surplus)
    return f"{value:.{kept}f}"


def figures_text(objective: Objective, figures: Mapping[str, Any]) -> str:
    """Return the figures in one line, each after its name.

    >>> figures_text(Objective("cost", sign=-1, digits=2), {"cost": 38.0, "violations": 1})
    'cost 38.00, violations 1'
    """
    return ", ".join(f"{escaped(name)} {figure_text(objective, name, value)}" for name, value in figures.items())


def comparison(problem: BaseProblem, score: float) -> str:
    """Return the best known value of an instance and the gap to it, as text."""
    known = problem.best_known
    if known is None:
        return ""
    text = problem.objective.text(known.value)
    how = "proven optimal" if known.proven_by else "not proven optimal"
    return f"{text} ({how}); gap {gap_text(problem, score)}"


def gap_text(problem: BaseProblem, score: float) -> str:
    """Return by how much a score falls short of the best known value."""
    known = problem.best_known
    if known is None or not has_gap(problem):
        return ""
    objective = problem.objective
    gap = 100 * objective.sign * (known.value - objective.value(score)) / abs(known.value)
    if gap > 1000:
        return "> 1000 %"
    rounded = f"{gap:.2f}"
    return f"{'0.00' if rounded == '-0.00' else rounded} %"


def has_gap(problem: BaseProblem) -> bool:
    """Return whether there is a best known value, other than 0, that scores can be compared with."""
    return problem.best_known is not None and problem.best_known.value != 0


def front_of(problem: BaseProblem, search: Any) -> list[dict[str, Any]] | None:
    """Return the front that the workers of a search have found, the best by the first goal first; None where none is.

    Raises DisagreementError where the problem's check finds other goals than the search.
    """
    searches: list[Any] = search.searches() if isinstance(search, ParallelSearch) else [search]
    if not all(hasattr(each, "front") for each in searches):
        return None
    found = dict(pair for each in searches for pair in each.front())
    kept = sorted((one for one in found if not any(dominates(other, one) for other in found)), reverse=True)
    names = [goal.name for goal in front_search.goals_of(problem)]
    front = []
    for goals in kept:
        verdict = problem.check(found[goals])
        if verdict.faults and not verdict.faults_counted:
            continue
        figures = {name: verdict.figures[name] for name in names}
        signed = [goal.sign * figures[goal.name] for goal in front_search.goals_of(problem)]
        if not all(map(agree, goals, signed)):
            raise DisagreementError(f"{problem.name}: the search found the goals {goals}, the check {tuple(signed)}")
        front.append({"figures": plain(figures), "solution": plain(found[goals])})
    return front


def dominates(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Return whether ``one`` is as good by every goal, and better by one.

    >>> dominates((2, 3), (2, 1)), dominates((2, 3), (2, 3)), dominates((2, 3), (3, 1))
    (True, False, False)
    """
    return one != other and all(mine >= yours for mine, yours in zip(one, other, strict=True))


def front_faults(problem: BaseProblem, front: Any) -> list[str]:
    """Return what is wrong with the front that a file claims."""
    faults, signed = [], []
    for place, entry in enumerate(checked_front(front), 1):
        verdict = problem.check(entry["solution"])
        claimed = entry["figures"]
        if verdict.faults and not verdict.faults_counted:
            faults.append(f"solution {place} of the front: {verdict.faults[0]}")
        for name, value in claimed.items():
            found = plain(verdict.figures).get(name)
            if not agree(value, found):
                faults.append(f"solution {place} of the front: the file says {name} {value}, but it is {found}")
        signed.append(tuple(goal.sign * claimed.get(goal.name, 0) for goal in front_search.goals_of(problem)))
    beaten = [k for k, one in enumerate(signed, 1) if any(dominates(other, one) for other in signed)]
    return faults + [f"solution {place} of the front is beaten by another one" for place in beaten]


def checked_front(front: Any) -> list[dict[str, Any]]:
    """Return the front that a record holds. Raises InputError for anything else."""
    entries: list[Any] = front if isinstance(front, list) else [None]
    for entry in entries:
        figures = entry.get("figures") if isinstance(entry, dict) and "solution" in entry else None
        if not isinstance(figures, dict) or not all(isinstance(value, (int, float)) for value in figures.values()):
            raise InputError("not a result of nrpa (front must be a list of figures, each with its solution)")
    return entries


def front_lines(front: list[dict[str, Any]], objective: Objective) -> list[str]:
    """Return a front as a table."""
    names = list(front[0]["figures"]) if front else []
    rows = [names, *([figure_text(objective, name, each["figures"][name]) for name in names] for each in front)]
    return [f"{'front' if row is names else '':11} " + " ".join(f"{text:>11}" for text in row) for row in rows]
