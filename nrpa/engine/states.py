"""Several states of one class at once: one for each level of a search that starts its playouts in mid-game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from nrpa.engine.by_type import made
from nrpa.engine.jit import OVERLOAD


def stack_states(states: Sequence[NamedTuple]) -> tuple[np.ndarray, ...]:
    """Return the fields of several states, each with a leading axis over the states."""
    return tuple(np.stack(field) for field in zip(*states, strict=True))


def state_at(state, stacked, index):
    """Return a state by its index in what ``stack_states`` returned; its arrays are views."""
    return type(state)(*(field[index] for field in stacked))


@overload(state_at, jit_options=OVERLOAD)
def _state_at(state, stacked, index):
    fields = ", ".join(f"stacked[{k}][index]" for k in range(len(state.fields)))
    source = f"def state_at(state, stacked, index):\n    return State({fields})\n"
    return made(source, "state_at", {"State": state.instance_class})


def copy_fields(source, target):
    """Copy all arrays of a state: the stand-in for the kernel ``copy``."""
    for theirs, mine in zip(source, target, strict=True):
        if isinstance(theirs, np.ndarray):
            np.copyto(mine, theirs)


@overload(copy_fields, jit_options={**OVERLOAD, "forceinline": True})
def _copy_fields(source, target):
    lines = ["def copy_fields(source, target):", "    pass"]
    for name, field in zip(source.fields, source.types, strict=True):
        if isinstance(field, types.Array):
            index = ", ".join(f"i{axis}" for axis in range(field.ndim))
            for axis in range(field.ndim):
                lines.append("    " * (axis + 1) + f"for i{axis} in range(source.{name}.shape[{axis}]):")
            lines.append("    " * (field.ndim + 1) + f"target.{name}[{index}] = source.{name}[{index}]")
    return made("\n".join(lines) + "\n", "copy_fields", {})
