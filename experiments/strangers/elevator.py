"""An elevator in plain Python: a simulator of one car for four, with twelve floors and thirty passengers.

The best time is that of a run of `auto`; the annealing below reached 2571 in 10 seconds.
"""

import random

from annealing import annealed, one_moved

import nrpa

BEST = {"30": 2201}
FLOORS, ROOM = 12, 4
WAITS, RIDES, GONE = range(3)


class Elevator(nrpa.Problem):
    """A move is the passenger to whom, or with whom, the car goes next; the cost is the sum of their times to arrive.

    The car takes 2 seconds a floor, and 5 where it stops. There all leave who want to, and those who have called get in
    while there is room, whoever called first.
    """

    objective = nrpa.Objective("seconds", sign=-1)

    def __init__(self, count):
        draw = random.Random(1)
        self.calls = sorted((draw.randint(0, 8 * count), *draw.sample(range(FLOORS), 2)) for _ in range(count))

    def initial_state(self):
        """The time, the floor, what each passenger does, the cost."""
        return 0, 0, (WAITS,) * len(self.calls), 0

    def legal_moves(self, state):
        now, _, does, _ = state
        room = does.count(RIDES) < ROOM
        legal = [
            passenger
            for passenger, (call, _, _) in enumerate(self.calls)
            if does[passenger] == RIDES or (does[passenger] == WAITS and room and call <= now)
        ]
        return legal or [passenger for passenger, doing in enumerate(does) if doing == WAITS][:1]

    def play(self, state, move):
        now, floor, does, cost = state
        does, (call, origin, target) = list(does), self.calls[move]
        to = target if does[move] == RIDES else origin
        now = max(now, call) + 2 * abs(to - floor) + 5
        for passenger, (call, _, target) in enumerate(self.calls):
            if does[passenger] == RIDES and target == to:
                does[passenger] = GONE
                cost += now - call
        for passenger, (call, origin, _) in enumerate(self.calls):
            if does[passenger] == WAITS and origin == to and call <= now and does.count(RIDES) < ROOM:
                does[passenger] = RIDES
        return now, to, tuple(does), cost

    def score(self, state):
        return -state[3]


def simulate(problem, plan):
    """Follow the plan where it is possible, then go to whoever is first: the cost, and the moves."""
    state, moves = problem.initial_state(), []
    for passenger in plan:
        if passenger in problem.legal_moves(state):
            moves.append(passenger)
            state = problem.play(state, passenger)
    while legal := problem.legal_moves(state):
        moves.append(legal[0])
        state = problem.play(state, legal[0])
    return state[3], moves


def baseline(problem, seconds, seed):
    """Simulated annealing over a plan in which each passenger is twice: the seconds, and the moves."""
    draw = random.Random(seed)
    plan = [passenger for passenger in range(len(problem.calls)) for _ in range(2)]
    _, best = annealed(lambda plan: simulate(problem, plan)[0], one_moved(draw), plan, seconds, draw, 100, 0.03)
    return simulate(problem, best)
