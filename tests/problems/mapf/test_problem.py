"""Paths of robots: the decoder by all orders and by search over all joint steps, the check by hand, the files."""

from itertools import pairwise, permutations, product

import numpy as np
import pytest

import nrpa
from nrpa.problems.mapf.paths import cells_of, verdict_of
from nrpa.problems.mapf.planning import arrival

GRIDS = {
    "open": (["...", "...", "..."], [(0, 0, 2, 0), (2, 0, 0, 0), (1, 2, 1, 0)]),
    "corridor": (["@.@@@", ".....", "@@@.@"], [(0, 1, 3, 1), (1, 0, 3, 2), (2, 1, 4, 1)]),
    "goal on the way": ([".....", "..@.."], [(0, 0, 2, 0), (1, 1, 4, 0)]),
    "behind each other": (["......"], [(1, 0, 4, 0), (0, 0, 3, 0), (2, 0, 5, 0)]),
    "waits at a door": (["..@..", ".....", "..@.."], [(0, 0, 4, 0), (0, 2, 4, 2), (0, 1, 4, 1)]),
}
MAP = "type octile\nheight 2\nwidth 3\nmap\n..G\n@.T\n"
SCENARIO = "version 1\n0 maps/small.map 3 2 0 0 2 0 2\n0\tsmall.map\t3\t2\t1\t1\t1\t0\t1\n"


def near(grid, cell):
    """Return the cells where a robot can be a step later."""
    x, y = cell
    places = [(x, y), (x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(a, b) for a, b in places if 0 <= b < len(grid) and 0 <= a < len(grid[0]) and grid[b][a] in ".G"]


def meet(before, after):
    """Return whether two robots are in one cell, or change places."""
    steps = [*zip(before, after, strict=True)]
    return len({*after}) < len(after) or any(a != b and (b, a) in steps for a, b in steps)


def least_of_all(grid, robots):
    """Return the least sum of costs, by a search over where all robots are and which of them stay for good."""
    goals = tuple(robot[2:] for robot in robots)
    layers = {0: {(tuple(robot[:2] for robot in robots), (False,) * len(robots))}}
    seen = set()
    for cost in range(100):
        open_states = layers.pop(cost, set()) - seen
        while open_states:
            seen |= open_states
            further = set()
            for at, stay in open_states:
                if at == goals:
                    return cost
                stays = product(*([True] if s else {False, a == g} for s, a, g in zip(stay, at, goals, strict=True)))
                for settled in stays:
                    for after in product(*([a] if s else near(grid, a) for a, s in zip(at, settled, strict=True))):
                        if not meet(at, after):
                            moved = len(robots) - sum(settled)
                            (layers.setdefault(cost + moved, set()) if moved else further).add((after, settled))
            open_states = further - seen
    return None


def earliest(grid, robot, walks, steps):
    """Return when a robot can be at its goal to stay, beside others that walk, by a search breadth first; or None."""
    place = lambda walk, time: walk[min(time, len(walk) - 1)]  # noqa: E731
    layer, goal = {robot[:2]}, robot[2:]
    for time in range(steps):
        if goal in layer and all(place(walk, later) != goal for walk in walks for later in range(time, steps)):
            return time
        ways = {(a, b) for a in layer for b in near(grid, a)}
        layer = {b for a, b in ways if not any(meet((place(w, time), a), (place(w, time + 1), b)) for w in walks)}
    return None


@pytest.mark.parametrize("name", GRIDS)
def test_the_best_order_costs_least(name):
    """Here, no joint steps of all robots cost less than the best order; the search finds it."""
    grid, robots = GRIDS[name]
    problem = nrpa.MAPF(grid, robots).plain
    orders = permutations(range(len(robots)))
    best = min(problem.check(problem.solution_of(order)).figures["cost"] for order in orders)
    result = nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=40)
    assert result.cost == best == least_of_all(grid, robots)
    assert problem.bound() <= best


@pytest.mark.parametrize("name", GRIDS)
def test_each_robot_is_as_early_as_can_be(name):
    """Of every order, beside those before it; what is played is what the check counts."""
    grid, robots = GRIDS[name]
    problem = nrpa.MAPF(grid, robots).plain
    for order in permutations(range(len(robots))):
        solution, walks, state = problem.solution_of(order), [], problem.initial_state()
        for robot in order:
            time, walk = earliest(grid, robots[robot], walks, problem.steps), cells_of(robots[robot], solution[robot])
            assert time == (len(walk) - 1 if walk else None)
            layers = np.full((2, len(problem.near)), problem.starts[robot])
            known = problem.near, problem.far, robot, problem.goals[robot], state.free_from, state.taken, state.counts
            assert arrival(*known, layers) == (problem.steps if time is None else time)
            walks += [walk] if walk else []
            state = problem.play(state, robot)
        assert problem.check(solution).score == problem.score(state)


def test_an_order_comes_out_of_the_paths_of_another():
    """Although several orders have the same paths; paths of no order are refused, as a detour is."""
    problem = nrpa.MAPF.load("rooms-32-50", agents=20).plain
    for seed in range(3):
        paths = nrpa.solve(problem, nrpa.NRPA(level=1), seed=seed, playouts=1).solution
        assert problem.solution_of(problem.own_moves(paths)) == paths
    small = nrpa.MAPF(["...", "..."], [(0, 0, 2, 0)]).plain
    with pytest.raises(nrpa.InputError, match="no order of the robots"):
        small.own_moves(["drru"])


def test_paths_of_the_bundled_ones_never_meet():
    """By cells, two by two, beside the check."""
    problem = nrpa.MAPF.load("empty-8-24")
    result = nrpa.solve(problem, seed=1, playouts=300)
    walks = [cells_of(robot, path) for robot, path in zip(problem.robots, result.solution, strict=True)]
    long = max(map(len, walks))
    times = [*zip(*(walk + walk[-1:] * (long - len(walk)) for walk in walks), strict=True)]
    assert not any(meet(before, after) for before, after in pairwise(times))
    assert result.cost == sum(len(walk) - 1 for walk in walks) < nrpa.MAPF.objective.penalty


def test_the_check_names_robots_that_meet():
    """Of drawn walks: in one cell, also after one stays, or changing places. The cost is the time of the last step."""
    grid, rng, met = ["....", ".@..", "...."], np.random.default_rng(1), 0
    letters = {(0, -1): "u", (-1, 0): "l", (1, 0): "r", (0, 1): "d", (0, 0): "w"}
    for _ in range(200):
        walks = []
        for _ in range(2):
            walk = [(int(rng.integers(4)), 0)]
            for _ in range(rng.integers(6)):
                ways = near(grid, walk[-1])
                walk.append(ways[rng.integers(len(ways))])
            walks.append(walk)
        solution = ["".join(letters[c - a, d - b] for (a, b), (c, d) in pairwise(walk)) for walk in walks]
        verdict = verdict_of(grid, [(*walk[0], *walk[-1]) for walk in walks], solution)
        kept = [walk + walk[-1:] * (8 - len(walk)) for walk in walks]
        meets = any(meet(before, after) for before, after in pairwise(zip(*kept, strict=True)))
        meets |= walks[0][0] == walks[1][0]
        assert bool(verdict.faults) == meets
        if not meets:
            last = [max((k for k, step in enumerate(text, 1) if step != "w"), default=0) for text in solution]
            assert verdict.score == -sum(last)
        met += meets
    assert 40 < met < 160


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("l", "path 1: comes to (-1, 0) at time 1, which is not free"),
        ("dr", "path 1: comes to (1, 1) at time 2, which is not free"),
        ("rr", "path 1: ends at (2, 0), not at the goal (1, 0)"),
    ],
)
def test_the_check_names_a_path_that_is_none(path, fault):
    """It leaves the grid, comes to a wall, or ends elsewhere."""
    assert fault in verdict_of(["...", ".@."], [(0, 0, 1, 0)], [path]).faults


def test_a_scenario_is_read_with_the_map_beside_it(tmp_path):
    """Or with the map above it; some robots of it have no known best value."""
    (tmp_path / "small.map").write_text(MAP)
    (tmp_path / "a.scen").write_text(SCENARIO)
    (tmp_path / "both").write_text(MAP + SCENARIO)
    apart, both = nrpa.MAPF.load(tmp_path / "a.scen"), nrpa.MAPF.load(tmp_path / "both")
    assert (apart.grid, apart.robots) == (both.grid, both.robots) == (["..G", "@.T"], [[0, 0, 2, 0], [1, 1, 1, 0]])
    assert apart.sha256 == nrpa.MAPF(both.grid, both.robots).sha256 != both.sha256
    assert nrpa.MAPF.load("empty-8-24").best_known is not None
    assert nrpa.MAPF.load("empty-8-24", agents=3).best_known is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version 1\n", "", "both:8: expected a line 'version 1', and below it a line for each robot, found"),
        ("height 2\n", "", "both:1: expected a map, which begins with lines of type, height, width and map"),
        ("height 2", "height x", "both:2: expected a number of cells, found 'x'"),
        ("@.T\n", "", "both:5: expected 2 rows of 3 cells in all, the last here"),
        ("..G", "..g", "both:5: row 1: expected letters .G@OTSW, as many as in the first, found '..g'"),
        ("3 2 0 0 2", "3 3 0 0 2", "both:8: expected bucket, map, the map's width and height"),
        ("3 2 0 0 2 0", "3 2 0 x 2 0", "both:8: expected a place from 0 to 10,000, found 'x'"),
        ("3 2 0 0 2 0", "3 2 0 1 2 0", "both:8: robot 1: expected a way over free cells, from a start to a goal of"),
        ("3 2 0 0 2 0", "3 2 0 0 1 0", "both:9: robot 2: expected a way over free cells, from a start to a goal of"),
        (
            MAP,
            "",
            "both:2: expected a map beside the scenario, or above it in the same file: ./small.map: no such file",
        ),
        (
            MAP + "version 1\n0 maps/small.map",
            "version 1\n0 -",
            "both:2: expected a map beside the scenario, or above it",
        ),
        ("0\tsmall.map", "0\tlarge.map", "both:9: expected the map of the robots above, small.map, found"),
    ],
)
def test_what_is_no_scenario_is_refused(tmp_path, monkeypatch, old, new, message):
    """In a sentence that names the file, the line, and what was expected."""
    monkeypatch.chdir(tmp_path)
    assert old in MAP + SCENARIO
    (tmp_path / "both").write_text((MAP + SCENARIO).replace(old, new))
    with pytest.raises(nrpa.InputError) as error:
        nrpa.MAPF.load("both")
    assert message in str(error.value)


def test_more_robots_than_a_search_can_hold_are_refused():
    """Or than there are, in a sentence that says which limit it is."""
    with pytest.raises(nrpa.InputError, match="expected at most 3 agents, as many as there are, found 4"):
        nrpa.MAPF(*GRIDS["open"], agents=4)
    side = 30
    robots = [(k % side, k // side, k % side, k // side) for k in range(side * side)]
    with pytest.raises(nrpa.InputError, match=r"at most 1,000,000 robots, 900, times steps, which are 1,810; --agents"):
        nrpa.MAPF(["." * side] * side, robots)
