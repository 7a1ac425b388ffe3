"""The games of teams: kernels against rules in plain Python, and what the problem classes say."""

import pytest
from naive_games import compare
from naive_rules import rules_of

import nrpa


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
IDS = [f"{problem.name}-{problem.label}-{meaning.__name__}" for problem, _, meaning in CASES]


@pytest.mark.parametrize(("problem", "games", "meaning"), CASES, ids=IDS)
def test_kernels_play_by_the_rules(problem, games, meaning):
    """In random games moves, codes, turns, hashes and rewards agree, for two players and for three."""
    assert len(compare(problem, games, meaning)) == games


@pytest.mark.parametrize(
    ("problem", "moves"),
    [
        (nrpa.Wargame(), 10),
        (nrpa.Wargame(units=20), 20),
        (nrpa.Wargame(players=3), 20),
        (nrpa.Investment(), 11),
        (nrpa.Investment(members=21), 21),
        (nrpa.Investment(members=10, players=3), 10),
        (nrpa.VideoGame(), 17),
    ],
    ids=lambda given: f"{given.name}-{given.label}" if isinstance(given, nrpa.BaseProblem) else "",
)
def test_the_first_position_is_that_of_the_paper(problem, moves):
    """It has as many moves as Table 7 of the permutation paper says."""
    assert len(rules_of(problem).legal()) == moves


@pytest.mark.parametrize(
    "problem",
    [nrpa.Wargame(units=3), nrpa.Investment(members=3, players=3), nrpa.VideoGame(health=1)],
    ids=lambda given: given.name,
)
def test_the_games_keep_the_contract(problem):
    """Kernels, checks and copies do what the engine relies on, in games played with bounds checked."""
    contract = nrpa.check_problem(problem, games=3)
    assert contract.kept, contract.summary()


def test_three_teams_that_win_equally_often_share():
    """Of two pairs one each for two teams: half each, nothing for the third."""
    rules = rules_of(nrpa.Investment(members=2, players=3))
    rules.points = [3, 0, 1, 3, 2, 2]
    assert rules.rewards() == (0.5, 0.5, 0.0)


def test_units_that_do_not_reach_each_other_walk_and_end_in_a_draw():
    """Without a target the unit goes or stays; after 20 moves for each unit nobody has won."""
    problem = nrpa.VideoGame(size=6, reach=1)
    rules, moves = rules_of(problem), 0
    assert all(move % 25 == 0 for move in rules.legal())
    while rules.legal():
        stay = rules.place[rules.mover]
        rules.play((stay[0] * 6 + stay[1]) * 25)
        moves += 1
    assert moves == 480
    assert rules.rewards() == (0.5, 0.5)


@pytest.mark.parametrize(
    ("make", "fault"),
    [
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

    rules = rules_of(problem)
    names = [problem.move_name(rules.legal()[0])]
    axes = Figure().add_subplot()
    for panel in nrpa.plots.panels.panels_of(problem):
        panel(problem, names, axes)
    edges = [patch.get_linewidth() for patch in axes.patches]
    assert len(edges) == shapes
    assert edges.count(max(edges)) == 1
    axes.figure.savefig(tmp_path / "position.png")
