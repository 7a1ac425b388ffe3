import json
from pathlib import Path

import click
import pytest

from nrpa.cli.main import commands
from nrpa.cli.options import NUMBER, WHOLE, type_of


@pytest.mark.parametrize("text", ["٣", "３", "1_000", "1e3", "", "0x1"])
def test_whole_numbers_are_written_in_the_digits_0_to_9(text):
    """Python's own reader would take the digits of any script, and underscores."""
    with pytest.raises(click.UsageError, match="is not a valid integer"):
        WHOLE.convert(text, None, None)


@pytest.mark.parametrize("text", ["١.٤", "1_0.5", "1,5", "ıNF", "--1"])
def test_numbers_are_written_in_the_digits_0_to_9(text):
    """As whole numbers are."""
    with pytest.raises(click.UsageError, match="is not a valid float"):
        NUMBER.convert(text, None, None)


def test_what_is_a_number():
    """Seeds may be long; whoever cannot use infinity says so."""
    assert (WHOLE.convert(" -7 ", None, None), WHOLE.convert("9" * 40, None, None)) == (-7, int("9" * 40))
    assert (NUMBER.convert("1.5e-3", None, None), NUMBER.convert("-inf", None, None)) == (0.0015, float("-inf"))
    assert [type_of(value) for value in (1, 1.0, True, "x")] == [WHOLE, NUMBER, None, None]


def test_no_option_of_any_command_takes_other_digits():
    """Click's own types of numbers would."""

    def parameters(command, context):
        for name in command.list_commands(context) if isinstance(command, click.Group) else ():
            below = command.get_command(context, name)
            yield from parameters(below, click.Context(below, context, name))
        yield from ((context.command_path, each) for each in command.params)

    found = list(parameters(commands, click.Context(commands, info_name="nrpa")))
    clicks_own = (click.types.IntParamType, click.types.FloatParamType)
    assert len(found) > 1000
    assert [(path, each.name) for path, each in found if isinstance(each.type, clicks_own)] == []


@pytest.mark.parametrize(("words", "cost"), [("", 42.5), ("--moves selective", 79.6), ("--moves all", 42.5)])
def test_an_option_of_the_problem_that_is_given_stays(nrpa_command, tmp_path, monkeypatch, words, cost):
    """Also at its default; `auto` chooses only those that are not given, and a checkpoint knows which they are."""
    monkeypatch.chdir(tmp_path)
    Path("t").write_text("3\n0 29.4 28.8\n21.7 0 8.3\n4.8 29.1 0\n0 50\n46.6 47.2\n36.8 43.2\n")
    search = ["solve", "tsptw", "t", *words.split(), "--seed", "1", "--quiet"]
    assert nrpa_command(*search, "--playouts", "1000", "--checkpoint", "c")[0] == 0
    code, _, err = nrpa_command("solve", "tsptw", "t", "--resume", "c", "--playouts", "1100", "--json", "r")
    assert (code, err.count("error")) == (0, 0)
    assert nrpa_command(*search, "--playouts", "1100", "--json", "whole")[0] == 0
    result, whole = (json.loads(Path(name).read_text()) for name in ("r", "whole"))
    assert result["solution"] == whole["solution"]
    assert ("--moves all" in result["chosen"]) == (not words)
    assert result["figures"] == {"cost": pytest.approx(cost), "violations": 2}
