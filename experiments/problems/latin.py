"""Latin squares beside CP-SAT.

The instances: those drawn with 42 % of empty cells, where completion is hardest on average (Gomes and Selman 1997), and
one with fewer.
"""

from sudoku import BASELINE, PEER, answer, baseline

__all__ = ["BASELINE", "INSTANCES", "PEER", "answer", "baseline"]

INSTANCES = "30x30-316-holes", "30x30-378-holes", "33x33-457-holes"
