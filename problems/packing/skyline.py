"""Rectangles that are placed one after the other at the lowest place of a skyline: what strips and bins share."""

# mypy: ignore-errors

from collections import Counter
from typing import NamedTuple

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.options import Option
from nrpa.base.values import listed
from nrpa.modelling.problem import Problem
from nrpa.problems.lines import rows_of_numbers
from nrpa.problems.packing.layouts import LONGEST, fault_in_rectangles

NEVER = -2  # nrpa.NEVER, whose module imports numba


class State(NamedTuple):
    """A packing that is not complete: the bin that is open, and what the others come to."""

    tops: np.ndarray  # how high each column is filled
    left: np.ndarray  # how many rectangles of each kind are left
    begin: int  # where the lowest gap begins
    end: int
    low: int  # how high it is filled
    closed: int  # bins
    squares: int  # of what they weigh, added
    filled: int  # what the open bin weighs


class Skyline(Problem):
    """The lowest gap, the leftmost of several, gets a rectangle at its left end, or is filled up where none fits.

    A move is a rectangle as it lies, (width, height).
    """

    turn = Option(True, "Whether rectangles may be turned by 90 degrees.", tried=())

    def set_sizes(self, rectangles, **sides):
        """Keep the sizes of the strip or the bins, and of equal rectangles once; InputError if they are none."""
        rectangles, sides = listed(rectangles), {what: listed(side) for what, side in sides.items()}
        fault = fault_in_rectangles(rectangles, sides)
        if fault:
            raise InputError(f"{self.name}: {fault}")
        self.width, self.height = sides["width"], sides.get("height", LONGEST)
        self.rectangles = [tuple(each) for each in rectangles]
        counts = Counter(map(self.kind_of, self.rectangles))
        self.sides = sorted(counts)
        self.counts = np.array([counts[each] for each in self.sides])
        self.kinds = {each: kind for kind, each in enumerate(self.sides)}
        if self.turn:
            self.kinds |= {(other, one): kind for kind, (one, other) in enumerate(self.sides)}
        self.area = sum(w * h for w, h in self.rectangles)
        self.largest = max(w * h for w, h in self.rectangles)
        for w, h in self.sides:
            if not (self.fits(w, h, 0, self.width) or (self.turn and self.fits(h, w, 0, self.width))):
                raise InputError(f"{self.name}: the rectangle {w} x {h} does not fit, whichever way it lies")

    @classmethod
    def parse_solution(cls, text: str) -> list[list[int]]:
        """Return the rows of numbers that a text holds, one a line."""
        return rows_of_numbers(text)

    def kind_of(self, rectangle):
        return tuple(sorted(rectangle)) if self.turn else tuple(rectangle)

    def initial_state(self):
        return State(np.zeros(self.width, np.int64), self.counts.copy(), 0, self.width, 0, 0, 0, 0)

    def fits(self, w, h, low, room):
        return w <= room and low + h <= self.height

    def weight(self, low, w, h):
        return w * h

    def any_fits(self, left, low, room):
        for kind, (one, other) in enumerate(self.sides):
            if left[kind] and (self.fits(one, other, low, room) or (self.turn and self.fits(other, one, low, room))):
                return True
        return False

    def legal_moves(self, state):
        room, moves = state.end - state.begin, []
        for kind, (one, other) in enumerate(self.sides):
            if state.left[kind]:
                if self.fits(one, other, state.low, room):
                    moves.append((one, other))
                if self.turn and one != other and self.fits(other, one, state.low, room):
                    moves.append((other, one))
        return moves

    def is_legal(self, state, move):
        if state.left[self.kinds[move]] == 0:
            return NEVER
        return int(self.fits(move[0], move[1], state.low, state.end - state.begin))

    def gap(self, tops):
        """Return where the lowest gap begins and ends, and how high it is filled."""
        begin = int(tops.argmin())
        low, end = int(tops[begin]), begin + 1
        while end < len(tops) and tops[end] == low:
            end += 1
        return begin, end, low

    def play(self, state, move):
        tops, left, (w, h) = state.tops.copy(), state.left.copy(), move
        tops[state.begin : state.begin + w] = state.low + h
        left[self.kinds[move]] -= 1
        filled, closed, squares = state.filled + self.weight(state.low, w, h), state.closed, state.squares
        begin, end, low = self.gap(tops)
        while left.any() and not self.any_fits(left, low, end - begin):
            if end - begin == self.width:
                closed, squares, filled = closed + 1, squares + filled * filled, 0
                tops[:] = 0
            else:
                tops[begin:end] = min([tops[side] for side in (begin - 1, end) if 0 <= side < self.width])
            begin, end, low = self.gap(tops)
        return State(tops, left, begin, end, low, closed, squares, filled)

    def code(self, state, move):
        return state.end - state.begin, move[0], move[1]

    def bias(self, state, move):
        """Return β: large rectangles first, those that fill the gap, and those that end as high as a wall of it."""
        (w, h), tops, top = move, state.tops, state.low + move[1]
        fills = w == state.end - state.begin
        is_level = (state.begin > 0 and tops[state.begin - 1] == top) or (
            fills and state.end < self.width and tops[state.end] == top
        )
        return 5 * w * h / self.largest + 2 * fills + 2 * is_level

    def placed(self, moves):
        """Return the bin, from 1, the lower left corner, the width and the height of each rectangle."""
        state, rows = self.initial_state(), []
        for w, h in moves:
            rows.append([state.closed + 1, state.begin, state.low, w, h])
            state = self.play(state, (w, h))
        return rows

    def built(self, rows):
        """Return moves for the rows of ``placed``, or of another layout: from below, each where it fits first."""
        wanted, moves, state = [(w, h) for _, _, _, w, h in sorted(rows, key=_from_below)], [], self.initial_state()
        while wanted:
            ways = [*wanted, *((h, w) for w, h in wanted if self.turn)]
            move = next(each for each in ways if self.is_legal(state, each) > 0)
            wanted.remove(move if move in wanted else move[::-1])
            moves.append(move)
            state = self.play(state, move)
        return moves


def _from_below(row):
    number, x, y, _, _ = row
    return number, y, x
