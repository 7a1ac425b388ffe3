"""Who plays in a match: a tree search with its options, and the game as this player sees it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.bench.experiment import Variant
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import solver_class
from nrpa.search.choice import require_tree_search
from nrpa.solvers.tree import TreeSearchOptions

ROLES = ("first", "second", "third")


@dataclass(frozen=True)
class Contender:
    """A player of a match, by its name in tables, and the game as it sees it: only how moves are told may differ."""

    name: str
    solver: TreeSearchOptions
    game: BaseProblem

    @classmethod
    def parse(cls, text: str, game: BaseProblem, make: Callable[[dict[str, Any]], BaseProblem]) -> Contender:
        """Return the player that a text describes.

        Raises InputError if there is no such solver, it is no tree search, or an option or its value is unknown.

        >>> import nrpa
        >>> hex = nrpa.Hex(size=5)
        >>> found = Contender.parse("grave:ref=100,bias=1e-4", hex, lambda options: nrpa.Hex(size=5, **options))
        >>> found.solver.amaf_bias, found.game is hex
        (0.0001, True)
        """
        try:
            made, of_problem = _variant(text).make(type(game))
            require_tree_search(made)
            seen = make(of_problem) if of_problem else game
        except InputError as error:
            said = str(error).removeprefix(f"variant {text.partition(':')[0].strip()}: ")
            raise InputError(f"player {shortened(text)}: {said}") from None
        assert isinstance(made, TreeSearchOptions)
        return cls(text, made, seen)

    @classmethod
    def of(cls, given: Any, game: BaseProblem, role: str) -> Contender:
        """Return the player that a caller gives. Raises InputError if it is no tree search."""
        if isinstance(given, Contender):
            return given
        solver, seen = given if isinstance(given, tuple) and len(given) == 2 else (given, game)
        try:
            require_tree_search(solver)
        except InputError as error:
            raise InputError(f"{role}: {error}") from None
        return cls(_name(solver, seen, game), solver, seen)


def _variant(text: str) -> Variant:
    """Return a player's text as a variant of an experiment, the options under the names that the solver gives them."""
    given = Variant.parse(text)
    if "solver" in (pair.partition("=")[0].strip() for pair in text.partition(":")[2].split(",")):
        raise InputError("expected SOLVER:key=value,..., the name of the solver first")
    aliases = getattr(solver_class(given.name), "aliases", {})
    options = {aliases.get(key, key): value for key, value in given.options.items()}
    return Variant(given.name, given.name, options)


def _name(solver: TreeSearchOptions, seen: BaseProblem, game: BaseProblem) -> str:
    defaults = {each.name: each.default for each in dataclasses.fields(solver)}
    own = {key: value for key, value in solver.options.items() if value != defaults[key]}
    own |= {key: value for key, value in seen.options.items() if value != game.options.get(key)}
    listed = ",".join(f"{key}={value}" for key, value in own.items())
    return f"{solver.name}:{listed}" if listed else solver.name
