#!/usr/bin/env bash
# One would guess that a profiler watches a compiled function and changes nothing of it, or of the Python function that it was made of.
# With Python 3.11 the first call under cProfile clears the flag "optimized" of that function's code object for good: what names code by its flags, such as a cache of machine code, takes it for another function from then on, and whoever profiles a search waits until all is compiled again.
#
# Seen with numba 0.68.1, x86-64: with Python 3.11, co_flags 3 before, 3 after a call, 2 after a call under cProfile and
# in all calls later; its marshalled code differs. With Python 3.12 nothing changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q numba==0.68.1 numpy==2.4.6
"$work/venv/bin/python" - <<'PROGRAM'
import cProfile
import inspect
import marshal
import sys

import numba


@numba.njit
def twice(number):
    return 2 * number


code = twice.py_func.__code__
found, texts = [code.co_flags], [marshal.dumps(code)]
profiler = cProfile.Profile()
for is_profiled in (False, True, False):
    if is_profiled:
        profiler.enable()
    assert twice(3) == 6
    profiler.disable()
    found.append(code.co_flags)
    texts.append(marshal.dumps(code))
print(f"numba {numba.__version__}: flags {found}, optimized is {inspect.CO_OPTIMIZED}")
assert found[0] == found[1] and texts[0] == texts[1], "a call changes the function, too"
is_old = sys.version_info < (3, 12)
later = 0 if is_old else 1
assert [each & inspect.CO_OPTIMIZED for each in found] == [1, 1, later, later], "a profiler does otherwise now"
assert (texts[2] != texts[0]) == is_old
PROGRAM
