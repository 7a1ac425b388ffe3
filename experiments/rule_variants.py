"""How long random games are, and how often codes appear in them, where rules or codes are others than ours.

    python experiments/rule_variants.py --games 2000

Each line is a variant of a game's rules in plain Python, or of its codes, beside what the permutation paper's Table 7
says. It shows which of the readings that the paper leaves open are the paper's. Slow: some minutes.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from rows import run

from nrpa.problems.breakthrough import Breakthrough
from nrpa.problems.games.advance_rules import AdvanceRules
from nrpa.problems.games.chain_rules import ChainRules
from nrpa.problems.games.rules import Rules
from nrpa.problems.gomoku.rules import DIRECTIONS, FIVE, GomokuRules
from nrpa.problems.investment.rules import InvestmentRules
from nrpa.problems.knightthrough import Knightthrough
from nrpa.problems.videogame.rules import Skirmish
from nrpa.problems.wargame.rules import WargameRules

Code = Callable[[Any, int], Hashable]


class Suicide(ChainRules):
    """Atarigo in which suicide is legal, and loses."""

    def _is_legal(self, cell: int, player: int) -> bool:
        return True

    def play(self, move: int) -> None:
        """Place a stone."""
        super().play(move)
        if not self._liberties(move) and not self._captures(move):
            self.winner = 1 - self.cells[move]


class FiveExactly(GomokuRules):
    """Gomoku in which six in a row do not win."""

    def play(self, move: int) -> None:
        """Place a stone."""
        super().play(move)
        lines = [1 + self._stones(move, *step) + self._stones(move, -step[0], -step[1]) for step in DIRECTIONS]
        self.winner = self.cells[move] if FIVE in lines else None


class Passing(WargameRules):
    """The Wargame in which units without health pass, by a move of their own."""

    def legal(self) -> list[int]:
        """Return the targets, or the pass."""
        if len(self._alive()) > 1 and self.health[self.attacker] <= 0:
            return [-1]
        return super().legal()

    def play(self, move: int) -> None:
        """Attack or pass."""
        if move >= 0:
            self.health[move] -= 1
        self.waiting.append(self.waiting.pop(0))


class GivingToWinners(InvestmentRules):
    """The Investment Pair Game in which members who have won still receive."""

    def legal(self) -> list[int]:
        """Return the members of the team who have not been beaten."""
        if all(self.winner_of(number) is not None for number in range(self.members)):
            return []
        first = self.player * self.members
        return [first + number for number in range(self.members) if self.winner_of(number) in {None, self.player}]

    def winner_of(self, number: int) -> int | None:
        """Return the team that was first to have 3."""
        most = [self.wealth[team * self.members + number] for team in range(self.players)]
        return most.index(max(most)) if max(most) >= 3 else None


class ForcedAfterTheStep(Skirmish):
    """The Video Game in which a unit must attack only if it can reach somebody from the cell where it has gone."""

    def legal(self) -> list[int]:
        """Return the attacks, and the cells from which nobody is within reach."""
        attacks, units = super().legal(), len(self.place) + 1
        if not attacks or attacks[0] % units == 0:
            return attacks
        able = {move // units for move in attacks}
        cells = [row * self.size + column for row, column in self._arrivals()]
        return sorted([*attacks, *(cell * units for cell in cells if cell not in able)])


class Unforced(ForcedAfterTheStep):
    """The Video Game in which nobody must attack."""

    def legal(self) -> list[int]:
        """Return the attacks, and all cells where the unit can go or stay."""
        moves, units = super().legal(), len(self.place) + 1
        cells = [row * self.size + column for row, column in self._arrivals()]
        return sorted({*moves, *(cell * units for cell in cells)}) if moves else []


class Variant(NamedTuple):
    """What is published, what is another, its first position, and its codes."""

    published: str
    what: str
    rules: Callable[[], Rules]
    code: Code


def placed(rules: Any, move: int) -> Hashable:
    """Return player and move."""
    return rules.player, move


def given(rules: InvestmentRules, move: int, *parts: str) -> Hashable:
    """Return the receiver with some of: giver, and the wealth of giver, receiver and of the opponents of either."""

    def opponents(member: int) -> tuple[int, ...]:
        same = range(member % rules.members, len(rules.wealth), rules.members)
        return tuple(rules.wealth[other] for other in same if other != member)

    giver = rules.giver
    known = {
        "giver": giver,
        "wealth": (rules.wealth[giver], rules.wealth[move]),
        "giver's": opponents(giver),
        "receiver's": opponents(move),
    }
    return (move, *(known[part] for part in parts))


def investment(*parts: str) -> Code:
    """Return a code of the Investment Pair Game that has these parts."""
    return lambda rules, move: given(rules, move, *parts)


def through(problem: type[Breakthrough | Knightthrough]) -> Callable[[], AdvanceRules]:
    """Return what makes the first position of 8 x 8."""
    return lambda: problem(size=8).rules()


VARIANTS = [
    Variant("Atarigo 24.165", "suicide is legal and loses", lambda: Suicide(6, 2, wins=True), placed),
    Variant("Gomoku 53.426", "six in a row do not win", lambda: FiveExactly(9), placed),
    Variant("Breakthrough 64.100, 0.423", "codes do not say captures", through(Breakthrough), placed),
    Variant("Knightthrough 33.624, 0.210", "codes do not say captures", through(Knightthrough), placed),
    Variant("Wargame 54.448", "units without health pass", lambda: Passing(10, 2, 3), placed),
    Variant(
        "Wargame 54.448, exact 0.116",
        "codes without the attacker's health",
        lambda: WargameRules(10, 2, 3),
        lambda rules, move: (rules.attacker, move, rules.health[move]),
    ),
    Variant("Investment 46.212", "winners still receive", lambda: GivingToWinners(11, 2), placed),
    Variant(
        "Investment without wealth 0.901", "codes say who gives", lambda: InvestmentRules(11, 2), investment("giver")
    ),
    *(
        Variant(
            f"Investment {members} exact {share}",
            f"codes without the receiver's opponents, {what}",
            lambda members=members, players=players: InvestmentRules(members, players),  # type: ignore[misc]
            investment("wealth", *parts),
        )
        for members, players, share in ((11, 2, 0.372), (21, 2, 0.353), (10, 3, 0.295))
        for what, parts in (("nor the giver's", ()), ("with the giver's", ("giver's",)))
    ),
    Variant("Video Game 17, 55.353", "forced after the step", lambda: ForcedAfterTheStep(5, 3, 2, 400), placed),
    Variant("Video Game 17, 55.353", "attacks are not forced", lambda: Unforced(5, 3, 2, 400), placed),
]


def figures(variant: Variant, games: int, chance: random.Random) -> str:
    """Play random games; return the moves of the first position, their mean length, and the mean share of the codes."""
    first = variant.rules()
    codes = [variant.code(first, move) for move in first.legal()]
    lengths, shares = [], []
    for _ in range(games):
        rules = variant.rules()
        seen, length = set(), 0
        while legal := rules.legal():
            move = chance.choice(legal)
            seen.add(variant.code(rules, move))
            rules.play(move)
            length += 1
        lengths.append(length)
        shares.append(statistics.mean(code in seen for code in codes))
    interval = 2 * statistics.stdev(lengths) / math.sqrt(games)
    spread = 2 * statistics.stdev(shares) / math.sqrt(games)
    mean = statistics.mean(lengths)
    return f"{len(codes):3}  {mean:7.3f} ± {interval:.3f}  {statistics.mean(shares):.4f} ± {spread:.4f}"


def main() -> None:
    """Print a line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000)
    options = parser.parse_args()
    for variant in VARIANTS:
        found = figures(variant, options.games, random.Random(0))
        print(f"{variant.published:28} {variant.what:52} {found}", flush=True)


if __name__ == "__main__":
    run(main)
