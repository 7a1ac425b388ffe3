"""Edits that change what a compiled function returns, and how many of them the fingerprint of machine code misses.

    python experiments/attacks/stale_code.py --seed 0 --count 20000

First a list of pairs, one for each kind of thing that numba compiles in; a pair that numba refuses to compile cannot go
stale. Then --count random sums of constants, each with a random edit of its digits.
"""

from __future__ import annotations

import random
import types
from typing import Any

import attack
import numba

from nrpa.engine.fingerprint import fingerprint
from nrpa.engine.jit import OPTIONS

PRELUDE = """
import dis, enum, functools, math, types
from functools import partial
from typing import NamedTuple
import numba, numpy as np
from numba import njit, vectorize
from numba.extending import intrinsic, overload, register_jitable
from nrpa.engine.jit import internal, inlined, jit
def module(**names):
    made = types.ModuleType("made")
    made.__dict__.update(names)
    return made
"""
ADD, TAKE = "@jit\ndef one(x): return x + 1\n", "@jit\ndef two(x): return x - 1\n"
RETURN = "def kernel(x): return "
# What comes before the kernel, the kernel, what is edited, and into what.
PAIRS = [
    ("", "1 * x + 12 * (x + 1)", "1 * x + 12 *", "11 * x + 2 *"),
    ("", "len('a') + 10 * len('bb')", "'a') + 10 * len('bb'", "'ab') + 10 * len('b'"),
    ("T = (1, 23)\n", "T[0] + T[1] * x", "1, 23", "12, 3"),
    ("T = ((1, 2), (3,))\n", "len(T[0]) + x", "(1, 2), (3,)", "(1,), (2, 3)"),
    ("T = np.array([1, 2])\n", "T[0] * x", "1, 2", "2, 1"),
    ("T = np.array([1, 2], np.int8)\n", "T[0].itemsize * x", "int8", "int64"),
    ("T = np.array([[1, 2]])\n", "T.shape[0] * x", "[[1, 2]]", "[[1], [2]]"),
    ("T = np.zeros((2, 3))\n", "T.strides[0] * x", "(2, 3)", "(2, 3), order='F'"),
    ("T = np.zeros(1, [('a', 'i4'), ('b', 'i2')])\nT['a'] = 1\n", "T.itemsize * x", "'i2'", "'i4'"),
    ("T = np.array([(1, 2)], [('a', 'i4'), ('b', 'i4')])\n", "T[0].a + x", "[('a', 'i4'), ('b'", "[('b', 'i4'), ('a'"),
    ("T = np.array([(1, 2)], [('a', 'i4'), ('b', 'i4')])[0]\n", "T.a + x", "(1, 2)", "(2, 1)"),
    ("class E(enum.IntEnum):\n    A = 1\n", "E.A * x", "= 1", "= 2"),
    ("class E(enum.Enum):\n    A = 1\n", "E.A.value * x", "= 1", "= 2"),
    ("class E(enum.IntFlag):\n    A = 1\n", "E.A * x", "= 1", "= 2"),
    ("class E(enum.IntEnum):\n    A = 1\n    B = 2\nV = E.A\n", "V * x", "V = E.A", "V = E.B"),
    ("m = module(s=module(C=1))\n", "m.s.C * x", "C=1", "C=2"),
    ("m = module(s=module(t=module(C=1)))\n", "m.s.t.C * x", "C=1", "C=2"),
    (ADD + TAKE + "m = module(s=module(f=one))\n", "m.s.f(x)", "f=one", "f=two"),
    ("class E(enum.IntEnum):\n    A = 1\nm = module(E=E)\n", "m.E.A * x", "A = 1", "A = 2"),
    ("class P(NamedTuple):\n    a: int\n    b: int = 1\n", "P(x).b", "= 1", "= 2"),
    ("class P(NamedTuple):\n    a: int\n    b: int\nV = P(1, 2)\n", "V.a * x", "a: int\n    b: int",
     "b: int\n    a: int"),
    ("from numpy import maximum as f\n", "f(x, 5)", "maximum", "minimum"),
    ("from numpy import ceil as f\n", "f(x + 0.5)", "ceil", "floor"),
    ("from numpy import sum as f\nT = np.array([1, 2])\n", "f(T) + x", "import sum", "import prod"),
    ("from math import ceil as f\n", "f(x + 0.5)", "ceil", "floor"),
    ("f = numba.int64\n", "f(x * 2.0**33)", "int64", "int32"),
    ("f = np.int64\n", "f(x * 2.0**33)", "int64", "int32"),
    ("f = np.dtype('i8')\n", "np.array([x * 2**33]).view(f)[0]", "'i8'", "'i4'"),
    ("@njit(fastmath=False)\ndef f(x): return (x + 1e30) - 1e30\n", "f(x * 1.0)", "False", "True"),
    ("@njit(error_model='numpy')\ndef f(x): return 1 / (x - 3)\n", "f(x)", "numpy", "python"),
    ("@njit('f8(f8)')\ndef f(x): return x / 7\n", "f(x)", "'f8", "'f4"),
    ("@njit(locals={'y': numba.int64})\ndef f(x):\n    y = x * 2**40\n    return y\n", "f(x)", "int64", "int8"),
    ("@vectorize\ndef f(x): return x + 1\n", "f(x)", "x + 1", "x + 2"),
    ("@register_jitable\ndef f(x): return x + 1\n", "f(x)", "x + 1", "x + 2"),
    ("def f(x): ...\n@overload(f)\ndef _f(x): return lambda x: x + 1\n", "f(x)", "x + 1", "x + 2"),
    ("@intrinsic\ndef f(typing, x): return x(x), lambda c, b, s, a: b.add(a[0], a[0])\n", "f(x)", "b.add", "b.mul"),
    ("@jit\ndef f(x, k=1): return x * k\n", "f(x)", "k=1", "k=2"),
    ("@jit\ndef f(x, *, k=1): return x * k\n", "f(x)", "k=1", "k=2"),
    ("@jit\ndef f(x, y): return x - y\n", "f(y=x, x=1)", "def f(x, y): return x - y", "def f(y, x): return y - x"),
    ("def make(k):\n    @jit\n    def f(x): return x * k\n    return f\nf = make(1)\n", "f(x)", "make(1)", "make(2)"),
    (ADD + TAKE + "def make(g):\n    @jit\n    def f(x): return g(x)\n    return f\nf, g, h = make(one), make(two), "
     "make(one)\n", "f(x) * 100 + g(x) * 10 + h(x)", "h = make(one), make(two), make(one)",
     "h = make(one), make(two), make(two)"),
    ("K = 1\n", "(lambda y: y * K)(x)", "K = 1", "K = 2"),
    ("K = 1\ndef outer():\n    @jit\n    def f(x): return x * K\n    return f\nf = outer()\n", "f(x)", "K = 1",
     "K = 2"),
    ("f = partial(max, 5)\n", "f(x)", "5", "6"),
    ("T = [1, 2]\n", "T[0] * x", "1, 2", "2, 1"),
    ("T = {'a': 1}\n", "T['a'] * x", "1", "2"),
    ("T = {1, 2}\n", "x in T", "1, 2", "3, 4"),
    ("T = frozenset({1, 2})\n", "x in T", "1, 2", "3, 4"),
    ("", "x in {1, 2}", "1, 2", "3, 4"),
    ("T = range(5)\n", "T[x]", "range(5)", "range(1, 6)"),
    ("T = slice(0, 2)\n", "(5, 6, 7)[T][0] + x", "0, 2", "1, 3"),
    ("T = b'ab'\n", "T[0] + x", "ab", "ba"),
    ("T = bytearray(b'ab')\n", "T[0] + x", "ab", "ba"),
    ("T = np.float32(1.5)\n", "T * x", "1.5", "2.5"),
    ("T = np.datetime64(1, 's')\n", "T - T + x", "1, 's'", "2, 's'"),
    ("T = 0.0\n", "x / T", "0.0", "-0.0"),
    ("T = None\n", "1 if T is None else x", "= None", "= 5"),
    ("abs = None\n", "1 if abs is None else x", "abs = None", "pass"),
    ("T = numba.typed.List([1, 2])\n", "T[0] * x", "1, 2", "2, 1"),
    ("@numba.experimental.jitclass([('a', numba.int64)])\nclass C:\n    def __init__(self): self.a = 1\n", "C().a * x",
     "a = 1", "a = 2"),
    ("@numba.cfunc('i8(i8)')\ndef f(x): return x + 1\n", "f(x)", "x + 1", "x + 2"),
]  # fmt: skip


def main() -> None:
    """Try the pairs, then random ones."""
    given = attack.parser(__doc__, 20_000).parse_args()
    outcomes = attack.Outcomes("seen", "numba refuses", "same result", "random, seen", "random, same result")
    for before, kernel, old, new in PAIRS:
        first = before + RETURN + kernel + "\n"
        second = first.replace(old, new)
        outcomes.note(of_pair(first, second), f"{first!r}: {old!r} -> {new!r}")
    chance = random.Random(given.seed)
    for _ in range(given.count):
        first, second = (f"{RETURN}{a} * x + {b} * (x + 1) + {c}\n" for a, b, c in splits(chance))
        seen = fingerprint([loaded(first)]) != fingerprint([loaded(second)])
        same = loaded(first)(97) == loaded(second)(97)
        outcomes.note(f"random, {'seen' if seen else 'same result' if same else 'MISSED'}", f"{first!r} -> {second!r}")
    outcomes.end(given.seed)


def splits(chance: random.Random) -> list[tuple[int, int, int]]:
    """Return two ways to cut the same digits into three numbers."""
    digits = "".join(chance.choice("123456789") for _ in range(6))
    cuts = [sorted(chance.sample(range(1, 6), 2)) for _ in range(2)]
    return [(int(digits[:a]), int(digits[a:b]), int(digits[b:])) for a, b in cuts]


def of_pair(first: str, second: str) -> str:
    """Return whether the fingerprint sees the edit, or why it cannot matter."""
    kernels = loaded(PRELUDE + first), loaded(PRELUDE + second)
    results = []
    for kernel in kernels:
        try:
            results.append(result_of(kernel, OPTIONS))
        except Exception:
            try:
                results.append(result_of(kernel, {}))
            except Exception:
                return "numba refuses"
    if results[0] == results[1]:
        return "same result"
    return "MISSED" if fingerprint([kernels[0]]) == fingerprint([kernels[1]]) else "seen"


def result_of(kernel: types.FunctionType, options: dict[str, Any]) -> str:
    """Return what the compiled function makes of 3, or that it divides by zero."""
    try:
        return repr(numba.njit(**options)(kernel)(3))
    except ZeroDivisionError as error:
        return repr(error)


def loaded(source: str) -> types.FunctionType:
    """Return the function ``kernel`` of a module of this source."""
    names: dict[str, types.FunctionType] = {"__name__": "loaded"}
    exec(source, names)
    return names["kernel"]


if __name__ == "__main__":
    main()
