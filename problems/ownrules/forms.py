"""The states of routes as whole numbers: a row of cells each, decimal numbers by their bits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.base.values import shortened

_KINDS: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float}


class Form(NamedTuple):
    """The class of the states, a NamedTuple of numbers, and of which kind each field is."""

    make: Any
    kinds: tuple[type, ...]

    @classmethod
    def of(cls, title: str, states: Iterable[Any]) -> Self:
        """Return the form of all these states: a field is decimal where one is. Raises ProblemError for others."""
        form = None
        for state in states:
            found = cls(type(state), tuple(_kind_of(title, state)))
            if form is not None and found.make is not form.make:
                what = f"states of {form.make.__name__} and of {found.make.__name__}"
                raise ProblemError(f"{title}: {what}; expected those of one class")
            form = found if form is None else cls(form.make, tuple(map(_wider, form.kinds, found.kinds)))
        assert form is not None
        return form

    def words(self, title: str, state: Any) -> np.ndarray:
        """Return a state as whole numbers (int64[fields]). Raises ProblemError where it is of another form."""
        found = self.of(title, [state])
        words = np.zeros(len(self.kinds), np.int64)
        for place, (kind, given, value) in enumerate(zip(self.kinds, found.kinds, state, strict=True)):
            if _wider(kind, given) is not kind:
                name = f"state.{self.make._fields[place]}"
                what = f"{name} is {shortened(repr(value))} where it was a whole number before"
                raise ProblemError(f"{title}: {what}; begin with float(...)")
            words[place] = np.float64(value).view(np.int64) if kind is float else int(value)
        return words

    def state(self, words: np.ndarray) -> Any:
        """Return the state that is kept so."""
        decimals = words.view(np.float64).tolist()
        pairs = zip(self.kinds, words.tolist(), decimals, strict=True)
        return self.make(*(decimal if kind is float else kind(word) for kind, word, decimal in pairs))


def _kind_of(title: str, state: Any) -> Iterable[type]:
    if not isinstance(state, tuple) or not hasattr(state, "_fields"):
        raise ProblemError(f"{title}: a state is {shortened(repr(state))}; expected a NamedTuple of numbers")
    for name, value in zip(state._fields, state, strict=True):
        array = np.asarray(value) if isinstance(value, (bool, int, float, np.generic)) else None
        if array is None or array.dtype.kind not in _KINDS:
            what = f"state.{name} is {shortened(repr(value))}"
            raise ProblemError(f"{title}: {what}; expected a whole number of 64 bits, a decimal one, or a truth value")
        yield _KINDS[array.dtype.kind]


def _wider(one: type, other: type) -> type:
    order = (bool, int, float)
    return order[max(order.index(one), order.index(other))]
