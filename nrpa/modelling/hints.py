"""What a problem says about how it is searched best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Hints:
    """What the method ``hints()`` of a problem returns, and the solvers ``auto`` and ``tempering`` read.

    All fields are optional. In the problems among them, scores and moves mean the same (but see ``moves_differ``), and
    the options that the caller gave stay (``given_options``).

    Parameters
    ----------
    tempered : bool, optional
        Whether ``auto`` uses parallel tempering alone (True) or not at all (False). Without it, ``auto`` finds out.
    arms : tuple of BaseProblem
        This instance with other options, which ``auto`` searches in its place, the most promising first. Several take
        turns, and the worst are dropped early; only a compiled problem can have several. Codes mean the same in all
        that have as many; weights and biases of the caller serve the first of these.
        If ``tempered``, each is tempered, or what is ``replayed`` alone.
    moves_differ : bool
        Whether moves mean other things in the arms: what one finds then becomes moves of this instance by ``moves_of``.
    alone_above : float
        Once the first arm has a better score than this, the other arms get no more turns.
    iterations_improved : int
        N where ``auto`` improves playouts: few where the playouts between two improvements would take most of the time.
    replayed : BaseProblem, optional
        This instance in the form that ``tempering`` searches, which changes games and plays the rest of them again: for
        problems in which the kernel ``name`` costs time. It has hints of its own.
    temperatures : tuple of float, optional
        The coldest and the hottest temperature of ``tempering``, in units of the score. Without them, it finds its own.
    rotation : int
        After how many rounds the games of ``tempering`` move on to colder chains; 0 for never.

    Examples
    --------
    >>> import nrpa
    >>> class Spins(nrpa.Problem):
    ...     def hints(self):
    ...         return nrpa.Hints(tempered=True, temperatures=(0.1, 2.0))
    """

    tempered: bool | None = None
    arms: tuple[Any, ...] = ()
    moves_differ: bool = False
    alone_above: float = math.inf
    iterations_improved: int = 100
    replayed: Any = None
    temperatures: tuple[float, float] | None = None
    rotation: int = 0
