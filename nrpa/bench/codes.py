"""How often the codes of a game's moves appear in random games."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from nrpa.base.errors import ProblemError, escaped
from nrpa.base.lazy import lazy
from nrpa.base.values import plain, whole
from nrpa.bench.table import cell
from nrpa.modelling.base_problem import BaseProblem
from nrpa.modelling.validate import validate

game_module = lazy("nrpa.engine.game")
random_games = lazy("nrpa.engine.random_games")

# Games times moves of the first position: a byte each is kept.
MOST_CELLS = 10**9


@dataclass(frozen=True)
class CodeShares:
    """What random games have shown of a problem: their length, and how often codes appear in them.

    Attributes
    ----------
    problem, instance : str
        The names of the problem and of its instance.
    options : dict
        The problem's options.
    seed : int
        The seed of the random games.
    games : int
        The number of games.
    moves : int
        The legal moves of the first position.
    length : float
        The mean number of moves of a game.
    length_interval : float
        2σ/√n of it.
    share : float
        The mean, over the moves of the first position, of the share of games in which the code of the move appears.
    share_interval : float
        2σ/√n of it, where a game counts as one number.
    by_move : dict of str to float
        The share of games in which the code of each move of the first position appears, by the name of the move.
    """

    problem: str
    instance: str
    options: dict[str, Any]
    seed: int
    games: int
    moves: int
    length: float
    length_interval: float
    share: float
    share_interval: float
    by_move: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """Return all that is known, as JSON can hold it."""
        return {key: plain(value) for key, value in asdict(self).items()}

    def summary(self) -> str:
        """Return what was found as text, in a few lines."""
        options = ", ".join(f"{name} {value}" for name, value in self.options.items())
        return "\n".join(
            [
                escaped(f"problem  {self.problem} {self.instance}".rstrip() + (f" ({options})" if options else "")),
                f"moves    {self.moves} in the first position",
                f"length   {self.length:.3f} ± {self.length_interval:.3f}",
                f"share    {self.share:.4f} ± {self.share_interval:.4f} of the games, mean over these moves' codes",
                f"games    {self.games:,}, seed {self.seed}",
            ]
        )


def code_shares(problem: BaseProblem, *, games: int = 10_000, seed: int = 0) -> CodeShares:
    """Play uniformly random games of a problem, and count in how many the codes of its first moves appear.

    Parameters
    ----------
    problem : BaseProblem
        The problem, for any number of players.
    games : int
        How many games to play, at least 2; times the moves of the first position at most 10⁹.
    seed : int
        The seed of the random games.

    Returns
    -------
    CodeShares
        What they have shown.

    Raises
    ------
    InputError
        If an argument is out of range.
    ProblemError
        If the problem breaks what the engine relies on.

    References
    ----------
    T. Cazenave, *Monte Carlo Permutation Search*: section 4.7, Table 7.

    Examples
    --------
    >>> import nrpa
    >>> found = code_shares(nrpa.Hex(size=3), games=1000, seed=1)
    >>> found.moves, 5 < found.length < 9
    (8, True)
    """
    validate(problem)
    games, seed = whole("games", games, 2), whole("seed", seed, 0)
    game = game_module.Game(problem.model)
    game.reset()
    first, codes = game.legal_moves(), game.codes
    if not first:
        raise ProblemError(f"{type(problem).__name__}: the first position has no legal moves")
    games = whole("games", games, 2, max(2, MOST_CELLS // len(first)))
    tally = random_games.random_games(problem.model, codes, games, seed)
    shares = tally.present.mean(axis=0)
    return CodeShares(
        problem=problem.name,
        instance=problem.label,
        options=problem.options,
        seed=seed,
        games=games,
        moves=len(first),
        length=float(tally.length.mean()),
        length_interval=cell(tally.length).half_width,
        share=float(shares.mean()),
        share_interval=cell(tally.present.mean(axis=1)).half_width,
        by_move={problem.move_name(move): float(share) for move, share in zip(first, shares, strict=True)},
    )
