"""Parallel tempering of whole games in plain Python; the oracle of the compiled search.

Every game is played from its beginning, by the kernels one at a time. The random numbers and the constants of the
changes are those of the compiled search, and nothing else is.
"""

import math
import statistics

import numpy as np

from nrpa.engine.game import Game
from nrpa.engine.kernels import kernels_of
from nrpa.engine.random import random_states, uniform
from nrpa.python.checks import content_hash
from nrpa.solvers.tempering import changes, move_worth
from nrpa.solvers.tempering import kernel as constants
from nrpa.solvers.tempering.memory import FIRST_COOLING


def codes(game):
    """Return the codes of the moves that were listed last."""
    return game.codes


def moves(game):
    """Return the moves that were listed last."""
    return game.listed


class NaiveTempering:
    """One search; ``names(game)`` says which of the moves listed last mean the same thing.

    ``chains`` are dictionaries of moves, names and score, the coldest first; ``steps()`` yields the last playout.
    """

    def __init__(self, problem, solver, seed, names=moves):
        self.problem = problem.hints().replayed or problem
        hints = self.problem.hints()
        self.game = Game(self.problem.model)
        self.finds_all = "all_moves" in kernels_of(type(self.game.state))
        self.solver = solver
        self.names = names
        self.exchanges, *self.streams = random_states(seed, solver.chains + 1)
        self.chains = [{"moves": [], "names": [], "score": -math.inf} for _ in range(solver.chains)]
        self.temperatures = []
        own = hints.temperatures is not None
        self.is_fixed, self.temperatures_are_fixed = own, bool(own or solver.coldest or solver.hottest)
        fixed = [*changes.FIXED, *[0.0] * (changes.KINDS - len(changes.FIXED))]
        even = changes.AT_FIRST
        self.shares = [list(fixed if own else even) for _ in self.chains]
        self.gained = [[0.0] * changes.KINDS for _ in self.chains]
        self.played = [[0.0] * changes.KINDS for _ in self.chains]
        self.taken = [[] for _ in self.chains]
        self.is_even, self.is_always_even = True, self.problem.holds_gil and names is not moves
        self.worth = [Worth() for _ in self.chains]
        self.turn = 0
        self.rounds = 0
        self.cooled, self.cooling = 0, FIRST_COOLING
        self.rotation = solver.rotation or hints.rotation
        self.best = None

    def draw(self):
        return uniform(self.random)

    def below(self, bound):
        return math.floor(self.draw() * bound)

    def steps(self):
        """Play on and on, a game of each chain in turn: first the random games, the best of each being kept."""
        scores = []
        for k in range(-(-constants.FIRST_GAMES // len(self.chains)) * len(self.chains)):
            chain = k % len(self.chains)
            self.random = self.streams[chain]
            found = self.replayed([], [], [], False)
            scores.append(found["score"])
            if not self.chains[chain]["moves"] or found["score"] > self.chains[chain]["score"]:
                self.chains[chain] = found
            if len(scores) == -(-constants.FIRST_GAMES // len(self.chains)) * len(self.chains):
                self.scores = scores
                self.temperatures = self.series()
            yield found
        while True:
            for k in range(self.solver.period * len(self.chains)):
                self.turn = k % len(self.chains)
                self.random = self.streams[self.turn]
                found = self.played_on()
                if k == self.solver.period * len(self.chains) - 1:
                    self.end_round()
                yield found

    def played_on(self):
        """Change the game of the chain whose turn it is."""
        old = self.chains[self.turn]
        kind = self.kind()
        self.is_even = self.is_always_even or kind < changes.LEAVE_OUT_BY_WORTH
        found = self.changed(old, kind)
        gain, temperature = found["score"] - old["score"], self.temperatures[self.turn]
        if gain < 0:
            self.taken[self.turn].append(math.exp(gain / temperature))
        if gain != 0:
            self.worth[self.turn].count(found["drawn"], gain)
        self.gained[self.turn][kind] += max(gain, 0.0)
        self.played[self.turn][kind] += len(found["moves"]) - found["unchanged"] + 1
        if gain >= 0 or self.draw() < math.exp(gain / temperature):
            self.chains[self.turn] = found
        return found

    def end_round(self):
        """Let all adapt, then neighbours exchange, then games move on."""
        self.cooled += 1
        if self.cooled == self.cooling:
            self.cooled, self.cooling = 0, 2 * self.cooling
        for chain in range(len(self.chains)):
            self.adapt(chain)
        if self.temperatures_are_fixed:
            self.temperatures = self.series()
        self.random = self.exchanges
        self.exchange()
        self.rounds += 1
        if self.rotation and self.rounds % self.rotation == 0:
            self.chains = self.chains[1:] + self.chains[:1]

    def adapt(self, chain):
        """Let shares of the kinds and the temperature of the chain follow what its changes have shown."""
        if not self.is_fixed:
            earned = [gain / max(cost, 1.0) for gain, cost in zip(self.gained[chain], self.played[chain], strict=True)]
            earned = [each * first for each, first in zip(earned, changes.AT_FIRST, strict=True)]
            if sum(earned) > 0.0:
                self.shares[chain] = [
                    changes.FOR_ALL * first + (1 - changes.FOR_ALL) * each / sum(earned)
                    for each, first in zip(earned, changes.AT_FIRST, strict=True)
                ]
            for old in (self.gained, self.played):
                old[chain] = [changes.REMEMBERED * each for each in old[chain]]
        if self.taken[chain] and not self.temperatures_are_fixed:
            part = self.heat(chain)
            wanted = constants.COLDEST_TAKEN ** (1 - part) * constants.HOTTEST_TAKEN**part
            taken = sum(self.taken[chain]) / len(self.taken[chain]) + constants.FEWEST_TAKEN
            step = math.log(wanted / taken) / -math.log(wanted)
            bound = constants.LARGEST_STEP
            self.temperatures[chain] *= math.exp(min(max(step, -bound), bound))
        self.taken[chain] = []

    def kind(self):
        """Draw a kind of change; where rounding leaves none, the last one that is tried at all."""
        left, shares = self.draw(), self.shares[self.turn]
        for kind, share in enumerate(shares):
            if left < share:
                return kind
            left -= share
        return max(kind for kind, share in enumerate(shares) if share)

    def heat(self, chain):
        """Return how hot a chain is to be: 0 for the coldest, 1 for the hottest."""
        if self.solver.anneals:
            return 1 - (self.cooled + 1) / self.cooling
        return chain / (len(self.chains) - 1) if chain else 0

    def series(self):
        """Return the temperatures: equal ratios from the coldest to the hottest."""
        spread = statistics.pstdev(self.scores) or 1.0
        low, high = self.problem.hints().temperatures or (constants.COLDEST * spread, constants.HOTTEST * spread)
        hottest = self.solver.hottest or max(high, self.solver.coldest)
        coldest = self.solver.coldest or min(low, hottest)
        return [coldest * (hottest / coldest) ** self.heat(chain) for chain in range(len(self.chains))]

    def exchange(self):
        """Let neighbours exchange their games, the hottest first."""
        for hot in range(len(self.chains) - 1, 0, -1):
            cold = hot - 1
            lost = self.chains[cold]["score"] - self.chains[hot]["score"]
            if self.chains[hot]["score"] >= self.chains[cold]["score"] or self.draw() < math.exp(
                -lost * (1 / self.temperatures[cold] - 1 / self.temperatures[hot])
            ):
                self.chains[cold], self.chains[hot] = self.chains[hot], self.chains[cold]

    def changed(self, old, kind):
        """Return a changed game: change the order in a way of this kind, and play."""
        names, length = old["names"], len(old["names"])
        if length == 0:
            return self.replayed([], [], [], False)
        if kind in (changes.LEAVE_OUT, changes.LEAVE_OUT_BY_WORTH):
            most = 1 + self.below(changes.MOST_LEFT_OUT)
            dropped = {self.below(length) for _ in range(most)}
            order = [name for step, name in enumerate(names) if step not in dropped]
            return self.reordered(old, order, min(dropped))
        if kind in (changes.PUT_ELSEWHERE, changes.PUT_ANYWHERE):
            return self.elsewhere(old, 1, kind == changes.PUT_ANYWHERE)
        if kind in (changes.PUT_IN, changes.REPLACE, changes.PUT_IN_BY_WORTH, changes.REPLACE_BY_WORTH):
            step = self.below(length)
            stays = kind in (changes.PUT_IN, changes.PUT_IN_BY_WORTH)
            rest = names[step:] if stays else names[step + 1 :]
            return self.replayed(old["moves"][:step], names[:step], rest, True)
        if kind == changes.BLOCK_ELSEWHERE:
            return self.elsewhere(old, min(2 + self.below(changes.LONGEST_BLOCK - 1), length), False)
        return self.exchanged(old, kind)

    def exchanged(self, old, kind):
        """Return a game of which moves or blocks are exchanged, or some moves reversed."""
        names, length = old["names"], len(old["names"])
        if kind == changes.BLOCKS:
            begin = self.below(length)
            between = begin + self.near()
            end = between + self.near()
            if end > length:
                begin, between, last = sorted(self.below(length) for _ in range(3))
                end = last + 1
            order = names[:begin] + names[between:end] + names[begin:between] + names[end:]
            return self.reordered(old, order, begin)
        one = self.below(length)
        other = one + self.near() if kind == changes.SWAP_NEAR else length
        other = other if other < length else self.below(length)
        begin, end = sorted([one, other])
        order = list(names)
        if kind == changes.REVERSE:
            order[begin : end + 1] = reversed(order[begin : end + 1])
        else:
            order[begin], order[end] = order[end], order[begin]
        return self.reordered(old, order, begin)

    def near(self):
        """Draw a distance."""
        return 1 + int(-changes.MEAN_DISTANCE * math.log(1.0 - self.draw()))

    def elsewhere(self, old, size, is_far):
        """Take a block out of the order, and put it in again elsewhere."""
        names, length = old["names"], len(old["names"])
        begin = self.below(length - size + 1)
        if is_far:
            to = self.below(length - size + 1)
        else:
            distance = self.near()
            to = begin + distance if self.draw() < 0.5 else begin - distance
            to = min(max(to, 0), length - size)
        left = names[:begin] + names[begin + size :]
        return self.reordered(old, left[:to] + names[begin : begin + size] + left[to:], min(begin, to))

    def reordered(self, old, order, first):
        """Play another order of names, which begins with so many moves of the old game."""
        return self.replayed(old["moves"][:first], old["names"][:first], order[first:], False)

    def named(self, listing):
        """Return pairs of name and move of the moves that are listed."""
        listed = listing()
        return list(zip(self.names(self.game), listed, strict=True))

    def entry(self, name):
        """Return by which number what draws of a name were worth is kept."""
        if self.problem.holds_gil and self.names is moves:
            name = content_hash(self.problem.model.things_of(np.array([name]))[0])
        return move_worth.worth_entry(np.int64(name))

    def index(self, entries):
        """Draw one of the listed moves: evenly, or in proportion to what it was worth."""
        if self.is_even and not self.solver.bias:
            return self.below(len(entries))
        left = self.draw()
        if left < move_worth.EVEN:
            return math.floor(left / move_worth.EVEN * len(entries))
        weights = [1.0 if self.is_even else self.worth[self.turn].mean(entry) for entry in entries]
        if self.solver.bias:
            values = self.problem.bias_by_code()
            factors = self.game.exp_biases if values is None else [math.exp(values[code]) for code in self.game.codes]
            weights = [factor * weight for factor, weight in zip(factors, weights, strict=True)]
        left = (left - move_worth.EVEN) / (1.0 - move_worth.EVEN) * sum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0.0:
                return index
        return len(entries) - 1

    def replayed(self, moves, names, wanted, by_chance):
        """Make the first moves, one at random where that is asked for, then the first wanted one that is legal."""
        unchanged, drawn = len(moves), []
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
                entries = [self.entry(name) if isinstance(name, int) else 0 for name, _ in listed]
                index = self.index(entries)
                name, move = listed[index]
                drawn.append(entries[index])
            moves.append(move)
            names.append(name)
            game.play(move)
        found = {"moves": moves, "names": names, "score": game.score(), "unchanged": unchanged, "drawn": drawn}
        if self.best is None or found["score"] > self.best["score"]:
            self.best = found
        return found


class Worth:
    """What draws of moves were worth for a chain, by their entries: sums in which older ones count for less."""

    def __init__(self):
        self.number, self.worth = {}, {}
        self.number_of_all = self.worth_of_all = 1.0
        self.losses = self.lost = 0.0

    def mean(self, entry):
        """Return the mean worth of a move, with some draws more that are worth the mean of all."""
        more = move_worth.PRIOR * self.worth_of_all / self.number_of_all
        return (self.worth.get(entry, 0.0) + more) / (self.number.get(entry, 0.0) + move_worth.PRIOR)

    def count(self, entries, gain):
        """Count the draws for a changed game."""
        worth, of_all = 1.0, move_worth.REMEMBERED_OF_ALL
        if gain < 0:
            self.losses, self.lost = self.losses * of_all + 1, self.lost * of_all - gain
            worth = math.exp(move_worth.SHARPNESS * gain * self.losses / self.lost)
        for entry in entries:
            self.number[entry] = self.number.get(entry, 0.0) * move_worth.REMEMBERED + 1
            self.worth[entry] = self.worth.get(entry, 0.0) * move_worth.REMEMBERED + worth
            self.number_of_all = self.number_of_all * of_all + 1
            self.worth_of_all = self.worth_of_all * of_all + worth
