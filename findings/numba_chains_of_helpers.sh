#!/usr/bin/env bash
# One would guess that numba compiles four times as many small helpers, of which each calls the next, in four times as long, and that `inline="always"` spares what calls cost.
# It optimizes each helper again together with all that it calls, and `inline="always"` copies the code of all of them at each step: 40 helpers take some 10 times as long as 10, and inlined some 40 times, which whoever writes kernels of many small functions waits for.
#
# Seen with numba 0.68.1, NumPy 2.4.6, Python 3.11, x86-64: 10, 20 and 40 helpers take 1.3, 4.0 and 13 s of the processor;
# inlined 0.6, 3.3 and 27 s.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q numba==0.68.1 numpy==2.4.6
cat > "$work/chain.py" <<'PROGRAM'
import sys
import time

from numba import njit, types

STEP = """
def helper{0}(array, n):
    total = 0.0
    for i in range(array.shape[0]):
        if array[i] > n:
            total += array[i]
    return total + {1}
"""


def seconds(helpers, **options):
    names = {}
    for k in range(helpers):
        exec(STEP.format(k, f"helper{k + 1}(array, n - 1)" if k + 1 < helpers else "0.0"), names)
    for k in range(helpers):
        names[f"helper{k}"] = njit(**(options if k else {}))(names[f"helper{k}"])
    begun = time.process_time()
    names["helper0"].compile((types.float64[::1], types.int64))
    return time.process_time() - begun


options = {"inline": "always"} if sys.argv[1] == "inlined" else {}
seconds(2, **options)  # what numba loads once
few, many = seconds(10, **options), seconds(40, **options)
print(f"{sys.argv[1]}: 10 helpers {few:.1f} s, 40 helpers {many:.1f} s, {many / few:.0f} times")
assert many > float(sys.argv[2]) * few
PROGRAM
"$work/venv/bin/python" "$work/chain.py" called 6
"$work/venv/bin/python" "$work/chain.py" inlined 12
