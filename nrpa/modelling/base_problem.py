"""What the library asks of any problem."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterable
from typing import Any, ClassVar, Self

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.engine.model import Model
from nrpa.io.source import BestKnown, Source, read_source
from nrpa.modelling.digest import digest_of_arguments
from nrpa.modelling.objective import Objective
from nrpa.modelling.option import Option
from nrpa.modelling.origin import Origin
from nrpa.modelling.verdict import Verdict

_BUILDING = threading.RLock()


class _Signature:
    """What the constructor of a class takes, the options that it takes as ``**options`` one by one."""

    def __get__(self, problem: object, cls: type[BaseProblem]) -> inspect.Signature:
        _, *parameters = inspect.signature(cls.__init__).parameters.values()
        if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
            taken = {parameter.name for parameter in parameters}
            parameters[-1:] = [
                inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
                for option in cls.cli_options
                if option.name not in taken
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
        What the problem is called at the command line and in results; the name of the class unless that says otherwise.
    objective : Objective
        The figure that its users think in.
    goal : float or None
        An objective value at which the task is done and the search stops (status "target").
    cli_options : tuple of Option
        The options that the class declares, in order.
    origin : Origin
        Where the instance comes from; ``load`` sets it.
    max_steps : int
        The most moves that a playout can have; a longer one is taken for endless.
    codes : int or None
        The number of codes if they are 0 to codes - 1, or None for any other.
    bias_by_move : bool
        Whether β depends on state and move.
    holds_gil : bool
        Whether playouts call Python, so that workers must be processes and not threads.

    Raises
    ------
    InputError
        For an option that there is not, or a value that it cannot have.

    """

    name: ClassVar[str]
    objective: ClassVar[Objective] = Objective("score", sign=1, digits=2)
    goal: ClassVar[float | None] = None
    cli_options: ClassVar[tuple[Option[Any], ...]] = ()
    holds_gil: ClassVar[bool] = False

    origin: Origin = Origin()
    max_steps: int
    codes: int | None = None
    bias_by_move: bool = False

    __signature__ = _Signature()
    _model: Model | None = None
    _digest: str = ""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if not hasattr(cls, "name") and BaseProblem not in cls.__bases__:
            cls.name = cls.__name__
        declared = {key: value for base in reversed(cls.__mro__) for key, value in vars(base).items()}
        cls.cli_options = tuple(value for value in declared.values() if isinstance(value, Option))

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Note what the instance is made of before the constructor can change it."""
        problem = super().__new__(cls)
        if cls.digest is BaseProblem.digest:
            problem._digest = digest_of_arguments(cls, arguments, keywords, _option_names(cls))
        return problem

    def __init__(self, **options: Any) -> None:
        self.set_options(**options)

    def set_options(self, **options: Any) -> None:
        """Take the values of options, for a constructor that needs them at its beginning.

        Parameters
        ----------
        **options
            Values by name. The others keep the value they have.

        Raises
        ------
        InputError
            For an option that there is not, or a value that it cannot have.

        """
        own = {option.name: option for option in self.cli_options}
        for name, value in options.items():
            if name not in own:
                known = f"expected one of {', '.join(own)}" if own else "it has none"
                raise InputError(f"{type(self).__name__} has no option {name!r}; {known}")
            setattr(self, own[name].attribute, value)

    @property
    def options(self) -> dict[str, Any]:
        """The values of the problem's options by name, as they are recorded with a result."""
        return {option.name: getattr(self, option.attribute) for option in self.cli_options}

    @property
    def label(self) -> str:
        """How to name the instance; empty where nobody said."""
        return self.origin.label

    @property
    def sha256(self) -> str:
        """The hash of the instance, in hex: of its file, or of what it was made of."""
        return self.origin.sha256 or self.digest()

    @property
    def best_known(self) -> BestKnown | None:
        """The best published value of the instance."""
        return self.origin.best_known

    def digest(self) -> str:
        """Return the hash of an instance that comes from no file.

        It tells the results of different instances apart. Here, it is the hash of what the constructor was given,
        without the options (see ``nrpa.modelling.digest``). A class may have its own.

        Returns
        -------
        str
            SHA-256 in hex, the same in every process.

        """
        return self._digest

    @classmethod
    def reads_instances(cls) -> bool:
        """Return whether an instance has to be named.

        A class with neither ``from_source`` nor ``load`` of its own is its own only instance.
        """
        readers = ("from_source", "load")
        return any(getattr(cls, reader).__func__ is not getattr(BaseProblem, reader).__func__ for reader in readers)

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
        if not problem.origin.label:
            problem.origin = Origin(source.label, source.sha256, source.best_known)
        return problem

    @classmethod
    def from_source(cls, source: Source, *args: Any, **options: Any) -> Self:
        """Return the instance that ``source`` describes. Raises InputError as ``load`` does.

        Options are handed on to the constructor. ``load`` then sets ``origin``, unless that has a label already.
        """
        raise InputError(f"{cls.__name__} cannot be read from a file: it has no from_source")

    @classmethod
    def require_methods(cls) -> None:
        """Raise ProblemError, naming class and method, where the class lacks a method that its author must write."""

    @property
    def model(self) -> Model:
        """What the engine drives, made when it is first asked for. Raises ProblemError where it cannot be made."""
        if self._model is None:
            with _BUILDING:
                if self._model is None:
                    self._model = self._build_model()
        return self._model

    def _build_model(self) -> Model:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled or copied: all but the model, which holds addresses."""
        return {name: value for name, value in self.__dict__.items() if name != "_model"}

    @property
    def max_slice(self) -> int | None:
        """The most playouts between two looks at the clock; for playouts that are slow and of uneven length."""
        return None

    def bias_by_code(self) -> np.ndarray | None:
        """Return β of each code, float64[codes], or None where there is none."""
        return None

    def bound(self) -> float | None:
        """Return an objective value that no solution can beat, proved, or None: a search that reaches it stops."""
        return None

    def solution(self, moves: np.ndarray) -> Any:
        """Return the solution, made of what JSON can hold, that the sequence ``moves`` (int64[steps]) builds."""
        raise NotImplementedError

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build ``solution``; the way back from ``solution``.

        Raises InputError when there is no such sequence.
        """
        raise NotImplementedError

    def check(self, solution: Any) -> Verdict:
        """Check a solution by code that shares nothing with the search.

        Its figures go into the result under their names: at least the objective's.
        """
        raise NotImplementedError

    @classmethod
    def parse_solution(cls, text: str) -> Any:
        """Return the solution that a plain text file holds. Raises InputError that says what was expected."""
        raise NotImplementedError

    def draw(self, solution: Any) -> str:
        """Return the solution as text for the terminal."""
        return str(solution)

    def sketch(self, solution: Any) -> str:
        """Return what ``nrpa solve`` prints of the solution: the drawing, or part of it where it is long."""
        return self.draw(solution)


def require_own(cls: type[BaseProblem], kind: type[BaseProblem], calls: Iterable[str]) -> None:
    """Raise ProblemError where ``cls`` has one of the methods, named as they are called, no better than ``kind``."""
    for call in calls:
        name = call.partition("(")[0]
        if getattr(cls, name) is getattr(kind, name):
            raise ProblemError(f"{cls.__name__} lacks the method {call}")


def _option_names(cls: type[BaseProblem]) -> set[str]:
    """Return what options are called, and their attributes, which a constructor may use as parameters as well."""
    return {name for option in cls.cli_options for name in (option.name, option.attribute)}
