#!/usr/bin/env bash
# One would guess that a Python program that Ctrl-C ends says so by its status (130, or death by SIGINT), whatever its other threads do while it waits for them to end.
# Its status is 1, as of any error, where another thread calls eval or exec of a text in between, as numba and nrpa do while they compile: it matters to whoever runs a search in a server or a job and tells an interrupt from a failure by the status.
#
# Seen with Python 3.10.13, 3.11.7, 3.12.1 and 3.13.0, Linux: status 130 without the text, 1 with it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/program.py" <<'PROGRAM'
import sys
import threading
import time


def later():
    time.sleep(0.5)
    if sys.argv[1] == "text":
        eval("1 + 1")


threading.Thread(target=later).start()
raise KeyboardInterrupt
PROGRAM
status() {
    local found=0
    python3 "$work/program.py" "$1" 2> "$work/$1" || found=$?
    tail -n 1 "$work/$1" | grep -qx KeyboardInterrupt
    echo "$found"
}
python3 --version
without=$(status without)
with=$(status text)
echo "status without text: $without, with: $with"
[ "$without" = 130 ] && [ "$with" = 1 ]
