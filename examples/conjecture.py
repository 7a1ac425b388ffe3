"""A conjecture of graph theory refuted: a black-box score in plain Python, by numpy's eigenvalues.

AutoGraphiX conjectured that every connected graph of n vertices has λ₁ + μ ≥ √(n - 1) + 1, where λ₁ is the largest
eigenvalue of its adjacency matrix and μ the size of its largest matching (Aouchiche and Hansen, *A survey of automated
conjectures in spectral graph theory*, 2010). Trees of 19 vertices refute it (Wagner, *Constructions in combinatorics
via neural networks*, 2021); Roucairol and Cazenave, *Refutation of spectral graph theory conjectures with Monte Carlo
search*, 2022, find them by NMCS and NRPA.
"""

import math

import numpy as np

import nrpa
from nrpa.plots.trees import draw_rooted


class Conjecture(nrpa.Problem):
    """A tree of n vertices with λ₁ + μ as far below √(n - 1) + 1 as can be; a gap above 0 refutes the conjecture."""

    objective = nrpa.Objective("gap", sign=1, digits=6)
    goal = 1e-9

    def __init__(self, vertices):
        self.vertices = vertices
        self.origin = nrpa.Origin(f"{vertices} vertices")

    @classmethod
    def load(cls, name):
        """The instance is a number of vertices."""
        if not name.isdecimal() or not 2 <= int(name) <= 200:
            raise nrpa.InputError(f"{name}: expected a number of vertices from 2 to 200")
        return cls(int(name))

    def initial_state(self):
        return ()  # the parents of vertices 1, 2, ...

    def legal_moves(self, state):
        """The next vertex hangs on any before it."""
        return [] if len(state) == self.vertices - 1 else list(range(len(state) + 1))

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return math.sqrt(self.vertices - 1) + 1 - largest_eigenvalue(state) - matching(state)

    def code(self, state, move):
        """The parent alone: which vertices have many children is what makes a tree good, not which ones they are."""
        return move

    def panels(self):
        """The tree, in layers."""
        return (draw_tree,)


def largest_eigenvalue(parents):
    """Return λ₁ of a tree."""
    n = len(parents) + 1
    adjacency = np.zeros((n, n))
    children = np.arange(1, n)
    adjacency[children, parents] = adjacency[parents, children] = 1
    return float(np.linalg.eigvalsh(adjacency)[-1])


def matching(parents):
    """Return the size of the largest matching of a tree: from the leaves up, a free vertex takes its free parent."""
    free = [True] * (len(parents) + 1)
    for child in range(len(parents), 0, -1):
        parent = parents[child - 1]
        if free[child] and free[parent]:
            free[child] = free[parent] = False
    return free.count(False) // 2


def draw_tree(problem, solution, axes):
    """Draw the tree in layers."""
    draw_rooted(solution, axes)
    axes.set_title(f"{problem.label}: gap {problem.score(tuple(solution)):.4f}", fontsize="medium")


if __name__ == "__main__":
    print(nrpa.solve(Conjecture(19), nrpa.NRPA(level=2, iterations=30), seed=1, time=300))
