"""One string of an alignment aligned anew, exactly, and pairs of strings aligned best."""

# mypy: ignore-errors

import numpy as np


def rests_of(one, other, worth, gap):
    """Return the worth of two strings, aligned best, from each letter of the one and of the other on, row by row."""
    steps = gap * np.arange(len(other) + 1)
    rows = [-steps[::-1]]
    for letter in one[::-1]:
        ends = rows[-1] - gap
        ends[:-1] = np.maximum(ends[:-1], rows[-1][1:] + worth[letter, other])
        rows.append(np.maximum.accumulate((ends - steps)[::-1])[::-1] + steps)
    return np.concatenate(rows[::-1])


def profile_of(grid, string, letters, worth, gap, columns):
    """Return the worth of each letter, and last of a gap, of a string in each column; none for a new column."""
    profile = np.zeros((grid.shape[1], len(worth) + 1), np.int64)
    for column in range(grid.shape[1]):
        others = [letters[k, grid[k, column]] for k in range(len(grid)) if k != string and grid[k, column] >= 0]
        for letter in others:
            profile[column, :-1] += worth[letter]
        profile[column, :-1] -= gap * (len(grid) - 1 - len(others))
        profile[column, -1] = -gap * len(others)
        if len(others) == len(grid) - 1 and len(set(others)) == 1:
            profile[column, others[0]] += columns
    return profile


def realigned(grid, string, letters, worth, gap, columns):
    """Return the best alignment in which all strings but one stay as they are against each other.

    ``grid`` has a row for each string: the places of its letters, -1 for a gap.
    """
    alone = -gap * (len(grid) - 1)
    kept = np.array([k for k in range(grid.shape[1]) if np.sum(grid[:, k] >= 0) > (grid[string, k] >= 0)])
    grid, own = grid[:, kept], letters[string, : np.sum(grid[string] >= 0)]
    profile = profile_of(grid, string, letters, worth, gap, columns)
    best = np.zeros((len(own) + 1, len(kept) + 1), np.int64)
    best[0, 1:] = np.cumsum(profile[:, -1])
    for p in range(1, len(own) + 1):
        best[p, 0] = best[p - 1, 0] + alone
        for c in range(1, len(kept) + 1):
            put = best[p - 1, c - 1] + profile[c - 1, own[p - 1]]
            best[p, c] = max(put, best[p, c - 1] + profile[c - 1, -1], best[p - 1, c] + alone)
    p, c = len(own), len(kept)
    made, width = np.full((len(grid), p + c), -1), p + c
    while p or c:
        width -= 1
        waits = c > 0 and best[p, c] == best[p, c - 1] + profile[c - 1, -1]
        is_alone = not waits and p > 0 and best[p, c] == best[p - 1, c] + alone
        if not is_alone:
            c -= 1
            made[:, width] = grid[:, c]
        p -= 0 if waits else 1
        made[string, width] = -1 if waits else p
    return made[:, width:].copy()


def grid_of(moves, count):
    """Return an alignment as an array of its rows: the places of letters in their strings, -1 for a gap."""
    grid, width, before = np.full((count, len(moves)), -1), 0, count
    for string, letter, puts in moves:
        width += string <= before
        if puts:
            grid[string, width - 1] = letter
        before = string
    return grid[:, :width].copy()


def moves_of_grid(grid, lengths):
    """Return the moves (string, letter, 1 if it is put, else 0) that build an alignment."""
    at, moves = np.zeros(len(grid), np.int64), []
    for column in range(grid.shape[1]):
        for string in range(len(grid)):
            if at[string] < lengths[string]:
                puts = int(grid[string, column] >= 0)
                moves.append((string, at[string], puts))
                at[string] += puts
    return moves
