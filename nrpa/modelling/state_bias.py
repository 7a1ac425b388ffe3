"""A bias β of the state that the caller gives to a problem with kernels: machine code asks for it where it lists moves.

A copy of the class of states has the same kernels, but for those that list moves: β of each move comes after them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof, types

from nrpa.base.errors import ProblemError
from nrpa.engine.kernels import NUMBER, kernels, kernels_of, write_exponents
from nrpa.engine.machine_code import function_fault
from nrpa.engine.model import Model
from nrpa.engine.status import NO_BIAS
from nrpa.machine.code_cache import fingerprint
from nrpa.machine.jit import jit, made, record_class
from nrpa.modelling.learned_bias import LearnedBias, compilable

WEIGHTS = "bias_weights"
PARAMETERS = "instance, state, move, code"
_LISTING = """
def {kernel}(instance, state, moves):
    count = own(instance, state, moves)
    if 0 < count <= moves.move.shape[0]:
        for place in range(count):
            moves.exp_bias[place] = bias(instance, state, moves.move[place], moves.code[place])
        if not write_exponents(moves, count):
            return {status}
    return count
"""


def biased(model: Model, given: Any) -> Model:
    """Return the model of a problem whose moves come with another β: a function, or a weighted sum of features."""
    learned = given.func if isinstance(given.func, LearnedBias) else None
    functions = [given.func] if learned is None else [*learned.features.values()]
    functions = [*map(compilable, functions)]
    state_class, instance, bias = type(model.new_state()), model.instance, jit(functions[0])
    if learned is not None:
        bias = _sum_of(functions)
        fields, name = type(instance)._fields, f"{type(instance).__module__}_{type(instance).__qualname__}"
        record = record_class(_name_of(f"{name}_{'_'.join(fields)}_{WEIGHTS}"), (*fields, WEIGHTS))
        instance = record(*instance, np.array([*learned.weights.values()]))
    own = kernels_of(state_class)
    listing = {name: _listing(name, own[name], bias) for name in ("legal_moves", "all_moves") if name in own}
    changed = [*(own | listing).values()]
    name = f"{state_class.__qualname__}_{fingerprint([*changed, lambda fields=state_class._fields: fields])}"
    states = kernels(*changed)(record_class(_name_of(name), state_class._fields))

    def compile_fault() -> ProblemError | None:
        return _fault(model, functions, instance)

    return model.listing_with_bias(instance, lambda: states(*model.new_state()), compile_fault)


def _name_of(text: str) -> str:
    return re.sub(r"\W", "_", text, flags=re.ASCII)


def _sum_of(functions: list[Callable[..., Any]]) -> Any:
    """Return the function that adds up features, each times its weight."""
    features = {f"feature{k}": jit(function) for k, function in enumerate(functions)}
    terms = [f"instance.{WEIGHTS}[{k}] * {feature}({PARAMETERS})" for k, feature in enumerate(features)]
    return jit(made(f"def bias({PARAMETERS}):\n    return {' + '.join(terms)}\n", "bias", features))


def _listing(kernel: str, own: Callable[..., Any], bias: Any) -> Any:
    """Return a kernel that lists moves as the problem's own does, and asks for β of each."""
    names = {"own": jit(own), "bias": bias, "write_exponents": write_exponents}
    return made(_LISTING.format(kernel=kernel, status=NO_BIAS), kernel, names)


def _fault(model: Model, functions: list[Callable[..., Any]], instance: Any) -> ProblemError | None:
    """Return an error that says which function does not compile, and why."""
    signature = typeof(instance), typeof(model.new_state()), types.int64, types.int64
    for function in functions:
        if fault := function_fault(function, NUMBER, signature):
            return ProblemError(f"{model.name}: the bias {function.__qualname__} {fault}")
    return None
