"""A solution as a page that plays it: what its steps hold is what a plain replay of the game gives."""

import re
import shutil
import subprocess

import pytest
from bundled_problems import GAMES, ONE_PLAYER, PAGES

import nrpa
from nrpa.io.source import bundled
from nrpa.problems.morpion.rules import MorpionGame, Move
from nrpa.registry import problem_class


class Pairs(nrpa.Problem):
    """Four different letters in a row, of two kinds at each place, with a bias."""

    objective = nrpa.Objective("worth", sign=1)
    codes = None

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return ["a", "b", "c"][: 1 + len(state)] if len(state) < 4 else []

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return state.count("b")

    def code(self, state, move):
        return (len(state), move)

    def bias(self, state, move):
        return 0.5 * (move == "b")


def steps_of(page):
    return page.data["steps"]


def made_of(steps):
    """Return the name of the legal move that is marked at each step but the last."""
    return [step["legal"][step["chosen"]][0] for step in steps[:-1]]


def test_the_steps_of_a_class_are_its_states():
    """Each state as its author keeps it, the legal moves with codes and β, the figures at the end."""
    problem = Pairs()
    page = nrpa.show(problem, ["a", "b", "b", "c"])
    steps = steps_of(page)
    assert [step["picture"] for step in steps] == [
        "()",
        "('a',)",
        "('a', 'b')",
        "('a', 'b', 'b')",
        "('a', 'b', 'b', 'c')",
    ]
    assert [step["move"] for step in steps] == ["", "a", "b", "b", "c"]
    assert made_of(steps) == ["a", "b", "b", "c"]
    assert page.data["columns"] == ["move", "code", "β"]
    assert steps[1]["legal"] == [["a", "(1,'a')", "0"], ["b", "(1,'b')", "0.5"]]
    assert (steps[-1]["legal"], steps[-1]["text"], page.data["about"]) == ([], "worth 2", "worth 2")


def test_codes_that_are_numbers_stand_for_themselves():
    """Of a class that says how many there are."""

    class Numbered(Pairs):
        codes = 12

        def code(self, state, move):
            return 3 * len(state) + "abc".index(move)

    first = steps_of(nrpa.show(Numbered(), ["a", "b", "b", "c"]))[1]
    assert [row[:2] for row in first["legal"]] == [["a", "3"], ["b", "4"]]


def test_the_boards_of_samegame_are_those_of_a_replay():
    """As many cells of each colour as the rules leave, and the points; the next group is named by one of its cells."""
    problem = nrpa.SameGame.load("samegame-01")
    page = nrpa.show(problem, seed=3)
    steps = steps_of(page)
    solution = [[int(number) for number in step["move"].split(",")] for step in steps[1:]]
    replayed = problem.replay(solution)
    assert len(replayed) == len(solution) > 20
    points = 0
    for step, known in zip(steps, replayed, strict=False):
        shapes = re.findall(r'class="cell" d="([^"]*)"', step["now"])
        colours = {colour for column in known.board for colour in column}
        counts = [sum(column.count(colour) for column in known.board) for colour in sorted(colours)]
        assert [shape.count("z") for shape in shapes] == counts
        assert step["text"].startswith(f"{points} points")
        assert {tuple(map(int, made.split(","))) for made in [step["legal"][step["chosen"]][0]]} <= known.cells
        points += known.points
    assert f"points {points}," in page.data["about"]


def test_morpion_lists_the_legal_moves_of_its_rules():
    """At every step of a game; a line, a dot and a number stay for each move, those of the start position included."""
    problem = nrpa.Morpion("5D", moves=[(5, 6, "H", 0)])
    steps = steps_of(nrpa.show(problem, seed=1))
    game = MorpionGame("5D", problem.dots)
    game.play(problem.prefix[0])
    assert steps[0]["stays"].count('class="line"') == 1
    for number, step in enumerate(steps):
        if number:
            x, y, direction, position = step["move"].split(",")
            game.play_if_legal(Move(int(x), int(y), direction, int(position)))
            assert (step["stays"].count('class="line"'), f">{number + 1}<" in step["stays"]) == (1, True)
            assert step["now"].count('class="last"') == 1
        assert {row[0] for row in step["legal"]} == {",".join(map(str, move)) for move in game.legal_moves()}


def test_a_tour_is_drawn_way_by_way_and_ends_at_the_depot():
    """With what was travelled so far, which is the cost at the end; a city after its window is marked."""
    problem = nrpa.TSPTW.load("rc201.1")
    order = sorted(range(1, problem.cities), key=lambda city: -problem.windows[city, 1])
    page = nrpa.show(problem, order)
    steps, verdict = steps_of(page), problem.check(order)
    ways = [re.findall('class="way" d="(.*?)"', step["stays"]) for step in steps]
    assert [way.count("L") for drawn in ways for way in drawn] == [*[1] * (len(order) - 1), 2]
    assert f"{verdict.figures['cost']:.2f} travelled" in steps[-1]["text"]
    late = [visit.late for visit in problem.visits(order)]
    assert ["missed" in step["stays"] for step in steps[1:]] == [*late[:-2], any(late[-2:])]
    assert ["missed" in step["text"] for step in steps[1:]] == [*late[:-2], any(late[-2:])]
    assert set(late) == {True, False}
    assert made_of(steps) == [*map(str, order)]
    by_code = problem.bias_by_code()
    drawn = [row for step in steps_of(nrpa.show(problem, seed=1)) for row in step["legal"]]
    assert all(beta == f"{by_code[int(code)] + 0.0:.3g}" for _, code, beta in drawn)


def test_routes_end_at_the_depot():
    """A way for each move, in the colour of its route."""
    page = nrpa.show(nrpa.VRPTW.load("c101"), seed=1)
    routes = [re.findall("--c:(#[0-9a-f]+)", step["stays"]) for step in steps_of(page)[1:]]
    ends = [number for number, step in enumerate(steps_of(page)[1:]) if step["move"] == "0"]
    assert {len(each) for each in routes} == {1}
    assert routes[ends[0]] != routes[ends[0] + 1]
    assert len({colour for way in routes[: ends[0] + 1] for colour in way}) == 1


def test_a_game_is_shown_as_far_as_it_was_played():
    """Stones of both, who is to move, and no figures before its end; moves by name, in one text or a list."""
    problem = nrpa.Hex(size=3, first="none")
    steps = steps_of(nrpa.show(problem, "b2 a1"))
    assert [step["text"] for step in steps] == [f"player {who} of 2 moves" for who in (1, 2, 1)]
    stones = [[found.count("M") for found in re.findall(r'"stone" d="([^"]*)', step["now"])] for step in steps]
    assert stones == [[], [1], [1, 1]]
    # The last stone has a mark; those of one player are of one colour.
    places = [re.findall(r' d="([^"]*)"', step["now"]) for step in steps]
    assert (places[1][0], places[2][0], places[2][1]) == (places[1][1], places[1][0], places[2][2])
    assert re.findall("--c:(#[0-9a-f]+)", steps[2]["now"])[:1] == re.findall("--c:(#[0-9a-f]+)", steps[1]["now"])
    assert len(steps[-1]["legal"]) == 7
    whole = nrpa.show(problem, ["b2", "a1", "b1", "c1", "b3"])
    assert steps_of(whole)[-1]["text"] == "moves 5, rewards [1.0, 0.0]"


def test_long_lists_keep_the_move_that_is_made():
    """Of a hundred legal moves forty are listed."""
    order = [99, *range(99)]
    step = steps_of(nrpa.show(nrpa.permutation(100, lambda order: order[0]), order))[0]
    assert (len(step["legal"]), step["left"], step["legal"][step["chosen"]][0]) == (40, 60, "99")


@pytest.mark.parametrize("name", [*ONE_PLAYER, *GAMES, *PAGES])
def test_every_bundled_problem_can_be_shown(name):
    """A random playout, the same for the same seed; all positions have a picture."""
    problem_type = problem_class(name)
    instance = min(bundled(problem_type.bundled_with().name).values(), key=lambda row: row.size, default=None)
    problem = problem_type.load(instance.name) if problem_type.reads_instances() else problem_type()
    page = nrpa.show(problem, seed=2)
    assert page.html() == nrpa.show(problem, seed=2).html()
    assert len(steps_of(page)) > 1
    drawn = [step.get("picture") or step.get("now") or step.get("stays") for step in steps_of(page)]
    assert all(drawn[1:])
    assert page.data["about"]


class Dealt(nrpa.Problem):
    """A game that begins with a drawn number, and ends after three moves."""

    players, max_steps, at_max_steps = 2, 3, (0.5, 0.5)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [1, 2, 3, 4, 5, 6, 7, 8, 9]

    def play(self, state, move):
        return (*state, move)

    def player(self, state):
        return len(state) % 2

    def rewards(self, state):
        return (1.0, 0.0)

    def deal(self, random):
        return [8]


def test_a_drawn_game_is_dealt_and_ends_where_it_does():
    """Also if moves are left."""
    for seed in range(3):
        steps = steps_of(nrpa.show(Dealt(), seed=seed))
        assert (steps[1]["move"], len(steps)) == ("8", 4)
        assert (steps[-1]["legal"], steps[-1]["left"]) == ([], 0)
        assert "rewards [0.5, 0.5]" in steps[-1]["text"]


def test_a_draw_may_fail_for_beginnings_only():
    """Then states are shown; an error at the end is its author's to know."""

    class Whole(Pairs):
        def draw(self, solution):
            return "whole" if len(solution) == self.whole else solution[99]

    problem = Whole()
    problem.whole = 4
    steps = steps_of(nrpa.show(problem, ["a", "b", "b", "c"]))
    assert [step["picture"] for step in steps[-2:]] == ["('a', 'b', 'b')", "whole"]
    problem.whole = 3
    with pytest.raises(IndexError):
        nrpa.show(problem, ["a", "b", "b", "c"])


def test_names_of_moves_are_without_numpys_types():
    """Those of alignment are numbers as Python writes them, like its codes."""
    page = nrpa.show(nrpa.Alignment(["AC", "GC"]), seed=1)
    assert "np." not in page.html()
    assert steps_of(page)[0]["legal"][0][:2] == ["(0,0,1)", "(0,0,1,-1,0)"]


def test_a_page_needs_nothing_else():
    """No address, no file; what comes from names cannot end the script."""

    class Odd(Pairs):
        name = "</script><b>&"

    page = nrpa.show(Odd(), ["a", "b", "b", "c"])
    assert not re.findall(r"https?:|\bsrc=|\bhref=|url\(|@import", page.html())
    assert page.html().count("</script>") == 2
    assert "<title>&lt;/script&gt;&lt;b&gt;&amp;</title>" in page.html()
    assert page._repr_html_().startswith('<iframe title="&lt;/script')


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nrpa.show(Pairs(), ["b"]), "move 1, 'b', is not legal; expected one of 'a'"),
        (lambda: nrpa.show(nrpa.TSPTW.load("rc201.1"), [1, 2]), "the solution cannot be drawn: city 3 is missing"),
        (lambda: nrpa.show(nrpa.Hex(size=3, first="none"), "b2 b2"), "move 2: 'b2' is not a legal move"),
    ],
)
def test_what_cannot_be_shown_is_said(call, message):
    with pytest.raises(nrpa.InputError, match=re.escape(message)):
        call()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium to show the page in")
def test_a_browser_plays_it_to_the_end(tmp_path):
    """Clicking forward until that is no longer possible shows the last picture and the final score."""
    problem = nrpa.SameGame([[1, 1, 1], [0, 0, 2], [2, 2, 2]])
    page = nrpa.show(problem, [[0, 1], [0, 1], [0, 0]]).html()
    clicks = (
        "const button = document.getElementById('forward'); while (!button.disabled) button.click();"
        "const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));"
        "for (const key of ['Home', 'ArrowRight', 'ArrowLeft', 'ArrowLeft', ' ', 'End']) { press(key);"
        " document.title += ` ${document.getElementById('slider').value}"
        "${document.getElementById('play').textContent}`; }"
    )
    (tmp_path / "a.html").write_text(page.replace("</body>", f"<script>{clicks}</script></body>"), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{tmp_path}/a.html"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "3 of 3: 4 points, 1 cell left</p>" in shown
    assert shown.partition("<script")[0].count("h1v1h-1z") == 1
    assert " 0Play 1Play 0Play 0Play 0Pause 3Play</title>" in shown
