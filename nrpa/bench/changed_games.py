"""Random games without one of their moves, played again by the moves that are left, as tempering does."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from statistics import fmean
from time import perf_counter

from nrpa.base.lazy import lazy
from nrpa.checking.validate import hints_of
from nrpa.engine.game import Game
from nrpa.engine.kernels import has_kernel
from nrpa.modelling.base_problem import BaseProblem

stats = lazy("scipy.stats")

# With fewer pairs of games, the correlation is not believed.
FEWEST = 30
# Of its first moves, this share may be the one that is left out, so that most of a game comes after it.
EARLY = 0.25
# Moves repeat where a game has fewer different ones than this share of its length.
REPEATED = 0.5
# The rank correlation, below which little of a game is kept. Where each move counts by itself it is about 0.9; where
# all that follows the change is as good as random, it is the share of the game before it.
LITTLE = 0.6


@dataclass(frozen=True)
class ChangedGames:
    """What games have shown in which an early move was left out.

    Attributes
    ----------
    length, different : float
        How many moves a game has, and how many different ones, in the mean.
    kept : float, optional
        The rank correlation of the scores before and after; None where they tell nothing.
    """

    length: float
    different: float
    kept: float | None

    @property
    def lose_their_meaning(self) -> bool:
        """Whether moves repeat, and little is kept of a game of which one is left out."""
        return self.different < REPEATED * self.length and self.kept is not None and self.kept < LITTLE


def changed_games(problem: BaseProblem, seed: int, most: int, seconds: float) -> ChangedGames | None:
    """Change at most ``most`` random games, for so many seconds on the wall.

    Returns None where tempering plays no game again by its moves: it is no arm of ``auto``, moves have names of their
    own, or whole sequences are evaluated.
    """
    state = problem.model.new_state()
    if hints_of(problem).tempered is False or has_kernel(type(state), "find") or has_kernel(type(state), "evaluate"):
        return None
    game, chance = Game(problem.model), random.Random(seed)
    games: list[list[int]] = []
    before: list[float] = []
    after: list[float] = []
    begun = perf_counter()
    while len(games) < 2 or (len(games) < most and perf_counter() - begun < seconds):
        games.append(_played(game, [], chance))
        before.append(game.score())
        left_out = chance.randrange(math.ceil(EARLY * len(games[-1])) or 1)
        _played(game, games[-1][:left_out] + games[-1][left_out + 1 :], chance)
        after.append(game.score())
    different = fmean(len({*moves}) for moves in games)
    return ChangedGames(fmean(map(len, games)), different, _correlation(before, after))


def _played(game: Game, wanted: list[int], chance: random.Random) -> list[int]:
    """Play the first wanted move that is legal, again and again, or else a random one; return the moves."""
    left = [*wanted]

    def chosen(legal: list[int]) -> int:
        found = next((move for move in left if move in legal), None)
        if found is None:
            return chance.choice(legal)
        left.remove(found)
        return found

    return game.playout(chosen)


def _correlation(before: list[float], after: list[float]) -> float | None:
    """Return the rank correlation, None of too few games or of scores that are all the same."""
    if len(before) < FEWEST or len({*before}) < 2 or len({*after}) < 2:
        return None
    return float(stats.spearmanr(before, after).statistic)
