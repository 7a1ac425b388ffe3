"""The kernels against naive rules on sets."""

import random

import numpy as np
import pytest
from compiled_kernels import compiled_legal_moves, compiled_play, compiled_reset, compiled_score, moves_for

from nrpa import Coloring
from nrpa.problems.coloring.kernels import most_saturated


class NaiveColoring:
    """The game on dictionaries."""

    def __init__(self, nodes, edges, colours, given, forced):
        self.near = {v: {b for a, b in edges if a == v} | {a for a, b in edges if b == v} for v in range(nodes)}
        self.colours, self.given, self.forced = colours, given, forced
        self.colour = {}

    def seen(self, node):
        return {self.colour[other] for other in self.near[node] if other in self.colour}

    def legal_moves(self):
        left = [node for node in self.near if node not in self.colour]
        if not left:
            return []
        node = min(left, key=lambda v: (-len(self.seen(v)), -len(self.near[v]), v))
        used = len(set(self.colour.values()))
        free = [c for c in range(used) if c not in self.seen(node)]
        if used < self.colours and not (self.forced and free):
            free.append(used)
        if not free:
            clashes = [sum(self.colour.get(other) == c for other in self.near[node]) for c in range(self.colours)]
            free = [c for c in range(self.colours) if clashes[c] == min(clashes)]
        elif self.given:
            free = [c for c in free if not any(self.last_colour(other) == c for other in self.near[node])] or free
        return [(node, c) for c in free]

    def last_colour(self, node):
        """Return the only colour that a node without one can still have, None if there are more or none."""
        left = set(range(self.colours)) - self.seen(node)
        return left.pop() if node not in self.colour and len(left) == 1 else None

    def score(self):
        if self.given:
            return -sum(self.colour[a] == self.colour[b] for a in self.near for b in self.near[a]) / 2
        classes = list(self.colour.values())
        share = sum((classes.count(c) / len(classes)) ** 2 for c in set(classes))
        return -len(set(classes)) - (1 - share) / 2


def random_graph(generator, nodes, density):
    return [(a, b) for a in range(nodes) for b in range(a) if generator.random() < density]


@pytest.mark.parametrize("options", [{}, {"new_colors": "free"}, {"new_colors": "rare"}, {"colors": 3}, {"colors": 5}])
def test_random_games(options):
    """Legal moves, codes and scores agree in every state, on random graphs."""
    generator = random.Random(7)
    for _ in range(25):
        nodes = generator.randrange(1, 18)
        edges = random_graph(generator, nodes, generator.random())
        problem = Coloring(nodes, edges, **options)
        most = problem.max_moves
        naive = NaiveColoring(nodes, edges, most, "colors" in options, options.get("new_colors", "forced") == "forced")
        state, listed = problem.new_state(), moves_for(problem)
        compiled_reset(problem.instance, state)
        played = []
        while True:
            legal = naive.legal_moves()
            count = compiled_legal_moves(problem.instance, state, listed)
            assert listed.move[:count].tolist() == [node * most + colour for node, colour in legal]
            assert listed.code[:count].tolist() == listed.move[:count].tolist()
            if not legal:
                break
            node, colour = generator.choice(legal)
            naive.colour[node] = colour
            played.append(node * most + colour)
            compiled_play(problem.instance, state, played[-1])
        assert compiled_score(problem.instance, state) == pytest.approx(naive.score(), abs=1e-12)
        solution = problem.solution(np.array(played))
        assert problem.check(solution).score == pytest.approx(naive.score(), abs=1e-12)
        assert problem.check(solution).valid


@pytest.mark.parametrize("nodes", [1, 2, 63, 64, 150])
def test_the_most_saturated_node_is_that_of_a_slow_look_at_all(nodes):
    """In each state of a random game, for whole and partly filled blocks, ties and nodes with a colour among them."""
    generator = random.Random(nodes)
    edges = random_graph(generator, nodes, 0.1)
    problem = Coloring(nodes, edges, new_colors="free")
    near = {node: {a + b - node for a, b in edges if node in (a, b)} for node in range(nodes)}
    state, listed, colour = problem.new_state(), moves_for(problem), {}
    compiled_reset(problem.instance, state)
    while count := compiled_legal_moves(problem.instance, state, listed):

        def order(node, colour=colour):
            return -len({colour[other] for other in near[node] if other in colour}), -len(near[node]), node

        node = most_saturated(problem.instance, state)
        assert node == min((each for each in range(nodes) if each not in colour), key=order)
        move = generator.choice(listed.move[:count].tolist())
        colour[node] = move % problem.max_moves
        compiled_play(problem.instance, state, move)
