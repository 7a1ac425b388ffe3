"""An alignment of strings in plain Python: four strings of about thirty letters, drawn from one by random changes.

The best score is proven: dynamic programming over all four strings at once.
"""

import math
import random
import time

import nrpa

BEST = {"4": 167}
MATCH, MISMATCH, GAP = 3, -2, -3


class Alignment(nrpa.Problem):
    """A move says which strings (as bits) give their next letter to the next column; the others have a gap there.

    The score is summed over the columns and over all pairs of strings.
    """

    objective = nrpa.Objective("score", sign=1)

    def __init__(self, count):
        draw = random.Random(1)
        first = [draw.choice("ACGT") for _ in range(30)]
        self.strings = []
        for _ in range(count):
            letters = [draw.choice("ACGT") if draw.random() < 0.2 else letter for letter in first]
            letters = [letter for letter in letters if draw.random() < 0.85]
            for _ in range(draw.randint(2, 6)):
                letters.insert(draw.randrange(len(letters)), draw.choice("ACGT"))
            self.strings.append("".join(letters))

    def initial_state(self):
        """How many letters of each string are used, and the score so far."""
        return (0,) * len(self.strings), 0

    def legal_moves(self, state):
        left = sum(1 << k for k, used in enumerate(state[0]) if used < len(self.strings[k]))
        return [move for move in range(1, left + 1) if move & ~left == 0]

    def play(self, state, move):
        used, score = state
        column = [string[used[k]] if move >> k & 1 else "-" for k, string in enumerate(self.strings)]
        return tuple(at + (move >> k & 1) for k, at in enumerate(used)), score + worth(column)

    def score(self, state):
        return state[1]


def worth(column):
    """The score of a column, over all pairs."""
    score = 0
    for k, one in enumerate(column):
        for other in column[:k]:
            if one == other:
                score += MATCH if one != "-" else 0
            else:
                score += GAP if "-" in (one, other) else MISMATCH
    return score


def realigned(columns, k, string, count):
    """Take string k out of the columns, and align it to what is left (Needleman and Wunsch): the new columns."""
    left = [(*column[:k], "-", *column[k + 1 :]) for column in columns]
    left = [column for column in left if set(column) != {"-"}]
    alone = ("-",) * count
    best = {(0, 0): (0, None, None)}
    for i in range(len(left) + 1):
        for j in range(len(string) + 1):
            for di, dj in ((1, 1), (1, 0), (0, 1)):
                if i >= di and j >= dj:
                    column = left[i - 1] if di else alone
                    column = (*column[:k], string[j - 1] if dj else "-", *column[k + 1 :])
                    score = best[i - di, j - dj][0] + worth(column)
                    if (i, j) not in best or score > best[i, j][0]:
                        best[i, j] = score, column, (i - di, j - dj)
    made, at = [], (len(left), len(string))
    while at != (0, 0):
        _, column, at = best[at]
        made.append(column)
    return made[::-1]


def baseline(problem, seconds, seed):
    """Iterative refinement (Barton and Sternberg 1987) with restarts: the score, and the moves."""
    draw, strings, start = random.Random(seed), problem.strings, time.process_time()
    best, columns, before = (-math.inf, []), [], -math.inf
    while not best[1] or time.process_time() - start < seconds:
        for k in draw.sample(range(len(strings)), len(strings)):
            columns = realigned(columns, k, strings[k], len(strings))
        score = sum(map(worth, columns))
        best = max(best, (score, columns), key=lambda each: each[0])
        columns, before = (columns, score) if score > before else ([], -math.inf)
    return best[0], [sum(1 << k for k, letter in enumerate(column) if letter != "-") for column in best[1]]
