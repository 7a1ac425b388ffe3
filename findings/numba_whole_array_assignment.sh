#!/usr/bin/env bash
# One would guess that numba makes a plain copying loop of `a[...] = b` for two contiguous arrays of one type and shape.
# It makes code that also allocates on the heap, in case the two overlap, and that formats an error of shapes: seven times the machine code of a loop written out, and some 25 times the seconds to compile, which whoever writes kernels or classes that numba compiles waits for.
#
# Seen with numba 0.68.1, NumPy 2.4.6, Python 3.11, x86-64: 66,700 characters of assembly with NRT_Allocate, 1.7 s of the
# processor; the loop 9,183 without, 0.06 s.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q numba==0.68.1 numpy==2.4.6
"$work/venv/bin/python" - <<'PROGRAM'
import time

from numba import njit, types


def whole(a, b):
    a[...] = b


def entries(a, b):
    for i in range(a.shape[0]):
        a[i] = b[i]


kind = types.float64[::1]
njit("void(int64)")(lambda n: None)  # what the first compilation of a process does once
sizes, allocates = {}, {}
for function in (whole, entries):
    begin = time.process_time()
    compiled = njit((kind, kind))(function)
    seconds = time.process_time() - begin
    assembly = compiled.inspect_asm(compiled.signatures[0])
    sizes[function], allocates[function] = len(assembly), "NRT_Allocate" in assembly
    print(f"{function.__name__}: {len(assembly):,} characters, NRT_Allocate {allocates[function]}, {seconds:.2f} s")
assert allocates == {whole: True, entries: False}, "numba allocates no longer, or for the loop as well"
assert sizes[whole] > 3 * sizes[entries], "the code of the two is about as long"
print("as it was seen")
PROGRAM
