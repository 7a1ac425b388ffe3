"""Expressions in Polish notation: functions that may have no value, trees, and their text."""

# mypy: ignore-errors

import math
import operator

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.values import shortened
from nrpa.problems.lines import LARGEST

FUNCTIONS = {"+": 2, "-": 2, "*": 2, "/": 2, "sin": 1, "cos": 1, "exp": 1, "log": 1, "sqrt": 1}
LARGEST_VALUE, LEAST_DIVISOR = 1e100, 1e-100
IN_PYTHON = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
IN_PYTHON |= {"sin": math.sin, "cos": math.cos, "exp": math.exp, "log": math.log, "sqrt": math.sqrt}


def value_of(function, one, other):
    """Return the value of a function, by its place in ``FUNCTIONS``; NaN where it has none, or one beyond 1e100."""
    found = math.nan
    if function == 0:
        found = one + other
    elif function == 1:
        found = one - other
    elif function == 2:
        found = one * other
    elif function == 3 and abs(other) > LEAST_DIVISOR:
        found = one / other
    elif function == 4:
        found = math.sin(one)
    elif function == 5:
        found = math.cos(one)
    elif function == 6 and one < 700.0:
        found = math.exp(one)
    elif function == 7 and one > 0.0:
        found = math.log(one)
    elif function == 8 and one >= 0.0:
        found = math.sqrt(one)
    return found if abs(found) < LARGEST_VALUE else math.nan


def tree_of(symbols):
    """Return an expression as (function, its arguments, each such a tree); None if the symbols are not just one."""
    trees = []
    for symbol in reversed(symbols):
        arguments = [trees.pop() for _ in range(FUNCTIONS.get(symbol, 0)) if trees]
        if len(arguments) < FUNCTIONS.get(symbol, 0):
            return None
        trees.append((symbol, *arguments))
    return trees[0] if len(trees) == 1 else None


def value_in_python(tree, names):
    """Return the value of a tree, with those of variables and constants by name; None where it has none."""
    symbol, *arguments = tree
    if not arguments:
        return names[symbol]
    values = [value_in_python(argument, names) for argument in arguments]
    if None in values or (symbol == "/" and abs(values[1]) <= LEAST_DIVISOR):
        return None
    try:
        found = IN_PYTHON[symbol](*values)
    except (ValueError, OverflowError):
        return None
    return found if abs(found) < LARGEST_VALUE else None


def text_of(tree):
    """Return a tree as it is usually written."""
    symbol, *arguments = tree[0], *map(text_of, tree[1:])
    if len(arguments) == 2:
        return f"({arguments[0]} {symbol} {arguments[1]})"
    return f"{symbol}({arguments[0]})" if arguments else symbol


def symbols_of(functions, variables, numbers):
    """Return the names of all symbols, and the places of the functions; InputError where names are wrong or twice."""
    symbols, odd = [*functions, *variables, *numbers], [name for name in functions if name not in FUNCTIONS]
    odd += [name for name in variables if name in FUNCTIONS] + [text for text, x in numbers.items() if x is None]
    odd += [name for name in symbols if symbols.count(name) > 1]
    if odd or len(symbols) == len(functions):
        found = f"found {shortened(odd[0])!r}" if odd else "found no variable and no constant"
        raise InputError(f"expected functions ({' '.join(FUNCTIONS)}), variables and constants, none twice; {found}")
    return symbols, np.array([[*FUNCTIONS].index(symbol) for symbol in functions], np.int64)


def is_point(value):
    """Return whether a value is a list of numbers."""
    is_list = isinstance(value, (list, tuple)) and len(value) > 0
    return is_list and all(isinstance(x, (int, float)) and not isinstance(x, bool) and abs(x) <= LARGEST for x in value)
