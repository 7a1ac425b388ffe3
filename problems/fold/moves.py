"""From a structure back to the helices that build it."""

from __future__ import annotations

from nrpa.base.errors import InputError
from nrpa.engine.game import Game
from nrpa.problems.fold.helices import Helix
from nrpa.problems.rna.structure import base_pairs

Pair = tuple[int, int]


def structure_moves(game: Game, helices: list[Helix], structure: str) -> list[int]:
    """Return the moves that build a structure: round brackets first, longer helices before shorter ones.

    Parameters
    ----------
    game : Game
        Plays the instance by its kernels.
    helices : list of Helix
        The helices that are moves, in their order.
    structure : str
        The structure in dot-bracket notation.

    Returns
    -------
    list of int
        Numbers of helices, and at the end the stop, which is ``len(helices)``.

    Raises
    ------
    InputError
        If there are no such moves: a pair lies in no helix that can be played.
    """
    stop = len(helices)
    left = [base_pairs(structure, brackets) for brackets in ("()", "[]")]
    moves: list[int] = []
    game.reset()
    while legal := game.legal_moves():
        layer = next((pairs for pairs in left if pairs), set())
        fitting = [move for move in legal if move != stop and _pairs_of(helices[move]) <= layer]
        if not fitting and layer:
            raise InputError(
                f"fold: the search has no helix for the pair {_text(min(layer))} of the structure to start from"
            )
        moves.append(max(fitting, key=lambda move: helices[move].length, default=stop))
        if fitting:
            layer -= _pairs_of(helices[moves[-1]])
        game.play(moves[-1])
    return moves


def _pairs_of(helix: Helix) -> set[Pair]:
    return {(helix.first + k, helix.last - k) for k in range(helix.length)}


def _text(pair: Pair) -> str:
    return f"{pair[0] + 1}-{pair[1] + 1}"
