import nrpa

LEVEL = """
#########
#   #   #
# . $ . #
#  $ $  #
#   @   #
#   .   #
#########
"""


class Sokoban(nrpa.Problem):
    """Push boxes onto marked cells in few steps. A move is a whole push: the walk to a box, and cells in one line."""

    objective = nrpa.Objective("cost", sign=-1)
    whole = nrpa.Option(True, "A move is a whole push; else it is a step.")
    most = 100  # steps; a box off the marks costs as much

    def __init__(self, level=LEVEL, **options):
        super().__init__(**options)
        cells = {(y, x): sign for y, row in enumerate(level.splitlines()) for x, sign in enumerate(row)}
        self.walls = {cell for cell, sign in cells.items() if sign == "#"}
        self.marks = {cell for cell, sign in cells.items() if sign in ".*+"}
        self.boxes = frozenset(cell for cell, sign in cells.items() if sign in "$*")
        self.start = next(cell for cell, sign in cells.items() if sign in "@+")

    def initial_state(self):
        return self.start, self.boxes, 0

    def free(self, cell, boxes):
        return cell not in self.walls and cell not in boxes

    def walks(self, player, boxes):
        """Return the steps to each cell that can be reached without a push."""
        steps, level = {player: 0}, [player]
        for cell in level:
            for way in WAYS:
                near = after(cell, way)
                if near not in steps and self.free(near, boxes):
                    steps[near] = steps[cell] + 1
                    level.append(near)
        return steps

    def legal_moves(self, state):
        player, boxes, steps = state
        if boxes == self.marks or steps >= self.most:
            return
        reached = self.walks(player, boxes) if self.whole else {player}
        for way in WAYS:
            if not self.whole and self.free(after(player, way), boxes):
                yield after(player, way), way, 0
            for box in sorted(boxes):
                count = 1
                while after(box, way, -1) in reached and self.free(after(box, way, count), boxes):
                    yield box, way, count
                    count += 1
                    if not self.whole:
                        break

    def play(self, state, move):
        player, boxes, steps = state
        cell, way, count = move
        if count == 0:  # a step without a box
            return cell, boxes, steps + 1
        walk = self.walks(player, boxes)[after(cell, way, -1)]
        return after(cell, way, count - 1), boxes - {cell} | {after(cell, way, count)}, steps + walk + count

    def score(self, state):
        _, boxes, steps = state
        return -steps - self.most * len(boxes - self.marks)


WAYS = (-1, 0), (0, -1), (0, 1), (1, 0)


def after(cell, way, count=1):
    """Return the cell so many steps further."""
    return cell[0] + count * way[0], cell[1] + count * way[1]
