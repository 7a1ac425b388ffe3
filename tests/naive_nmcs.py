"""Nested Monte Carlo search in plain Python, written from the paper; the oracle of the compiled search.

It shares the random numbers with the engine, and nothing else. Problems are those of ``naive_nrpa``; where one has a
method ``every``, levels try the moves that it returns, and playouts the legal ones. With ``cut``, it has a method
``value``. With ``prune``, it is Lazy NMCS.
"""

import math

from nrpa.engine.random import random_state, uniform


class NaiveNMCS:
    """One search; ``scores`` collects the score of every playout."""

    def __init__(self, problem, level, memory, seed, playouts, cut=-1, prune=0.0, judging=1):
        self.problem = problem
        self.every = getattr(problem, "every", problem.legal)
        self.level = level
        self.memory = memory
        self.random = random_state(seed)
        self.playouts = playouts
        self.cut = cut
        self.prune = prune
        self.judging = judging
        self.scores = []
        self.best = (-math.inf, [])

    def run(self):
        """Search again until the playouts are used up."""
        try:
            while True:
                self.nested(self.problem.initial(), [], self.level)
        except StopIteration:
            return self

    def playout(self, state, path):
        if len(self.scores) == self.playouts:
            raise StopIteration
        path, first = list(path), len(path)
        while moves := self.problem.legal(state):
            if self.best[1] and len(path) - first == self.cut:
                self.scores.append(None)
                return self.problem.value(state), path
            move = moves[min(int(uniform(self.random) * len(moves)), len(moves) - 1)]
            path.append(move)
            state = self.problem.play(state, move)
        score = self.problem.score(state)
        self.scores.append(score)
        if score > self.best[0]:
            self.best = (score, path)
        return score, path

    def nested(self, state, path, level):
        """Return the score and the sequence of a search of ``level`` from ``state``, to which ``path`` led."""
        if level == 0 or not self.problem.legal(state):
            return self.playout(state, path)
        path = list(path)
        best_score, best_path = -math.inf, None
        while moves := self.every(state):
            if not self.memory or (level == 1 and self.cut >= 0):
                best_score = -math.inf
            if level > 1 and self.prune:
                judged = [0.0] * len(moves)
                for _ in range(self.judging):
                    for k, move in enumerate(moves):
                        score, found = self.playout(self.problem.play(state, move), [*path, move])
                        judged[k] += score
                        if best_path is None or score > best_score:
                            best_score, best_path = score, found
                least = sorted(judged)[int(self.prune * (len(moves) - 1))]
                moves = [move for move, sum_of_scores in zip(moves, judged, strict=True) if sum_of_scores >= least]
            for move in moves:
                score, found = self.nested(self.problem.play(state, move), [*path, move], level - 1)
                if best_path is None or score > best_score:
                    best_score, best_path = score, found
            move = best_path[len(path)]
            path.append(move)
            state = self.problem.play(state, move)
        return best_score, best_path
