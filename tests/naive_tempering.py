"""Parallel tempering of whole games in plain Python; the oracle of the compiled search.

Every game is played from its beginning, by the kernels one at a time. The random numbers and the constants of the
changes are those of the compiled search, and nothing else is.
"""

import math
import statistics

from nrpa.engine.game import Game
from nrpa.engine.kernels import kernels_of
from nrpa.engine.random import random_state, uniform
from nrpa.solvers import compiled_tempering as constants


def codes(game):
    """Return the names of the moves that were listed last where the problem has none: their codes."""
    return game.codes


class NaiveTempering:
    """One search; ``names(game)`` says which of the moves listed last mean the same thing.

    ``chains`` are dictionaries of moves, names and score, the coldest first; ``steps()`` yields the last playout.
    """

    def __init__(self, problem, solver, seed, names=codes):
        self.problem = problem.replayed()
        self.game = Game(self.problem.model)
        self.finds_all = "all_moves" in kernels_of(type(self.game.state))
        self.solver = solver
        self.names = names
        self.random = random_state(seed)
        self.chains = [{"moves": [], "names": [], "score": -math.inf} for _ in range(solver.chains)]
        self.temperatures = []
        self.turn = 0
        self.rounds = 0
        self.rotation = solver.rotation or self.problem.rotation
        self.best = None

    def draw(self):
        return uniform(self.random)

    def below(self, bound):
        return math.floor(self.draw() * bound)

    def steps(self):
        """Play on and on: first the random games, the best of each chain being kept, then the turns."""
        scores = []
        for k in range(max(constants.FIRST_GAMES, len(self.chains))):
            found = self.replayed([], [], [], False)
            scores.append(found["score"])
            chain = k % len(self.chains)
            if not self.chains[chain]["moves"] or found["score"] > self.chains[chain]["score"]:
                self.chains[chain] = found
            if k == max(constants.FIRST_GAMES, len(self.chains)) - 1:
                self.temperatures = self.series(scores)
            yield found
        while True:
            for k in range(self.solver.period):
                old = self.chains[self.turn]
                found = self.changed(old)
                worse = old["score"] - found["score"]
                if found["score"] >= old["score"] or self.draw() < math.exp(-worse / self.temperatures[self.turn]):
                    self.chains[self.turn] = found
                if k == self.solver.period - 1:
                    self.turn = (self.turn + 1) % len(self.chains)
                    if self.turn == 0:
                        self.exchange()
                        self.rounds += 1
                        if self.rotation and self.rounds % self.rotation == 0:
                            self.chains = self.chains[1:] + self.chains[:1]
                yield found

    def series(self, scores):
        """Return the temperatures: equal ratios from the coldest to the hottest."""
        spread = (statistics.pstdev(scores) if scores else 0.0) or 1.0
        low, high = self.problem.temperatures or (constants.COLDEST * spread, constants.HOTTEST * spread)
        hottest = self.solver.hottest or max(high, self.solver.coldest)
        coldest = self.solver.coldest or min(low, hottest)
        if len(self.chains) == 1:
            return [coldest]
        ratio = (hottest / coldest) ** (1 / (len(self.chains) - 1))
        return [coldest * ratio**k for k in range(len(self.chains))]

    def exchange(self):
        """Let neighbours exchange their games, the hottest first."""
        for hot in range(len(self.chains) - 1, 0, -1):
            cold = hot - 1
            lost = self.chains[cold]["score"] - self.chains[hot]["score"]
            if self.chains[hot]["score"] >= self.chains[cold]["score"] or self.draw() < math.exp(
                -lost * (1 / self.temperatures[cold] - 1 / self.temperatures[hot])
            ):
                self.chains[cold], self.chains[hot] = self.chains[hot], self.chains[cold]

    def changed(self, old):
        """Return a changed game: draw a change, and play."""
        names, length = old["names"], len(old["names"])
        if length == 0:
            return self.replayed([], [], [], False)
        kind = self.draw()
        if kind < constants.LEAVE_OUT:
            most = 1 + self.below(constants.MOST_LEFT_OUT)
            dropped = {self.below(length) for _ in range(most)}
            order = [name for step, name in enumerate(names) if step not in dropped]
            return self.replayed(old["moves"][: min(dropped)], names[: min(dropped)], order[min(dropped) :], False)
        kind -= constants.LEAVE_OUT
        if kind < constants.PUT_ELSEWHERE:
            return self.elsewhere(old, 1)
        kind -= constants.PUT_ELSEWHERE
        if kind < constants.PUT_IN + constants.REPLACE:
            step = self.below(length)
            rest = names[step:] if kind < constants.PUT_IN else names[step + 1 :]
            return self.replayed(old["moves"][:step], names[:step], rest, True)
        return self.elsewhere(old, min(2 + self.below(constants.LONGEST_BLOCK - 1), length))

    def elsewhere(self, old, size):
        """Take a block out of the order, and put it in again elsewhere."""
        names, length = old["names"], len(old["names"])
        begin = self.below(length - size + 1)
        distance = 1 + int(-constants.MEAN_DISTANCE * math.log(1.0 - self.draw()))
        to = begin + distance if self.draw() < 0.5 else begin - distance
        to = min(max(to, 0), length - size)
        left = names[:begin] + names[begin + size :]
        order = left[:to] + names[begin : begin + size] + left[to:]
        first = min(begin, to)
        return self.replayed(old["moves"][:first], names[:first], order[first:], False)

    def named(self, listing):
        """Return pairs of name and move of the moves that are listed."""
        listed = listing()
        return list(zip(self.names(self.game), listed, strict=True))

    def replayed(self, moves, names, wanted, by_chance):
        """Make the first moves, one at random where that is asked for, then the first wanted one that is legal."""
        moves, names, wanted, game = list(moves), list(names), list(wanted), self.game
        game.reset()
        for move in moves:
            assert move in game.all_moves()
            game.play(move)
        while listed := self.named(game.legal_moves):
            findable = dict(self.named(game.all_moves) if self.finds_all else listed)
            legal = [] if by_chance else [name for name in wanted if name in findable]
            by_chance = False
            if legal:
                name, move = legal[0], findable[legal[0]]
                wanted.remove(name)
            else:
                name, move = listed[self.below(len(listed))]
            moves.append(move)
            names.append(name)
            game.play(move)
        found = {"moves": moves, "names": names, "score": game.score()}
        if self.best is None or found["score"] > self.best["score"]:
            self.best = found
        return found
