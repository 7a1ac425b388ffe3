import re

import numpy as np
from matplotlib.figure import Figure

from nrpa import MAPF
from nrpa.plots.films import film_of
from nrpa.plots.robots import draw_paths

DOOR = MAPF(["..@..", ".....", "..@.."], [(0, 0, 4, 0), (0, 1, 4, 1)]).plain


def test_a_path_is_a_line_between_its_marks():
    """One a robot, from the start to the goal; a robot without a path has marks alone."""
    axes = Figure().subplots()
    draw_paths(DOOR, ["drrrru", "-"], axes)
    path, *marks = [line.get_xydata().tolist() for line in axes.lines]
    assert path == [[0, 0], [0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [4, 0]]
    assert marks == [[[0, 0]], [[4, 0]], [[0, 1]], [[4, 1]]]
    assert axes.get_title() == "mapf: cost 1000006"


def test_robots_move_together():
    """Each step shows one robot more; all go as many steps, and those that are there stay."""
    film = film_of(DOOR, DOOR.moves_of(DOOR.solution_of([0, 1])).tolist())
    ways = [re.findall('values="(.*?)"', still.stays) for still in film.stills]
    assert [len(way) for way in ways] == [0, 1, 1]
    first, second = (np.array([place.split() for place in way[0].split(";")], int).tolist() for way in ways[1:])
    assert len(first) == len(second)
    assert first[:7] == [[0, 0], [1, 0], [1, 1], [2, 1], [3, 1], [3, 0], [4, 0]]
    assert first[7:] == [[4, 0]] * len(first[7:])
    assert second[:5] == [[x, 1] for x in range(5)]
    assert second[5:] == [[4, 1]] * len(second[5:])
    assert [still.text for still in film.stills] == [
        "no robot is planned",
        "robot 1 takes 6 steps, all planned so far 6",
        "robot 2 takes 4 steps, all planned so far 10",
    ]
    assert film.ground.count("h1v1h-1z") == 2
