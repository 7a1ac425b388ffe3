"""The front of a problem of several goals: the solutions that no other beats, as a result keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nrpa.base.errors import DisagreementError
from nrpa.base.values import agree, plain
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.objective import Objective
from nrpa.search.result import checked_front, figure_text
from nrpa.solvers.nrpa.front_search import goals_of


def front_of(problem: BaseProblem, pairs: Sequence[tuple[tuple[float, ...], Any]]) -> list[dict[str, Any]]:
    """Return the front of solutions, each given after its goals, the best by the first goal first.

    Raises DisagreementError where the problem's check finds other goals than the search.
    """
    found = dict(pairs)
    kept = sorted((one for one in found if not any(dominates(other, one) for other in found)), reverse=True)
    names = [goal.name for goal in goals_of(problem)]
    front = []
    for goals in kept:
        verdict = problem.check(found[goals])
        if verdict.faults and not verdict.faults_counted:
            continue
        figures = {name: verdict.figures[name] for name in names}
        signed = [goal.sign * figures[goal.name] for goal in goals_of(problem)]
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
        signed.append(tuple(goal.sign * claimed.get(goal.name, 0) for goal in goals_of(problem)))
    beaten = [k for k, one in enumerate(signed, 1) if any(dominates(other, one) for other in signed)]
    return faults + [f"solution {place} of the front is beaten by another one" for place in beaten]


def front_lines(front: list[dict[str, Any]], objective: Objective) -> list[str]:
    """Return a front as a table."""
    names = list(front[0]["figures"]) if front else []
    rows = [names, *([figure_text(objective, name, each["figures"][name]) for name in names] for each in front)]
    return [f"{'front' if row is names else '':11} " + " ".join(f"{text:>11}" for text in row) for row in rows]
