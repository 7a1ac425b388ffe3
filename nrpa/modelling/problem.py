"""The interface between a problem and everything that works on problems."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.engine.model import Limits, Model
from nrpa.io.source import BestKnown, Source, read_source
from nrpa.modelling import solution_moves

if TYPE_CHECKING:
    from nrpa.engine.python_model import PythonModel


@dataclass(frozen=True)
class Objective:
    """The figure a user thinks in, and how it relates to the score, which is always maximised.

    name: what the figure is called ("cost", "points", "bins").
    sign: +1 where more is better, -1 where less is.
    digits: decimals worth printing.
    tie_break: where values are whole and the score ranks equal ones, how far below its value's a score may lie (< 1).
    """

    name: str
    sign: int
    digits: int = 0
    tie_break: float = 0.0

    def value(self, score: float) -> float:
        """Return the objective value of a score."""
        if self.tie_break:
            return self.sign * float(np.ceil(score))
        return self.sign * score

    def score(self, value: float) -> float:
        """Return the least score of an objective value."""
        return self.sign * value - self.tie_break

    def text(self, value: float) -> str:
        """Return the value as it is printed."""
        return f"{value:.{self.digits}f}"


@dataclass(frozen=True)
class Verdict:
    """What an independent check found.

    figures: what it computed, by name. faults: in words what is wrong, empty when valid.
    score: the score it computed, or None where the solution is too broken to have one.
    """

    figures: dict[str, Any]
    faults: list[str] = field(default_factory=list)
    score: float | None = None

    @property
    def valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


@dataclass(frozen=True)
class Option:
    """An option that a problem adds to the command line, and to its constructor under the same name.

    choices: the values it can take; when empty it is a whole number or a flag (``--name/--no-name``), like ``default``.
    """

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()


class Problem:
    """One instance of a problem. A subclass is written in one of two ways.

    In plain Python, with states of any kind and moves that can be anything hashable: the methods ``initial_state``,
    ``legal_moves``, ``play`` and ``score``, and where wanted ``code``, ``bias``, ``copy``, ``describe`` and ``draw``.
    Nothing else is needed.

    Compiled: ``new_state`` returns a NamedTuple of arrays whose class carries the kernels (``nrpa.kernels``), and the
    subclass has ``solution`` and ``check`` and sets

    instance: a NamedTuple of arrays and scalars that no kernel writes to.
    max_moves: the most legal moves a state can have.
    max_total: the most legal moves a whole playout can meet, summed over its states.
    codes: the number of codes if they are 0 to codes - 1, or None for arbitrary 64-bit codes (hashes).
    bias_by_move: whether ``legal_moves`` writes e^β of each move into ``moves.exp_bias``.
    goal: an objective value at which the task is done and the search stops (status "target").

    max_steps, in both: the most moves a playout can have; one that is longer is taken for endless.
    """

    name: ClassVar[str]
    objective: ClassVar[Objective] = Objective("score", sign=1, digits=2)
    cli_options: ClassVar[tuple[Option, ...]] = ()
    goal: ClassVar[float | None] = None
    bias_by_move: bool = False

    max_steps: int = 10_000
    max_moves: int = 1
    codes: int | None = None
    label: str = ""
    sha256: str = ""
    best_known: BestKnown | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if not hasattr(cls, "name"):
            cls.name = cls.__name__
        if cls.bias is not Problem.bias:
            cls.bias_by_move = True

    def initial_state(self) -> Any:
        """Return the state in which every playout begins."""
        raise NotImplementedError

    def legal_moves(self, state: Any) -> Sequence[Hashable]:
        """Return the moves that can be made in ``state``; none ends the playout. The same ones in the same order."""
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

    @property
    def in_python(self) -> bool:
        """Whether the problem is written in plain Python."""
        return type(self).new_state is Problem.new_state

    @cached_property
    def _python_model(self) -> PythonModel:
        from nrpa.engine.python_model import PythonModel, require_methods

        cls = type(self)
        require_methods(cls, Problem)
        if not tuple(self.legal_moves(self.initial_state())):
            raise ProblemError(f"{cls.__name__}: the initial state has no legal moves (legal_moves gave none)")
        return PythonModel(self, cls.code is not Problem.code, self.bias_by_move)

    @cached_property
    def model(self) -> Model:
        """What the engine drives."""
        limits = Limits(self.max_steps, self.max_moves, self.max_total)
        if self.in_python:
            limits = Limits(self.max_steps, 16, 256, grow=True)
        model = Model(
            type(self).__name__,
            self.instance,
            limits,
            self.new_state,
            title=self.name,
            codes=self.codes,
            bias_by_move=self.bias_by_move,
            raise_kept_error=self.raise_kept_error,
        )
        model.code_number = self.code_number  # type: ignore[method-assign]
        return model

    @cached_property
    def instance(self) -> Any:
        """What the kernels know of the instance."""
        return self._python_model.instance

    def raise_kept_error(self) -> None:
        """Raise the exception that kept a playout from ending, if Python code called by a kernel raised one."""
        if self.in_python:
            self._python_model.raise_kept_error()

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the bridge, which holds addresses."""
        bridged = ("_python_model", "instance", "model") if self.in_python else ("model",)
        return {name: value for name, value in self.__dict__.items() if name not in bridged}

    @classmethod
    def reads_instances(cls) -> bool:
        """Return whether an instance has to be named.

        A class with neither ``from_source`` nor ``load`` of its own is its own only instance.
        """
        readers = ("from_source", "load")
        return any(getattr(cls, reader).__func__ is not getattr(Problem, reader).__func__ for reader in readers)

    @classmethod
    def load(cls, name: str, **options: Any) -> Self:
        """Return the instance called ``name`` at the command line: a path, a bundled name, or ``-``.

        Raises InputError naming the file, the line and what was expected.
        """
        source = read_source(cls.name, name)
        try:
            problem = cls.from_source(source, **options)
        except InputError:
            raise
        except (ValueError, LookupError) as error:
            what = f"{cls.__name__}.from_source cannot read it ({type(error).__name__}: {error})"
            raise InputError(f"{source.label}: {what}") from error
        if not problem.label:
            problem.label, problem.sha256 = source.label, source.sha256
        return problem

    @classmethod
    def from_source(cls, source: Source, *args: Any, **options: Any) -> Self:
        """Return the instance that ``source`` describes. Raises InputError as ``load`` does."""
        raise InputError(f"{cls.__name__} cannot be read from a file: it has no from_source")

    @property
    def max_total(self) -> int:
        """The most legal moves a whole playout can meet."""
        return self.max_steps * self.max_moves

    @property
    def max_slice(self) -> int | None:
        """The most playouts between two looks at the clock; for playouts that are slow and of uneven length."""
        return None

    @property
    def options(self) -> dict[str, Any]:
        """The problem's own options, as they are recorded with a result."""
        return {}

    def new_state(self) -> NamedTuple:
        """Return a state's arrays, in any condition: ``reset`` fills them. Each state has arrays of its own."""
        return self._python_model.new_state()

    def bias_by_code(self) -> np.ndarray | None:
        """Return β of each code, float64[codes], or None where there is none."""
        return None

    def bound(self) -> float | None:
        """Return an objective value that no solution can beat, proved, or None: a search that reaches it stops."""
        return None

    def solution(self, moves: np.ndarray) -> Any:
        """Return the solution, made of what JSON can hold, that the sequence ``moves`` (int64[steps]) builds.

        In plain Python: the list of moves. Compiled: where the solution of the first moves is not the beginning of the
        whole one (as a list or string), a warm start needs ``moves_of``, too.
        """
        things = self._python_model.moves.things
        return [solution_moves.plain(things[move]) for move in moves]

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build ``solution``; the way back from ``solution``.

        Raises InputError when there is no such sequence.
        """
        if self.in_python:
            numbers = self._python_model.moves
            return np.array([numbers[move] for move in solution_moves.moves_of(self, solution)], np.int64)
        return solution_moves.compiled_sequence(self, solution)

    def code_number(self, code: Any) -> int:
        """Return what the kernels call ``code``: in plain Python its number, else itself."""
        return self._python_model.codes[code] if self.in_python else int(code)

    def final_state(self, solution: Any) -> Any:
        """Return the state that ``solution``, a list of moves, leads to (plain Python). Raises InputError."""
        return solution_moves.final_state(self, solution_moves.moves_of(self, solution))

    def check(self, solution: Any) -> Verdict:
        """Check a solution by code that shares nothing with the kernels.

        Its figures go into the result under their names: at least the objective's. In plain Python: the moves are
        legal, nothing can be played after them, and the score is what ``score`` says.
        """
        try:
            state = self.final_state(solution)
        except InputError as error:
            return Verdict({}, [str(error)])
        if len(self.legal_moves(state)) > 0:
            return Verdict({}, [f"after {len(solution)} moves the end is not reached: more can be played"])
        score = float(self.score(state))
        value = self.objective.value(score)
        figures = {self.objective.name: int(value) if value.is_integer() else value}
        return Verdict({**figures, **self.describe(state)}, score=score)

    @classmethod
    def parse_solution(cls, text: str) -> Any:
        """Return the solution that a plain text file holds: moves between spaces or commas, a list of them in JSON.

        Raises InputError that says what was expected.
        """
        words = text.replace(",", " ").split()
        if cls.new_state is Problem.new_state:
            return [_value(word) for word in words]
        for word in words:
            if not re.fullmatch("-?[0-9]{1,18}", word):
                raise InputError(f"expected whole numbers, found {word[:40]!r}")
        return [int(word) for word in words]

    def draw(self, solution: Any) -> str:
        """Return the solution as text for the terminal."""
        return str(solution)

    def sketch(self, solution: Any) -> str:
        """Return what ``nrpa solve`` prints of the solution: the drawing, or part of it where it is long."""
        return self.draw(solution)


def _value(word: str) -> Any:
    """Return the number that a word is, else the word."""
    try:
        return json.loads(word)
    except ValueError:
        return word
