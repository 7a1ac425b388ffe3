"""The class of a problem or a solver in a file of the user's own, or one that stands for an object or a function."""

from __future__ import annotations

import copyreg
import dataclasses
from collections.abc import Collection
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from nrpa.base.errors import InputError, did_you_mean
from nrpa.base.lazy import lazy
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry.users_file import file_of_class, module_of
from nrpa.solvers.interface import Solver

compiling = lazy("nrpa.compiling.problem")


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


def compiled_class(found: type[BaseProblem]) -> type[BaseProblem]:
    """Return a class whose problems are compiled as they stand. Raises InputError where they are compiled already."""
    value = found.described() if hasattr(found, "described") else found
    if isinstance(value, FunctionType):
        return _described_class(lambda instance: compiling.compiled(value(instance)), found.name)
    made = compiling.compiled(value)
    return made if isinstance(made, type) else _described_class(made, found.name)


def users_solver(name: str) -> type[Solver]:
    """Return the solver class in a file of the user's own; its objects can be pickled for other processes."""
    path, wanted, module = _in_file(name)
    own = {key: value for key, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    wanted = _chosen(path, wanted, [key for key in own if not solver_fault(own[key])], "a class of solvers")
    found: Any = own[wanted]
    again = f"{Path(path).resolve()}:{wanted}"
    copyreg.pickle(found, lambda solver: (_users_solver_made, (again, solver.options)))
    return found  # type: ignore[no-any-return]


def _users_solver_made(name: str, options: dict[str, Any]) -> Any:
    made: Any = users_solver(name)
    return made(**options)


def solver_fault(found: Any) -> str:
    """Return why something is no class of solvers; empty if it is one."""
    is_solver = isinstance(found, type) and dataclasses.is_dataclass(found) and hasattr(found, "start")
    return "" if is_solver else "is not a dataclass with a method start"


def _in_file(name: str) -> tuple[str, str, ModuleType]:
    """Return the file in a name, what is wanted of it, and the module that it is."""
    path = file_of_class(name)
    return path, name[len(path) + 1 :], module_of(Path(path))


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


def _is_problem(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and issubclass(value, BaseProblem) and value.__module__ == module.__name__


def what_to_write(name: str) -> str:
    """Return what makes a problem of a function that may be a cost, as the end of a message."""
    return f"; if it is a cost, write `problem = nrpa.permutation(n, {name})` in the file, and solve FILE.py:problem"
