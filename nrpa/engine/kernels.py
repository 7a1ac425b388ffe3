"""The kernels of a problem: small functions that the compiled search is specialised with.

A kernel is a plain function in the numba subset, attached to the NamedTuple class of the problem's state. The search
calls the functions of this module; which kernel they mean follows from the type of the state.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import types
from numba.extending import overload

from nrpa.engine.jit import OPTIONS
from nrpa.engine.states import copy_fields, copy_kernel

State = TypeVar("State", bound=type)

_KERNELS: dict[type, dict[str, Callable[..., Any]]] = {}
_ALLOCATING: set[type] = set()


class Moves(NamedTuple):
    """The legal moves of one state, written by ``legal_moves``; one entry a move.

    move: int64[max_moves], what ``play`` takes.
    code: int64[max_moves], the move's code, which indexes the policy.
    exp_bias: float64[max_moves], e to the bias β of the move; all 1 unless the problem sets ``bias_by_move``.
    """

    move: np.ndarray
    code: np.ndarray
    exp_bias: np.ndarray


def reset(instance, state):
    """Make ``state`` the problem's initial state."""
    _KERNELS[type(state)]["reset"](instance, state)


def legal_moves(instance, state, moves):
    """Write the legal moves of ``state`` into ``moves`` and return their number; 0 ends the playout.

    A negative number stops the search (see ``nrpa.engine.status``).
    """
    return _KERNELS[type(state)]["legal_moves"](instance, state, moves)


def all_moves(instance, state, moves):
    """Write the moves that a level of NMCS tries; they are the legal moves where the problem has no kernel for it.

    A problem has one if its ``legal_moves`` leaves moves out to make better playouts: levels then try those as well.
    """
    return kernel_of(type(state), "all_moves")(instance, state, moves)


def play(instance, state, move):
    """Change ``state`` by ``move``."""
    _KERNELS[type(state)]["play"](instance, state, move)


def score(instance, state):
    """Return the score of a final state, float64; the search maximises it."""
    return _KERNELS[type(state)]["score"](instance, state)


def copy(instance, source, target):
    """Make ``target`` equal to ``source``; where the problem has no kernel for it, array by array."""
    kernel_of(type(source), "copy")(instance, source, target)


_REQUIRED: dict[str, Callable[..., Any]] = {f.__name__: f for f in (reset, legal_moves, play, score)}
_GENERICS: dict[str, Callable[..., Any]] = {**_REQUIRED, "copy": copy, "all_moves": all_moves}


def kernels(*functions: Callable[..., Any], allocates: bool = False) -> Callable[[State], State]:
    """Attach kernels to a state class: ``reset``, ``legal_moves``, ``play``, ``score``, maybe ``copy``, ``all_moves``.

    A decorator of the NamedTuple class of the state, whose fields are arrays (and numbers that never change). Each
    kernel is told by its name and takes the parameters of the function of that name in this module. Kernels that
    allocate arrays must say ``allocates=True``, and run slower for it.

    Raises TypeError, naming the kernel, when one is missing, unknown, or has other parameters.
    """
    given = {f.__name__: f for f in functions}

    def attach(state_class: State) -> State:
        where = state_class.__qualname__
        for name, generic in _GENERICS.items():
            if name not in given and name in _REQUIRED:
                raise TypeError(f"{where} lacks the kernel {name}{inspect.signature(generic)}")
            if name not in given:
                continue
            expected, found = inspect.signature(generic), inspect.signature(given[name])
            if list(expected.parameters) != list(found.parameters):
                raise TypeError(f"{where}: the kernel {name} must take {expected}, not {found}")
        for name in given:
            if name not in _GENERICS:
                raise TypeError(f"{where}: there is no kernel {name!r}; expected {', '.join(_GENERICS)}")
        _KERNELS[state_class] = given
        if allocates:
            _ALLOCATING.add(state_class)
        return state_class

    return attach


def kernels_of(state_class: type) -> dict[str, Callable[..., Any]]:
    """Return the kernels attached to ``state_class`` by name."""
    return _KERNELS[state_class]


def kernel_generics() -> tuple[Callable[..., Any], ...]:
    """Return the functions of this module that stand for a problem's kernels."""
    return tuple(_GENERICS.values())


def kernel_of(state_class: type, name: str) -> Callable[..., Any]:
    """Return the kernel ``name`` of ``state_class``, or what stands for one that is optional."""
    own = _KERNELS[state_class]
    return {"copy": copy_fields, "all_moves": own["legal_moves"], **own}[name]


def _select(name: str, state: Any, allocating: bool) -> Callable[..., Any] | None:
    if isinstance(state, types.BaseNamedTuple):
        state_class = state.instance_class
        if state_class in _KERNELS and (state_class in _ALLOCATING) == allocating:
            kernel = kernel_of(state_class, name)
            return copy_kernel(state) if kernel is copy_fields else kernel
    return None


def _specialise(allocating: bool) -> None:
    options = {**OPTIONS, "_nrt": allocating, "forceinline": True}

    @overload(reset, jit_options=options)
    def _reset(instance, state):
        return _select("reset", state, allocating)

    @overload(legal_moves, jit_options=options)
    def _legal_moves(instance, state, moves):
        return _select("legal_moves", state, allocating)

    @overload(all_moves, jit_options=options)
    def _all_moves(instance, state, moves):
        return _select("all_moves", state, allocating)

    @overload(play, jit_options=options)
    def _play(instance, state, move):
        return _select("play", state, allocating)

    @overload(score, jit_options=options)
    def _score(instance, state):
        return _select("score", state, allocating)

    @overload(copy, jit_options=options)
    def _copy(instance, source, target):
        return _select("copy", source, allocating)


_specialise(allocating=False)
_specialise(allocating=True)
