"""A problem in plain Python."""

from __future__ import annotations

import inspect
import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import plain, shortened
from nrpa.engine.model import Model
from nrpa.modelling.base_problem import BaseProblem, require_own
from nrpa.modelling.objective import Verdict

if TYPE_CHECKING:
    from nrpa.python.model import PythonModel

checks = lazy("nrpa.python.checks")
early_end = lazy("nrpa.modelling.early_end")
game_module = lazy("nrpa.engine.game")
python_model = lazy("nrpa.python.model")

# Kernels whose names are attributes of a class.
_NO_METHODS = {
    "name": "name is what the problem is called; a move is its own name, so let it carry what it is about",
    "goal": "goal is the value at which a search ends; for several goals, score returns a tuple (nrpa.Lexicographic)",
}
REQUIRED = ("initial_state()", "legal_moves(state)", "play(state, move)")


class Problem(BaseProblem):
    """A problem in plain Python: states of any kind, and moves that can be anything hashable.

    Write ``initial_state``, ``legal_moves``, ``play`` and ``score``; for a game of several ``players``, ``player`` and
    ``rewards`` in place of ``score``. Optional are ``code``, ``bias``, ``bias_by_code``, ``all_moves``, ``is_legal``,
    ``rest``, ``evaluate``, ``improve``, ``copy``, ``key``, ``describe``, ``hints``, ``draw`` and
    ``from_source``. Nothing else is needed, not even a constructor.

    Parameters
    ----------
    **options
        Values of the options that the class declares (see ``nrpa.Option``).

    Attributes
    ----------
    max_steps : int
        The most moves that a playout can have, 10,000 unless class or instance set it; a longer one is an error.
    codes : int, optional
        The number of codes if they are 0 to codes - 1, which takes less time; without it, codes are anything hashable.
    choices : sequence of int, optional
        In a class with ``evaluate``: how many moves each step has, which are 0 to that number - 1; without it, all
        games are orders of 0 to ``max_steps`` - 1.

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
    choices: Sequence[int] | None = None
    # Whether there is a method ``evaluate``.
    is_evaluated: ClassVar[bool] = False
    # Whether another program has the rules, which cannot be compiled.
    _is_elsewhere: ClassVar[bool] = False
    _stop = np.zeros(1, np.bool_)
    # The problem whose moves and codes have the same numbers.
    _numbered: Problem | None = None
    # Whether the initial state may have no moves, as a full Sudoku has none; of other classes that is a mistake.
    _may_be_done: ClassVar[bool] = False
    # After how many moves at most a game has had all forms of states; to compile the class, no more are played.
    _steps_of_forms: ClassVar[int] = 10**9

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if hasattr(cls, "new_state"):
            raise ProblemError(
                f"{cls.__name__} has new_state, which only a compiled problem has; "
                "a compiled problem is a subclass of nrpa.CompiledProblem"
            )
        for name, said in _NO_METHODS.items():
            if isinstance(vars(cls).get(name), FunctionType):
                raise ProblemError(f"{cls.__name__} has a method {name}, but {said}")
        cls.is_evaluated = cls.evaluate is not Problem.evaluate
        cls.bias_by_move = cls.bias is not Problem.bias

    def initial_state(self) -> Any:
        """Return the state in which every playout begins: a fresh one at each call if ``play`` changes states."""
        raise NotImplementedError

    def legal_moves(self, state: Any) -> Iterable[Hashable]:
        """Return the moves that can be made in a state, a list, a tuple or a generator, always in the same order.

        Moves are anything hashable. No two moves of a state may be equal (1 and True are equal), and unequal moves have
        different texts. A state without moves ends the playout. Every different move is kept as long as the problem
        object (100 to 200 bytes each), so let moves be small numbers or tuples that come again.
        """
        raise NotImplementedError

    def all_moves(self, state: Any) -> Iterable[Hashable]:
        """Return the moves that NMCS and tree searches try; here, those of ``legal_moves``.

        A class whose ``legal_moves`` leaves moves out, to make better playouts, may define it: it gives these, too.
        """
        return self.legal_moves(state)

    def play(self, state: Any, move: Any) -> Any:
        """Return the state after a legal move.

        The state before must stay as it is, unless the class defines ``copy``.
        """
        raise NotImplementedError

    def score(self, state: Any) -> float:
        """Return the score of a state without legal moves, from -1e100 to 1e100. The search maximises it.

        Give a solution that is not allowed a low score. A whole number that float64 does not hold is refused.
        """
        raise NotImplementedError

    def code(self, state: Any, move: Any) -> Hashable:
        """Return the key under which the policy keeps the weight of a legal move; by default the move.

        It is anything hashable. Moves of equal codes share a weight, also in different states.
        """
        return move  # type: ignore[no-any-return]

    def bias(self, state: Any, move: Any) -> float:
        """Return β of a legal move, a finite number, which is added to w / τ in the exponent.

        It is called only if a class defines it.
        """
        return 0.0

    def biases(self, state: Any, moves: Sequence[Hashable]) -> Sequence[float]:
        """Return β of all legal moves of a state; here, what ``bias`` gives for each."""
        bias = self.bias
        return [bias(state, move) for move in moves]

    def copy(self, state: Any) -> Any:
        """Return a copy of a state, which stays as it is while the other one is played on; here, the state itself.

        A problem whose ``play`` changes states defines it.
        """
        return state

    def is_legal(self, state: Any, move: Any) -> bool | int:
        """Return whether a move, legal in some state, is legal in this one; here, whether ``legal_moves`` gives it.

        A class may define it to be searched faster by ``tempering``, which then need not list all legal moves at each
        step. Return ``nrpa.NEVER`` in place of False if the move will not be legal later in this game, either. It is
        asked of any state, also of a finished one.
        """
        return move in list(self.legal_moves(state))

    def rest(self, state: Any) -> Hashable:
        """Return a key of all in a state that the rest of a game depends on, made as ``key``; here, the state itself.

        A class may define it to be searched faster by ``tempering``: a changed game that comes to a state of equal
        ``rest`` ends as the old one did. In two such states the same moves are legal, now and later, and ``score``,
        which is then asked of any state, changes by exactly as much to the end: a sum of whole numbers does.
        """
        return state  # type: ignore[no-any-return]

    def evaluate(self, moves: list[int]) -> float:
        """Return the score of a whole game, given by its moves, without playing it.

        A class whose games all have ``max_steps`` moves, the orders of 0 to ``max_steps`` - 1 or, with ``choices``, one
        of so many at each step, may define it to be searched faster by ``tempering``.
        """
        raise NotImplementedError

    def is_whole_game(self, moves: list[Any]) -> bool:
        """Return whether moves are a game that ``evaluate`` takes."""
        counts = [0] * self.max_steps if self.choices is None else [*self.choices]
        return all(isinstance(move, int) for move in moves) and bool(game_module.is_sequence(moves, counts))

    def improve(self, moves: list[Any]) -> Iterable[Any]:
        """Return the moves of a whole game, made better by exchanges or the like; here, unchanged.

        A class may define it. ``auto`` and ``GNRPA(improve=True)`` call it for playouts that beat the best of their
        level. The game that it returns may be longer or shorter. If that is worse or not legal, the old one counts.

        With a second parameter, ``improve(moves, others)``, a playout that is no better gives way to the best game of
        its level, improved again: ``others`` are the moves of that playout, by which random changes can differ from
        those before. It is empty where the game is new.

        A last parameter ``stop`` is an array, bool[1], that is set where the search shall stop: a method that takes
        long looks at ``stop[0]``, and returns at once what it has. If that is the best, it is the result; the search
        does not know it, so that it goes on as if it had not been stopped.
        """
        return moves

    def heed(self, stop: np.ndarray) -> None:
        self._stop = stop

    @property
    def has_bias_method(self) -> bool:
        """Whether the class has a method ``bias``."""
        return self.bias_by_move

    @property
    def can_improve(self) -> bool:
        """Whether the class has a method ``improve``, with which a search can make whole games better."""
        return type(self).improve is not Problem.improve

    @property
    def improves_again(self) -> bool:
        """Whether ``improve`` takes the moves of another game, too."""
        return len(inspect.signature(self.improve).parameters) - self.heeds_stop == 2

    @property
    def heeds_stop(self) -> bool:
        """Whether ``improve`` is told where the search shall stop."""
        return [*inspect.signature(self.improve).parameters][-1:] == ["stop"]

    def player(self, state: Any) -> int:
        """Return whose turn it is in any state, also a final one, 0 to ``players`` - 1; here, 0.

        A game of several players defines it.
        """
        return 0

    def rewards(self, state: Any) -> Iterable[float]:
        """Return what each player gets in a state without legal moves: finite numbers, the larger the better.

        A game of several players defines it; here, it is the score. Usual are 1 for who wins, 0 for who loses, and 0.5
        each if two players tie.
        """
        return [self.score(state)]

    def value(self, state: Any) -> float | Iterable[float]:
        """Return an estimate of the final ``score`` from a state that is not final, for options such as ``cut``.

        In a game, return an estimate of each player's reward. Estimates are finite, in the range of scores or rewards.
        """
        raise NotImplementedError

    def key(self, state: Any) -> Hashable:
        """Return the key of a state for searches that remember states; here, the state itself.

        To them, two states with equal keys are the same state, however they were reached. Define it if states are not
        hashable; else such searches know states by the moves that led to them. A key is made of numbers, strings,
        tuples or frozensets. It must differ wherever legal moves, the player, or what can follow differ.
        """
        return state  # type: ignore[no-any-return]

    def describe(self, state: Any) -> dict[str, Any]:
        """Return further figures of a final state for the result, by name: of what JSON can hold, or NumPy's."""
        return {}

    @classmethod
    def require_methods(cls) -> None:
        """Raise ProblemError if the class lacks a method that a problem needs."""
        require_own(cls, Problem, REQUIRED if cls.rewards is not Problem.rewards else (*REQUIRED, "score(state)"))

    @property
    def model(self) -> PythonModel:
        """What the engine drives, made when it is first asked for; a ProblemError if it cannot be made."""
        return cast("PythonModel", super().model)

    def _build_model(self) -> Model:
        cls = type(self)
        cls.require_methods()
        if not (self._may_be_done or _any(self.legal_moves(self.initial_state()))):
            raise ProblemError(f"{cls.__name__}: the initial state has no legal moves (legal_moves gave none)")
        own = {name for name in python_model.OPTIONAL if getattr(cls, name) is not getattr(Problem, name)}
        if self.bias_by_move:
            own.add("bias")
        if self.codes is not None:
            own.add("code")
        if "key" not in own and checks.is_told_by_content(self.initial_state()):
            own.add("key")
        model: Model = python_model.PythonModel(self, own, self._numbered and self._numbered.model)
        return model

    def own_move(self, move: int) -> Any:
        """Return a move, which is given by its number within the search."""
        return self.model.moves.things[move]

    def move_name(self, move: int) -> str:
        """Return a move, which is given by its number within the search, as text without blanks."""
        return "".join(str(self.model.moves.things[move]).split())

    def solution(self, moves: np.ndarray) -> Any:
        """Return what moves, given by their numbers, build, as JSON can hold it: a list for a tuple."""
        things = self.model.moves.things
        return plain(self.solution_of([things[move] for move in moves]))

    def solution_of(self, moves: list[Any]) -> Any:
        """Return what the moves of a whole game build, of what JSON can hold; here, the moves themselves.

        A class whose solutions have another form, such as the hours at which jobs begin, defines it, and ``own_moves``,
        which goes back.
        """
        return moves

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the numbers that the moves of a solution have within the search, int64[steps].

        The moves may have their own form or that of JSON; an InputError if one is not legal.
        """
        numbers = self.model.moves
        return np.array([numbers[move] for move in self.own_moves(solution)], np.int64)

    def own_moves(self, solution: Any) -> list[Any]:
        """Return the moves of a solution as ``legal_moves`` gives them, such as tuples, where JSON has lists.

        They are given in their own form or in that of JSON. A class that defines ``solution_of`` defines it, too, for
        solutions of that form. Raises InputError if it is no list, or a move is not legal; the message names the first
        such move.
        """
        is_number = isinstance(solution, np.ndarray) and solution.ndim == 0
        if is_number or isinstance(solution, (str, bytes, dict)) or not isinstance(solution, Iterable):
            raise InputError(f"a solution is a list of moves, not {type(solution).__name__}")
        moves: list[Hashable] = []
        state = self.initial_state()
        for step, given in enumerate(solution, start=1):
            legal = checks.tuple_of(self, self.all_moves(state))
            found = _meant(legal, given)
            if not found:
                raise InputError(f"move {step}, {given!r}, is not legal; expected one of {_few(legal)}")
            if len(found) > 1:
                raise checks.same_text(self, *found[:2])
            moves.append(found[0])
            state = self.play(state, found[0])
        return moves

    def final_state(self, solution: Any) -> Any:
        """Return the state that a solution leads to, its moves in their own form or in that of JSON.

        Raises InputError if a move is not legal.
        """
        state = self.initial_state()
        for move in self.own_moves(solution):
            state = self.play(state, move)
        return state

    def check(self, solution: Any) -> Verdict:
        """Play what may be a list of moves again: they must be legal, and none must be left to be played after them.

        The figures are the objective's, or the rewards of a game, and those of ``describe``; there are none where the
        moves do not lead to the end. A class may define a check of its own, which shares nothing with the other
        methods.
        """
        try:
            state = self.final_state(solution)
        except InputError as error:
            return Verdict({}, [str(error)])
        if _any(self.legal_moves(state)):
            if (rewards := self._rewards_early(solution)) is not None:
                return Verdict({"rewards": list(rewards)}, rewards=rewards)
            return Verdict({}, [f"after {len(solution)} moves the end is not reached: more can be played"])
        found = self._result_of(state)
        more = self.describe(state)
        if not isinstance(more, Mapping):
            what = f"describe returned {shortened(repr(more))}; expected a dict of figures by name"
            raise ProblemError(f"{type(self).__name__}: {what}")
        return Verdict({**found.figures, **more}, score=found.score, rewards=found.rewards)

    def _rewards_early(self, solution: Any) -> tuple[float, ...] | None:
        """Return what each player gets where moves end a game although others are left; None where they do not."""
        state, early, rewards = self.initial_state(), early_end.EarlyEnd(self), None
        for move in [None, *self.own_moves(solution)]:
            if rewards is not None:
                return None
            state = state if move is None else self.play(state, move)
            rewards = early.rewards_at(self.key(state) if early.is_told_by_keys else 0)
        return None if rewards is None else tuple(map(float, rewards))

    def _result_of(self, state: Any) -> Verdict:
        """Return what a final state is worth: its score, or the rewards of a game."""
        if self.players > 1:
            rewards = tuple(checks.checked_rewards(self, self.rewards(state), self.players))
            return Verdict({"rewards": list(rewards)}, rewards=rewards)
        score: float = checks.score_of(self, state)
        figures = self.objective.figures(score)
        shown = {name: int(value) if value.is_integer() else value for name, value in figures.items()}
        return Verdict(shown, score=score)

    @classmethod
    def parse_solution(cls, text: str) -> list[Any]:
        """Return the moves that a plain text file holds, between spaces or commas: words as text, numbers as numbers.

        Examples
        --------
        >>> Problem.parse_solution("left, 2 1.5")
        ['left', 2, 1.5]
        """
        return [_value(word) for word in text.replace(",", " ").split()]


def _meant(legal: Sequence[Hashable], given: Any) -> list[Hashable]:
    """Return the legal moves that ``given`` may mean: the equal one, or those with the same form in JSON."""
    same = [move for move in legal if type(move) is type(given) and move == given]
    if same:
        return same[:1]
    form = plain(given)
    return [move for move in legal if plain(move) == form]


def _few(legal: Sequence[Hashable]) -> str:
    shown = ", ".join(map(repr, legal[:10]))
    return f"{shown}, … ({len(legal)} in all)" if len(legal) > 10 else shown or "none: the end is reached"


def _any(moves: Iterable[Hashable]) -> bool:
    """Return whether there are any; ``legal_moves`` may be a generator or an array."""
    return any(True for _ in moves)


def _value(word: str) -> Any:
    """Return the number that a word is, else the word."""
    try:
        return json.loads(word)
    except (ValueError, RecursionError):
        return word
