import dataclasses
import json

import pytest

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.best import BestFile, read_best

POINT = nrpa.Point(0.1, 5, -5.0)
ENDED = ("playouts", -5.0, nrpa.Objective("cost", sign=-1), {"cost": 5.0}, [1, 2], 9, 0.2, [POINT], [POINT], 0.0)
RESULT = nrpa.Result("tsptw", "i", "", "gnrpa", {}, {}, 3, {}, *ENDED)


def found(score, seed):
    return dataclasses.replace(RESULT, score=score, seed=seed)


def test_the_best_of_each_variant_on_each_instance_is_kept(tmp_path):
    """Of equal scores that of the lowest seed, whichever ends first; a file that is there is gone on with."""
    path = tmp_path / "a.best.json"
    file = BestFile(path)
    for variant, score, seed in (("A", -5.0, 3), ("A", -4.0, 9), ("B", -7.0, 1), ("A", -4.0, 2), ("A", -6.0, 1)):
        file.take((variant, "i", seed), found(score, seed))
    kept = {(run.variant, run.instance): run.result for run in read_best(path)}
    assert kept == {("A", "i"): found(-4.0, 2), ("B", "i"): found(-7.0, 1)}
    again = BestFile(path)
    again.take(("B", "i", 4), found(-8.0, 4))
    again.take(("B", "j", 4), found(-8.0, 4))
    assert [(run.variant, run.instance, run.result.seed) for run in read_best(path)] == [
        ("A", "i", 2),
        ("B", "i", 1),
        ("B", "j", 4),
    ]


def test_no_file_holds_none(tmp_path):
    """As beside the records of an older version."""
    assert read_best(tmp_path / "a.best.json") == []


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"best": [{"variant": "A"}]}', "[" * 100_000])
def test_another_file_is_refused(tmp_path, content):
    """In one sentence that names it."""
    path = tmp_path / "a.best.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"a\.best\.json: holds no best solutions"):
        BestFile(path)


def test_it_is_written_as_json(tmp_path):
    """What a result writes."""
    path = tmp_path / "a.best.json"
    BestFile(path).take(("A", "i", 3), RESULT)
    (entry,) = json.loads(path.read_text())["best"]
    assert entry["result"] == json.loads(RESULT.to_json())
