"""Which problems and solvers there are, by name: those of nrpa, of other packages, and a user's own file.

A problem of nrpa says itself what it is: ``PROBLEMS`` of its folder in ``problems``. A solver has its line here.
"""

from __future__ import annotations

import copyreg
import dataclasses
import hashlib
import importlib.util
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import starmap
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from nrpa import problems as folders
from nrpa.base.errors import InputError, ProblemError, UnknownNameError, did_you_mean
from nrpa.base.lazy import lazy
from nrpa.base.options import terms_of
from nrpa.base.values import path_shown, shortened
from nrpa.io.files import is_file
from nrpa.io.source import Origin
from nrpa.modelling.base_problem import BaseProblem, errors_of_reading
from nrpa.solvers.interface import Solver

compiling = lazy("nrpa.compiling.problem")


SOLVERS = (
    ("gnrpa", "nrpa.solvers.nrpa:GNRPA", "Generalized NRPA: with temperature and bias"),
    ("nrpa", "nrpa.solvers.nrpa:NRPA", "Nested Rollout Policy Adaptation: GNRPA with temperature 1 and no bias"),
    ("pareto", "nrpa.solvers.nrpa:ParetoNRPA", "NRPA for several goals: the solutions that no other one found beats"),
    ("auto", "nrpa.solvers.portfolio:Auto", "the default: what suits the problem, or GNRPA and tempering in turns"),
    ("nmcs", "nrpa.solvers.nmcs:NMCS", "Nested Monte Carlo search"),
    ("tempering", "nrpa.solvers.tempering:Tempering", "parallel tempering: whole games are changed and replayed"),
    ("random", "nrpa.solvers.nmcs:RandomSampling", "independent random playouts: level 0 of nested search"),
    ("greedy", "nrpa.solvers.nmcs:Greedy", "playouts that make the move of largest bias"),
    ("uct", "nrpa.solvers.tree:UCT", "tree search by upper confidence bounds, or another bandit"),
    ("sp-mcts", "nrpa.solvers.tree:SPMCTS", "tree search for one player, with a term for the spread of scores"),
    ("puct", "nrpa.solvers.tree:PUCT", "tree search with the bias as a prior"),
    ("rave", "nrpa.solvers.tree:RAVE", "tree search with statistics of all moves behind a node (AMAF)"),
    ("grave", "nrpa.solvers.tree:GRAVE", "RAVE with the statistics of a node further up"),
    ("mcps", "nrpa.solvers.tree:MCPS", "Monte Carlo Permutation Search: GRAVE with statistics of permutations"),
    ("sequential-halving", "nrpa.solvers.tree:SequentialHalving", "Sequential Halving at the root, UCT below"),
    ("shuss", "nrpa.solvers.tree:SHUSS", "Sequential Halving with AMAF statistics"),
    ("anytime-halving", "nrpa.solvers.tree:AnytimeSequentialHalving", "Sequential Halving without a budget"),
)


# What stands for rules elsewhere, and is no problem until it has them.
ELSEWHERE = (
    ("program", "nrpa.adapters.program:Program", "a program of your own that answers lines of JSON: its command"),
)


class Entry(NamedTuple):
    """A problem or a solver, not yet imported: ``package.module:Class``, of nrpa itself or another package."""

    name: str
    where: str
    summary: str
    package: str = ""

    def load(self) -> Any:
        """Import the module and return the class. What the import raises is raised as it is."""
        module, _, attribute = self.where.partition(":")
        return getattr(import_module(module), attribute)


class Registered:
    """The problems, or the solvers, by name; ``bundled`` are those that come with nrpa."""

    def __init__(
        self, kind: str, group: str, bundled: Iterable[Entry], fault: Callable[[Any], str], more: Iterable[Entry] = ()
    ) -> None:
        self.bundled = {entry.name: entry for entry in bundled}
        self._own = self.bundled | {entry.name: entry for entry in more}
        self._kind = kind
        self._group = group
        self._fault = fault

    def entries(self) -> dict[str, Entry]:
        """Return all entries by name, those of nrpa first; nothing is imported."""
        found = dict(self._own)
        for name, points in sorted(self._others().items()):
            if name not in found:
                packages, alone = _packages(points), len(points) == 1
                text = f"of the package {packages}" if alone else f"of several packages, {packages}: unusable"
                found[name] = Entry(name, points[0].value, text, packages)
        return found

    def left_out(self) -> list[str]:
        """Return a sentence for each entry point whose name nrpa has taken itself."""
        return [
            f"the {self._kind} {name!r} of the package {_packages(points)} is left out: nrpa has its own of that name"
            for name, points in sorted(self._others().items())
            if name in self._own
        ]

    def load(self, name: str, also: str = "") -> Any:
        """Import and return the class with a name."""
        if name in self._own:
            return self._own[name].load()
        points = self._others().get(name, [])
        if not points:
            hint, names = did_you_mean(name, self.entries()), ", ".join(self.entries())
            raise UnknownNameError(
                f"unknown {self._kind} {name!r}; expected one of {names}{also}{f'; {hint}' if hint else ''}"
            )
        if len(points) > 1:
            several = _packages(points)
            raise InputError(f"the {self._kind} {name!r} is in several packages, {several}; uninstall all but one")
        return self._loaded(points[0])

    def _loaded(self, point: EntryPoint) -> Any:
        what = f"the {self._kind} {point.name!r} of the package {_packages([point])}"
        try:
            found = point.load()
        except Exception as error:
            raise InputError(f"{what} cannot be imported ({type(error).__name__}: {error})") from None
        fault = self._fault(found)
        if not fault and found.name != point.name:
            fault = f"calls itself {found.name!r}; expected the same name"
        if fault:
            raise InputError(f"{what} {fault}")
        return found

    def _others(self) -> dict[str, list[EntryPoint]]:
        found: dict[str, list[EntryPoint]] = defaultdict(list)
        for point in entry_points(group=self._group):
            found[point.name].append(point)
        return found


def _packages(points: list[EntryPoint]) -> str:
    """Return whose entry points are: the distributions, with their versions."""
    named = ((point.dist, point.value) for point in points)
    return " and ".join(sorted(f"{dist.name} {dist.version}" if dist else value for dist, value in named))


def _problem_fault(found: Any) -> str:
    is_problem = isinstance(found, type) and issubclass(found, BaseProblem)
    return "" if is_problem else "is not a subclass of nrpa.Problem or nrpa.CompiledProblem"


def _of_folders() -> Iterator[Entry]:
    """Yield the problems of nrpa, from what their folders say."""
    for folder in iter_modules(folders.__path__):
        said = getattr(import_module(f"{folders.__name__}.{folder.name}"), "PROBLEMS", {}) if folder.ispkg else {}
        for name, (where, summary) in said.items():
            yield Entry(name, f"{folders.__name__}.{folder.name}.{where}", summary)


_bundled = sorted(_of_folders())
problems = Registered("problem", "nrpa.problems", _bundled, _problem_fault, starmap(Entry, ELSEWHERE))


def problem_class(name: str) -> type[BaseProblem]:
    """Import and return the class of a problem. Raises InputError if there is none, or it cannot be imported.

    With COMPILED at the end of the name, it is the class compiled as it stands (``nrpa.compiled``).

    >>> problem_class("tsptw")
    <class 'nrpa.problems.tsptw.problem.TSPTW'>
    """
    if name.endswith(COMPILED):
        return _compiled_class(problem_class(name.removesuffix(COMPILED)))
    if is_users(name):
        return users_class(name)
    found: type[BaseProblem] = problems.load(name, also=", or path/to/file.py:Class")
    return found


def read_problem(found: type[BaseProblem], instance: str, options: dict[str, Any]) -> BaseProblem:
    """Return a problem with its instance, if it reads any, under the name of the instance where it has no other."""
    if not found.reads_instances():
        return found(**options)
    call = reader_of(found)
    with errors_of_reading(instance, call):
        problem = found.load(instance, **options)
    if not isinstance(problem, BaseProblem):
        hint = what_to_write(found.__name__) if hasattr(found, "described") else ""
        raise ProblemError(f"{call} returned {shortened(repr(problem))}; expected a problem{hint}")
    if isinstance(problem.origin, Origin) and not problem.label:
        problem.origin = dataclasses.replace(problem.origin, label=instance)
    return problem


def what_to_write(name: str) -> str:
    """Return what makes a problem of a function that may be a cost, as the end of a message."""
    return f"; if it is a cost, write `problem = nrpa.permutation(n, {name})` in the file, and solve FILE.py:problem"


def reader_of(found: type[BaseProblem]) -> str:
    """Return what reads an instance: the class's method ``load``, or the function that the class stands for."""
    return found.__name__ if hasattr(found, "described") else f"{found.__name__}.load"


def summary_of(name: str) -> str:
    """Return what a problem is, in a line. Raises InputError as ``problem_class`` does."""
    if name in problems.bundled:
        return problems.bundled[name].summary
    return first_line(problem_class(name))


def first_line(found: type) -> str:
    """Return the first line of a docstring."""
    return (found.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def _solver_fault(found: Any) -> str:
    is_solver = isinstance(found, type) and dataclasses.is_dataclass(found) and hasattr(found, "start")
    return "" if is_solver else "is not a dataclass with a method start"


solvers = Registered("solver", "nrpa.solvers", starmap(Entry, SOLVERS), _solver_fault)


def solver_class(name: str) -> type[Solver]:
    """Import and return the class of a solver. Raises InputError if there is none, or it cannot be imported."""
    if is_users(name):
        return users_solver(name)
    found: type[Solver] = solvers.load(name, also=", or path/to/file.py:Class")
    return found


DEFAULT_SOLVER, OF_SEARCHES = "auto", "gnrpa"


def solver_with(options: Iterable[str], searches: int | None = None) -> str:
    """Return the solver where none is named: auto, else the first that has all the options, or GNRPA if none has.

    With a limit of searches, which auto does not end, GNRPA comes before the others.
    """
    wanted = set(options)
    names = (DEFAULT_SOLVER if searches is None else OF_SEARCHES, *solvers.entries())
    return next((name for name in names if wanted <= _options_of(name)), OF_SEARCHES)


def _options_of(solver: str) -> set[str]:
    """Return the names of a solver's options; none of one that cannot be imported."""
    try:
        found: Any = solver_class(solver)
    except InputError:
        return set()
    return {*terms_of(found)}


PREFIX = "nrpa_users_"
# What ends the name of a problem whose class in plain Python is compiled as it stands.
COMPILED = ":compiled"


def is_users(name: str) -> bool:
    """Return whether a name is of the form ``file.py:Class``, the class being optional."""
    return name.endswith(".py") or ".py:" in name


def _described_class(value: Any, name: str) -> type[BaseProblem]:
    """Return a class that stands for an object of a problem, or for a function from an instance's name to one."""

    def load(cls: type[BaseProblem], instance: str, /, **options: Any) -> BaseProblem:
        return value(instance, **options)  # type: ignore[no-any-return]

    def made(cls: type[BaseProblem], **options: Any) -> BaseProblem:
        return value  # type: ignore[no-any-return]

    if isinstance(value, BaseProblem):
        members = {"__new__": made, "objective": value.objective, "name": value.name, "__doc__": type(value).__doc__}
        members |= {"players": value.players, "goal": value.goal}
    else:
        members = {"load": classmethod(load), "name": name, "__doc__": value.__doc__}
    return type(name, (BaseProblem,), {**members, "described": staticmethod(lambda: value)})


def _compiled_class(found: type[BaseProblem]) -> type[BaseProblem]:
    """Return a class whose problems are compiled as they stand. Raises InputError where they are compiled already."""
    value = found.described() if hasattr(found, "described") else found
    if isinstance(value, FunctionType):
        return _described_class(lambda instance: compiling.compiled(value(instance)), found.name)
    made = compiling.compiled(value)
    return made if isinstance(made, type) else _described_class(made, found.name)


def users_class(name: str) -> type[BaseProblem]:
    """Return the problem class in a file of the user's own, or one for an object or a function there."""
    path, wanted, module = _in_file(name)
    classes = {key: value for key, value in vars(module).items() if _is_problem(value, module)}
    objects = {key: value for key, value in vars(module).items() if isinstance(value, BaseProblem)}
    if isinstance(vars(module).get(wanted), FunctionType):
        return _described_class(vars(module)[wanted], wanted)
    if not wanted and len(classes) == 1:
        wanted = next(iter(classes))
    expected = "a class of problems, a problem, or a function to one"
    hint = what_to_write(wanted) if callable(vars(module).get(wanted)) else ""
    wanted = _chosen(path, wanted, {**classes, **objects}, expected, hint)
    if wanted in objects:
        return _described_class(objects[wanted], wanted)
    classes[wanted].require_methods()
    found_class: type[BaseProblem] = classes[wanted]
    return found_class


def users_solver(name: str) -> type[Solver]:
    """Return the solver class in a file of the user's own; its objects can be pickled for other processes."""
    path, wanted, module = _in_file(name)
    own = {key: value for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    wanted = _chosen(path, wanted, [key for key in own if not _solver_fault(own[key])], "a class of solvers")
    found: Any = own[wanted]
    again = f"{Path(path).resolve()}:{wanted}"
    copyreg.pickle(found, lambda solver: (_users_solver_made, (again, solver.options)))
    return found  # type: ignore[no-any-return]


def _in_file(name: str) -> tuple[str, str, ModuleType]:
    """Return the file in a name, what is wanted of it, and the module that it is."""
    path = file_of_class(name)
    return path, name[len(path) + 1 :], _module(Path(path))


def _chosen(path: str, wanted: str, found: Collection[str], expected: str, hint: str = "") -> str:
    """Return the name of what is wanted of the things found in a file, or of the only one."""
    if not wanted and len(found) == 1:
        return next(iter(found))
    if wanted not in found:
        missing = f"nothing of the kind is called {wanted}; " if wanted else ""
        more = f"; choose one with {path}:NAME" if found and not wanted else hint
        meant = did_you_mean(wanted, found)
        more += f"; {meant}" if meant else ""
        raise InputError(f"{path}: {missing}expected {expected}; found {', '.join(found) or 'none'}{more}")
    return wanted


def _users_solver_made(name: str, options: dict[str, Any]) -> Any:
    made: Any = users_solver(name)
    return made(**options)


def file_of_class(name: str) -> str:
    """Return the file in a name of the form ``file.py:Class``."""
    return name if name.endswith(".py") else name[: name.rindex(".py:") + 3]


def file_of_module(name: str) -> str:
    """Return the file of a module that ``users_class`` has loaded; empty for any other module."""
    file = getattr(sys.modules.get(name), "__file__", None) if name.startswith(PREFIX) else None
    return file or ""


def import_file(path: str) -> None:
    """Import a user's file under the name that it has in every process. Raises InputError if it cannot be."""
    _module(Path(path))


def _is_problem(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, BaseProblem) and value.__module__ == module.__name__


def _module(path: Path) -> ModuleType:
    """Import the file, its folder on the path, under a name that stays the same: machine code is kept under it."""
    if not is_file(path):
        raise InputError(f"{path_shown(path)}: no such file")
    where = path.resolve()
    name = f"{PREFIX}{where.stem}_{hashlib.sha256(str(where).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, where)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if str(where.parent) not in sys.path:
        sys.path.append(str(where.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = error.lineno if isinstance(error, SyntaxError) else _line(error, where)
        raise InputError(f"{path}:{line}: cannot be imported ({type(error).__name__}: {error})") from None
    return module


def _line(error: Exception, where: Path) -> int | None:
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(where)]
    return lines[-1] if lines else None
