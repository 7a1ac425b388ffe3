"""The command ``nrpa diagnose``."""

import json

import pytest

FILE = """import nrpa

class Bits(nrpa.Problem):
    def initial_state(self):
        return {initial}

    def legal_moves(self, state):
        return [] if len(state) == 8 else [0, 1]

    def play(self, state, move):
        {play}

    def score(self, state):
        return sum(state)

    def code(self, state, move):
        return (len(state), move)
"""


def test_sentences_are_printed_and_written(nrpa_command, tmp_path):
    """A line each, and the same in the file."""
    (tmp_path / "bits.py").write_text(FILE.format(initial="()", play="return (*state, move)"))
    command = ("diagnose", "bits.py:Bits", "--playouts", 60, "--seed", 2, "--json", "found.json")
    code, out, err = nrpa_command(*command)
    record = json.loads((tmp_path / "found.json").read_text())
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"- {sentence}" for sentence in record["sentences"]]
    assert (record["seed"], len(record["games"]["scores"]), record["equal_playouts"]) == (2, 60, 60)
    assert "Compiled, " in out


def test_a_bundled_problem_takes_its_instance_options_and_seconds(nrpa_command, tmp_path):
    """As ``nrpa solve`` does."""
    arguments = ("snake", "5", "--time", 0.1, "--clock", "wall", "--json", "found.json")
    code, out, _ = nrpa_command("diagnose", *arguments)
    assert (code, json.loads((tmp_path / "found.json").read_text())["clock"]) == (0, "wall")
    assert "playouts a second" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bits.py:Bits",), "Bits: play changes the state it is given"),
        (("bits.py:Bits", "--json", "bits.py"), "--json would replace bits.py"),
        (("hex", "--playouts", 2), "hex is a game for 2 players"),
        (("snake", "5", "--time", 0), "seconds must be a positive number"),
        (("snake", "5", "--json", "no/found.json"), "no such directory"),
    ],
)
def test_bad_input_is_one_sentence(nrpa_command, tmp_path, arguments, message):
    """Exit code 2, a line on standard error."""
    (tmp_path / "bits.py").write_text(FILE.format(initial="[]", play="state.append(move); return state"))
    code, out, err = nrpa_command("diagnose", *arguments)
    assert (code, out) == (2, "")
    assert message.lower() in err.lower()
    assert err.count("\n") == 1
