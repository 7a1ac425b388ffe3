"""The interface between a problem and everything that works on problems."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from nrpa.errors import InputError
from nrpa.source import BestKnown, Source, read_source

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Objective:
    """The figure a user thinks in, and how it relates to the score, which is always maximised.

    name: what the figure is called ("cost", "points", "bins").
    sign: +1 where more is better, -1 where less is.
    digits: decimals worth printing.
    """

    name: str
    sign: int
    digits: int = 0

    def value(self, score: float) -> float:
        """Return the objective value of a score."""
        return self.sign * score

    def score(self, value: float) -> float:
        """Return the score of an objective value."""
        return self.sign * value

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

    choices: the values it can take; a flag (``--name/--no-name``) when empty.
    """

    name: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()


class Problem(ABC):
    """One instance of a problem, as the search sees it.

    The state class that ``new_state`` returns carries the kernels (``nrpa.kernels``). Subclasses set:

    instance: a NamedTuple of arrays and scalars that no kernel writes to.
    max_steps: the most moves a playout can have.
    max_moves: the most legal moves a state can have.
    max_total: the most legal moves a whole playout can meet, summed over its states.
    codes: the number of codes if they are 0 to codes - 1, or None for arbitrary 64-bit codes (hashes).
    prior_by_move: whether ``legal_moves`` writes e^β of each move into ``moves.prior``.
    """

    name: ClassVar[str]
    summary: ClassVar[str] = ""
    objective: ClassVar[Objective]
    cli_options: ClassVar[tuple[Option, ...]] = ()
    prior_by_move: ClassVar[bool] = False

    instance: NamedTuple
    max_steps: int
    max_moves: int
    codes: int | None
    label: str = ""
    sha256: str = ""
    best_known: BestKnown | None = None

    @classmethod
    def load(cls, name: str, **options: Any) -> Self:
        """Return the instance called ``name`` at the command line: a path, a bundled name, or ``-``.

        Raises InputError naming the file, the line and what was expected.
        """
        return cls.from_source(read_source(cls.name, name), **options)

    @classmethod
    def from_source(cls, source: Source, *args: Any, **options: Any) -> Self:
        """Return the instance that ``source`` describes. Raises InputError as ``load`` does."""
        raise NotImplementedError(f"{cls.__name__} cannot be read from a file: it has no from_source")

    @property
    def max_total(self) -> int:
        """The most legal moves a whole playout can meet."""
        return self.max_steps * self.max_moves

    @property
    def options(self) -> dict[str, Any]:
        """The problem's own options, as they are recorded with a result."""
        return {}

    @abstractmethod
    def new_state(self) -> NamedTuple:
        """Return a state's arrays, in any condition: ``reset`` fills them."""

    def bias_by_code(self) -> np.ndarray | None:
        """Return β of each code, float64[codes], or None where there is none."""
        return None

    def bound(self) -> float | None:
        """Return an objective value that no solution can beat, proved, or None: a search that reaches it stops."""
        return None

    @abstractmethod
    def solution(self, moves: np.ndarray) -> Any:
        """Return the solution, made of what JSON can hold, that the sequence ``moves`` (int64[steps]) builds."""

    @abstractmethod
    def check(self, solution: Any) -> Verdict:
        """Check a solution by code that shares nothing with the kernels.

        Its figures go into the result under their names: at least the objective's.
        """

    @classmethod
    def parse_solution(cls, text: str) -> Any:
        """Return the solution that a plain text file holds: here, whole numbers.

        Raises InputError that says what was expected.
        """
        words = text.replace(",", " ").split()
        for word in words:
            if not word.removeprefix("-").isdigit():
                raise InputError(f"expected whole numbers, found {word!r}")
        return [int(word) for word in words]

    def draw(self, solution: Any) -> str:
        """Return the solution as text for the terminal."""
        return str(solution)

    def panels(self) -> tuple[Panel, ...]:
        """Return the pictures of a solution, each a function of problem, solution and axes; here, the text of draw."""
        return (_text_panel,)


Panel = Callable[[Any, Any, "Axes"], None]


def _text_panel(problem: Problem, solution: Any, axes: Axes) -> None:
    axes.set_axis_off()
    axes.text(0, 1, problem.draw(solution), family="monospace", va="top", wrap=True, transform=axes.transAxes)
    axes.set_title(problem.label, fontsize="medium")
