"""``nrpa schema``, and real outputs that agree with it."""

import json
import subprocess
import sys
from dataclasses import asdict

import jsonschema
import pytest

import nrpa
from nrpa.adapters.schema import DIALECT, SCHEMAS, schema_of

OUTPUTS = {
    "result": "solve tsptw rc201.1 --playouts 50 --seed 1 -q --json out.json",
    "check": "check binpacking items bins --json out.json",
    "choice": "choose hex --size 3 --playouts 5 --seed 1 --json out.json",
    "list": "list --json out.json",
    "error": "--errors json solve tsptw",
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_what_is_written_agrees_with_its_schema(nrpa_command, tmp_path, name):
    """And an output without a key that is required does not."""
    (tmp_path / "items").write_text("3 10 6 4 3")
    (tmp_path / "bins").write_text("[[6, 4], [3]]")
    _, _, err = nrpa_command(*OUTPUTS[name].split())
    record = json.loads(err.splitlines()[-1] if name == "error" else (tmp_path / "out.json").read_text())
    validator = jsonschema.Draft202012Validator(SCHEMAS[name]())
    validator.check_schema(validator.schema)
    validator.validate(record)
    del record[validator.schema["required"][0]]
    assert not validator.is_valid(record)


def test_an_objective_of_several_parts_agrees():
    """It has more keys."""
    objective = nrpa.Lexicographic(nrpa.Objective("vehicles", -1), nrpa.Objective("distance", -1, digits=1), most=1000)
    jsonschema.validate(json.loads(json.dumps(asdict(objective))), schema_of(nrpa.Objective))


def test_the_options_that_are_listed_are_schemas(nrpa_command, tmp_path):
    """Of all problems and solvers; each default agrees."""
    nrpa_command("list", "--json", "all.json")
    found = json.loads((tmp_path / "all.json").read_text())
    options = [option for each in found["problems"] + found["solvers"] for option in each["options"].values()]
    assert len(options) > 100
    for option in options:
        jsonschema.Draft202012Validator.check_schema(option)
        jsonschema.validate(option["default"], option)


def test_the_command(nrpa_command):
    """All schemas in one document, the one that is named, or the forms of a problem's instances."""
    for words, part in (([], "$defs"), (["result"], "properties"), (["tsptw"], "description"), (["hex"], "null")):
        command = [sys.executable, "-m", "nrpa", "schema", *words]
        found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        assert part in [*found, found.get("type")]
        assert found["$schema"] == DIALECT
        assert words != ["tsptw"] or "Solomon's table" in found["description"]
    code, _, err = nrpa_command("schema", "results")
    assert (code, "or of result, check" in err) == (2, True)
