"""How cost grows, experiments/growth: drawn instances, peers, values from a file alone, rows, tables."""

import sys
from pathlib import Path

import pytest

import nrpa
from nrpa.registry import problem_class, read_problem

ROOT = Path(__file__).parent.parent.parent
sys.path[:0] = [str(ROOT / "experiments"), str(ROOT / "experiments" / "growth")]

import draw  # noqa: E402
import growing  # noqa: E402
import measure  # noqa: E402
import peers  # noqa: E402
import values  # noqa: E402

MODERATE = {
    "tsptw": 300,
    "vrptw": 300,
    "binpacking": 300,
    "coloring": 400,
    "dense": 300,
    "rna": 150,
    "fold": 200,
    "samegame": 40,
    "snake": 10,
    "permutation": 1000,
    "wide": 1000,
    "long": 3000,
}


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return what draws an instance and reads it: its file and the problem."""
    monkeypatch.chdir(ROOT)

    def drawn(name, size):
        problem, path, options = draw.draw(name, size, tmp_path)
        return path, read_problem(problem_class(problem), str(path), options)

    return drawn


@pytest.mark.parametrize("name", draw.DRAWN)
def test_a_drawn_instance_is_read_solved_and_checked(name, read):
    """The file alone gives the answer the value that the problem's check does, and finds it whole.

    Where the flag of the engine is set, the search gives up its next playout, which it plays again afterwards.
    """
    path, problem = read(name, MODERATE[name])
    result = nrpa.solve(problem, seed=1, playouts=2)
    assert not result.faults or result.faults_counted
    if name in values.VALUES and not result.faults:
        assert values.VALUES[name](path, result.solution) == pytest.approx(result.value)
    run = nrpa.start(problem, seed=1)
    run.advance(playouts=1)
    search = run._search
    if run.status == "playouts":
        search.stop[0] = True
        assert search.advance(1) == []
        assert search.playouts == 1
        search.stop[0] = False
        run.advance(playouts=1)
    assert (run.result().value, run.result().solution) == (result.value, result.solution)


@pytest.mark.parametrize("name", draw.DRAWN)
def test_the_same_size_and_seed_draw_the_same(name, tmp_path):
    """And another seed another, but for what is a size alone."""
    texts = [draw.draw(name, 30, tmp_path / str(k), seed)[1].read_text() for k, seed in enumerate((1, 1, 2))]
    assert texts[0] == texts[1]
    assert (texts[0] != texts[2]) == (draw.DRAWN[name][1] is not draw.size_alone)


@pytest.mark.parametrize("seed", range(1, 6))
def test_a_drawn_tour_can_meet_its_windows(seed, tmp_path):
    """PyVRP is not needed: the tour by the middles of the windows comes near the random one; a search meets all."""
    _, path, _ = draw.draw("tsptw", 25, tmp_path, seed)
    result = nrpa.solve(nrpa.TSPTW.load(path), seed=1, playouts=2000)
    assert result.violations == 0
    assert values.of_tour(path, result.solution) == pytest.approx(result.cost)


def test_a_snake_begins_with_a_snake(tmp_path):
    """Of fewer dimensions, the edges first used in order."""
    _, _, options = draw.draw("snake", 9, tmp_path)
    edges = [int(digit) for digit in options["begin"]]
    assert nrpa.Snake(8).check(edges).faults == []
    assert len(edges) > 10


def test_values_refuse_what_is_no_answer(tmp_path):
    """Each of the files, with an answer spoilt."""
    _, path, _ = draw.draw("binpacking", 30, tmp_path)
    packing = peers.first_fit_decreasing(path, 0)
    wrong = {"binpacking": [packing[1:], [[size for content in packing for size in content]]]}
    _, path, _ = draw.draw("coloring", 30, tmp_path)
    wrong["coloring"] = [[1] * 30, list(range(29))]
    wrong["tsptw"] = [list(range(1, 29)), list(range(29, 0, -1))]
    wrong["vrptw"] = [[[k] for k in range(1, 31)], [[*range(1, 31)]]]
    for name, answers in wrong.items():
        _, path, _ = draw.draw(name, 30, tmp_path)
        for answer in answers:
            with pytest.raises(ValueError, match=r"\w"):
                values.VALUES[name](path, answer)


def test_first_fit_decreasing_is_first_fit(tmp_path):
    """The bins of the loop that looks at each bin in turn."""
    _, path, _ = draw.draw("binpacking", 200, tmp_path)
    bins = []
    for size in sorted(map(int, path.read_text().split()[2:]), reverse=True):
        content = next((content for content in bins if sum(content) + size <= 1000), None)
        if content is None:
            bins.append(content := [])
        content.append(size)
    assert peers.first_fit_decreasing(path, 0) == bins
    assert values.of_packing(path, bins) == len(bins)


def test_dsatur_is_that_of_networkx(tmp_path):
    """Which is the same rule, and looks at all nodes each step."""
    networkx = pytest.importorskip("networkx")
    _, path, _ = draw.draw("dense", 120, tmp_path)
    graph = networkx.Graph()
    graph.add_nodes_from(range(120))
    graph.add_edges_from(values.edges_of(path).tolist())
    colours = networkx.greedy_color(graph, "DSATUR")
    assert [colours[node] + 1 for node in range(120)] == peers.dsatur(path, 0)


def test_a_fault_is_a_row(tmp_path):
    """What is refused, and what has no answer in time."""
    refused = measure.measured(("snake", 15, measure.NRPA, 0.1, measure.PROCESSOR, 1), tmp_path, None)
    assert "a number of dimensions, 2 to 14" in refused["outcome"]
    assert refused["value"] == ""
    late = measure.measured(("long", 10, measure.NRPA, 1.0, measure.PROCESSOR, 1), tmp_path, 0.1)
    assert late["outcome"] == "no answer in 0.1 s"
    assert late["seconds"] == "1"
    assert tuple(late) == tuple(refused) == growing.COLUMNS


def test_what_is_measured_is_kept(tmp_path, monkeypatch, capsys):
    """Rows, tables and a picture; the same command measures nothing twice."""
    out = tmp_path / "growth.csv"
    monkeypatch.chdir(ROOT)
    command = ["measure.py", "--short", "--problems", "binpacking", "--out", str(out), "--folder", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    measure.main()
    rows = growing.answers(measure.read_rows(out, growing.COLUMNS), "0.2").splitlines()
    assert len(rows) == 4
    assert rows[2].split(" | ")[3] == rows[2].split(" | ")[4]
    text = out.read_text()
    assert text.count("done") == 4
    assert b"<svg" in out.with_suffix(".svg").read_bytes()
    monkeypatch.setattr(measure, "measured", lambda *_: pytest.fail("measured again"))
    measure.main()
    assert out.read_text() == text
    assert "| binpacking | items | 40 | 80 |" in capsys.readouterr().out


def test_exponents_are_those_of_power_laws():
    """Seconds as n^1.5 and memory as n²."""
    row = {**dict.fromkeys(growing.COLUMNS, ""), "problem": "samegame", "by": "nrpa", "seconds": "10"}
    row |= {"clock": "processor", "outcome": "done", "value": "1", "read": "1", "setup": "0", "before": "0"}
    rows = [
        {**row, "size": str(side), "first": str(side**3), "playout": str(side**2), "memory": str(side**4)}
        for side in (10, 20, 40)
    ]
    assert growing.exponents(rows, "10").splitlines()[2] == "| samegame | cells | 100 | 1,600 | 0.0 | 1.5 | 1.0 | 2.0 |"


def test_speed_up_is_over_one_worker():
    """Of the same problem and size."""
    row = {**dict.fromkeys(growing.COLUMNS, ""), "problem": "rna", "size": "250", "by": "nrpa", "seconds": "10"}
    row |= {"clock": "wall", "outcome": "done", "value": "1", "valid": "yes", "wall": "10"}
    rows = [{**row, "workers": str(count), "playouts": str(made)} for count, made in ((1, 100), (2, 180))]
    lines = growing.speedups(rows, "10").splitlines()
    assert lines[3] == "| rna | 250 | 2 | 18 | 1.80 | 1.0000 |"
