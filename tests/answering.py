"""A program that answers lines of JSON, and goes wrong as its first argument says.

The problem: three digits, of which the sum counts; they are moves themselves where whole games are valued. A file, its
second argument, counts how often it was started.
"""

import json
import os
import signal
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
VALUES = FAULT == "evaluates"


def calls():
    return {"extras": ["codes", "biases", "describe", "value"], "evaluates": ["evaluate"], "improves": ["improve"]}


def result(call, state=None, move=None, moves=None):
    if call == "problem":
        about = {"objective": "sum", "calls": calls().get(FAULT, []), "max_steps": 10}
        wrong = {"about": {"calls": ["coeds"]}, "key": {"call": []}, "list": [], "choices": {"choices": [4, 0]}}
        return (about | {"max_steps": 3, "choices": [4] * 3}) if VALUES else wrong.get(FAULT, about)
    if call == "evaluate":
        return sum(moves)
    if call == "improve":
        return [["digit", min(3, digit + 1)] for _, digit in moves]
    so_far = state["so far"] if state else []
    digits = range(4) if len(so_far) < 3 else []
    return {
        "initial_state": {"so far": []},
        "legal_moves": [digit if VALUES else ["digit", digit] for digit in digits],
        "play": {"so far": [*so_far, move if VALUES else move and move[1]]},
        "score": sum(so_far),
        "codes": [[len(so_far), digit] for digit in digits],
        "biases": [digit / 4 for digit in digits],
        "describe": {"digits": so_far},
        "value": 4.5,
    }[call]


def go_wrong(call, text):
    """Do what the fault is, in the call `play`; return what is written in place of the text."""
    wrong = {
        "nonsense": "hello\n",
        "two": text + text,
        "huge": "x" * (70 * 2**20) if FAULT == "huge" else "",
        "nan": '{"result": NaN}\n',
        "infinite": '{"result": 1e999}\n',
        "number": "3\n",
        "both": '{"result": 1, "error": "what"}\n',
        "deep": '{"result": ' + "[" * 9_999 + "]" * 9_999 + "}\n",
        "bytes": b"\xff\xfe\n",
        "error": '{"error": "no such machine"}\n',
    }
    if FAULT == "hangs":
        print("thinking", file=sys.stderr, flush=True)
        time.sleep(1000)
    if FAULT == "dies" or (FAULT == "dies once" and starts() == 1):
        print("Traceback\n  File x\nKeyError: 'machine'", file=sys.stderr, flush=True)
        sys.exit(3)
    if FAULT == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if FAULT == "closes":
        os.close(1)
        time.sleep(1000)
    return wrong.get(FAULT, text)


def starts(more=0):
    if len(sys.argv) < 3:
        return 0
    with open(sys.argv[2], "a+") as file:
        file.write("." * more)
        file.seek(0)
        return len(file.read())


def write(text):
    content = text if isinstance(text, bytes) else text.encode()
    pieces = [content[k : k + 5] for k in range(0, len(content), 5)] if FAULT == "pieces" else [content]
    for piece in pieces:
        sys.stdout.buffer.write(piece)
        sys.stdout.flush()


starts(1)
if FAULT == "early":
    print("Simulator 1.0", flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if FAULT == "noisy":
        print("x" * 200_000, file=sys.stderr, flush=True)
    answer = {"result": result(**asked)}
    if FAULT == "tells" and asked["call"] in ("initial_state", "play"):
        answer |= {call: result(call, answer["result"]) for call in ("legal_moves", "score")}
    text = json.dumps(answer) + "\n"
    write(go_wrong(asked["call"], text) if asked["call"] == "play" else text)
