"""Collins' conjecture on trees refuted: a score of large numbers, and a check of it in whole numbers.

Two sequences of a tree T of n vertices: the sizes of the coefficients of the characteristic polynomial of its adjacency
matrix that are not 0, from that of the lowest power on, m of them; and those of its distance matrix, δ_k of x^k,
normalised to 2^k |δ_k| / 2^(n - 2). Both rise to one peak and fall. Let p_A = 1 … m and p_D = 0 … n be the places of
the two peaks. The conjecture, of Collins (*On a conjecture of Graham and Lovász about distance matrices*, 1989), says
that they are at the same place: p_A / m is near 1 - p_D / n, as on paths and stars. Roucairol and Cazenave (*Refutation
of spectral graph theory conjectures with Monte Carlo search*, 2022) maximise how far the two are apart by NMCS and
NRPA. The program of Vito and Stefanus (*Adaptive Monte Carlo search for conjecture refutation in graph theory*, 2023)
calls a tree a counterexample where that is more than 0.28, and so does this one.
"""

import numpy as np

import nrpa
from nrpa.plots.trees import draw_rooted

APART = 0.28
REFUTED = 2.0  # what such a tree gets besides; no other one reaches it


class Collins(nrpa.Problem):
    """A tree of n vertices whose peaks are as far apart as can be; a score above 2 is a gap above 0.28."""

    objective = nrpa.Objective("score", sign=1, digits=6)
    goal = REFUTED

    def __init__(self, vertices):
        self.vertices = vertices
        self.origin = nrpa.Origin(f"{vertices} vertices")

    @classmethod
    def load(cls, name):
        """The instance is a number of vertices."""
        if not name.isdecimal() or not 3 <= int(name) <= 200:
            raise nrpa.InputError(f"{name}: expected a number of vertices from 3 to 200")
        return cls(int(name))

    def initial_state(self):
        return ()  # the parents of vertices 1, 2, ...

    def legal_moves(self, state):
        """The next vertex hangs on any before it."""
        return [] if len(state) == self.vertices - 1 else list(range(len(state) + 1))

    def play(self, state, move):
        return (*state, move)

    def code(self, state, move):
        """The parent alone, as in conjecture.py."""
        return move

    def score(self, state):
        """How far the peaks are apart, and how far the means are, which changes with every edge."""
        adjacency, distance = coefficients(state)
        return worth(apart(peak, adjacency, distance), apart(mean, adjacency, distance))

    def check(self, solution):
        """The same by whole numbers of any length, from the edges of the tree."""
        if len(solution) != self.vertices - 1 or not all(0 <= p < v for v, p in enumerate(solution, start=1)):
            return nrpa.Verdict({}, [f"expected the parents of vertices 1 to {self.vertices - 1}, each before it"])
        adjacency, distance = exact_coefficients(solution)
        m, n = len(adjacency), len(distance) - 1
        p_a, p_d = adjacency.index(max(adjacency)) + 1, distance.index(max(distance))
        mean_a = sum(k * x for k, x in enumerate(adjacency, start=1)) / sum(adjacency)
        mean_d = sum(k * x for k, x in enumerate(distance)) / sum(distance)
        gap = abs(p_a / m - (1 - p_d / n))
        score = worth(gap, abs(mean_a / m - (1 - mean_d / n)))
        figures = {"score": score, "gap": gap, "adjacency_peak": f"{p_a}/{m}", "distance_peak": f"{p_d}/{n}"}
        return nrpa.Verdict(figures, score=score)

    def panels(self):
        """The tree, in layers."""
        return (draw_tree,)


def coefficients(parents):
    """Return the two sequences of a tree, each divided by a constant.

    In floating point: all roots but one have the same sign, so that little is lost. ``check`` is exact.
    """
    n = len(parents) + 1
    distance = np.zeros((n, n))
    for child, parent in enumerate(parents, start=1):
        distance[child, :child] = distance[:child, child] = distance[parent, :child] + 1
    squares = np.linalg.eigvalsh(distance == 1.0)[n - matching(parents) :] ** 2
    return np.abs(np.poly(squares))[::-1], np.abs(np.poly(np.linalg.eigvalsh(distance) / 2))[::-1]


def matching(parents):
    """Return the size of the largest matching, which is the number of positive eigenvalues of the adjacency matrix."""
    free = [True] * (len(parents) + 1)
    for child in range(len(parents), 0, -1):
        parent = parents[child - 1]
        if free[child] and free[parent]:
            free[child] = free[parent] = False
    return free.count(False) // 2


def worth(gap, gap_of_means):
    """Return the score."""
    return gap + gap_of_means + REFUTED * (gap > APART)


def peak(sequence):
    """Return the place of the largest number, from 0 on."""
    return int(np.argmax(sequence))


def mean(sequence):
    """Return the mean place."""
    return float(np.arange(len(sequence)) @ (sequence / sequence.sum()))


def apart(place, adjacency, distance):
    """Return |p_A / m - (1 - p_D / n)|."""
    return abs((place(adjacency) + 1) / len(adjacency) - (1 - place(distance) / (len(distance) - 1)))


def exact_coefficients(parents):
    """Return the two sequences as whole numbers, the second one times 2^(n - 2)."""
    n = len(parents) + 1
    neighbours = [set() for _ in range(n)]
    for child, parent in enumerate(parents, start=1):
        neighbours[child].add(parent)
        neighbours[parent].add(child)
    adjacency = np.array([[int(b in neighbours[a]) for b in range(n)] for a in range(n)], dtype=object)
    distance = np.array([steps_from(a, neighbours) for a in range(n)], dtype=object)
    sizes = [abs(x) for x in characteristic_polynomial(adjacency) if x]
    return sizes, [abs(x) << k for k, x in enumerate(characteristic_polynomial(distance))]


def steps_from(start, neighbours):
    """Return how far every vertex is from one of them: a walk in breadth."""
    steps, reached = {start: 0}, [start]
    for vertex in reached:
        for other in neighbours[vertex] - steps.keys():
            steps[other] = steps[vertex] + 1
            reached.append(other)
    return [steps[vertex] for vertex in range(len(neighbours))]


def characteristic_polynomial(matrix):
    """Return its coefficients from x^0 on, by Faddeev and LeVerrier: each division is without remainder."""
    n = len(matrix)
    found, power = [1], np.zeros((n, n), dtype=object)
    for k in range(1, n + 1):
        power = matrix.dot(power) + found[-1] * np.eye(n, dtype=int).astype(object)
        found.append(-int((matrix * power.T).sum()) // k)
    return found[::-1]


def draw_tree(problem, solution, axes):
    """Draw the tree in layers."""
    draw_rooted(solution, axes)
    figures = problem.check(solution).figures
    where = f"{figures['adjacency_peak']} and {figures['distance_peak']}"
    axes.set_title(f"{problem.label}: peaks at {where}, gap {figures['gap']:.4f}", fontsize="medium")


if __name__ == "__main__":
    problem = Collins(31)
    result = nrpa.solve(problem, nrpa.NRPA(level=2, iterations=50), seed=1, time=300)
    print(result, problem.check(result.solution).figures)
