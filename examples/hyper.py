"""A hyper-heuristic: the search chooses which of the caller's operators changes a solution next.

The search knows nothing of the solution, only names of operators; here, the solution is a tour. After Sabar and
Kendall, *Population based Monte Carlo tree search hyper-heuristic for combinatorial optimization problems*, Information
Sciences 314, 2015, without their population.
"""

import math
import random

import nrpa


class HyperHeuristic(nrpa.Problem):
    """Apply ``steps`` operators to a solution, one after the other; the best solution on the way counts.

    ``operators`` are functions of a solution and a ``random.Random`` that return another solution; what they draw
    depends on the step alone, so that a game can be played again. A state is the solution, the best one so far, its
    cost, and the names of the operators applied.
    """

    objective = nrpa.Objective("cost", sign=-1, digits=3)

    def __init__(self, start, operators, cost, steps):
        self.start, self.operators, self.cost, self.steps = start, operators, cost, steps

    def initial_state(self):
        return self.start, self.start, self.cost(self.start), ()

    def legal_moves(self, state):
        return list(self.operators) if len(state[3]) < self.steps else []

    def play(self, state, move):
        solution, best, least, applied = state
        solution = self.operators[move](solution, random.Random(f"{len(applied)} {move}"))
        cost = self.cost(solution)
        return (solution, *((solution, cost) if cost < least else (best, least)), (*applied, move))

    def score(self, state):
        return -state[2]

    def code(self, state, move):
        """Return what is learned: which operator follows which, early, in the middle, late."""
        applied = state[3]
        return applied[-1] if applied else "", move, 3 * len(applied) // self.steps

    def describe(self, state):
        return {"solution": state[1]}


class Tours(HyperHeuristic):
    """A tour of cities drawn in a square, changed by four operators; an instance is CITIES/SEED, such as 40/1."""

    def __init__(self, places, steps=30):
        self.far = [[math.dist(one, other) for other in places] for one in places]
        operators = {"reverse": self.reverse, "move": self.move, "ruin": self.ruin, "bridge": self.bridge}
        super().__init__(tuple(range(len(places))), operators, self.length, steps)

    @classmethod
    def load(cls, name):
        cities, _, seed = name.partition("/")
        if not (cities.isdecimal() and seed.isdecimal() and 8 <= int(cities) <= 1000):
            raise nrpa.InputError(f"{name}: expected CITIES/SEED, such as 40/1, of 8 to 1000 cities")
        numbers = random.Random(int(seed))
        problem = cls([(numbers.random(), numbers.random()) for _ in range(int(cities))])
        problem.origin = nrpa.Origin(name)
        return problem

    def length(self, tour):
        return sum(self.far[a][b] for a, b in zip(tour, tour[1:] + tour[:1], strict=True))

    def reverse(self, tour, numbers):
        """Reverse the part that shortens the tour most (2-opt)."""
        far, ends, best = self.far, [*zip(tour, tour[1:] + tour[:1], strict=True)], (0.0, 0, 0)
        for i, (a, b) in enumerate(ends):
            for j in range(i + 1, len(ends)):
                c, d = ends[j]
                best = min(best, (far[a][c] + far[b][d] - far[a][b] - far[c][d], i + 1, j + 1))
        _, i, j = best
        return tour[:i] + tour[i:j][::-1] + tour[j:]

    def cheapest(self, tour, city):
        """Return the tour with a city where it costs least."""
        far, before = self.far, (tour[-1], *tour[:-1])
        detours = [far[a][city] + far[city][b] - far[a][b] for a, b in zip(before, tour, strict=True)]
        place = detours.index(min(detours))
        return (*tour[:place], city, *tour[place:])

    def move(self, tour, numbers):
        """Put the city that costs most where it costs least."""
        far, near = self.far, zip(tour, (tour[-1], *tour[:-1]), tour[1:] + tour[:1], strict=True)
        _, city = max((far[a][city] + far[city][b] - far[a][b], city) for city, a, b in near)
        return self.cheapest(tuple(each for each in tour if each != city), city)

    def ruin(self, tour, numbers):
        """Take six cities out, and put each where it costs least."""
        out = numbers.sample(tour, 6)
        tour = tuple(city for city in tour if city not in out)
        for city in out:
            tour = self.cheapest(tour, city)
        return tour

    def bridge(self, tour, numbers):
        """Exchange two parts that follow each other (the double bridge)."""
        a, b, c = sorted(numbers.sample(range(1, len(tour)), 3))
        return tour[:a] + tour[b:c] + tour[a:b] + tour[c:]
