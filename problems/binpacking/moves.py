"""From a packing back to the moves that build it."""

from collections import Counter

from nrpa.base.errors import InputError
from nrpa.engine.game import Game
from nrpa.problems.binpacking.remaining import PLACED

Bin = list[int]


def packing_moves(game: Game, packing: list[Bin]) -> list[int]:
    """Return the moves that build a packing: its bins in the order in which the search opens them, by largest item."""
    wanted = sorted((sorted(content) for content in packing), key=lambda content: content[0])
    moves: list[int] = []
    game.reset()
    closed = 0
    while True:
        more = bool(game.legal_moves())
        built = _bins(game)
        for k in range(closed, len(built)):
            missing = _match(wanted, k, Counter(built[k]))
        if not more:
            return moves
        closed = len(built) - 1
        found = game.find(lambda move, missing=missing: missing[move] > 0)  # type: ignore[misc]
        if found is None:
            raise _unlike(closed)
        moves.append(found)
        game.play(found)


def _match(wanted: list[Bin], k: int, content: Counter[int]) -> Counter[int]:
    """Move the first wanted bin from ``k`` on that holds ``content`` to place ``k``; return what else it holds."""
    for other in range(k, len(wanted)):
        if content <= Counter(wanted[other]):
            wanted[k], wanted[other] = wanted[other], wanted[k]
            return Counter(wanted[k]) - content
    raise _unlike(k)


def _unlike(k: int) -> InputError:
    return InputError(
        f"binpacking: the search cannot build bin {k + 1} of the packing to start from; "
        "it fills every bin until nothing fits, and `moves` restricts it"
    )


def _bins(game: Game) -> list[Bin]:
    """Return the bins so far, the last one open."""
    bins: list[Bin] = []
    for t in game.state.order[: game.state.numbers[PLACED]].tolist():
        if t < 0:
            bins.append([])
        bins[-1].append(t if t >= 0 else ~t)
    return bins
