"""The runs of one configuration, one after the other, until all are done or it is given up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Run = Callable[[list[int]], object]


def race(
    pairs: int, known: Mapping[int, float], run: Run, given_up: Callable[[Sequence[float]], bool], at_once: int = 1
) -> tuple[int, bool]:
    """Run a configuration on pairs of instance and seed in their order, and stop where it is given up.

    Where several runs are done at once, those behind the pair at which it is given up are done in vain; the outcome is
    the same.

    Parameters
    ----------
    pairs : int
        The number of pairs.
    known : mapping of int to float
        The scores by pair. What was run before is not run again.
    run : callable
        Takes pairs that have no score, and adds their scores to ``known``.
    given_up : callable
        Takes the scores of the first pairs and returns whether to stop.
    at_once : int
        How many runs are done at once.

    Returns
    -------
    runs : int
        The number of pairs that count.
    stopped : bool
        Whether it was given up before the last pair.

    Examples
    --------
    >>> known = {0: 5.0}
    >>> race(4, known, lambda missing: known.update((pair, 1.0) for pair in missing), lambda own: own[-1] < 2, 2)
    (2, True)
    >>> known
    {0: 5.0, 1: 1.0}
    """
    scores: list[float] = []
    for first in range(0, pairs, at_once):
        batch = range(first, min(first + at_once, pairs))
        missing = [pair for pair in batch if pair not in known]
        if missing:
            run(missing)
        for pair in batch:
            scores.append(known[pair])
            if len(scores) < pairs and given_up(scores):
                return len(scores), True
    return pairs, False
