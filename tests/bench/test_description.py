"""The description beside the records of an experiment, and the objective that it names."""

import json
import re
from dataclasses import replace

import pytest

from nrpa.base.errors import InputError
from nrpa.bench.description import described_objective, description_beside, description_path
from nrpa.bench.records import Record, join, read_records
from nrpa.bench.table import difference_table, least_score, require_same_side, share_table, table_text
from nrpa.modelling.objective import Lexicographic, Objective

COST = Objective("cost", sign=-1, digits=2)
ROWS = [Record(v, "i", s, 0.01, 1, x - s) for v, x in (("A", -10.0), ("B", -20.0)) for s in (1, 2, 3)]
CSV = "variant,instance,seed,seconds,playouts,score\nA,i,1,0.01,1,-9.0\n"
COST_RECORD = {"name": "cost", "sign": -1, "digits": 2, "tie_break": 0.0, "penalty": 0.0, "fault": "violation"}


def written(folder, name, description):
    (folder / f"{name}.csv").write_text(CSV.replace("A", name))
    if description is not None:
        (folder / f"{name}.json").write_text(json.dumps(description))
    return folder / f"{name}.csv"


@pytest.mark.parametrize(
    ("description", "expected"),
    [
        ({"objective": COST_RECORD}, COST),
        ({"objective": None, "experiment": {"problem": "tsptw"}}, None),
        ({"objective": {"name": "cost"}}, None),
        ({"objective": {**COST_RECORD, "digits": 10**8}}, None),
        ({"objective": {**COST_RECORD, "newer": 1}}, COST),
        ({"experiment": {"problem": "tsptw"}}, COST),
        ({"experiment": {"problem": "binpacking"}}, Objective("bins", sign=-1, tie_break=0.5)),
        ({"experiment": {"problem": "thing.py:Thing"}}, None),
        ({"experiment": {"problem": ["tsptw"]}}, None),
        ({"experiment": 3}, None),
        ([], None),
        (None, None),
    ],
)
def test_the_objective_is_that_of_the_description_beside(tmp_path, description, expected):
    """Of an older one, which names the problem only, that of an installed problem; no file is executed for it."""
    (tmp_path / "thing.py").write_text("raise SystemExit('executed')")
    path = written(tmp_path, "a", description)
    assert description_beside(path).objective == expected
    assert read_records(path).objective == expected


def test_files_of_two_objectives_are_joined_as_scores(tmp_path):
    """Costs and points have no common table."""
    costs = written(tmp_path, "A", {"objective": COST_RECORD})
    more = written(tmp_path, "B", {"objective": {**COST_RECORD, "digits": 0}})
    same = written(tmp_path, "E", {"objective": COST_RECORD})
    assert join([costs, same]).objective == COST
    assert join([costs, more]).objective is None


def test_tables_are_in_terms_of_the_objective():
    """Means, differences and shares of costs: the scores without their minus."""
    assert table_text(ROWS, "seconds", objective=COST).splitlines()[0::2] == [
        "i: mean cost of 3 runs (2σ/√n)",
        "   0.01  12.00 (1.15)  22.00 (1.15)",
    ]
    title, _, line = difference_table(ROWS, "seconds", "A", False, None, COST).text().splitlines()
    assert title.startswith("i: mean cost minus that of A [95 % interval, Welch; less is better]")
    assert line.split()[1] == "+10.00"
    title, _, line = share_table(ROWS, "seconds", 12, COST).text().splitlines()
    assert title.startswith("i: share of runs with cost ≤ 12 ")
    assert [text for text in line.split() if "/" in text] == ["2/3", "0/3"]


def test_each_part_of_a_score_has_a_mean_and_a_difference():
    """Of packed scores, both would say nothing."""
    both = Lexicographic(Objective("vehicles", -1), Objective("distance", -1, digits=3))
    parts = {"A": [(3, 70.5), (5, 60.0)], "B": [(3, 71.5), (4, 62.0)]}
    rows = [Record(v, "i", k, 1.0, 9, both.score(each)) for v, of in parts.items() for k, each in enumerate(of)]
    assert table_text(rows, "playouts", objective=both).splitlines()[-1].split("  ")[-2:] == [
        "4.00 (2.00), 65.250 (10.500)",
        "3.50 (1.00), 66.750 (9.500)",
    ]
    line = difference_table(rows, "playouts", "A", True, None, both).text().splitlines()[-1]
    assert re.findall(r"[+-][0-9.]+ ", line) == ["-0.50 ", "+1.500 "]
    assert share_table(rows, "playouts", (3, 71), both).lines == [["1", "1/2 [0.09, 0.91]", "0/2 [0.00, 0.66]"]]


def test_more_decimals_where_the_problem_has_more():
    """And as many as are asked for."""
    fitness = Objective("fitness", sign=1, digits=4)
    rows = [Record("A", "i", 1, 0.01, 1, 0.12345)]
    assert table_text(rows, "seconds", objective=fitness).split()[-1] == "0.1235"
    assert table_text(rows, "seconds", 1, fitness).split()[-1] == "0.1"
    assert table_text(rows, "seconds").split()[-1] == "0.12"


def test_a_score_in_place_of_a_cost_is_refused():
    """Also a cost in place of a score, where the problem is not known; of points nothing is asked."""
    with pytest.raises(InputError, match=r"target -12 .* a cost here, .* are 11 to 23; expected one such as 12"):
        least_score(ROWS, -12, COST)
    with pytest.raises(InputError, match=r"target 12 .* a score here, as no description .* -23 to -11; .* such as -12"):
        least_score(ROWS, 12, None)
    require_same_side("the target", -5, [3.0, 7.0], Objective("points", sign=1))
    require_same_side("the target", -5, [-3.0, 7.0], COST)


def test_an_objective_that_instances_do_not_share_is_none():
    """Then figures stay scores."""

    class Thing:
        def __init__(self, objective):
            self.objective = objective

    assert described_objective([Thing(COST), Thing(COST)]) == COST_RECORD
    assert described_objective([Thing(COST), Thing(Objective("bins", sign=-1))]) is None
    costs = [Thing(replace(COST, penalty=penalty)) for penalty in (1e6, 1e7)]
    assert described_objective(costs[:1])["penalty"] == 1e6
    assert described_objective(costs) == COST_RECORD


def test_both_files_of_an_experiment_have_one_description(tmp_path):
    """Unless one of that very name lies beside the file."""
    assert description_path(tmp_path / "a.playouts.csv") == tmp_path / "a.json"
    (tmp_path / "a.playouts.json").write_text("{}")
    assert description_path(tmp_path / "a.playouts.csv") == tmp_path / "a.playouts.json"


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "3", '{"experiment": {"variants": [["A"]], "instances": 3}}'])
def test_a_description_of_another_kind_names_nothing(tmp_path, text):
    """As without a file."""
    path = tmp_path / "a.csv"
    for _ in range(2):
        assert description_beside(path)[:4] == (None, "wall", [], [])
        path.with_suffix(".json").write_text(text)


def test_names_stand_in_the_order_of_the_description(tmp_path):
    """Also for the records by playouts."""
    (tmp_path / "a.json").write_text('{"experiment": {"variants": {"B": {}, "A": {}}, "instances": ["i"]}}')
    for name in ("a.csv", "a.playouts.csv"):
        assert description_beside(tmp_path / name)[2:4] == (["B", "A"], ["i"])
