"""What the library asks of any problem."""

from __future__ import annotations

import dataclasses
import inspect
import math
import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np

from nrpa.base.errors import InputError, ProblemError, faults_of
from nrpa.base.lazy import lazy, without_cached
from nrpa.base.options import Option, with_entries
from nrpa.base.values import is_held, require_known, shortened, shown
from nrpa.engine.model import Model
from nrpa.io.source import BestKnown, Origin, Source, bundled, read_source
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict

digests = lazy("nrpa.modelling.digest")
state_bias = lazy("nrpa.modelling.state_bias")

_BUILDING = threading.RLock()
_ENDED = "the game has ended: there is no legal move"
MOVES_SHOWN = 8


class _Signature:
    """The parameters of the constructor of a class, with its options in place of ``**options``."""

    def __get__(self, problem: object, cls: type[BaseProblem]) -> inspect.Signature:
        _, *parameters = inspect.signature(cls.__init__).parameters.values()
        if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
            named = {parameter.name for parameter in parameters}
            parameters[-1:] = [
                inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
                for option in cls.cli_options
                if option.name not in named
            ]
        return inspect.Signature(parameters)


class BaseProblem:
    """One instance of a problem: what solvers, results and the command line ask of it.

    Authors of problems derive from ``nrpa.Problem`` (plain Python) or ``nrpa.CompiledProblem``.

    Parameters
    ----------
    **options
        Values of the options that the class declares (see ``nrpa.Option``).

    Attributes
    ----------
    name : str
        The problem's name at the command line and in results; by default the name of the class. A class that is derived
        from another problem reads the instances bundled with that one, and has their best known values if its
        objective is the same.
    objective : Objective
        The figure that its users think in, and how it follows from the score.
    goal : float or None
        An objective value at which the task is done and the search stops (status "target").
    goals : tuple of Objective
        In a compiled problem: the figures of its check, none of which counts before another, for the solver ``pareto``.
    forms : tuple of str
        The forms of files that ``from_source`` reads, a line each, as the help of ``nrpa solve`` lists them.
    picture : str
        Which function of ``nrpa.plots`` draws a solution, or, if it is called ``..._panels``, returns those that do, as
        ``"groups:draw_bins"``. A class of your own can have a method ``panels`` (see ``nrpa.plots.register``).
    cli_options : tuple of Option
        The options that the class declares, in order.
    origin : Origin
        Where the instance comes from; ``load`` sets it.
    max_steps : int
        The most moves that a playout can have; a longer one is an error.
    largest_reward : float
        In a game: the most that any player can get, 1 unless class or instance set it. In a tree search, a position is
        solved if the player to move has a move that surely gets it.
    at_max_steps : sequence of float or None
        In a game: what each player gets where ``max_steps`` moves were made, as in ``(0.5, 0.5)`` for a draw; without
        it, so long a game is an error.
    at_repetition : sequence of float or None
        In a game: what each player gets where a state comes for the second time (told by the key, or the kernel
        ``hash``), which ends the game; without it, the game goes on.
    codes : int or None
        The number of codes if they are 0 to codes - 1; else None.
    bias_by_move : bool
        Whether β depends on state and move, and comes with the moves. If it depends on the code alone, define
        ``bias_by_code`` instead, which is faster.
    players : int
        The number of players, 1 unless class or instance set it. A problem of several players is a game: each player
        wants a large reward, and there is no score.
    holds_gil : bool
        Whether playouts call Python. Workers are then processes, not threads.

    Raises
    ------
    InputError
        If there is no such option, or it cannot have the value.
    """

    name: ClassVar[str]
    objective: ClassVar[Objective] = Objective("score", sign=1, digits=2)
    goal: ClassVar[float | None] = None
    goals: ClassVar[tuple[Objective, ...]] = ()
    forms: ClassVar[tuple[str, ...]] = ()
    picture: ClassVar[str] = ""
    cli_options: ClassVar[tuple[Option[Any], ...]] = ()
    holds_gil: ClassVar[bool] = False

    origin: Origin = Origin()
    max_steps: int
    codes: int | None = None
    bias_by_move: bool = False
    bias_replaced: bool = False
    players: int = 1
    largest_reward: float = 1.0
    at_max_steps: Sequence[float] | None = None
    at_repetition: Sequence[float] | None = None

    __signature__ = _Signature()
    _model: Model | None = None
    # A ``nrpa.modelling.prior.Prior``, set by ``nrpa.with_prior``.
    _prior: Any = None
    # What ``bias=`` has given to a problem with kernels, a function of instance, state, move and code.
    _state_bias: Any = None
    _digest: str = ""
    _hints: Hints | None = None
    # What is expected where one solution has two scores.
    _of_two_scores: ClassVar[str] = "expected play and score to give the same"
    # The keywords that the constructor was given.
    _given_names: frozenset[str] = frozenset()

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        named = next((base for base in cls.__mro__ if "name" in vars(base)), BaseProblem)
        if named is not cls and issubclass(named, BaseProblem) and BaseProblem not in cls.__bases__:
            cls.name = cls.__name__
        declared = {key: value for base in reversed(cls.__mro__) for key, value in vars(base).items()}
        cls.cli_options = tuple(value for value in declared.values() if isinstance(value, Option))
        if cls.__doc__:
            terms = {option.name: option.terms for option in cls.cli_options}
            cls.__doc__ = with_entries(cls.__doc__, terms, "If the arguments make no instance.")

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Note what the instance is made of before the constructor can change it."""
        problem = super().__new__(cls)
        problem._given_names = frozenset(keywords)
        if cls.digest is BaseProblem.digest:
            # A constructor may have parameters of their names, or of their attributes' names.
            names = {name for option in cls.cli_options for name in (option.name, option.attribute)}
            problem._digest = digests.digest_of_arguments(cls, arguments, keywords, names)
        return problem

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)

    def set_options(self, **options: Any) -> None:
        """Set options by name, for a constructor that needs their values at its beginning.

        The others keep their values. Raises InputError if there is no such option, or it cannot have the value.
        """
        own = {option.name: option for option in self.cli_options}
        require_known(type(self).__name__, options, own)
        for name, value in options.items():
            setattr(self, own[name].attribute, value)

    @property
    def options(self) -> dict[str, Any]:
        """The values of the problem's options by name, as they are recorded with a result."""
        return {option.name: getattr(self, option.attribute) for option in self.cli_options}

    @property
    def given_options(self) -> dict[str, Any]:
        """The options that the caller gave by name, at their defaults or not."""
        given = [each for each in self.cli_options if {each.name, each.attribute} & self._given_names]
        return {option.name: getattr(self, option.attribute) for option in given}

    def hints(self) -> Hints:
        """Return what the solvers ``auto`` and ``tempering`` should know about the problem; here, nothing.

        A class may define it. It is called once for each instance.
        """
        return Hints()

    @property
    def can_improve(self) -> bool:
        """Whether the problem has the kernel ``improve``, with which a search can make whole games better."""
        return False

    @property
    def improves_again(self) -> bool:
        """Whether a search improves its best game again, where a playout is no better: by other random changes."""
        return False

    def heed(self, stop: np.ndarray) -> None:
        """Note the array, bool[1], that is set where a search shall stop, for ``improve`` to look at in Python."""

    @property
    def has_bias_method(self) -> bool:
        """Whether β comes from the method ``bias`` of a class in plain Python, compiled or not."""
        return False

    @property
    def label(self) -> str:
        """The name of the instance; empty where it has none."""
        return self.origin.label

    @property
    def sha256(self) -> str:
        """The hash of the bytes of the instance's file, in hex; ``digest()`` if it was not read from a file."""
        return self.origin.sha256 or self.digest()

    @property
    def best_known(self) -> BestKnown | None:
        """The best published value of the instance, None where none is known."""
        return self.origin.best_known

    def digest(self) -> str:
        """Return a text that identifies an instance that was not read from a file; a class may define it.

        By default, it is the hash of the constructor's arguments without the options (``nrpa.modelling.digest``):
        SHA-256 in hex, the same in every process.
        """
        return self._digest

    @classmethod
    def reads_instances(cls) -> bool:
        """Return whether the command line needs an instance: if a class has its own ``from_source`` or ``load``."""
        readers = ("from_source", "load")
        return any(getattr(cls, reader).__func__ is not getattr(BaseProblem, reader).__func__ for reader in readers)

    @classmethod
    def load(cls, name: str | os.PathLike[str], **options: Any) -> Self:
        """Return the instance with a name, as at the command line: a path, a bundled name, or ``-`` for standard input.

        Its ``origin`` says where it comes from; ``options`` are values of the problem's options. Raises InputError if
        there is no such instance or it cannot be read; the message names the file, the line and what was expected.

        Examples
        --------
        >>> import nrpa
        >>> problem = nrpa.TSPTW.load("rc204.1", moves="all")
        >>> problem.label, problem.cities, problem.options["moves"], problem.best_known.value
        ('rc204.1', 46, 'all', 878.64)
        """
        owner = cls.bundled_with()
        source = read_source(owner.name, os.fspath(name))
        if cls.objective != owner.objective:
            source = dataclasses.replace(source, best_known=None)
        errors = errors_of_reading(source.label, f"{cls.__name__}.from_source")
        with errors, faults_of(source.label, source.file or source.label):
            problem = cls.from_source(source, **options)
        if not isinstance(problem, cls):
            what = f"from_source returned {shortened(repr(problem))}; expected an object of the class"
            raise ProblemError(f"{cls.__name__}: {what}")
        if not problem.origin.label:
            best_known = source.best_known or problem.origin.best_known
            problem.origin = Origin(source.label, "" if source.member else source.sha256, best_known)
        return problem

    @classmethod
    def bundled_with(cls) -> type[BaseProblem]:
        """Return the class whose bundled instances the class reads by name: itself, or one that it is derived from."""
        named = [base for base in cls.__mro__ if "name" in vars(base) and issubclass(base, BaseProblem)]
        return next((base for base in named if bundled(base.name)), cls)

    @classmethod
    def from_source(cls, source: Source, *args: Any, **options: Any) -> Self:
        """Return the instance that a text describes. A problem that is read from files defines this method.

        Hand ``options``, values of the problem's options, to the constructor. Raise InputError if the text cannot be
        read; the message names the line and what was expected. ``load`` adds ``source.label`` where it is not named,
        turns a ValueError or LookupError into such a message, and sets the ``origin`` of the instance, unless that has
        a label already.
        """
        raise InputError(f"{cls.__name__} cannot be read from a file: it has no from_source")

    @classmethod
    def require_methods(cls) -> None:
        """Raise ProblemError if the class lacks a method that its author must write."""

    @property
    def model(self) -> Model:
        """The problem as the engine sees it, made when it is first needed; ProblemError if it cannot be made."""
        if self._model is None:
            with _BUILDING:
                if self._model is None:
                    model = self._build_model()
                    self._model = model if self._state_bias is None else state_bias.biased(model, self._state_bias)
        return self._model

    def _build_model(self) -> Model:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that are pickled: not the model, which holds addresses, nor caches."""
        return {
            name: value for name, value in without_cached(self).items() if name not in {"_model", "_hints", "_stop"}
        }

    def __copy__(self) -> Self:
        """Return a copy, which has what uses have left, too."""
        made = type(self).__new__(type(self))
        state = self.__getstate__()
        if hasattr(made, "__setstate__"):
            made.__setstate__(state)
            return made
        vars(made).update({name: value for name, value in vars(self).items() if name != "_model"} | state)
        return made

    @property
    def max_slice(self) -> int | None:
        """The most playouts between two looks at the clock, for slow playouts; None if the search may choose."""
        return None

    def bias_by_code(self) -> np.ndarray | None:
        """Return β of each code, float64[codes], which is added to w / τ in the exponent.

        None if there is no β or it comes with the moves.
        """
        return None

    def bound(self) -> float | None:
        """Return an objective value that no solution can beat; None if none is known.

        It must be proved. A search that reaches it stops with the status "optimal"; one that finds better raises
        ProblemError.
        """
        return None

    def forget(self) -> None:
        """Delete the caches of earlier searches. It is called before each search, so that all begin alike."""
        if self._prior is not None:
            self._prior.forget()

    def confirm(self, moves: np.ndarray, playouts: int | None = None) -> None:
        """Play the best game of a search in another way, too, or after so many playouts some like it.

        Raise what differs. With ``playouts``, 0 for the game itself, only if there is time. ``nrpa.compiled`` does so;
        here, nothing.
        """

    def deal(self, random: np.random.Generator) -> Sequence[Any]:
        """Return the moves with which chance begins a game, as ``play`` takes them; here, none.

        ``nrpa.match`` begins each game with them.
        """
        return ()

    def determinize(self, moves: Sequence[Any], random: np.random.Generator) -> Sequence[Any]:
        """Return moves as they may have been, drawn at random among all that the player to move cannot tell apart.

        A game with hidden information defines it; here, they are the moves themselves. Each tree of a search then sees
        other moves in place of those that were made. The given moves have led to a position, and begin with those of
        the deal, as ``play`` takes them. The returned ones are legal, and lead to a position with the same player to
        move and the same legal moves.
        """
        return moves

    @property
    def hides(self) -> bool:
        """Whether players do not know all, so that the problem defines ``determinize``."""
        return type(self).determinize is not BaseProblem.determinize

    def solution(self, moves: np.ndarray) -> Any:
        """Return the solution that moves (int64[steps]) build, in the problem's own form, of what JSON can hold."""
        raise NotImplementedError

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build a solution: the inverse of ``solution``. A warm start needs it.

        Raises InputError if no legal sequence of moves builds it.
        """
        raise NotImplementedError

    def move_name(self, move: int) -> str:
        """Return what people call a move, without blanks, different for each legal move. Games are typed and shown so.

        The move is given as ``play`` takes it.
        """
        return str(move)

    def own_move(self, move: int) -> Any:
        """Return a move, given as ``play`` of kernels takes it, as the author of the problem writes it."""
        return move

    def move_named(self, name: str, moves: Iterable[int]) -> int:
        """Return the legal move with a name, as ``move_name`` returns it, in capital or small letters.

        Raises InputError if no move has that name; the message lists some names of moves.
        """
        by_name = {self.move_name(move): move for move in moves}
        if name in by_name:
            return by_name[name]
        alike = [move for other, move in by_name.items() if other.casefold() == name.casefold()]
        if len(alike) == 1:
            return alike[0]
        few = ", ".join(list(by_name)[:MOVES_SHOWN]) + (", …" if len(by_name) > MOVES_SHOWN else "")
        raise InputError(f"{shortened(repr(name))} is not a legal move; expected one of {few}" if by_name else _ENDED)

    def check(self, solution: Any) -> Verdict:
        """Check a solution, which may be of any type, by code that shares nothing with the search.

        The verdict has the solution's figures, at least that of the objective; its faults in words; and its score,
        which is compared with that of the search.
        """
        raise ProblemError(f"{type(self).__name__} lacks the method check(solution)")

    @classmethod
    def parse_solution(cls, text: str) -> Any:
        """Return the solution that a plain text file holds, in the problem's own form.

        Raises InputError if the text holds none; the message says what was expected.
        """
        raise NotImplementedError

    def draw(self, solution: Any) -> str:
        """Return a picture of a solution in text, one line or several; in a game, of the position after some moves."""
        return str(solution)

    def sketch(self, solution: Any) -> str:
        """Return what ``nrpa solve`` prints of a solution: the picture, or a part of it if it is long."""
        return self.draw(solution)


@contextmanager
def errors_of_reading(label: str, method: str) -> Iterator[None]:
    """Turn what a method raises that reads an instance into an InputError that names both."""
    try:
        yield
    except InputError:
        raise
    except (ValueError, LookupError, OSError) as error:
        raise InputError(f"{label}: {method} cannot read it ({type(error).__name__}: {error})") from error


def score_of_value(problem: BaseProblem, name: str, value: Any) -> float:
    """Return the score of an objective value that a problem names ``name``. Raises ProblemError if it is no number."""
    try:
        number = math.nan if isinstance(value, (str, bytes, bool, np.bool_)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        raise ProblemError(f"{type(problem).__name__}: {name} is {shortened(repr(value))}; expected a number or None")
    if not is_held(value, number):
        raise ProblemError(f"{type(problem).__name__}: {name} is {shown(value)}, which float64 does not hold exactly")
    return problem.objective.score(number)


def require_own(cls: type[BaseProblem], kind: type[BaseProblem], calls: Iterable[str]) -> None:
    """Raise ProblemError, which names both, if a class has a method only from ``kind``."""
    for call in calls:
        name = call.partition("(")[0]
        if getattr(cls, name) is getattr(kind, name):
            raise ProblemError(f"{cls.__name__} lacks the method {call}")


def require_problem(given: Any) -> None:
    """Raise InputError unless something is an instance of a problem."""
    require_no_class(given)
    if not isinstance(given, BaseProblem):
        raise InputError(f"expected a problem such as nrpa.TSPTW.load('rc204.1'), not {given!r:.60}")


def require_one_player(problem: BaseProblem) -> None:
    """Raise InputError for a game of several players where a search for one player was asked for."""
    if problem.players > 1:
        what = f"{problem.name} is a game for {problem.players} players"
        raise InputError(f"{what}; a search for the best sequence of moves is for problems of one player")


def require_no_class(given: Any) -> None:
    """Raise InputError if something is a class where an instance of it was meant."""
    if isinstance(given, type):
        raise InputError(f"{given.__name__} is a class; expected an instance of it, {given.__name__}(...)")
