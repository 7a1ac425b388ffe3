"""The games: kernels against rules in plain Python, and what the problem classes say."""

import math

import numpy as np
import pytest
from naive_games import compare

import nrpa
from nrpa.problems.games.cells import cell_name


def player_and_cell(rules, move):
    return rules.player, cell_name(move, rules.size)


def step(rules, move):
    """Return what the code of a move means where pieces move: the step, and whether it captures."""
    cell, end = divmod(move, rules.size**2)
    return rules.player, cell, end, rules.cells[end] >= 0


def weighed(rules):
    """Return the values of a position: a piece n rows on counts 1 + n²/50."""
    rows = [(owner, cell // rules.size) for cell, owner in enumerate(rules.cells) if owner >= 0]
    weights = [1 + (rules.size - 1 - row if owner else row) ** 2 / 50 for owner, row in rows]
    ahead = sum(-weight if owner else weight for (owner, _), weight in zip(rows, weights, strict=True))
    return [1 / (1 + math.exp(-0.7 * ahead)), 1 / (1 + math.exp(0.7 * ahead))]


def war_exact(rules, move):
    return rules.mover, rules.points[rules.mover], move, rules.points[move]


def war_abstract(rules, move):
    return rules.mover, move


def investment_exact(rules, move):
    number = move % rules.members
    opponents = [rules.points[team * rules.members + number] for team in range(rules.players)]
    return move, rules.points[rules.mover], *opponents


def investment_abstract(rules, move):
    return rules.mover, move


def investment_receiver(rules, move):
    return move


def arrival_and_target(rules, move):
    """Return the arrival cell of a move of the Video Game, the target or None, and the target's health."""
    cell, target = divmod(move, len(rules.place) + 1)
    return cell, target - 1 if target else None, rules.points[target - 1] if target else 0


def video_exact(rules, move):
    unit = rules.mover
    return unit, rules.place[unit], rules.points[unit], *arrival_and_target(rules, move)


def video_abstract(rules, move):
    return rules.mover, arrival_and_target(rules, move)[1]


def video_specific(rules, move):
    cell, target, health = arrival_and_target(rules, move)
    return rules.player, cell, None if target is None else rules.place[target], health


CASES = [
    (nrpa.Hex(size=2, first="none"), 20, player_and_cell),
    (nrpa.Hex(size=5, first="none"), 700, player_and_cell),
    (nrpa.Hex(size=9), 100, player_and_cell),
    (nrpa.Nogo(size=2), 20, player_and_cell),
    (nrpa.Nogo(size=4), 700, player_and_cell),
    (nrpa.Nogo(size=4, players=3), 500, player_and_cell),
    (nrpa.Nogo(size=9), 10, player_and_cell),
    (nrpa.Atarigo(size=2), 20, player_and_cell),
    (nrpa.Atarigo(size=4), 900, player_and_cell),
    (nrpa.Atarigo(size=9), 20, player_and_cell),
    (nrpa.Gomoku(size=5), 300, player_and_cell),
    (nrpa.Gomoku(size=9), 200, player_and_cell),
    (nrpa.Breakthrough(size=5), 300, step),
    (nrpa.Breakthrough(size=9), 20, step),
    (nrpa.Knightthrough(size=5), 500, step),
    (nrpa.Knightthrough(size=9), 20, step),
    (nrpa.Wargame(units=1), 5, war_exact),
    (nrpa.Wargame(units=4), 200, war_exact),
    (nrpa.Wargame(units=4, codes="abstract"), 200, war_abstract),
    (nrpa.Wargame(units=3, players=3, health=2), 300, war_exact),
    (nrpa.Investment(members=1), 5, investment_exact),
    (nrpa.Investment(members=4), 300, investment_exact),
    (nrpa.Investment(members=5, codes="abstract"), 200, investment_abstract),
    (nrpa.Investment(members=5, codes="receiver"), 200, investment_receiver),
    (nrpa.Investment(members=4, players=3), 300, investment_exact),
    (nrpa.VideoGame(), 40, video_exact),
    (nrpa.VideoGame(codes="abstract", health=1, reach=1), 40, video_abstract),
    (nrpa.VideoGame(codes="specific", size=6, health=2), 20, video_specific),
]
IDS = [f"{problem.name}-{problem.label}-{problem.players}-{meaning.__name__}" for problem, _, meaning in CASES]


@pytest.mark.parametrize(("problem", "games", "meaning"), CASES, ids=IDS)
def test_kernels_play_by_the_rules(problem, games, meaning):
    """In random games, on boards of one word of bits and of two, all that kernels say agrees with the rules."""
    assert len(compare(problem, games, meaning, value=weighed if meaning is step else None)) == games


@pytest.mark.parametrize(
    ("problem", "moves"),
    [
        (nrpa.Atarigo(), 36),
        (nrpa.Breakthrough(), 22),
        (nrpa.Gomoku(), 81),
        (nrpa.Hex(), 48),
        (nrpa.Knightthrough(), 40),
        (nrpa.Nogo(), 25),
        (nrpa.Nogo(players=3), 25),
        (nrpa.Wargame(), 10),
        (nrpa.Wargame(units=20), 20),
        (nrpa.Wargame(players=3), 20),
        (nrpa.Investment(), 11),
        (nrpa.Investment(members=21), 21),
        (nrpa.Investment(members=10, players=3), 10),
        (nrpa.VideoGame(), 17),
    ],
    ids=lambda given: f"{given.name}-{given.label}-{given.players}" if isinstance(given, nrpa.BaseProblem) else "",
)
def test_the_first_position_is_that_of_the_paper(problem, moves):
    """It has as many moves as Table 7 of the permutation paper says."""
    assert len(problem.rules().legal()) == moves


@pytest.mark.parametrize(
    "problem",
    [
        nrpa.Hex(size=4),
        nrpa.Nogo(size=3, players=3),
        nrpa.Atarigo(size=4),
        nrpa.Gomoku(size=5),
        nrpa.Breakthrough(size=5),
        nrpa.Knightthrough(size=5),
        nrpa.Wargame(units=3),
        nrpa.Investment(members=3, players=3),
        nrpa.VideoGame(health=1),
    ],
    ids=lambda given: given.name,
)
def test_the_games_keep_the_contract(problem):
    """Kernels, checks and copies do what the engine relies on, in games played with bounds checked."""
    contract = nrpa.check_problem(problem, games=3)
    assert contract.kept, contract.summary()


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: nrpa.Hex(size=1), "size must be a whole number of at least 2"),
        (lambda: nrpa.Hex(size=20), "size must be at most 19, not 20"),
        (lambda: nrpa.Hex(first="h9"), "first must be none or a cell from a1 to g7, not 'h9'"),
        (lambda: nrpa.Nogo(players=4), "players must be at most 3, not 4"),
        (lambda: nrpa.Nogo(players=1), "players must be a whole number of at least 2"),
        (lambda: nrpa.Gomoku(size=4), "size must be a whole number of at least 5, not 4"),
        (lambda: nrpa.Breakthrough(size=4), "size must be a whole number of at least 5, not 4"),
        (lambda: nrpa.Atarigo(codes="none"), "codes must be one of exact, abstract, not 'none'"),
        (lambda: nrpa.Wargame(units=101), "units must be at most 100, not 101"),
        (lambda: nrpa.Wargame(players=4), "players must be at most 3, not 4"),
        (lambda: nrpa.Wargame(health=101), "health must be at most 100, not 101"),
        (lambda: nrpa.Investment(members=0), "members must be a whole number of at least 1, not 0"),
        (lambda: nrpa.VideoGame(size=4), "size must be a whole number of at least 5, not 4"),
        (lambda: nrpa.VideoGame(health=30), "health must be at most 20, not 30"),
        (lambda: nrpa.VideoGame(codes="none"), "codes must be one of exact, abstract, specific, not 'none'"),
    ],
)
def test_options_out_of_range_are_refused(make, fault):
    """One sentence says what was expected."""
    with pytest.raises(nrpa.InputError, match=fault):
        make()


def test_a_player_without_pieces_has_lost():
    """Capturing the last one wins, far from the last row."""
    rules = nrpa.Breakthrough(size=5).rules()
    rules.cells = [-1] * 25
    rules.cells[6], rules.cells[12] = 0, 1
    rules.play(6 * 25 + 12)
    assert rules.legal() == []
    assert rules.rewards() == (1.0, 0.0)


def test_the_first_stone_of_hex_can_be_fixed():
    """By default it is on c3, the second player begins, and 48 moves of 7 x 7 are left."""
    problem = nrpa.Hex()
    assert problem.rules().player == 1
    assert len(problem.rules().legal()) == 48
    assert problem.draw([]).splitlines()[3].split() == ["3", ".", ".", "X", ".", ".", ".", "."]


def test_the_sides_of_hex_belong_to_their_players():
    """A column of stones wins for the first player, a row for the second."""
    column = ["b1", "a1", "b2", "a2", "b3"]
    row = ["a1", "a2", "c1", "b2", "a3", "c2"]
    problem = nrpa.Hex(size=3, first="none")
    assert problem.check(column).rewards == (1.0, 0.0)
    assert problem.check(row).rewards == (0.0, 1.0)


def test_a_player_who_is_out_passes_in_nogo_for_three():
    """The game goes on between the others, and its winner takes all."""
    problem = nrpa.Nogo(size=3, players=3)
    lengths = compare(problem, 50, player_and_cell, seed=3)
    rules = problem.rules()
    while rules.legal():
        rules.play(rules.legal()[0])
    assert sum(rules.rewards()) == 1.0
    assert len(rules.out) == 2
    assert max(lengths) > min(lengths)


@pytest.mark.parametrize(
    ("solution", "fault"),
    [
        (["a1", "a1"], "move 2: 'a1' is not a legal move; expected one of b1, c1, a2, b2, c2, a3, b3, c3"),
        (["a1", 7], "move 2: expected the name of a move, not 7"),
        ("a1", "a game is a list of moves by their names, not str"),
        (3, "a game is a list of moves by their names, not int"),
        (["a1", "b2"], "after 2 moves the game has not ended"),
        (["b1", "a1", "b2", "a2", "b3", "a3"], "move 6: the game has ended: there is no legal move"),
    ],
)
def test_what_is_no_game_is_refused(solution, fault):
    """The check names the first move that is not legal."""
    verdict = nrpa.Hex(size=3, first="none").check(solution)
    assert fault in verdict.faults[0]
    assert verdict.rewards is None


def test_names_and_moves_belong_together():
    """A game by the names of its moves comes back as the same moves."""
    problem = nrpa.Hex(size=3, first="none")
    moves = np.array([1, 0, 4, 3, 7])
    assert problem.solution(moves) == ["b1", "a1", "b2", "a2", "b3"]
    assert problem.moves_of(problem.solution(moves)).tolist() == moves.tolist()
    assert problem.parse_solution("b1 a1, b2") == ["b1", "a1", "b2"]
    assert problem.move_named("B2", [1, 4]) == 4


@pytest.mark.parametrize("problem", [nrpa.Hex(size=4), nrpa.Nogo(size=3, players=3)], ids=lambda given: given.name)
def test_positions_are_drawn(problem, tmp_path):
    """A picture has a stone for each on the board."""
    from matplotlib.figure import Figure
    from matplotlib.patches import Circle

    rules, names = problem.rules(), []
    for _ in range(3):
        names.append(problem.move_name(rules.legal()[0]))
        rules.play(rules.legal()[0])
    axes = Figure().add_subplot()
    for panel in nrpa.plots.panels.panels_of(problem):
        panel(problem, names, axes)
    stones = [patch for patch in axes.patches if isinstance(patch, Circle)]
    assert len(stones) == sum(owner >= 0 for owner in rules.cells)
    axes.figure.savefig(tmp_path / "position.png")


def test_three_teams_that_win_equally_often_share():
    """Of two pairs one each for two teams: half each, nothing for the third."""
    rules = nrpa.Investment(members=2, players=3).rules()
    rules.points = [3, 0, 1, 3, 2, 2]
    assert rules.rewards() == (0.5, 0.5, 0.0)


def test_units_that_do_not_reach_each_other_walk_and_end_in_a_draw():
    """Without a target the unit goes or stays; after 20 moves for each unit nobody has won."""
    problem = nrpa.VideoGame(size=6, reach=1)
    rules, moves = problem.rules(), 0
    assert all(move % 25 == 0 for move in rules.legal())
    while rules.legal():
        stay = rules.place[rules.mover]
        rules.play((stay[0] * 6 + stay[1]) * 25)
        moves += 1
    assert moves == 480
    assert rules.rewards() == (0.5, 0.5)


def test_positions_are_drawn_as_text():
    """Who moves next is in brackets; who has no health is a dot."""
    assert nrpa.Wargame(units=2, health=1).draw(["O1"]) == "X   1 [1]\nO   .  1"
    assert nrpa.Investment(members=2).draw(["X1"]) == "X   1  .\nO  [.] ."


@pytest.mark.parametrize(
    ("problem", "shapes"),
    [(nrpa.Wargame(units=3), 6), (nrpa.Investment(members=2, players=3), 6), (nrpa.VideoGame(), 20)],
    ids=lambda given: given.name if isinstance(given, nrpa.BaseProblem) else "",
)
def test_positions_are_drawn_as_pictures(problem, shapes, tmp_path):
    """A bar for each member, or a disc for each living unit; that of the next one to move has a thicker edge."""
    from matplotlib.figure import Figure

    rules = problem.rules()
    names = [problem.move_name(rules.legal()[0])]
    axes = Figure().add_subplot()
    for panel in nrpa.plots.panels.panels_of(problem):
        panel(problem, names, axes)
    edges = [patch.get_linewidth() for patch in axes.patches]
    assert len(edges) == shapes
    assert edges.count(max(edges)) == 1
    axes.figure.savefig(tmp_path / "position.png")
