"""A problem in plain Python."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.base.values import shortened
from nrpa.engine.model import Model
from nrpa.modelling.base_problem import BaseProblem, require_own
from nrpa.modelling.listed_moves import listed_moves
from nrpa.modelling.verdict import Verdict

if TYPE_CHECKING:
    from nrpa.engine.python_model import PythonModel

python_model = lazy("nrpa.engine.python_model")

REQUIRED = ("initial_state()", "legal_moves(state)", "play(state, move)", "score(state)")


class Problem(BaseProblem):
    """A problem in plain Python: states of any kind, and moves that can be anything hashable.

    Its author writes ``initial_state``, ``legal_moves``, ``play`` and ``score``, and where wanted ``code``, ``bias``,
    ``copy``, ``describe``, ``draw`` and ``from_source``. Nothing else is needed, not even a constructor.

    ``max_steps`` (10,000) may be set by class or instance.
    """

    max_steps: int = 10_000

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if hasattr(cls, "new_state"):
            raise ProblemError(
                f"{cls.__name__} has new_state, as only a compiled problem has; "
                "a compiled problem is a subclass of nrpa.CompiledProblem"
            )
        cls.bias_by_move = cls.bias is not Problem.bias

    def initial_state(self) -> Any:
        """Return the state in which every playout begins."""
        raise NotImplementedError

    def legal_moves(self, state: Any) -> Iterable[Hashable]:
        """Return the moves that can be made in ``state``; none ends the playout. The same ones in the same order.

        A list, a tuple or a generator. Every different move is kept as long as the problem object (100 to 200 bytes
        each), so let moves be small numbers or tuples that come again.
        """
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after ``move``, one of the legal ones. ``state`` itself must stay as it is."""
        raise NotImplementedError

    def score(self, state: Any) -> float:
        """Return the score of a state without legal moves; the search maximises it."""
        raise NotImplementedError

    def code(self, state: Any, move: Any) -> Hashable:
        """Return what the policy learns about ``move`` under: moves of one code share a weight. Here, the move."""
        return move  # type: ignore[no-any-return]

    def bias(self, state: Any, move: Any) -> float:
        """Return β of the move: what is added to its weight. Only called where a subclass defines it."""
        return 0.0

    def copy(self, state: Any) -> Any:
        """Return a copy of ``state``; only a problem whose ``play`` changes the state it is given needs one."""
        return state

    def describe(self, state: Any) -> dict[str, Any]:
        """Return figures of a final state by name, beside the score, for the result and its summary."""
        return {}

    @classmethod
    def require_methods(cls) -> None:
        """Raise ProblemError, naming class and method, where the class lacks a method that plain Python needs."""
        require_own(cls, Problem, REQUIRED)

    @property
    def model(self) -> PythonModel:
        """What the engine drives, made when it is first asked for. Raises ProblemError where it cannot be made."""
        return cast("PythonModel", super().model)

    def _build_model(self) -> Model:
        cls = type(self)
        cls.require_methods()
        if not _any(self.legal_moves(self.initial_state())):
            raise ProblemError(f"{cls.__name__}: the initial state has no legal moves (legal_moves gave none)")
        has_codes = cls.code is not Problem.code
        model: Model = python_model.PythonModel(self, self.name, self.max_steps, has_codes, self.bias_by_move)
        return model

    def solution(self, moves: np.ndarray) -> list[Any]:
        """Return the moves as JSON can hold them: tuples as lists, other objects as text."""
        things = self.model.moves.things
        return [plain(things[move]) for move in moves]

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the numbers (int64[steps]) of the moves of ``solution``. Raises InputError for one not legal."""
        numbers = self.model.moves
        return np.array([numbers[move] for move in listed_moves(self, solution)], np.int64)

    def final_state(self, solution: Any) -> Any:
        """Return the state that ``solution``, a list of moves, leads to. Raises InputError."""
        state = self.initial_state()
        for move in listed_moves(self, solution):
            state = self.play(state, move)
        return state

    def check(self, solution: Any) -> Verdict:
        """Play the solution again: its moves are legal, and none can be played after them.

        A class may have a check of its own, which shares nothing with the other methods.
        """
        try:
            state = self.final_state(solution)
        except InputError as error:
            return Verdict({}, [str(error)])
        if _any(self.legal_moves(state)):
            return Verdict({}, [f"after {len(solution)} moves the end is not reached: more can be played"])
        score = float(self.score(state))
        value = self.objective.value(score)
        figures = {self.objective.name: int(value) if value.is_integer() else value}
        more = self.describe(state)
        if not isinstance(more, Mapping):
            what = f"describe returned {shortened(repr(more))}; expected a dict of figures by name"
            raise ProblemError(f"{type(self).__name__}: {what}")
        return Verdict({**figures, **more}, score=score)

    @classmethod
    def parse_solution(cls, text: str) -> list[Any]:
        """Return the moves that a plain text file holds, between spaces or commas; numbers as numbers."""
        return [_value(word) for word in text.replace(",", " ").split()]


def _any(moves: Iterable[Hashable]) -> bool:
    """Return whether there are any; ``legal_moves`` may be a generator or an array."""
    return any(True for _ in moves)


def _value(word: str) -> Any:
    """Return the number that a word is, else the word."""
    try:
        return json.loads(word)
    except ValueError:
        return word
