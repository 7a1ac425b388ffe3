"""A tour as a program that answers lines of JSON: `nrpa solve program "python examples/tour_program.py 12"`."""

import json
import math
import random
import sys

draw = random.Random(1)
CITIES = [(draw.random(), draw.random()) for _ in range(int(sys.argv[1]))]


def problem():
    return {"objective": "length", "sign": -1, "digits": 2, "calls": ["codes"]}


def initial_state():
    return [0]


def legal_moves(state):
    return [city for city in range(len(CITIES)) if city not in state]


def play(state, move):
    return [*state, move]


def score(state):
    return -sum(math.dist(CITIES[one], CITIES[other]) for one, other in zip(state, state[1:] + state[:1]))


def codes(state):
    return [[state[-1], move] for move in legal_moves(state)]


for line in sys.stdin:
    question = json.loads(line)
    call = question.pop("call")
    answer = {"result": globals()[call](**question)}
    if call in ("initial_state", "play"):  # What is asked next may be told now, which saves half of the time.
        state = answer["result"]
        answer |= {"legal_moves": legal_moves(state), "codes": codes(state), "score": score(state)}
    print(json.dumps(answer), flush=True)
