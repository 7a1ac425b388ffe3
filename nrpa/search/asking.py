"""What NRPA, tempering and UCT propose and learn where many games wait for their scores, told in any order.

Each has a memory of plain data, proposes a game that it plays, and learns from a score whenever it comes.
"""

from __future__ import annotations

import math
import statistics
from bisect import bisect_right
from itertools import accumulate
from typing import Any

from nrpa.engine.random import uniform
from nrpa.solvers.nrpa.options import by_level
from nrpa.solvers.python_search import PlayoutGame

# Temperatures at first, in standard deviations of the scores of random games, as in ``nrpa.solvers.tempering``.
COLDEST, HOTTEST = 0.05, 0.22


def drawn(random: Any, weights: list[float]) -> int:
    """Return an index in proportion to weights."""
    *sums, total = accumulate(weights)
    return bisect_right(sums, uniform(random) * total)


class AskedNRPA:
    """NRPA and GNRPA: a game is drawn from the policy of level 1 as it is; a score that is told is an iteration.

    Where each game is told before the next is asked, this is Algorithm 3 of T. Cazenave, *Generalized Nested Rollout
    Policy Adaptation*, 2020, for the same random numbers.
    """

    counted = ("level", "iterations", "alpha", "repetitions", "tau", "bias", "gamma", "adapt")

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        levels = solver.levels
        self.rates, self.iterations, self.repetitions = (
            by_level(values, levels) for values in (solver.alpha, solver.iterations, solver.repetitions)
        )
        # Of each level from 1 up: policy, best score, best game, iterations, and how often the best was found again.
        self.memory: list[Any] = [[{}, -math.inf, [], 0, 0] for _ in range(levels)]

    def propose(self, game: PlayoutGame, random: Any) -> list[Any]:
        """Play a game; return its moves with the codes and e^β that they were chosen among."""
        policy, steps = self.memory[0][0], []
        while game.legal_moves():
            biases = game.weights().tolist()
            codes = [*game.codes]
            weights = [math.exp(policy.get(c, 0.0) / self.solver.tau) * b for c, b in zip(codes, biases, strict=True)]
            chosen = drawn(random, weights)
            steps.append([chosen, codes, biases])
            game.play(game.listed[chosen])
        return steps

    def learn(self, steps: list[Any], score: float | None, random: Any) -> None:
        """Let the levels that end with this score hand their best up, and Adapt move their policies."""
        if score is None:
            return
        for level, kept in enumerate(self.memory, start=1):
            is_again = (score, steps) == (kept[1], kept[2])
            kept[4] = kept[4] + 1 if is_again else 0 if score >= kept[1] else kept[4]
            is_over = bool(self.repetitions[level]) and kept[4] == self.repetitions[level]
            if not is_over:
                if score >= kept[1]:
                    kept[1], kept[2] = score, steps
                kept[0] = self._adapted(kept[0], kept[2], self.rates[level])
                kept[3] += 1
            if not is_over and kept[3] < self.iterations[level]:
                self._begin(level, kept[0])
                return
            score, steps = kept[1], kept[2]
        self._begin(len(self.memory) + 1, {})

    def _begin(self, level: int, policy: dict[int, float]) -> None:
        """Begin the levels below one anew, with its policy."""
        self.memory[: level - 1] = [[dict(policy), -math.inf, [], 0, 0] for _ in self.memory[: level - 1]]

    def _adapted(self, policy: dict[int, float], steps: list[Any], alpha: float) -> dict[int, float]:
        tau, gamma, adapted = self.solver.tau, self.solver.gamma, dict(policy)
        for chosen, codes, biases in steps:
            each = zip(codes, biases, strict=True)
            weights = [math.exp(policy.get(code, 0.0) / tau) * bias**gamma for code, bias in each]
            total = sum(weights)
            for place, (code, weight) in enumerate(zip(codes, weights, strict=True)):
                adapted[code] = adapted.get(code, 0.0) - alpha / tau * (weight / total - (place == chosen))
        return adapted


class AskedTempering:
    """Parallel tempering: chains take turns to change their games, by moves put elsewhere, exchanged or left out."""

    counted = ("chains", "coldest", "hottest")

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        # Of each chain, the game by its names and its score; the scores of random games; the games asked and told.
        self.memory: Any = {"chains": [[[], None] for _ in range(solver.chains)], "first": [], "asked": 0, "told": 0}

    def propose(self, game: PlayoutGame, random: Any) -> list[Any]:
        """Play the changed game of the chain whose turn it is; return the chain and the names."""
        chain = self.memory["asked"] % self.solver.chains
        self.memory["asked"] += 1
        names, score = self.memory["chains"][chain]
        left, played = self._changed(names, random), []
        while game.legal_moves():
            legal = {name: move for name, move in zip(game.names(), game.listed, strict=True)}  # noqa: C416
            name = next((name for name in left if name in legal), None)
            if name is None:
                name = [*legal][int(uniform(random) * len(legal))]
            else:
                left.remove(name)
            played.append(name)
            game.play(legal[name])
        return [chain, played, score is None]

    def _changed(self, names: list[int], random: Any) -> list[int]:
        changed = [*names]
        if len(names) > 1:
            one, other = (int(uniform(random) * len(names)) for _ in range(2))
            kind = int(uniform(random) * 3)
            if kind == 0:
                changed.insert(other, changed.pop(one))
            elif kind == 1:
                changed[one], changed[other] = changed[other], changed[one]
            else:
                changed[one : one + 1 + other % 3] = []
        return changed

    def learn(self, proposed: list[Any], score: float | None, random: Any) -> None:
        """Let the chain take the game or not; exchange the games of neighbours once each chain has had a score."""
        if score is None:
            return
        chain, names, is_random = proposed
        chains, memory = self.memory["chains"], self.memory
        if is_random:
            memory["first"].append(score)
        old = chains[chain][1]
        if old is None or score >= old or uniform(random) < math.exp((score - old) / self._temperature(chain)):
            chains[chain] = [names, score]
        memory["told"] += 1
        for cold in range(self.solver.chains - 1) if memory["told"] % self.solver.chains == 0 else ():
            one, other = chains[cold], chains[cold + 1]
            if one[1] is not None and other[1] is not None:
                gap = 1 / self._temperature(cold) - 1 / self._temperature(cold + 1)
                if other[1] >= one[1] or uniform(random) < math.exp(gap * (other[1] - one[1])):
                    chains[cold], chains[cold + 1] = other, one

    def _temperature(self, chain: int) -> float:
        deviation = statistics.pstdev(self.memory["first"]) or 1.0
        coldest, hottest = (self.solver.coldest or COLDEST * deviation), (self.solver.hottest or HOTTEST * deviation)
        share = chain / max(self.solver.chains - 1, 1)
        return float(coldest ** (1 - share) * max(hottest, coldest) ** share)


class AskedUCT:
    """UCT, which counts the games that wait as visits.

    Source: A. Liu, J. Chen, M. Yu, Y. Zhai, X. Zhou and J. Liu, *Watch the Unobserved: A Simple Approach to
    Parallelizing Monte Carlo Tree Search*, ICLR 2020.
    """

    counted = ("c", "normalise")

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        # By the moves that lead to a node: games told, sum of their scores, games that wait; the extremes of scores.
        self.memory: Any = {"nodes": {(): [0, 0.0, 0]}, "least": math.inf, "most": -math.inf}

    def propose(self, game: PlayoutGame, random: Any) -> list[Any]:
        """Walk down the tree, add a node, and play on at random; return how deep the tree was walked, and the path."""
        nodes = self.memory["nodes"]
        path: tuple[int, ...] = ()
        while moves := game.legal_moves():
            new = [move for move in moves if (*path, move) not in nodes]
            if path in nodes and not new:
                visits = nodes[path][0] + nodes[path][2]
                move = max(moves, key=lambda move: self._bound(nodes[(*path, move)], visits))
                path = (*path, move)
            elif path in nodes:
                move = new[int(uniform(random) * len(new))]
                path = (*path, move)
                nodes[path] = [0, 0.0, 0]
                game.play(move)
                break
            game.play(move)
        while moves := game.legal_moves():
            game.play(moves[int(uniform(random) * len(moves))])
        for depth in range(len(path) + 1):
            nodes[path[:depth]][2] += 1
        return [path]

    def _bound(self, node: list[Any], visits: int) -> float:
        told, total, waiting = node
        least, most = self.memory["least"], self.memory["most"]
        low, span = (least, (most - least) or 1.0) if self.solver.normalise and most >= least else (0.0, 1.0)
        mean = (total / told - low) / span if told else 0.0
        return float(mean + self.solver.c * math.sqrt(math.log(visits) / (told + waiting or 1)))

    def learn(self, proposed: list[Any], score: float | None, random: Any) -> None:
        """Count a game in the nodes of its path."""
        (path,), memory = proposed, self.memory
        for depth in range(len(path) + 1):
            node = memory["nodes"][path[:depth]]
            node[2] -= 1
            if score is not None:
                node[0] += 1
                node[1] += score
        if score is not None:
            memory["least"], memory["most"] = min(memory["least"], score), max(memory["most"], score)


ASKED: dict[str, Any] = {"nrpa": AskedNRPA, "gnrpa": AskedNRPA, "tempering": AskedTempering, "uct": AskedUCT}
