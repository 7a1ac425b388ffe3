#!/usr/bin/env bash
# One would guess that numba refuses a decimal number for a list of whole ones, since its lists have one type, as it refuses a text there.
# It cuts the decimals off without a word, so that a cost which is added up in `[0] * n` is another one compiled: whoever puts `njit` on a cost or a rule waits for no error and gets wrong values.
#
# Seen with numba 0.68.1, NumPy 2.4.6, Python 3.11, x86-64: [1, 0, 0] for a list in which Python has [1.7, 0, 0]; 2 for a
# sum of 3.4; a TypingError for the text.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q numba==0.68.1 numpy==2.4.6
"$work/venv/bin/python" - <<'PROGRAM'
from numba import njit
from numba.core.errors import TypingError


def written():
    late = [0] * 3
    late[0] = 1.7
    return late


def added(hours):
    load = [0] * 2
    for hour in hours:
        load[1] += hour
    return load[1]


def text():
    late = [0] * 3
    late[0] = "1.7"
    return late


hours = (1.7, 1.7)
print(f"in Python {written()}, {added(hours)}; compiled {njit(written)()}, {njit(added)(hours)}")
assert njit(written)() == [1, 0, 0], "the decimal number is kept"
assert njit(added)(hours) == 2, "the sum is not cut at each step"
try:
    njit(text)()
except TypingError:
    print("a text is refused")
else:
    raise SystemExit("a text is not refused")
print("as it was seen")
PROGRAM
