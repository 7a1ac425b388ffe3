"""The best alignment of three or four strings, by dynamic programming over all of them together.

    python experiments/exact_alignment.py bb11001 --least 100

Only places from which ``--least``, a score that is known, can still be reached are looked at (Carrillo and Lipman
1988).
"""

import argparse

import numpy as np
from numba import njit

import nrpa


@njit
def best_score(letters, lengths, worth, gap, rests, begin, least):
    """Return the largest score of any alignment; ``least`` or lower where none is larger."""
    count = len(lengths)
    sizes = lengths + 1
    strides = np.ones(count, np.int64)
    for k in range(count - 2, -1, -1):
        strides[k] = strides[k + 1] * sizes[k + 1]
    best = np.full(strides[0] * sizes[0], -(2**30), np.int32)
    best[0] = 0
    at = np.zeros(count, np.int64)
    for cell in range(len(best)):
        here, most = best[cell], 0
        for k in range(count):
            at[k] = cell // strides[k] % sizes[k]
        if here == -(2**30):
            continue
        for r in range(count):
            for s in range(r + 1, count):
                most += rests[begin[r, s] + at[r] * sizes[s] + at[s]]
        if here + most < least:
            continue
        for column in range(1, 2**count):
            score, following = np.int64(here), cell
            for r in range(count):
                if column >> r & 1:
                    following += strides[r]
                    if at[r] == lengths[r]:
                        break
                for s in range(r):
                    if column >> r & 1 and column >> s & 1:
                        score += worth[letters[r, at[r]], letters[s, at[s]]]
                    elif column >> r & 1 or column >> s & 1:
                        score -= gap
            else:
                best[following] = max(best[following], score)
    return best[-1]


def main() -> None:
    """Print the score."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instance")
    parser.add_argument("--least", type=int, default=-(2**30), help="a score that is known")
    options = parser.parse_args()
    problem = nrpa.Alignment.load(options.instance)
    given = problem.letters, problem.lengths, problem.worth, problem.gap, problem.rests, problem.begin
    print(int(best_score(*given, options.least)))


if __name__ == "__main__":
    main()
