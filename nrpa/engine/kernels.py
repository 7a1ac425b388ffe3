"""The table of kernels: the small functions of a problem that the compiled search is specialised with.

A kernel is a plain function in the numba subset, attached to the NamedTuple class of the problem's state. The search
calls the functions of this module; which kernel they mean follows from the type of the state. Each is declared once,
here; what compiled code calls, the step-by-step game, error messages and the debug mode are made from that entry.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import types
from numba.extending import overload

from nrpa.base.errors import ProblemError
from nrpa.engine.by_type import made
from nrpa.engine.jit import OPTIONS
from nrpa.engine.states import copy_fields

State = TypeVar("State", bound=type)
Function = Callable[..., Any]

NOTHING, WHOLE, NUMBER = "nothing", "a whole number", "a number"


@dataclass(frozen=True)
class Kernel:
    """One entry of the table.

    name, parameters: of the function. returns: NOTHING, WHOLE or NUMBER.
    stand_in: what takes its place in a problem that lacks it, as a function of the problem's own kernels by name; None
    where every problem must have the kernel.
    """

    name: str
    parameters: tuple[str, ...]
    returns: str
    stand_in: Callable[[dict[str, Function]], Function] | None

    @property
    def place_of_state(self) -> int:
        """The position of the parameter whose type says which problem is meant."""
        return next(k for k, parameter in enumerate(self.parameters) if parameter in ("state", "source"))

    def __str__(self) -> str:
        return f"{self.name}{_list(self.parameters)}"


def _list(parameters: tuple[str, ...]) -> str:
    return f"({', '.join(parameters)})"


KERNELS: dict[str, Kernel] = {}

_attached: dict[type, dict[str, Function]] = {}


class Moves(NamedTuple):
    """The legal moves of one state, written by ``legal_moves``; one entry a move.

    move: int64[max_moves], what ``play`` takes.
    code: int64[max_moves], the move's code, which indexes the policy.
    exp_bias: float64[max_moves], e to the bias β of the move; all 1 unless the problem sets ``bias_by_move``.
    """

    move: np.ndarray
    code: np.ndarray
    exp_bias: np.ndarray


def allocate_moves(size: int) -> Moves:
    """Return room for ``size`` legal moves."""
    return Moves(np.zeros(size, np.int64), np.zeros(size, np.int64), np.ones(size))


def declare(
    returns: str = NOTHING, stand_in: Callable[[dict[str, Function]], Function] | None = None
) -> Callable[[Function], Function]:
    """Enter a kernel in the table: the decorated function has its name, its parameters and its description."""

    def enter(described: Function) -> Function:
        kernel = Kernel(described.__name__, tuple(inspect.signature(described).parameters), returns, stand_in)
        KERNELS[kernel.name] = kernel

        @functools.wraps(described)
        def call(*arguments: Any) -> Any:
            return kernel_of(type(arguments[kernel.place_of_state]), kernel.name)(*arguments)

        def select(state: Any) -> Function | None:
            known = isinstance(state, types.BaseNamedTuple) and state.instance_class in _attached
            return kernel_of(state.instance_class, kernel.name) if known else None

        state = kernel.parameters[kernel.place_of_state]
        source = f"def choose({', '.join(kernel.parameters)}):\n    return select({state})\n"
        overload(call, jit_options={**OPTIONS, "forceinline": True})(made(source, "choose", {"select": select}))
        return call

    return enter


@declare()
def reset(instance, state):
    """Make ``state`` the problem's initial state."""


@declare(returns=WHOLE)
def legal_moves(instance, state, moves):
    """Write the legal moves of ``state`` into ``moves`` and return their number; 0 ends the playout.

    A negative number stops the search (see ``nrpa.engine.status``).
    """


@declare(returns=WHOLE, stand_in=lambda own: own["legal_moves"])
def all_moves(instance, state, moves):
    """Write the moves that a level of NMCS tries; they are the legal moves where the problem has no kernel for it.

    A problem has one if its ``legal_moves`` leaves moves out to make better playouts: levels then try those as well.
    """


@declare()
def play(instance, state, move):
    """Change ``state`` by ``move``."""


@declare(returns=NUMBER)
def score(instance, state):
    """Return the score of a final state, float64; the search maximises it."""


def _copy_all(instance, source, target):
    copy_fields(source, target)


@declare(stand_in=lambda own: _copy_all)
def copy(instance, source, target):
    """Make ``target`` equal to ``source``; where the problem has no kernel for it, array by array."""


def kernels(*functions: Function) -> Callable[[State], State]:
    """Attach kernels to a state class: ``reset``, ``legal_moves``, ``play``, ``score``, maybe ``copy``, ``all_moves``.

    A decorator of the NamedTuple class of the state, whose fields are arrays (and numbers that never change). Each
    kernel is told by its name and takes the parameters of the function of that name in this module. Kernels must not
    allocate memory.

    Raises TypeError, naming the kernel, when one is missing, unknown, or has other parameters.
    """
    given = {f.__name__: f for f in functions}

    def attach(state_class: State) -> State:
        where = state_class.__qualname__
        for name, kernel in KERNELS.items():
            if name not in given and kernel.stand_in is None:
                raise TypeError(f"{where} lacks the kernel {kernel}")
        for name, function in given.items():
            if name not in KERNELS:
                raise TypeError(f"{where}: there is no kernel {name!r}; expected {', '.join(KERNELS)}")
            expected, found = KERNELS[name].parameters, tuple(inspect.signature(function).parameters)
            if found != expected:
                raise TypeError(f"{where}: the kernel {name} must take {_list(expected)}, not {_list(found)}")
        _attached[state_class] = given
        return state_class

    return attach


def kernels_of(state_class: type) -> dict[str, Function]:
    """Return the kernels attached to ``state_class`` by name. Raises ProblemError where there are none."""
    if state_class not in _attached:
        raise ProblemError(
            f"{state_class.__qualname__}: has no kernels; expected a NamedTuple class under the decorator nrpa.kernels"
        )
    return _attached[state_class]


def kernel_of(state_class: type, name: str) -> Function:
    """Return the kernel ``name`` of ``state_class``, or what stands for one that is optional."""
    own, stand_in = kernels_of(state_class), KERNELS[name].stand_in
    return own[name] if name in own or stand_in is None else stand_in(own)
