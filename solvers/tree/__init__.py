"""Tree searches: one walk, and its selections."""

from nrpa.solvers.tree.options import (
    GRAVE,
    MCPS,
    PUCT,
    RAVE,
    SHUSS,
    SPMCTS,
    UCT,
    AnytimeSequentialHalving,
    SequentialHalving,
    TreeSearchOptions,
)

__all__ = [
    "GRAVE",
    "MCPS",
    "PUCT",
    "RAVE",
    "SHUSS",
    "SPMCTS",
    "UCT",
    "AnytimeSequentialHalving",
    "SequentialHalving",
    "TreeSearchOptions",
]
