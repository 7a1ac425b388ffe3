"""Segments of routes: the part between two stops, by how long it takes and when it can begin.

References
----------
T. Vidal, T. G. Crainic, M. Gendreau and C. Prins, *A hybrid genetic algorithm with adaptive diversity management for a
large class of vehicle routing problems with time-windows*, Computers & Operations Research 40, 2013.
"""

Segment = tuple[float, float, float, bool]


def joined(one: Segment, leg: float, other: Segment) -> Segment:
    """Return the segment of two that a leg joins: duration, earliest and latest start, and whether it is late."""
    took = one[0] + leg
    waits = max(other[1] - took - one[2], 0.0)
    is_late = one[3] or other[3] or one[1] + took > other[2]
    return took + waits + other[0], max(other[1] - took, one[1]) - waits, min(other[2] - took, one[2]), is_late
