"""The public names: each line is both what type checkers see and where ``nrpa.NAME`` is loaded from."""

from . import bench as bench
from . import plots as plots
from . import problems as problems
from . import solvers as solvers
from .base.errors import InputError as InputError
from .base.errors import ProblemError as ProblemError
from .engine.interpreted import debug as debug
from .engine.jit import jit as jit
from .engine.kernels import kernels as kernels
from .io.source import BestKnown as BestKnown
from .io.source import Source as Source
from .io.source import read_source as read_source
from .modelling.base_problem import BaseProblem as BaseProblem
from .modelling.check_problem import Contract as Contract
from .modelling.check_problem import check_problem as check_problem
from .modelling.compiled_problem import CompiledProblem as CompiledProblem
from .modelling.objective import Objective as Objective
from .modelling.option import Option as Option
from .modelling.origin import Origin as Origin
from .modelling.problem import Problem as Problem
from .modelling.verdict import Verdict as Verdict
from .problems.binpacking import BinPacking as BinPacking
from .problems.fold import Folding as Folding
from .problems.morpion import Morpion as Morpion
from .problems.rna import InverseFolding as InverseFolding
from .problems.samegame import SameGame as SameGame
from .problems.tsptw import TSPTW as TSPTW
from .search.checkpoint import resume as resume
from .search.curve import Point as Point
from .search.result import Result as Result
from .search.run import Run as Run
from .search.run import solve as solve
from .search.run import start as start
from .search.stop import Criterion as Criterion
from .search.stop import NoImprovement as NoImprovement
from .search.stop import PlayoutLimit as PlayoutLimit
from .search.stop import ScoreLimit as ScoreLimit
from .search.stop import SearchLimit as SearchLimit
from .search.stop import TimeLimit as TimeLimit
from .solvers.nmcs import NMCS as NMCS
from .solvers.nmcs import Greedy as Greedy
from .solvers.nmcs import RandomSampling as RandomSampling
from .solvers.nrpa import GNRPA as GNRPA
from .solvers.nrpa import NRPA as NRPA

__version__: str
