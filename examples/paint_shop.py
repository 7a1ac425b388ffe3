"""A paint shop as a program that answers lines of JSON: `nrpa solve program "python3 examples/paint_shop.py 20"`."""

import json
import random
import sys

draw = random.Random(1)
ORDERS = [(draw.randrange(4), draw.randint(5, 15), draw.randint(20, 200)) for _ in range(int(sys.argv[1]))]


def problem():
    return {"objective": "lateness", "sign": -1, "digits": 0, "calls": ["codes"]}


def initial_state():
    return {"time": 0, "colour": 0, "late": 0, "left": [*range(len(ORDERS))]}


def legal_moves(state):
    return state["left"]


def play(state, move):
    colour, minutes, due = ORDERS[move]
    time = state["time"] + minutes + (10 if colour != state["colour"] else 0)
    late = state["late"] + max(0, time - due)
    return {"time": time, "colour": colour, "late": late, "left": [each for each in state["left"] if each != move]}


def score(state):
    return -state["late"]


def codes(state):
    return [[state["colour"], move] for move in state["left"]]


for line in sys.stdin:
    asked = json.loads(line)
    call = asked.pop("call")
    answer = {"result": globals()[call](**asked)}
    if call in ("initial_state", "play"):  # What is asked next of this state is told at once.
        answer |= {each.__name__: each(answer["result"]) for each in (legal_moves, codes, score)}
    print(json.dumps(answer), flush=True)
