"""Nested Monte Carlo search for hard combinatorial problems.

Names are loaded when they are first used, so that ``import nrpa`` and ``nrpa --help`` are quick.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nrpa.base.errors import InputError, ProblemError
    from nrpa.engine.interpreted import debug
    from nrpa.engine.jit import jit
    from nrpa.engine.kernels import kernels
    from nrpa.io.source import BestKnown, Source, read_source
    from nrpa.modelling.base_problem import BaseProblem
    from nrpa.modelling.check_problem import Contract, check_problem
    from nrpa.modelling.compiled_problem import CompiledProblem
    from nrpa.modelling.objective import Objective
    from nrpa.modelling.option import Option
    from nrpa.modelling.origin import Origin
    from nrpa.modelling.problem import Problem
    from nrpa.modelling.verdict import Verdict
    from nrpa.problems.binpacking import BinPacking
    from nrpa.problems.fold import Folding
    from nrpa.problems.morpion import Morpion
    from nrpa.problems.rna import InverseFolding
    from nrpa.problems.samegame import SameGame
    from nrpa.problems.tsptw import TSPTW
    from nrpa.search.curve import Point
    from nrpa.search.result import Result
    from nrpa.search.run import Run, solve, start
    from nrpa.search.stop import Criterion, NoImprovement, PlayoutLimit, ScoreLimit, SearchLimit, TimeLimit
    from nrpa.solvers import GNRPA, NMCS, NRPA, Greedy, RandomSampling

_HOMES = {
    "BaseProblem": "nrpa.modelling.base_problem",
    "BestKnown": "nrpa.io.source",
    "BinPacking": "nrpa.problems.binpacking",
    "CompiledProblem": "nrpa.modelling.compiled_problem",
    "Contract": "nrpa.modelling.check_problem",
    "Criterion": "nrpa.search.stop",
    "Folding": "nrpa.problems.fold",
    "GNRPA": "nrpa.solvers",
    "Greedy": "nrpa.solvers",
    "InputError": "nrpa.base.errors",
    "InverseFolding": "nrpa.problems.rna",
    "Morpion": "nrpa.problems.morpion",
    "NMCS": "nrpa.solvers",
    "NRPA": "nrpa.solvers",
    "NoImprovement": "nrpa.search.stop",
    "Objective": "nrpa.modelling.objective",
    "Option": "nrpa.modelling.option",
    "Origin": "nrpa.modelling.origin",
    "PlayoutLimit": "nrpa.search.stop",
    "Point": "nrpa.search.curve",
    "Problem": "nrpa.modelling.problem",
    "ProblemError": "nrpa.base.errors",
    "RandomSampling": "nrpa.solvers",
    "Result": "nrpa.search.result",
    "Run": "nrpa.search.run",
    "SameGame": "nrpa.problems.samegame",
    "ScoreLimit": "nrpa.search.stop",
    "SearchLimit": "nrpa.search.stop",
    "Source": "nrpa.io.source",
    "TSPTW": "nrpa.problems.tsptw",
    "TimeLimit": "nrpa.search.stop",
    "Verdict": "nrpa.modelling.verdict",
    "check_problem": "nrpa.modelling.check_problem",
    "debug": "nrpa.engine.interpreted",
    "jit": "nrpa.engine.jit",
    "kernels": "nrpa.engine.kernels",
    "read_source": "nrpa.io.source",
    "solve": "nrpa.search.run",
    "start": "nrpa.search.run",
}

_SUBPACKAGES = ("bench", "plots", "problems", "solvers")

__all__ = list(_HOMES)

# In a checkout the folders problems, solvers, plots and instances lie beside this one, not in it.
_CHECKOUT = Path(__file__).parent.parent
if (_CHECKOUT / "problems" / "tsptw").is_dir() and (_CHECKOUT / "pyproject.toml").is_file():
    __path__.append(str(_CHECKOUT))

try:
    __version__ = version("nrpa")
except PackageNotFoundError:
    __version__ = "0+unknown"


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return import_module(f"nrpa.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'nrpa' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBPACKAGES})
