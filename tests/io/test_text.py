import codecs

import pytest

import nrpa
from nrpa.bench.experiment import Experiment
from nrpa.bench.records import read_records
from nrpa.cli.check import read_solution
from nrpa.io.text import decoded, read_bytes

TOML = 'problem = "tsptw"\ninstances = ["rc201.1"]\nplayouts = 5\n[variants.A]\nlevel = 1\n'
CSV = "variant,instance,seed,playouts,score\nA,i,1,2,-3.5\n"
TSPTW = "3\n0 5 8\n15 0 15\n18 15 0\n0 100\n5 50\n0 60\n"


def marked(path, text):
    path.write_bytes(codecs.BOM_UTF8 + text.encode())
    return str(path)


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path):
    """Spreadsheets and some editors write one: records, experiments, instances, solutions and results are read."""
    assert read_records(marked(tmp_path / "a.csv", CSV)).rows[0].score == -3.5
    assert Experiment.from_toml(marked(tmp_path / "a.toml", TOML)).playouts == 5
    problem = nrpa.TSPTW.load(marked(tmp_path / "instance", TSPTW))
    assert read_solution(problem, marked(tmp_path / "tour", "[1, 2]")).solution == [1, 2]
    result = nrpa.solve(problem, seed=1, playouts=3)
    assert nrpa.Result.from_json("\ufeff" + result.to_json()).solution == result.solution


def test_only_the_mark_at_the_beginning_is_left_out():
    """Elsewhere the character is a part of the text; without one, all is as it was."""
    assert decoded(codecs.BOM_UTF8 + "a\ufeffb".encode()) == "a\ufeffb"
    assert decoded("aé".encode()) == "aé"


def test_what_cannot_be_read(tmp_path):
    """The name and the reason."""
    with pytest.raises(nrpa.InputError, match=r"none: cannot be read \(No such file"):
        read_bytes(tmp_path / "none")
