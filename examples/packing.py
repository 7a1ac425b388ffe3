"""Perfect rectangle packing: place rectangles without overlap so that they fill a box to the last cell."""

import random

import nrpa


class Packing(nrpa.Problem):
    """Always the lowest place, the leftmost of several, is filled next: a perfect packing has a corner there.

    Rectangles are not turned. A state is the skyline, pieces (x, y, width) from left to right, and how many of each
    rectangle are left. A move is a rectangle (width, height).
    """

    name = "packing"
    objective = nrpa.Objective("uncovered", sign=-1)

    def __init__(self, width, height, rectangles):
        self.width, self.height = width, height
        self.sizes = sorted(set(map(tuple, rectangles)), reverse=True)
        self.counts = tuple(list(map(tuple, rectangles)).count(size) for size in self.sizes)
        self.place = {size: k for k, size in enumerate(self.sizes)}
        area = sum(w * h for w, h in rectangles)
        if area != width * height:
            raise nrpa.InputError(f"the rectangles have area {area}, the box {width * height}; expected the same")

    @classmethod
    def load(cls, name):
        """The instance is WIDTHxHEIGHT/RECTANGLES/SEED, cut by the generator, or one of ``SQUARED``."""
        if name in SQUARED:
            width, height, sides = SQUARED[name]
            problem = cls(width, height, [(side, side) for side in sides])
        else:
            try:
                box, count, seed = name.split("/")
                width, height = map(int, box.split("x"))
                problem = cls(width, height, guillotine(width, height, int(count), int(seed)))
            except ValueError:
                raise nrpa.InputError(f"{name}: expected 20x20/16/1, or one of {', '.join(SQUARED)}") from None
        problem.origin = nrpa.Origin(name)
        return problem

    def bound(self):
        return 0

    def initial_state(self):
        return ((0, 0, self.width),), self.counts

    def gap(self, skyline):
        """The place that is filled next: which piece of the skyline."""
        return min(range(len(skyline)), key=lambda k: skyline[k][1])

    def legal_moves(self, state):
        skyline, counts = state
        _, y, width = skyline[self.gap(skyline)]
        remaining = [size for size, left in zip(self.sizes, counts, strict=True) if left]
        return [(w, h) for w, h in remaining if w <= width and y + h <= self.height]

    def play(self, state, move):
        skyline, counts = state
        k, (w, h) = self.gap(skyline), move
        x, y, width = skyline[k]
        pieces = [*skyline[:k], (x, y + h, w), *([(x + w, y, width - w)] if w < width else []), *skyline[k + 1 :]]
        merged = [pieces[0]]
        for piece in pieces[1:]:
            if piece[1] == merged[-1][1]:
                merged[-1] = (merged[-1][0], piece[1], merged[-1][2] + piece[2])
            else:
                merged.append(piece)
        which = self.place[move]
        return tuple(merged), (*counts[:which], counts[which] - 1, *counts[which + 1 :])

    def score(self, state):
        return -sum(w * h * left for (w, h), left in zip(self.sizes, state[1], strict=True))

    def code(self, state, move):
        x, y, _ = state[0][self.gap(state[0])]
        return x, y, move


def guillotine(width, height, count, seed):
    """Cut a box into so many rectangles: one of them, drawn by its area, is cut in two at a random place, and so on."""
    generator, pieces = random.Random(seed), [(width, height)]
    while len(pieces) < count:
        w, h = pieces.pop(generator.choices(range(len(pieces)), [(w * h - 1) for w, h in pieces])[0])
        cut = generator.randrange(1, w + h - 1)
        pieces += [(cut, h), (w - cut, h)] if cut < w else [(w, cut - w + 1), (w, h - cut + w - 1)]
    return pieces


# Boxes that squares of different sizes fill: width, height, sides. Moroń 1925; Duijvestijn 1978.
SQUARED = {
    "moron-33x32": (33, 32, (18, 15, 14, 10, 9, 8, 7, 4, 1)),
    "moron-69x61": (69, 61, (36, 33, 28, 25, 16, 9, 7, 5, 2)),
    "duijvestijn-112x112": ((112, 112, (50, 42, 37, 35, 33, 29, 27, 25, 24, 19, 18, 17, 16, 15, 11, 9, 8, 7, 6, 4, 2))),
}
