"""A problem in plain Python whose methods are compiled as they stand: ``nrpa.compiled``."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import math
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, NamedTuple, Self, overload

import numpy as np

from nrpa.base.debugging import is_debugging
from nrpa.base.errors import InputError, ProblemError, place_of
from nrpa.base.lazy import lazy
from nrpa.base.values import plain as plain_value
from nrpa.base.values import shortened
from nrpa.engine.model import Limits, Model
from nrpa.io.source import Source
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Verdict
from nrpa.modelling.problem import Problem

biases = lazy("nrpa.modelling.bias")
checks = lazy("nrpa.python.checks")
callback = lazy("nrpa.machine.callback")
attributes = lazy("nrpa.compiling.attributes")
cells = lazy("nrpa.compiling.cells")
comparison = lazy("nrpa.compiling.comparison")
packing = lazy("nrpa.compiling.packing")
kernels = lazy("nrpa.compiling.kernels")
machine_code = lazy("nrpa.engine.machine_code")
sequences = lazy("nrpa.modelling.sequences")
source = lazy("nrpa.compiling.source")

FIRST_MOVES, FIRST_TOTAL = 16, 256
WITHOUT = "search the class without nrpa.compiled"
SMALLER = f"keep whole numbers below 2^63, write float(...) for what may be larger, or {WITHOUT}"
OPTIONAL = (
    *("score", "code", "bias", "is_legal", "improve", "player", "value", "rewards"),
    *("all_moves", "rest", "evaluate"),
)
# What a bias that is given by code leaves.
_GIVEN_BIAS = ("bias_by_code", "bias_by_move", "bias_replaced")
# What the compiled class has of the plain one, and what the compiled problem has of the plain one, at any time.
_OF_CLASS = ("name", "objective", "goal", "goals", "players", "forms", "picture")
_OF_GAMES = ("players", "largest_reward", "at_max_steps", "at_repetition")
_SHARED = ("name", "objective", "goal", "goals", "max_steps", "codes", "origin", *_OF_GAMES)


class ClassInstance(NamedTuple):
    """What the kernels know: the attributes that the methods read, and whom to tell of an exception."""

    own: Any
    address: int
    codes: int  # how many there are; 0 where they are hashes
    choices: np.ndarray  # int64[steps]: how many moves each step of a game that is evaluated has; empty of orders


class CompiledClass(CompiledProblem):
    """A problem made of one in plain Python (``nrpa.compiled``), which stays its check.

    Attributes
    ----------
    plain : Problem
        The problem in plain Python.
    """

    plain_class: ClassVar[type[Problem]] = Problem
    bias_parameters = ("state", "move")
    plain: Problem
    _comparison: Any = None

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        cls = type(self).plain_class
        self._wrap(arguments[0] if cls is Problem else cls(*arguments, **keywords))

    @classmethod
    def _around(cls, problem: Problem) -> Self:
        made = cls.__new__(cls)
        made._wrap(problem)
        return made

    @classmethod
    def reads_instances(cls) -> bool:
        return cls.plain_class.reads_instances()

    @classmethod
    def bundled_with(cls) -> type[BaseProblem]:
        return cls.plain_class.bundled_with()

    @classmethod
    def load(cls, name: str | os.PathLike[str], **options: Any) -> Self:
        return cls._around(cls.plain_class.load(name, **options))

    @classmethod
    def from_source(cls, source: Source, *args: Any, **options: Any) -> Self:
        return cls._around(cls.plain_class.from_source(source, *args, **options))

    @classmethod
    def parse_solution(cls, text: str) -> Any:
        return cls.plain_class.parse_solution(text)

    def _wrap(self, problem: Problem) -> None:
        type(problem).require_methods()
        if type(problem).rest is not Problem.rest and type(problem).is_legal is Problem.is_legal:
            what = "compiled, the method rest needs is_legal, which finds the moves of a changed game"
            raise ProblemError(f"{type(problem).__name__}: {what}; write is_legal(state, move), or leave rest out")
        self.plain = problem
        for name in _SHARED:
            setattr(self, name, getattr(problem, name))
        self.bias_by_move, self.bias_replaced = problem.bias_by_move, problem.bias_replaced
        self._errors: dict[int, BaseException] = {}

    @property
    def options(self) -> dict[str, Any]:
        return self.plain.options

    @property
    def given_options(self) -> dict[str, Any]:
        return self.plain.given_options

    def digest(self) -> str:
        return self.plain.digest()

    def bound(self) -> float | None:
        return self.plain.bound()

    def hints(self) -> Hints:
        found = self.plain.hints()
        arms, replayed = ([self._around(each) for each in some if each] for some in (found.arms, [found.replayed]))
        return dataclasses.replace(found, arms=tuple(arms), replayed=replayed[0] if replayed else None)

    def bias_by_code(self) -> np.ndarray | None:
        return self.plain.bias_by_code()

    @property
    def can_improve(self) -> bool:
        return self.plain.can_improve

    @property
    def improves_again(self) -> bool:
        return self.plain.improves_again

    @property
    def has_bias_method(self) -> bool:
        return self.plain.has_bias_method

    def with_state_bias(self, bias: Any) -> CompiledClass:
        """Return the problem with another β, a function of state and move, or an ``nrpa.LearnedBias``."""
        changed = type(self)._around(biases.with_bias(self.plain, bias))
        changed.origin = self.origin
        return changed

    def __getstate__(self) -> dict[str, Any]:
        given = {name: vars(self)[name] for name in _GIVEN_BIAS} if "bias_by_code" in vars(self) else {}
        return {"plain": self.plain, "origin": self.origin, **given}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._wrap(state["plain"])
        vars(self).update(state)

    @functools.cached_property
    def has(self) -> set[str]:
        """Return the optional methods that the class defines; ``key``, too, where states are told by what they hold."""
        cls = type(self.plain)
        own = {name for name in OPTIONAL if getattr(cls, name) is not getattr(Problem, name)}
        if "evaluate" in own:  # whose games are not played again
            own.discard("rest")
        if self.plain.bias_replaced:
            own.add("bias")
        if cls.key is not Problem.key or checks.is_told_by_content(self.plain.initial_state()):
            own.add("key")
        return own

    @property
    def model(self) -> Model:
        """What the engine drives; an InputError in the debug mode, in which the plain class is searched."""
        if is_debugging():
            what = f"{type(self.plain).__name__} was compiled before the debug mode began"
            raise InputError(f"{what}; search its plain, or call nrpa.compiled inside nrpa.debug()")
        return super().model

    def _build_model(self) -> Model:
        try:
            return self._compiled_model()
        except AttributeError as error:  # which Python would take for the lack of a model
            raise ProblemError(f"{type(self.plain).__name__}: an attribute is missing: {error}") from error

    def _beside(self, name: str, own: Any) -> Callable[..., Any]:
        """Return a method as it is compiled, in plain Python, which fails where that of the class has not."""
        method = machine_code.interpreted(self._sources.method(name))

        def call(*arguments: Any) -> Any:
            try:
                return method(own, *arguments)
            except Exception as error:
                raise self._fails_compiled(name, error) from error

        return call

    def _fails_compiled(self, method: str, error: Exception | None, where: str = "") -> ProblemError:
        """Return what to say of a method that fails compiled alone, and of what it raises, where that is known."""
        code = self._sources.method(method).py_func.__code__
        place = place_of(error) if error else ""
        place = place or f"{code.co_filename}:{code.co_firstlineno}"
        why = f"{type(error).__name__}: {error}" if error else "a whole number beyond 64 bits, say, ends it"
        what = f"{type(self.plain).__name__}: {method} failed compiled, and not in plain Python{where}: {place}: {why}"
        remedy = SMALLER if error is None or isinstance(error, OverflowError) else f"change that, or {WITHOUT}"
        return ProblemError(f"{what}; {remedy}: {comparison.PAGE}")

    def _compiled_model(self) -> Model:
        problem, title, has = self.plain, type(self.plain).__name__, self.has
        begun = problem.initial_state()
        cells.form_of(problem, begun)  # what no state can be is said first
        for move in checks.tuple_of(problem, problem.legal_moves(begun)):
            checks.code_of(problem, begun, move)
        self._sources = source.Sources(problem, cells.first_move(problem))
        for name in (*kernels.REQUIRED, *sorted(has)):
            self._sources.method(name)
        own = self._own = kernels.record_of(self._sources.attributes, title)
        begin, play = (self._beside(name, own) for name in ("initial_state", "play"))
        self.examples = cells.examples_of(problem, begin, play)
        self._access = kernels.Access(self.examples)
        length = cells.length_of(self.examples.move)
        self._state_class = kernels.state_class(self._sources, self._access, length, has, title)
        self._called = callback.OF_BYTES(self._explain)
        address = ctypes.cast(self._called, ctypes.c_void_p).value or 0
        return Model(
            title,
            ClassInstance(
                own, address, self.codes or 0, np.array(() if problem.choices is None else problem.choices, np.int64)
            ),
            Limits(self.max_steps, FIRST_MOVES, FIRST_TOTAL, grow=True),
            self.new_state,
            title=self.name,
            codes=self.codes,
            bias_by_move=self.bias_by_move,
            players=self.players,
            raise_kept_error=self.raise_kept_error,
            compile_fault=lambda: kernels.fault_of(self._sources, self._access, own, length, has),
        )

    def new_state(self) -> Any:
        _ = self.model
        flags = len(self._state_class._fields) - len(self.cell_fields)
        return self._state_class(*self._access.allocate(), *np.zeros((flags, 1), np.bool_))

    @property
    def cell_fields(self) -> list[str]:
        """The fields of a state that hold the author's."""
        return [*self._access.fields]

    def _explain(self, data: int, size: int) -> float:
        """Call a method in plain Python for a state, as a kernel did; keep what it raises for this thread."""
        try:
            words = np.frombuffer(ctypes.string_at(data, size), np.int64)
            method = kernels.NUMBERS[words[0]]
            if method in ("improve", "evaluate"):
                game = [self._move(int(word)) for word in words[2:]]
                state: Any = game[: words[1]], game[words[1] :]
            else:
                state = cells.state_of(self.examples, cells.fields_of(self.examples, words[2:]))
            self._call(method, state, int(words[1]))
            where = f" in the state {shortened(repr(state))}"
            raise self._fails_compiled(method, self._raised_as_compiled(method, state, int(words[1])), where)
        except BaseException as error:
            self._errors[threading.get_ident()] = error
        return math.nan

    def _raised_as_compiled(self, method: str, state: Any, move: int) -> Exception | None:
        """Return what a method raises in plain Python as it is compiled; None where it does not."""
        given = {"play": (state, self._move(move)), "is_legal": (state, self._move(move)), "initial_state": ()}
        names = ("legal_moves", *sorted({"code", "bias"} & self.has)) if method == "legal_moves" else (method,)
        try:
            for name in names:
                call = functools.partial(machine_code.interpreted(self._sources.method(name)), self._own)
                if name in ("code", "bias"):
                    for each in self.plain.legal_moves(state):
                        call(state, each)
                else:
                    call(*(state if method == "improve" else given.get(name, (state,))))
        except Exception as error:
            return error
        return None

    def _call(self, method: str, state: Any, move: int) -> None:
        problem, players = self.plain, self.plain.players
        calls: dict[str, Callable[[], Any]] = {
            "initial_state": lambda: cells.require_form(problem, self.examples, problem.initial_state()),
            "play": lambda: cells.require_form(problem, self.examples, problem.play(state, self._move(move))),
            "legal_moves": lambda: self._list_moves(problem.legal_moves(state), state),
            "all_moves": lambda: self._list_moves(problem.all_moves(state), state),
            "rest": lambda: checks.hash_of(problem, problem.rest(state), "rest"),
            "evaluate": lambda: checks.score_said(problem, problem.evaluate(state[0]), "evaluate"),
            "is_legal": lambda: problem.is_legal(state, self._move(move)),
            "improve": lambda: self._require_moves(checks.improved_game(problem, *state)),
            "key": lambda: checks.hash_of(problem, problem.key(state)),
            "score": lambda: checks.score_of(problem, state),
            "rewards": lambda: checks.checked_rewards(problem, problem.rewards(state), players),
            "value": lambda: checks.checked_value(problem, problem.value(state), players),
            "player": lambda: checks.checked_player(problem, problem.player(state), players),
        }
        calls[method]()

    def _list_moves(self, listed: Iterable[Any], state: Any) -> None:
        moves = checks.tuple_of(self.plain, listed)
        self._require_moves(moves)
        for move in moves:
            checks.code_of(self.plain, state, move)
            checks.exp_biases_of(self.plain, [self.plain.bias(state, move)])

    def _require_moves(self, moves: Iterable[Any]) -> None:
        for move in moves:
            cells.checked_move(self.plain, move, self.examples.move)

    def raise_kept_error(self) -> None:
        error = self._errors.pop(threading.get_ident(), None)
        if error is not None:
            raise error

    def forget(self) -> None:
        """Refuse attributes that have changed since the class was compiled; before that, see that it is the same."""
        super().forget()
        if self._comparison is None:
            self._comparison = comparison.Comparison(self)
            self._comparison.play_random_games()
            return
        self._comparison.begun, self._comparison.spent = time.perf_counter(), 0.0
        for field, before in self._sources.attributes.items():
            name = self._sources.names[field]
            now = attributes.as_given(getattr(self.plain, name))
            if not attributes.is_same(now, before):
                what = f"self.{name} has changed since the class was compiled"
                raise ProblemError(f"{type(self.plain).__name__}: {what}; make a new problem")
        for name, read, before in self._sources.reads:
            if not attributes.is_same(attributes.as_given(read()), before):
                what = f"{name} has changed since the class was compiled"
                raise ProblemError(f"{type(self.plain).__name__}: {what}; make a new problem")

    def confirm(self, moves: np.ndarray, playouts: int | None = None) -> None:
        self._comparison = self._comparison or comparison.Comparison(self)
        if playouts is None:
            self._comparison.replay(moves.tolist())
        else:
            self._comparison.watch(moves.tolist(), playouts)

    def _move(self, number: int) -> Any:
        return packing.unpack(cells.length_of(self.examples.move)).py_func(number)

    def own_move(self, move: int) -> Any:
        return self._move(move)

    def move_name(self, move: int) -> str:
        return "".join(str(self._move(move)).split())

    def solution(self, moves: np.ndarray) -> Any:
        return plain_value(self.plain.solution_of([self._move(move) for move in moves.tolist()]))

    def moves_of(self, solution: Any) -> np.ndarray:
        return self.numbers_of(self.plain.own_moves(solution))

    def numbers_of(self, moves: Iterable[Any]) -> np.ndarray:
        """Return moves of the author's as kernels know them."""
        return np.array([packing.pack(move) for move in moves], np.int64)

    def check(self, solution: Any) -> Verdict:
        return self.plain.check(solution)

    def draw(self, solution: Any) -> str:
        return self.plain.draw(solution)

    def sketch(self, solution: Any) -> str:
        return self.plain.sketch(solution)

    def __getattr__(self, name: str) -> Any:
        """Return what only the problem in plain Python has, such as what its author keeps in it."""
        if name.startswith("_") or "plain" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return getattr(self.plain, name)


def _class_methods(given: type[Problem]) -> dict[str, Any]:
    """Return what a class defines as other ways to make a problem, such as ``drawn``, for the compiled class."""

    def compiling_what(name: str) -> Any:
        def call(cls: type[CompiledClass], *arguments: Any, **keywords: Any) -> Any:
            made = getattr(cls.plain_class, name)(*arguments, **keywords)
            return cls._around(made) if isinstance(made, Problem) else made

        return classmethod(functools.wraps(getattr(given, name))(call))

    found = {name for each in given.__mro__ for name, value in vars(each).items() if isinstance(value, classmethod)}
    return {name: compiling_what(name) for name in sorted(found) if not hasattr(CompiledClass, name)}


def _why_not(given: Any) -> str:
    """Return why something is no problem in plain Python."""
    cls = given if isinstance(given, type) else type(given)
    if not issubclass(cls, BaseProblem):
        return f"{shortened(repr(given))} is no nrpa.Problem; expected a problem in plain Python, or its class"
    if issubclass(cls, sequences.SequenceProblem):
        return f"{given.name} is a function of a sequence, not a class; to compile it, decorate it with numba.njit"
    return f"{cls.__name__} is compiled already; leave --compile (nrpa.compiled) out"


@overload
def compiled(given: type[Problem]) -> type[CompiledClass]: ...
@overload
def compiled(given: Problem) -> CompiledClass: ...


def compiled(given: Any) -> Any:
    """Return a problem in plain Python, or its class, compiled as it stands.

    The methods are compiled by numba the first time that a search begins, and kept on disk. What they compute stays the
    same, or is refused: random games, each new best and games like it are played by the class in plain Python, too. In
    the debug mode (``NRPA_DEBUG=1``, or inside
    ``nrpa.debug()``) it is returned as it was given, and nothing is compiled.

    Parameters
    ----------
    given : Problem, or a subclass of it
        An object, or a class: ``nrpa.compiled`` is a decorator, too. States are numbers, arrays whose shapes do not
        change, and tuples, lists and frozen sets, nested, too; moves are whole numbers, or tuples of two or three;
        codes and keys are numbers, tuples and sets of them. Attributes that methods read are numbers, letters, arrays,
        lists and tuples of numbers or of rows, sets, and dictionaries whose keys are whole numbers, letters, or tuples
        of these. Methods are written in the part of Python that numba compiles, and have Python's meaning there.

    Returns
    -------
    CompiledClass, or a subclass of it
        A problem that every solver takes.

    Raises
    ------
    InputError
        If what is given is no problem in plain Python, or has a bias that is not its class's own.
    ProblemError
        When a search begins: if a method does not compile. The message names the method, the line, the construct and
        what to write in its place.
    DisagreementError
        When a search begins, or later: if a method gives another value compiled. The message names the method, the
        state, and both values.
    """
    is_class = isinstance(given, type) and issubclass(given, Problem)
    if is_debugging() and (is_class or isinstance(given, Problem)):
        return given
    if is_class:
        members = {"plain_class": given, "__doc__": given.__doc__, "__module__": given.__module__}
        given.__qualname__ = f"{given.__qualname__}.plain_class"
        members |= {name: getattr(given, name) for name in _OF_CLASS}
        made: Any = type(given.__name__, (CompiledClass,), _class_methods(given) | members)
        made.cli_options = given.cli_options
        return made
    if not isinstance(given, Problem):
        raise InputError(_why_not(given))
    if given.bias_replaced:
        what = "its bias was given to it, and only the methods of its class are compiled"
        raise InputError(f"{type(given).__name__}: {what}; leave it in plain Python, or write a method bias")
    return CompiledClass(given)
