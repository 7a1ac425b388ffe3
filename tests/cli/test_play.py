import io

import pytest
from user_problems import EXAMPLES

HEX = ("play", "hex", "--size", 3, "--first", "none", "--playouts", 30, "--seed", 1)


@pytest.fixture
def typed(nrpa_command, monkeypatch):
    """Run the command with a text on standard input."""

    def run(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return nrpa_command(*arguments)

    return run


def replies(out):
    return [line.split()[2].rstrip(":") for line in out.splitlines() if line.startswith("mcps plays")]


def test_a_game_is_played_to_its_end(typed):
    """The board is drawn, the search replies and says what it thinks, and the end is told with the moves."""
    code, out, err = typed("b1\nb2\n", *HEX, "--moves", "b3 a1")
    assert (code, err) == (0, "")
    assert "you are player 1 of 2" in out
    assert " 3    . X ." in out
    assert "move  visits  value" in out
    if replies(out) == ["b2"]:
        assert "the game has not ended" in out
    else:
        assert "you have won (rewards 1, 0)" in out
        assert out.splitlines()[-1] == f"moves: b3 a1 b1 {replies(out)[0]} b2"


def test_the_search_begins_where_it_has_the_first_seat(typed):
    """Also as the first player; the same seed gives the same replies."""
    code, out, _ = typed("quit\n", *HEX, "--seat", 2)
    assert (code, len(replies(out))) == (0, 1)
    assert replies(typed("quit\n", *HEX, "--seat", 2)[1]) == replies(out)


def test_moves_are_taken_back(typed):
    """With the reply to them; without a move there is nothing to take back."""
    code, out, _ = typed("undo\na1\nundo\nb2\n", *HEX)
    second = replies(out)[1]
    assert code == 0
    assert out.count("there is no move of yours to take back") == 1
    assert out.splitlines()[-2:] == ["the game has not ended", f"moves: b2 {second}"]


def test_bad_input_is_asked_again(typed):
    """In a sentence that names legal moves and commands; hints and lists of moves change nothing; Ctrl-D ends."""
    code, out, _ = typed("z9\n\nhint\nmoves\n", *HEX)
    assert code == 0
    assert "move 1: 'z9' is not a legal move; expected one of a1, b1" in out
    assert "or one of undo, hint, moves, quit" in out
    assert "mcps would play" in out
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in out
    assert out.splitlines()[-1] == "moves:"


def test_ctrl_c_keeps_the_moves(nrpa_command, monkeypatch):
    """They are printed; the exit status is that of an interrupt."""
    words = iter(["a1"])

    def typed(prompt):
        word = next(words, None)
        if word is None:
            raise KeyboardInterrupt
        return word

    monkeypatch.setattr("builtins.input", typed)
    code, out, err = nrpa_command(*HEX)
    assert (code, err.strip()) == (130, "interrupted")
    assert out.splitlines()[-1] == f"moves: a1 {replies(out)[0]}"


def test_a_game_of_ones_own_for_three(typed, tmp_path):
    """All other seats are the search's; a move that is called like a command is a move."""
    (tmp_path / "quits.py").write_text(
        "import nrpa\n"
        "class Quits(nrpa.Problem):\n"
        "    players = 3\n"
        "    def initial_state(self): return ()\n"
        "    def player(self, state): return len(state)\n"
        "    def legal_moves(self, state): return ['quit', 'stay'] if len(state) < 3 else []\n"
        "    def play(self, state, move): return (*state, move)\n"
        "    def rewards(self, state): return [float(move == 'stay') for move in state]\n"
    )
    code, out, _ = typed("quit\n", "play", "quits.py:Quits", "--against", "uct", "--playouts", 30, "--seed", 1)
    assert code == 0
    assert "uct plays stay as player 2" in out
    assert "drawn between players 2 and 3 (rewards 0, 1, 1)" in out


def test_the_reply_does_not_depend_on_who_shares_the_trees(typed):
    """Two trees, by one thread or by two."""
    told = [typed("quit\n", *HEX, "--seat", 2, "--against", "mcps:trees=2", "--workers", n)[1] for n in (1, 2)]
    assert len(replies(told[0])) == 1
    assert replies(told[0]) == replies(told[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("play", "morpion", "5D"), "morpion is a problem of one player; expected a game"),
        ((*HEX, "--against", "nmcs"), "--against: player nmcs: nmcs does not choose moves of games"),
        ((*HEX, "--against", "mcps:foo=1"), "--against: player mcps:foo=1: unknown option 'foo'"),
        ((*HEX, "--seat", 3), "--seat must be from 1 to 2, the players of hex, not 3"),
        ((*HEX, "--moves", "z9"), "move 1: 'z9' is not a legal move"),
        ((*HEX, "--against", "mcps:trees=20"), "20 trees cannot share 30 playouts; expected at least 2 for each tree"),
        ((*HEX, "--workers", 2), "workers share trees; expected at most as many as trees, 1, not 2"),
        (("play", f"{EXAMPLES / 'coin.py'}:Coin"), "Coin hides something from its players"),
        ((*HEX, "--time", 1), "cannot both be the budget of a move"),
    ],
)
def test_illegal_arguments_are_one_sentence(typed, arguments, message):
    """Exit code 2 and a line on standard error."""
    code, out, err = typed("", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
