"""A solver of others: its options are declared in the class, and ``playout`` is all that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import documented, with_fields
from nrpa.solvers.interface import Started

if TYPE_CHECKING:
    from nrpa.solvers.python_search import PythonSearch


class PythonSolver(Started):
    """A solver in plain Python: derive from it, and write ``playout``, which plays one game.

    Limits, Ctrl-C, seeds, the curve, checkpoints and workers follow. A solver with kernels defines ``start`` instead.

    Attributes
    ----------
    name : str
        The name at the command line and in results; by default that of the class.
    uses_bias : bool
        Whether ``weights``, ``draw`` and ``play_out`` of the game follow the bias β of the problem; False unless the
        class sets it, and ``bias=`` is then refused.

    Examples
    --------
    >>> import nrpa
    >>> class Sampling(nrpa.PythonSolver):
    ...     def playout(self, search):
    ...         search.game.play_out(search.random)
    >>> nrpa.solve(nrpa.Snake(7), Sampling(), seed=1, playouts=20).playouts
    20
    """

    _module: ClassVar[Any] = lazy("nrpa.solvers.python_search")
    uses_bias: ClassVar[bool] = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in vars(cls):
            cls.name = cls.__name__
        documented(dataclass(frozen=True)(with_fields(cls)))

    def playout(self, search: PythonSearch) -> None:
        """Play one game, ``search.game``, which is at its beginning, to its end.

        Draw random numbers from ``search.random``. What later playouts must know, keep in ``search.memory``, and change
        that after the last move of the game: where the search shall stop, the next call of ``legal_moves`` or ``play``
        does not return, and the playout begins again when the search goes on.
        """
        raise InputError(f"{type(self).__name__} lacks the method playout(search)")
