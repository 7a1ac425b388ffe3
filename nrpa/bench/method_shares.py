"""Where the time of a search goes in a problem in plain Python: the share of each of its methods."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from inspect import unwrap
from time import perf_counter

from nrpa.modelling.problem import Problem

METHODS = ("initial_state", "legal_moves", "play", "score", "code", "bias", "copy", "is_legal")
REST = "the search itself"


def method_shares(problem: Problem, search: Callable[[], object]) -> dict[str, float]:
    """Search; return the share of the time in each method of the author's, with what it calls, the largest first."""
    profile, begun = Profile(builtins=False), perf_counter()
    profile.runcall(search)
    total = perf_counter() - begun
    seconds = {entry.code: entry.totaltime for entry in profile.getstats()}
    shares: dict[str, float] = {}
    for name in METHODS:
        method = getattr(type(problem), name)
        code = getattr(unwrap(method), "__code__", None)
        if method is not getattr(Problem, name) and code in seconds:
            shares[name] = seconds[code] / total
    shares[REST] = max(0.0, 1.0 - sum(shares.values()))
    return dict(sorted(shares.items(), key=lambda item: -item[1]))
