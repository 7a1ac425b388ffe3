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

    Its author writes ``initial_state``, ``legal_moves``, ``play`` and ``score``. Optional are ``code``, ``bias``,
    ``copy``, ``describe``, ``draw`` and ``from_source``. Nothing else is needed, not even a constructor.

    Parameters
    ----------
    **options
        Values of the options that the class declares (see ``nrpa.Option``).

    Attributes
    ----------
    max_steps : int
        The most moves that a playout can have, 10,000 unless class or instance set it; a longer one is an error.

    Examples
    --------
    Some of the numbers, with the largest sum that is not above a limit:

    >>> import nrpa
    >>> class Sum(nrpa.Problem):
    ...     objective = nrpa.Objective("sum", sign=1)
    ...
    ...     def __init__(self, numbers, most):
    ...         self.numbers, self.most = numbers, most
    ...
    ...     def initial_state(self):
    ...         return (0, 0)  # numbers decided, sum
    ...
    ...     def legal_moves(self, state):
    ...         decided, total = state
    ...         if decided == len(self.numbers):
    ...             return []
    ...         return [0, 1] if total + self.numbers[decided] <= self.most else [0]
    ...
    ...     def play(self, state, move):
    ...         decided, total = state
    ...         return (decided + 1, total + move * self.numbers[decided])
    ...
    ...     def score(self, state):
    ...         return state[1]
    ...
    ...     def code(self, state, move):
    ...         return (state[0], move)
    >>> problem = Sum([5, 8, 13], most=20)
    >>> problem.check([1, 0, 1]).figures
    {'sum': 18}
    >>> nrpa.check_problem(problem).kept
    True
    """

    holds_gil = True
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
        """Return the state in which every playout begins.

        Returns
        -------
        object
            The state: a fresh one at each call if ``play`` changes states.
        """
        raise NotImplementedError

    def legal_moves(self, state: Any) -> Iterable[Hashable]:
        """Return the moves that can be made in a state; the same ones in the same order whenever it is asked.

        Parameters
        ----------
        state : object
            A state.

        Returns
        -------
        iterable of hashable
            The moves, as a list, a tuple or a generator. A state without moves ends the playout. Every different move
            is kept as long as the problem object (100 to 200 bytes each), so let moves be small numbers or tuples that
            come again.
        """
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after a move.

        Parameters
        ----------
        state : object
            A state. It must stay as it is, unless the class defines ``copy``.
        move : hashable
            One of its legal moves.

        Returns
        -------
        object
            The next state.
        """
        raise NotImplementedError

    def score(self, state: Any) -> float:
        """Return the score of a state without legal moves. The search maximises it.

        Parameters
        ----------
        state : object
            A state without legal moves.

        Returns
        -------
        float
            The score, a finite number; a low one where something is not allowed.
        """
        raise NotImplementedError

    def code(self, state: Any, move: Any) -> Hashable:
        """Return the code of a move; here, the move itself. The policy has one weight for each code.

        Parameters
        ----------
        state : object
            A state.
        move : hashable
            One of its legal moves.

        Returns
        -------
        hashable
            The code. Moves of equal codes share a weight, also in different states.
        """
        return move  # type: ignore[no-any-return]

    def bias(self, state: Any, move: Any) -> float:
        """Return β of a move. It is called only if a class defines it.

        Parameters
        ----------
        state : object
            A state.
        move : hashable
            One of its legal moves.

        Returns
        -------
        float
            β, which is added to w / τ in the exponent; a finite number.
        """
        return 0.0

    def copy(self, state: Any) -> Any:
        """Return a copy of a state; here, the state itself. A problem whose ``play`` changes states defines it.

        Parameters
        ----------
        state : object
            A state.

        Returns
        -------
        object
            A state that stays as it is while the other one is played on.
        """
        return state

    def describe(self, state: Any) -> dict[str, Any]:
        """Return further figures of a solution, for the result and its summary.

        Parameters
        ----------
        state : object
            A state without legal moves.

        Returns
        -------
        dict of str to object
            Figures by name, made of what JSON can hold, NumPy's numbers and arrays.
        """
        return {}

    @classmethod
    def require_methods(cls) -> None:
        """Raise ProblemError if the class lacks a method that a problem needs."""
        require_own(cls, Problem, REQUIRED)

    @property
    def model(self) -> PythonModel:
        """What the engine drives, made when it is first asked for.

        Raises
        ------
        ProblemError
            If it cannot be made.
        """
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
        """Return the moves of a sequence as JSON can hold them.

        Parameters
        ----------
        moves : ndarray of int64, shape (steps,)
            The numbers that the moves have within the search.

        Returns
        -------
        list
            The moves: tuples as lists, other objects as text.
        """
        things = self.model.moves.things
        return [plain(things[move]) for move in moves]

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the numbers that the moves of a solution have within the search.

        Parameters
        ----------
        solution : list
            The moves, in their own form or in that of JSON.

        Returns
        -------
        ndarray of int64, shape (steps,)
            The numbers.

        Raises
        ------
        InputError
            If a move is not legal.
        """
        numbers = self.model.moves
        return np.array([numbers[move] for move in listed_moves(self, solution)], np.int64)

    def final_state(self, solution: Any) -> Any:
        """Return the state that a solution leads to.

        Parameters
        ----------
        solution : list
            The moves, in their own form or in that of JSON.

        Returns
        -------
        object
            The state.

        Raises
        ------
        InputError
            If a move is not legal.
        """
        state = self.initial_state()
        for move in listed_moves(self, solution):
            state = self.play(state, move)
        return state

    def check(self, solution: Any) -> Verdict:
        """Play a solution again: its moves must be legal, and none must be left to be played after them.

        A class may define a check of its own, which shares nothing with the other methods.

        Parameters
        ----------
        solution : object
            What may be a list of moves, in their own form or in that of JSON.

        Returns
        -------
        Verdict
            Its figures are the objective's and those of ``describe``. Without figures where the moves are no whole
            game.
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
        """Return the moves that a plain text file holds, between spaces or commas.

        Parameters
        ----------
        text : str
            The text.

        Returns
        -------
        list
            The moves: words as text, numbers as numbers.

        Examples
        --------
        >>> Problem.parse_solution("left, 2 1.5")
        ['left', 2, 1.5]
        """
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
