"""GNRPA in plain Python, written from Algorithms 3 to 5 of the paper; the oracle of the compiled search.

It shares the random numbers with the engine, and nothing else. A problem is an object with ``initial()``,
``legal(state)`` (a list of moves), ``play(state, move)`` (returns the next state), ``score(state)``,
``code(state, move)`` and ``bias(state, move)``.
"""

import math

from sums import in_order

from nrpa.engine.random import random_state, uniform


def at(value, level):
    """Return the value of an option at a level: of a list from level 1 up, the last for all above."""
    return value[min(level, len(value)) - 1] if isinstance(value, (list, tuple)) else value


class NaiveGNRPA:
    """One search; ``scores`` collects the score of every playout."""

    def __init__(self, problem, level, iterations, alpha, tau, seed, playouts, repetitions=0, gamma=1.0, improve=None):
        self.problem = problem
        self.level = level
        self.iterations = iterations
        self.alpha = alpha
        self.tau = tau
        self.repetitions = repetitions
        self.gamma = gamma
        self.improve = improve
        self.random = random_state(seed)
        self.playouts = playouts
        self.scores = []
        self.best = (-math.inf, [])

    def run(self):
        """Search again from the initial policy until the playouts are used up."""
        try:
            while True:
                self.nrpa(self.level, {})
        except StopIteration:
            return self

    def run_without_top_level(self):
        """Search at level 1; what is found becomes the first iteration of level 2; and so on."""
        try:
            found, level = self.nrpa(1, {}), 1
            while True:
                level += 1
                found = self.nrpa(level, {}, first=found)
        except StopIteration:
            return self

    def nrpa(self, level, policy, first=None):
        """Algorithm 3; ``first`` is the result of the first iteration where that is known already."""
        if level == 0:
            return self.playout(policy)
        policy = dict(policy)
        best_score, best_sequence = -math.inf, []
        found_again = 0
        repetitions = at(self.repetitions, level)
        for iteration in range(at(self.iterations, level)):
            score, sequence = self.nrpa(level - 1, policy) if first is None or iteration else first
            if level == 1 and self.improve and score > best_score:
                score, sequence = self.improved(sequence)
            if (score, sequence) == (best_score, best_sequence):
                found_again += 1
            elif score >= best_score:
                found_again = 0
            if repetitions and found_again == repetitions:
                break
            if score >= best_score:
                best_score, best_sequence = score, sequence
            policy = self.adapt(policy, best_sequence, at(self.alpha, level))
        return best_score, best_sequence

    def improved(self, sequence):
        """Return the last playout as ``improve`` changes it, which counts in its place."""
        changed = self.improve(sequence)
        state = self.problem.initial()
        for move in changed:
            assert move in self.problem.legal(state)
            state = self.problem.play(state, move)
        self.scores[-1] = self.problem.score(state)
        if self.scores[-1] > self.best[0]:
            self.best = (self.scores[-1], changed)
        return self.scores[-1], changed

    def weights(self, policy, state, moves, gamma=1.0):
        """Return e^(w/τ + γβ) of each move."""
        problem = self.problem
        return [
            math.exp(policy.get(problem.code(state, move), 0.0) / self.tau + gamma * problem.bias(state, move))
            for move in moves
        ]

    def playout(self, policy):
        """Algorithm 4."""
        if len(self.scores) == self.playouts:
            raise StopIteration
        state, sequence = self.problem.initial(), []
        while moves := self.problem.legal(state):
            weights = self.weights(policy, state, moves)
            threshold = uniform(self.random) * in_order(weights)
            chosen, total = 0, weights[0]
            while total <= threshold and chosen < len(moves) - 1:
                chosen += 1
                total += weights[chosen]
            sequence.append(moves[chosen])
            state = self.problem.play(state, moves[chosen])
        score = self.problem.score(state)
        self.scores.append(score)
        if score > self.best[0]:
            self.best = (score, sequence)
        return score, sequence

    def adapt(self, policy, sequence, alpha):
        """Algorithm 5, with e^(w/τ + γβ), which for γ = 1 is that of Algorithm 4."""
        adapted = dict(policy)
        state = self.problem.initial()
        for best in sequence:
            moves = self.problem.legal(state)
            weights = self.weights(policy, state, moves, self.gamma)
            total = in_order(weights)
            for move, weight in zip(moves, weights, strict=True):
                code = self.problem.code(state, move)
                delta = 1.0 if move == best else 0.0
                step = alpha / self.tau * (weight / total - delta)
                adapted[code] = adapted.get(code, 0.0) - step
            state = self.problem.play(state, best)
        return adapted
