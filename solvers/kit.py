"""What a solver with kernels may use of the engine: these names stay (``docs/your-solver.md``); others may change."""

from nrpa.engine.kernels import all_moves, copy, legal_moves, play, reset, score
from nrpa.engine.model import Needs
from nrpa.engine.playout import BIASED, GREEDY, UNIFORM, ByPolicy, ByRule, playout
from nrpa.engine.policy import DensePolicy, dense_policy, lift, lower
from nrpa.engine.random import random_index, uniform
from nrpa.engine.recording import Incumbent, InPath, Tally, count_playout
from nrpa.engine.status import BUDGET_USED, IMPROVED
from nrpa.machine.jit import jit
from nrpa.modelling.bias import exp_bias
from nrpa.solvers.interface import refuse
from nrpa.solvers.search import Capacity, CompiledSearch, common_parts

# fmt: off
__all__ = [
    "BIASED", "BUDGET_USED", "GREEDY", "IMPROVED", "UNIFORM", "ByPolicy", "ByRule", "Capacity",
    "CompiledSearch", "DensePolicy", "InPath", "Incumbent", "Needs", "Tally", "all_moves", "common_parts", "copy",
    "count_playout", "dense_policy", "exp_bias", "jit", "legal_moves", "lift", "lower", "play", "playout",
    "random_index", "refuse", "reset", "score", "uniform",
]
