"""Containers of Bischoff and Ratcliff: by itself the first of BR1, BR3 and BR7, with 3, 8 and 20 kinds of boxes.

PackingSolver is on PyPI for Python 3.12 and later: ``pip install packingsolver`` (0.1.1233). It searches for seconds of
the clock, so nothing else may run. ``python experiments/problems/boxes.py FOLDER`` writes the first ten problems of BR1
to BR7 as files, for ``--instances``; their names begin with the class.
"""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path
from typing import Any

from nrpa.problems.packing.thpack import draw_boxes

INSTANCES = ("BR1-1", "BR3-1", "BR7-1")
PEER = "PackingSolver"
BASELINE = "the block worth most in the next free space"
KINDS = {1: 3, 2: 5, 3: 8, 4: 10, 5: 12, 6: 15, 7: 20}


def answer(problem: Any, seconds: float) -> list[list[int]] | None:
    """Return the loading that PackingSolver finds: boxes, one by one."""
    import packingsolver.box as solver

    model = solver.InstanceBuilder()
    model.set_objective(solver.Objective.Knapsack)
    model.add_bin_type(*map(int, problem.container))
    orders = {"".join("XYZ"[side] for side in order): order for order in permutations(range(3))}
    for row in problem.boxes:
        allowed = [getattr(solver.Rotation, name) for name, order in orders.items() if row[2 * order[2] + 1]]
        model.add_item_type(row[0], row[2], row[4], copies=row[6], rotations=allowed)
    options = solver.OptimizeParameters()
    options.time_limit, options.verbosity_level = seconds, 0
    solution = solver.optimize(model.build(), options).solution
    found = []
    for item in solution.bin(0).items if solution.number_of_bins else []:
        sides = problem.boxes[item.item_type_id][0:6:2]
        standing = [sides[side] for side in orders[str(item.rotation).rpartition(".")[2][:3]]]
        found.append([item.item_type_id + 1, item.x, item.y, item.z, *standing, 1, 1, 1])
    return found


def baseline(problem: Any) -> list[list[int]]:
    """Return the loading of the rule."""
    plain, state, moves = problem.plain, problem.plain.initial_state(), []
    while state.choices:
        moves.append(int(state.best[0]))
        state = plain.play(state, moves[-1])
    found: list[list[int]] = plain.solution_of(moves)
    return found


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, kinds in KINDS.items():
        for number in range(10):
            (folder / f"BR{name}-{number + 1}").write_text(draw_boxes(kinds, 2502505 + 100 * number))
