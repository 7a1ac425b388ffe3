"""Arithmetic of an author's methods: what Python computes, or an exception where numba would compute otherwise.

Whole numbers have 64 bits, and those beyond raise OverflowError. NumPy computes with narrower and with unsigned numbers
in their own size, and with booleans by logic, so these are refused.
"""

from __future__ import annotations

import functools
import math
import operator
import sys
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import Signature
from numba.extending import type_callable

from nrpa.compiling import idioms
from nrpa.compiling.containers import LETTER, NUMBERS, Sequence, element_of
from nrpa.compiling.options import of_authors
from nrpa.machine.jit import made

LARGEST_EXACT = 2**53
# The greatest power of 10, and half of the bits of float64, by which products are exact.
MOST_DIGITS, SPLITTER = 22, 2.0**27 + 1


class Operator(NamedTuple):
    """An operator of Python, the same in place, and what does it in machine code for two whole numbers."""

    binary: Any
    in_place: Any
    checked: Any = None


def shifted_left(one, other):
    """Return ``one << other``."""
    return one << other


def shifted_right(one, other):
    """Return ``one >> other``."""
    return one >> other


def power(one, other):
    """Return ``one ** other``."""
    return one**other


def divided(one, other):
    """Return ``one / other``."""
    return one / other


@of_authors(shifted_left)
def _shifted_left(one, other):
    def shifted(one, other):
        if other < 0:
            raise ValueError
        if one != 0 and (other > 62 or (one << other) >> other != one):
            raise OverflowError
        return one << other if one != 0 else 0

    return shifted


@of_authors(shifted_right)
def _shifted_right(one, other):
    def shifted(one, other):
        if other < 0:
            raise ValueError
        return one >> min(other, 63)

    return shifted


@of_authors(power)
def _power(one, other):
    def of_whole(one, other):
        if other < 0:
            raise OverflowError
        found, left, base = 1, other, one
        while left:
            if left & 1:
                found = times(found, base)
            left >>= 1
            if left:
                base = times(base, base)
        return found

    def of_decimal(one, other):
        found = one**other
        if not np.isfinite(found) and np.isfinite(one) and np.isfinite(other):
            raise OverflowError
        return found

    return of_whole if all(isinstance(each, types.Integer) for each in (one, other)) else of_decimal


@of_authors(divided)
def _divided(one, other):
    def quotient(one, other):
        if max(abs(one), abs(other)) > LARGEST_EXACT:
            raise OverflowError
        return one / other

    return quotient


_IN_LLVM = {operator.add: "sadd", operator.sub: "ssub", operator.mul: "smul"}
OPERATORS = {
    "plus": Operator(operator.add, operator.iadd, operator.add),
    "minus": Operator(operator.sub, operator.isub, operator.sub),
    "times": Operator(operator.mul, operator.imul, operator.mul),
    "divided_by": Operator(operator.truediv, operator.itruediv, divided),
    "floored": Operator(operator.floordiv, operator.ifloordiv),
    "modulo": Operator(operator.mod, operator.imod),
    "to_the_power": Operator(operator.pow, operator.ipow, power),
    "left": Operator(operator.lshift, operator.ilshift, shifted_left),
    "right": Operator(operator.rshift, operator.irshift, shifted_right),
    "both": Operator(operator.and_, operator.iand),
    "either": Operator(operator.or_, operator.ior),
    "one_of": Operator(operator.xor, operator.ixor),
    "negated": Operator(operator.neg, operator.neg),
    "inverted": Operator(operator.invert, operator.invert),
    "below": Operator(operator.lt, operator.lt),
    "up_to": Operator(operator.le, operator.le),
    "above": Operator(operator.gt, operator.gt),
    "at_least": Operator(operator.ge, operator.ge),
}
_OF_BITS = (operator.and_, operator.or_, operator.xor)
_COMPARED = (operator.lt, operator.le, operator.gt, operator.ge)


def is_narrow(kind: Any) -> bool:
    """Return whether NumPy computes in fewer than 64 bits with numbers of a kind, or without a sign."""
    if isinstance(kind, types.Integer):
        return kind.bitwidth < 64 or not kind.signed
    return isinstance(kind, types.Float) and kind.bitwidth < 64


def is_mixed(one: Any, other: Any) -> bool:
    """Return whether one of two types is a whole number, and the other a decimal one."""
    both = [types.unliteral(one), types.unliteral(other)]
    return all(any(isinstance(each, kind) for each in both) for kind in (types.Integer, types.Float))


@functools.cache
def _exact(operation: Any) -> Any:
    """Return a comparison of a whole number with a decimal one, which raises where float64 does not hold the first."""

    def compared(one: Any, other: Any) -> Any:
        return operation(one, other)

    @of_authors(compared)
    def of_types(one, other):
        whole_one = isinstance(types.unliteral(one), types.Integer)

        def exact(one, other):
            if abs(one if whole_one else other) > LARGEST_EXACT:
                raise OverflowError
            return operation(one, other)

        return exact

    return compared


for _operation in _COMPARED:  # numba looks for overloads before it compiles
    _exact(_operation)


def _refuse(kind: Any, operation: Any) -> None:
    if kind == LETTER:
        raise TypingError("a letter is no number in Python; write int(...) or ord(...)")
    if isinstance(kind, types.Boolean):
        raise TypingError(f"{operation.__name__} of booleans, which NumPy and Python take differently; write int(...)")
    raise TypingError(
        f"{operation.__name__} of {kind}, which NumPy computes in that size; write int(...) or float(...)"
    )


def _chosen(name: str, is_in_place: bool, is_stored: bool, given: tuple[Any, ...]) -> Any:
    """Return what does an operation for operands of some types; a TypingError where Python would do otherwise."""
    binary, in_place, checked = OPERATORS[name]
    given = tuple(map(types.unliteral, given))
    first, last = given[0], given[-1]
    are_numbers = [isinstance(each, NUMBERS) for each in given]
    if binary in _COMPARED:
        is_row = any(isinstance(each, Sequence) for each in given) and all(
            isinstance(each, idioms.TUPLES) for each in given
        )
        if is_row or (first == LETTER) != (last == LETTER):
            raise TypingError(
                f"{first} and {last} are compared; compare numbers, letters, or tuples that are written out"
            )
        return _exact(binary) if is_mixed(first, last) else binary
    if all(are_numbers):
        for each in given:
            if is_narrow(each) and not is_stored:
                _refuse(each, binary)
        if all(isinstance(each, types.Boolean) for each in given) and binary not in _OF_BITS:
            _refuse(first, binary)
        is_whole = all(isinstance(each, (types.Integer, types.Boolean)) for each in given)
        is_checked = checked is not None and (is_whole or checked is power) and not any(map(is_narrow, given))
        return checked if is_checked else binary
    if LETTER in given:
        _refuse(LETTER, binary)
    if is_in_place and getattr(first, "makes", "").startswith("l"):
        raise TypingError("a list that is only read is changed in place; change a copy, [*values]")
    if name == "times" and any(isinstance(each, idioms.TUPLES) for each in given) and any(are_numbers):
        return idioms.repeated
    if name == "plus":
        return idioms.increased if is_in_place else idioms.concatenated
    arrays = [each for each in given if isinstance(each, types.Array) and not isinstance(each, Sequence)]
    if any(isinstance(each, Sequence) for each in given) and not arrays:
        raise TypingError(f"{binary.__name__} of {first} and {last}, which Python refuses")
    if any(is_narrow(each.dtype) for each in arrays) and len({getattr(each, "dtype", each) for each in given}) > 1:
        _refuse(next(each.dtype for each in arrays if is_narrow(each.dtype)), binary)
    is_changed = isinstance(first, (types.List, types.Set)) or first in arrays
    return in_place if is_in_place and is_changed else binary


def fitting_word(number: Any) -> Any:
    """Return a number, unless it is a whole one beyond 64 bits, which ends machine code."""
    if type(number) is int and not -(2**63) <= number < 2**63:
        raise OverflowError("a whole number beyond 64 bits")
    return number


def _require_same(operation: Any, *given: Any) -> None:
    """Raise OverflowError where machine code does for these numbers, and plain Python does not."""
    is_whole = [isinstance(each, (int, np.integer)) for each in given]
    if all(is_whole):
        found = fitting_word(operation(*map(int, given)))
        if operation is operator.pow and isinstance(found, float):
            raise OverflowError("a negative power of a whole number")
    is_exact = operation is not operator.truediv if all(is_whole) else operation not in _COMPARED
    if not is_exact and any(abs(each) > LARGEST_EXACT for each, whole in zip(given, is_whole, strict=True) if whole):
        raise OverflowError("a whole number beyond 2^53 as a decimal one")


def _as_compiled(operation: Any, apply: Any) -> Any:
    """Return what does an operation in plain Python, and raises where machine code does."""

    def applied(*given: Any) -> Any:
        if all(isinstance(each, (int, float, np.integer, np.floating)) for each in given):
            _require_same(operation, *given)
        return apply(*given)

    return applied


def _enter(name: str, is_in_place: bool, is_stored: bool) -> Any:
    """Return a function that does an operation in plain Python, and in machine code what its types ask for."""
    operation = OPERATORS[name]
    apply: Any = operation.in_place if is_in_place else operation.binary
    if name == "plus":
        apply = idioms.increased if is_in_place else idioms.concatenated
    apply = _as_compiled(operation.binary, apply)
    places = ", ".join(["one", "other"][: 1 if name in ("negated", "inverted") else 2])
    suffix = "_stored" if is_stored else "_in" if is_in_place else ""
    function: Any = made(
        f"def {name}{suffix}({places}):\n    return apply({places})\n", f"{name}{suffix}", {"apply": apply}
    )

    def found(context: Any, given: tuple[Any, ...]) -> tuple[Any, Signature]:
        chosen = context.resolve_value_type(_chosen(name, is_in_place, is_stored, given))
        return chosen, context.resolve_function_type(chosen, given, {})

    @type_callable(function)
    def of_types(context: Any) -> Any:
        def one_or_two(*given: Any) -> Any:
            signature = found(context, given)[1]
            return signature and signature.return_type

        return made(f"def typer({places}):\n    return of({places})\n", "typer", {"of": one_or_two})

    @lower_builtin(function, *[types.Any] * (1 + places.count(",")))
    def lowered(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        chosen, resolved = found(context.typing_context, signature.args)
        pairs = zip(values, signature.args, resolved.args, strict=True)
        values = [context.cast(builder, value, of, to) for value, of, to in pairs]
        is_checked = (
            chosen.typing_key in _IN_LLVM
            and resolved.return_type == types.int64
            and not any(map(is_narrow, signature.args))
        )
        if is_checked and all(isinstance(each, types.Integer) for each in resolved.args):
            both = getattr(builder, f"{_IN_LLVM[chosen.typing_key]}_with_overflow")(*values)
            with builder.if_then(builder.extract_value(both, 1), likely=False):
                context.call_conv.return_user_exc(builder, OverflowError, ())
            return builder.extract_value(both, 0)
        made_of = context.get_function(chosen, resolved)(builder, values)
        return context.cast(builder, made_of, resolved.return_type, signature.return_type)

    return function


_IN_PLACE = [name for name, operation in OPERATORS.items() if operation.binary is not operation.in_place]
plain = {name: _enter(name, is_in_place=False, is_stored=False) for name in OPERATORS}
in_place = {name: _enter(name, is_in_place=True, is_stored=False) for name in _IN_PLACE}
stored = {name: _enter(name, is_in_place=True, is_stored=True) for name in _IN_PLACE}
plus, times = plain["plus"], plain["times"]


# Functions of Python that numba computes otherwise.


def truncated(value: Any) -> int:
    """Return ``int(value)``."""
    return fitting_word(int(chr(value)) if isinstance(value, np.uint32) else int(value))  # type: ignore[no-any-return]


@of_authors(truncated)
def _truncated(value):
    def of_letter(value):
        if not 48 <= value <= 57:
            raise ValueError
        return np.int64(value) - 48

    def of_decimal(value):
        if not abs(value) < 2.0**63:
            raise OverflowError
        return np.int64(value)

    def of_whole(value):
        if value > 0 and np.int64(value) < 0:
            raise OverflowError
        return np.int64(value)

    kind = types.unliteral(value)
    if kind == LETTER:
        return of_letter
    if isinstance(kind, types.Float):
        return of_decimal
    if isinstance(kind, (types.Integer, types.Boolean)):
        return of_whole
    raise TypingError(f"int(...) of {value}; expected a number or a letter")


def letter_of(number: Any) -> Any:
    """Return ``chr(number)``."""
    return np.uint32(number)


@of_authors(letter_of)
def _letter_of(number):
    def of_number(number):
        if not 0 <= number < 0x110000:
            raise ValueError
        return np.uint32(number)

    return of_number


def own(value: Any) -> Any:
    """Return a value that gets a name, where it may be mixed with others."""
    return value


@of_authors(own)
def _own(value):
    kind = types.unliteral(value)
    if isinstance(kind, NUMBERS) and is_narrow(kind) and kind != LETTER:
        raise TypingError(
            f"a name, or min and max, of {kind}, which is mixed with others; write int(...) or float(...)"
        )
    return lambda value: value


def fitting(value: Any, container: Any) -> Any:
    """Return what is written to a container, a number if it fits there."""
    return value


@of_authors(fitting)
def _fitting(value, container):
    if isinstance(container, types.Array) and isinstance(value, types.Array):
        return lambda value, container: idioms.Whole(value)
    return _fitting_number(value, container)


def fitting_number(value: Any, container: Any) -> Any:
    """Return what is written to a container, and elsewhere, a number if it fits there."""
    return value


@of_authors(fitting_number)
def _fitting_number(value, container):
    dtype: Any = getattr(container, "dtype", None)
    if isinstance(container, types.List) and isinstance(dtype, types.Integer) and isinstance(value, types.Float):
        raise TypingError("a list of whole numbers gets a decimal one; begin with 0.0, or float(...)")
    is_small = isinstance(dtype, types.Integer) and is_narrow(dtype) and isinstance(container, types.Array)
    if not is_small or not isinstance(types.unliteral(value), types.Integer) or is_narrow(types.unliteral(value)):
        return lambda value, container: value
    least, most = dtype.minval, min(dtype.maxval, 2**63 - 1)

    def checked(value, container):
        if not least <= value <= most:
            raise OverflowError
        return value

    return checked


def fitting_cell(value: Any, container: Any) -> Any:
    """Return a number that is written to an array that stands for a list."""
    return value


@of_authors(fitting_cell)
def _fitting_cell(value, container):
    kind = types.unliteral(value)
    if kind not in (container.dtype, types.int64):
        raise TypingError("a list of whole numbers gets a decimal one; begin with 0.0, or float(...)")
    return lambda value, container: value


def decimal(value: Any) -> float:
    """Return ``float(value)``."""
    return float(value)


@of_authors(decimal)
def _decimal(value):
    kind = types.unliteral(value)
    if not isinstance(kind, NUMBERS) or kind == LETTER:
        raise TypingError(f"float(...) of {value}; expected a number")
    return lambda value: np.float64(value)


def code_point(letter: Any) -> int:
    """Return ``ord(letter)``."""
    return int(letter)


@of_authors(code_point)
def _code_point(letter):
    if types.unliteral(letter) != LETTER:
        raise TypingError(f"ord(...) of {letter}; expected a letter")
    return lambda letter: np.int64(letter)


def rounded_whole(value: Any) -> Any:
    """Return ``round(value)``."""
    return fitting_word(round(value))


@of_authors(rounded_whole)
def _rounded_whole(value):
    is_decimal = isinstance(value, types.Float)
    return (lambda value: truncated(np.rint(value))) if is_decimal else lambda value: truncated(value)


def rounded(value: Any, digits: int) -> Any:
    """Return ``round(value, digits)``."""
    return round(value, digits)


def rounded_as_both(value: Any, digits: int) -> Any:
    """Return ``round(value, digits)`` where Python and NumPy have the same."""
    return round(value, digits)


def _rounding(decimals: Any) -> Any:
    def of_types(value, digits):
        kind = types.unliteral(value)
        if isinstance(kind, types.Integer) and not is_narrow(kind):
            return _whole_rounded
        if kind != types.float64:
            raise TypingError(f"round(...) of {value}; write round(float(...), digits)")
        return decimals

    return of_types


def _whole_rounded(value, digits):
    if digits < 0:
        raise OverflowError
    return value


def _rounded(value, digits):
    """Round a product by a power of 10, which is kept as a sum of two numbers: so nothing of it is lost."""
    if not 0 <= digits <= MOST_DIGITS:
        raise OverflowError
    scale = 10.0**digits
    high = value * scale
    if not abs(high) < LARGEST_EXACT:
        return value
    part, other = SPLITTER * value, SPLITTER * scale
    first, second = part - (part - value), other - (other - scale)
    low = ((first * second - high) + first * (scale - second) + (value - first) * second) + (value - first) * (
        scale - second
    )
    nearest = np.rint(high)
    if abs(high - nearest) == 0.5 and low != 0.0:
        nearest = np.floor(high) if low < 0.0 else np.ceil(high)
    return math.copysign(nearest / scale, value)


def _rounded_as_both(value, digits):
    found, scale = rounded(value, digits), 10.0**digits
    if not np.isnan(found) and found != np.rint(value * scale) / scale:
        raise OverflowError
    return found


of_authors(rounded)(_rounding(_rounded))
of_authors(rounded_as_both)(_rounding(_rounded_as_both))


def total(values: Any, start: Any) -> Any:
    """Return ``sum(values, start)``."""
    return fitting_word(sum(values, start))


@of_authors(total)
def _total(values, start):
    element = types.unliteral(element_of(values))
    if is_narrow(element):
        _refuse(element, operator.add)
    if not isinstance(element, NUMBERS) or not isinstance(types.unliteral(start), NUMBERS):
        raise TypingError(f"sum(...) of {element}; expected numbers")
    is_decimal = isinstance(element, types.Float)
    # Python adds up its own decimals with what was lost, since 3.12; NumPy's, of which arrays are made, it does not.
    if is_decimal and sys.version_info >= (3, 12) and not isinstance(values, types.Array):
        return compensated
    if is_decimal and sys.version_info >= (3, 12) and isinstance(values, Sequence):
        return compensated
    return _decimal_total if is_decimal else _whole_total


def _decimal_total(values, start):
    found = np.float64(start)
    for value in values:
        found += value
    return found


def _whole_total(values, start):
    found = start + 0
    for value in values:
        found = plus(found, value)
    return found


def compensated(values, start):
    """Return the sum of decimals as Python has it since 3.12."""
    found, lost = np.float64(start), 0.0
    for value in values:
        after = found + value
        if abs(found) >= abs(value):
            lost += (found - after) + value
        else:
            lost += (value - after) + found
        found = after
    return found + lost if lost != 0.0 and np.isfinite(lost) else found


def product(values: Any, start: Any) -> Any:
    """Return ``math.prod(values, start=start)``."""
    return fitting_word(math.prod(values, start=start))


@of_authors(product)
def _product(values, start):
    element = types.unliteral(element_of(values))
    if is_narrow(element):
        _refuse(element, operator.mul)
    if not all(isinstance(each, NUMBERS) and each != LETTER for each in (element, types.unliteral(start))):
        raise TypingError(f"math.prod(...) of {element}; expected numbers")

    def of_numbers(values, start):
        found = times(start, values[0]) if len(values) > 0 else start + 0 * one
        for place in range(1, len(values)):
            found = times(found, values[place])
        return found

    one = 1.0 if isinstance(element, types.Float) else 1
    return of_numbers


def remainder(one: Any, other: Any) -> float:
    """Return ``math.fmod(one, other)``."""
    return math.fmod(one, other)


@of_authors(remainder)
def _remainder(one, other):
    if any(is_narrow(types.unliteral(each)) for each in (one, other)):
        raise TypingError(f"math.fmod of {one} and {other}; write int(...) or float(...)")

    def of_numbers(one, other):
        found = np.fmod(np.float64(one), np.float64(other))
        if np.isnan(found) and not np.isnan(np.float64(one)) and not np.isnan(np.float64(other)):
            raise ValueError
        return found

    return of_numbers


def distance(one: Any, other: Any) -> float:
    """Return ``math.dist(one, other)``."""
    return math.dist(one, other)


@of_authors(distance)
def _distance(one, other):
    kinds = types.BaseTuple, types.Record
    known = {name: len(each) for name, each in (("one", one), ("other", other)) if isinstance(each, kinds)}
    size, added = min(known.values(), default=0), "found = hypot(found, float64(one[{0}]) - float64(other[{0}]))"
    lengths = [str(known.get(name, f"len({name})")) for name in ("one", "other")]
    lines = [
        "def of_points(one, other):",
        f"    if {lengths[0]} != {lengths[1]}:",
        "        raise ValueError",
        "    found = 0.0",
    ]
    # Parts of several kinds have no common type.
    lines += [f"    {added.format(place)}" for place in range(size)]
    lines += [] if known else ["    for place in range(len(one)):", f"        {added.format('place')}"]
    names = {"hypot": math.hypot, "float64": np.float64}
    return made("\n".join([*lines, "    return found", ""]), "of_points", names)


def whole_root(number: Any) -> int:
    """Return ``math.isqrt(number)``."""
    return math.isqrt(number)


@of_authors(whole_root)
def _whole_root(number):
    if not isinstance(types.unliteral(number), types.Integer) or is_narrow(types.unliteral(number)):
        raise TypingError(f"math.isqrt of {number}; expected a whole number, int(...)")

    def root(number):
        if number < 0:
            raise ValueError
        found = np.int64(math.sqrt(number))
        while found > 0 and found > number // found:
            found -= 1
        while found + 1 <= number // (found + 1):
            found += 1
        return found

    return root


@functools.cache
def of_math(function: Any) -> Any:
    """Return a function of ``math`` that raises where the result is not finite though its arguments are."""
    name = function.__name__

    def checked(*given: Any) -> Any:
        return fitting_word(function(*given))

    @of_authors(checked, strict=False)
    def of_types(*given):
        given = given[0] if len(given) == 1 and isinstance(given[0], tuple) else given
        if any(is_narrow(types.unliteral(each)) for each in given):
            raise TypingError(f"math.{name} of {given}; write int(...) or float(...)")
        places = ", ".join(f"given[{k}]" for k in range(len(given)))
        finite = " and ".join(f"np.isfinite(given[{k}])" for k in range(len(given))) or "True"
        lines = [f"    found = function({places})", f"    if not np.isfinite(found) and {finite}:"]
        if name in ("floor", "ceil", "trunc"):
            lines = [
                "    if not abs(given[0]) < 2.0**63:",
                "        raise OverflowError",
                f"    return function({places})",
            ]
        else:
            lines += ["        raise ValueError", "    return found"]
        source = "\n".join(["def of(*given):", *lines, ""])
        return made(source, "of", {"np": np, "function": function})

    return checked
