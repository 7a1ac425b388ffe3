"""The solvers by name, each with its line here, and the one that has the options wanted."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.options import terms_of
from nrpa.registry.entries import Entry, Registered
from nrpa.registry.users_classes import solver_fault, users_solver
from nrpa.registry.users_file import is_users
from nrpa.solvers.interface import Solver

DEFAULT_SOLVER, OF_SEARCHES = "auto", "gnrpa"
SOLVERS = (
    ("gnrpa", "nrpa.solvers.nrpa:GNRPA", "Generalized NRPA: with temperature and bias"),
    ("nrpa", "nrpa.solvers.nrpa:NRPA", "Nested Rollout Policy Adaptation: GNRPA with temperature 1 and no bias"),
    ("pareto", "nrpa.solvers.nrpa:ParetoNRPA", "NRPA for several goals: the solutions that no other one found beats"),
    ("auto", "nrpa.solvers.portfolio:Auto", "the default: what suits the problem, or GNRPA and tempering in turns"),
    ("nmcs", "nrpa.solvers.nmcs:NMCS", "Nested Monte Carlo search"),
    ("tempering", "nrpa.solvers.tempering:Tempering", "parallel tempering: whole games are changed and replayed"),
    ("random", "nrpa.solvers.nmcs:RandomSampling", "independent random playouts: level 0 of nested search"),
    ("greedy", "nrpa.solvers.nmcs:Greedy", "playouts that make the move of largest bias"),
    ("uct", "nrpa.solvers.tree:UCT", "tree search by upper confidence bounds, or another bandit"),
    ("sp-mcts", "nrpa.solvers.tree:SPMCTS", "tree search for one player, with a term for the spread of scores"),
    ("puct", "nrpa.solvers.tree:PUCT", "tree search with the bias as a prior"),
    ("rave", "nrpa.solvers.tree:RAVE", "tree search with statistics of all moves behind a node (AMAF)"),
    ("grave", "nrpa.solvers.tree:GRAVE", "RAVE with the statistics of a node further up"),
    ("mcps", "nrpa.solvers.tree:MCPS", "Monte Carlo Permutation Search: GRAVE with statistics of permutations"),
    ("sequential-halving", "nrpa.solvers.tree:SequentialHalving", "Sequential Halving at the root, UCT below"),
    ("shuss", "nrpa.solvers.tree:SHUSS", "Sequential Halving with AMAF statistics"),
    ("anytime-halving", "nrpa.solvers.tree:AnytimeSequentialHalving", "Sequential Halving without a budget"),
)

solvers = Registered("solver", "nrpa.solvers", starmap(Entry, SOLVERS), solver_fault)


def solver_class(name: str) -> type[Solver]:
    """Import and return the class of a solver. Raises InputError if there is none, or it cannot be imported."""
    if is_users(name):
        return users_solver(name)
    found: type[Solver] = solvers.load(name, also=", or path/to/file.py:Class")
    return found


def solver_with(options: Iterable[str], searches: int | None = None) -> str:
    """Return the solver where none is named: auto, else the first that has all the options, or GNRPA if none has.

    With a limit of searches, which auto does not end, GNRPA comes before the others.
    """
    wanted = set(options)
    names = (DEFAULT_SOLVER if searches is None else OF_SEARCHES, *solvers.entries())
    return next((name for name in names if wanted <= _options_of(name)), OF_SEARCHES)


def _options_of(solver: str) -> set[str]:
    """Return the names of a solver's options; none of one that cannot be imported."""
    try:
        found: Any = solver_class(solver)
    except InputError:
        return set()
    return {*terms_of(found)}
