"""A problem whose kernels are compiled."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import listed, plain, whole
from nrpa.engine.model import Limits, Model
from nrpa.modelling.base_problem import BaseProblem, require_own

game_module = lazy("nrpa.engine.game")
kernels = lazy("nrpa.engine.kernels")
learned_bias = lazy("nrpa.modelling.learned_bias")
T = TypeVar("T")


class CompiledProblem(BaseProblem):
    """A problem with kernels (``nrpa.kernels``): plain functions on NamedTuples of arrays, which numba compiles.

    Write ``new_state`` and ``check``, and a constructor that calls this one. Optional are ``solution`` (and
    ``moves_of``, if the first moves do not build the beginning of the solution), ``bias_by_code``, ``bound``,
    ``hints``, ``draw``, ``parse_solution`` and ``from_source``.

    Parameters
    ----------
    instance : NamedTuple of arrays and numbers
        The instance, as the kernels read it. They cannot write to its arrays.
    max_steps : int
        The most moves that a playout can have; a longer one is an error.
    max_moves : int
        The most legal moves that a state can have, and so the most that kernels write into ``moves``.
    max_total : int, optional
        The most legal moves of a whole playout, summed over its states; by default ``max_steps * max_moves``. Each
        level of a search keeps arrays of this length, if playouts need it: above a million, they begin with that.
    codes : int, optional
        The number of codes if they are 0 to codes - 1; without it, codes are any 64-bit numbers (hashes).
    bias_by_move : bool
        Whether ``legal_moves`` writes e^β of each move into ``moves.exp_bias``.
    players : int, optional
        The number of players; by default that of the class, which is 1.
    **options
        Values of the options that the class declares (see ``nrpa.Option``).

    Raises
    ------
    InputError
        If a limit is no whole number of at least 1; ProblemError if ``max_steps`` or ``max_moves`` is not given.
    """

    # What a bias of the caller's is a function of, if not of the code alone.
    bias_parameters: ClassVar[tuple[str, ...]] = ("instance", "state", "move", "code")
    max_moves: int
    max_total: int
    instance: Any
    _given: tuple[tuple[Any, ...], dict[str, Any]] = (), {}
    _variants: tuple[CompiledProblem, ...] | None = None

    def __init__(
        self,
        instance: Any,
        *,
        max_steps: int | None = None,
        max_moves: int | None = None,
        max_total: int | None = None,
        codes: int | None = None,
        bias_by_move: bool = False,
        players: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.instance = instance
        self.max_steps = self._limit("max_steps", max_steps)
        self.max_moves = self._limit("max_moves", max_moves)
        self.max_total = self._limit("max_total", self.max_steps * self.max_moves if max_total is None else max_total)
        self.codes = None if codes is None else self._limit("codes", codes)
        self.bias_by_move = bool(bias_by_move)
        self.players = self._limit("players", self.players if players is None else players)

    def _limit(self, name: str, value: Any) -> int:
        if value is None:
            call = "super().__init__(instance, max_steps=..., max_moves=...)"
            raise ProblemError(f"{type(self).__name__}: {name} is not given; expected {call}")
        return whole(f"{type(self).__name__}: {name}", value)

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Note the arguments where ``nrpa.modelling.variants`` needs them."""
        problem = super().__new__(cls, *arguments, **keywords)
        if any(option.tried for option in cls.cli_options):
            problem._given = arguments, keywords
        return problem

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        for name in ("check", "moves_of"):
            if isinstance(method := vars(cls).get(name), FunctionType):
                setattr(cls, name, _of_lists(method))

    def new_state(self) -> NamedTuple:
        """Return a state of the class that the kernels are attached to, with arrays of its own.

        Its arrays may hold anything: the kernel ``reset`` fills them.
        """
        raise NotImplementedError

    def with_state_bias(self, bias: Any) -> CompiledProblem:
        """Return a copy with another β, a function of instance, state, move and code, or an ``nrpa.LearnedBias``."""
        changed = copy.copy(self)
        given = bias.of(self) if isinstance(bias, learned_bias.LearnedBias) else bias
        changed._state_bias, changed.bias_replaced = learned_bias.ByValue(given), True
        changed.bias_by_code, changed.bias_by_move = nothing, True  # type: ignore[method-assign]
        return changed

    @property
    def can_improve(self) -> bool:
        return bool(kernels.has_kernel(type(self.new_state()), "improve"))

    def raise_kept_error(self) -> None:
        """Raise the exception that Python code called by a kernel has raised, if one has."""

    @classmethod
    def require_methods(cls) -> None:
        require_own(cls, CompiledProblem, ("new_state()",))

    def _build_model(self) -> Model:
        cls = type(self)
        cls.require_methods()
        if "max_steps" not in vars(self):
            raise ProblemError(
                f"{cls.__name__}.__init__ must call super().__init__(instance, max_steps=..., max_moves=...), "
                "the constructor of nrpa.CompiledProblem"
            )
        return Model(
            cls.__name__,
            self.instance,
            Limits(self.max_steps, self.max_moves, self.max_total),
            self.new_state,
            title=self.name,
            codes=self.codes,
            bias_by_move=self.bias_by_move,
            bias_replaced=self.bias_replaced,
            players=self.players,
            raise_kept_error=self.raise_kept_error,
        )

    def solution(self, moves: np.ndarray) -> Any:
        """Return the solution that moves (int64[steps]) build, made of what JSON can hold; here, the list of the moves.

        For warm starts, define ``moves_of`` as well, unless the first moves build the beginning of the solution (a list
        or a string).
        """
        return moves.tolist()

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build a solution; an InputError if no legal sequence does."""
        verdict = self.check(solution)
        if verdict.score is None and verdict.rewards is None:
            fault = next(iter(verdict.faults), "unscored")
            raise InputError(f"{self.name}: the solution to start from is none: {fault}")
        return self._moves_that_build(plain(solution))

    def _moves_that_build(self, wanted: Any) -> np.ndarray:
        """Return moves found step by step: the legal move after which what is built is the beginning of ``wanted``."""
        game = game_module.Game(self.model)
        moves: list[int] = []
        game.reset()
        while game.legal_moves():
            found = game.find(lambda move: _begins(wanted, plain(self.solution(np.array([*moves, move])))))
            if found is None:
                raise InputError(
                    f"{self.name}: step {len(moves) + 1} of the sequence to start from is not a legal move"
                )
            moves.append(found)
            game.play(found)
        sequence = np.array(moves, np.int64)
        if plain(self.solution(sequence)) != wanted:
            raise InputError(f"{self.name}: the sequence to start from goes on after the end")
        return sequence

    @classmethod
    def parse_solution(cls, text: str) -> Any:
        """Return the whole numbers in a text, between spaces or commas; an InputError if anything else is in it.

        Examples
        --------
        >>> CompiledProblem.parse_solution("3, 1 2")
        [3, 1, 2]
        """
        words = text.replace(",", " ").split()
        for word in words:
            if not re.fullmatch("-?[0-9]{1,18}", word):
                raise InputError(f"expected whole numbers, found {word[:40]!r}")
        return [int(word) for word in words]


def nothing() -> None:
    """Return None, in place of a method without arguments."""


def _of_lists(method: Callable[[Any, Any], T]) -> Callable[[Any, Any], T]:
    """Return a method that takes a solution with lists in place of tuples, ranges, arrays and series."""

    @functools.wraps(method)
    def of_lists(self: Any, solution: Any) -> T:
        return method(self, listed(solution))

    return of_lists


def _begins(wanted: Any, part: Any) -> bool:
    if isinstance(wanted, (list, str)) and isinstance(part, type(wanted)):
        return bool(wanted[: len(part)] == part)
    return bool(wanted == part)
