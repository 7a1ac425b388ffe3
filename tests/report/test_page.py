import json
import re
import shutil
from html.parser import HTMLParser

import pytest

from nrpa.base.errors import InputError
from nrpa.bench import Experiment, Variant, run_experiment
from nrpa.bench.records import Record
from nrpa.bench.table import standing
from nrpa.report import report

VARIANTS = (Variant("t1.4", "gnrpa", {"tau": 1.4, "level": 2}), Variant("<NRPA>", "nrpa", {"level": 2}))
VOID = {"meta", "img", "link", "br"}


class Reader(HTMLParser):
    """Collect the text and the pictures of a page, and see that what is opened is closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.text, self.images, self.tags = [], [], [], set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    out = tmp_path_factory.mktemp("report") / "a.csv"
    run_experiment(Experiment("tsptw", ("rc201.1",), VARIANTS, runs=2, playouts=300), out, workers=1)
    return out


def test_a_page_has_all_of_an_experiment(records):
    """What was run, on what, tables in the problem's own terms, curves, the best solution, and how to find it again."""
    page = report(records, target=500)
    found = Reader(page)
    description = json.loads(records.with_suffix(".json").read_text())
    for expected in (
        "tsptw: 2 variants on 1 instance",
        "cost, less is better",
        "300 playouts",
        "4, seeds 1 to 2",
        f"numba {description['versions']['numba']}",
        description["experiment"]["instances"]["rc201.1"],
        "tau 1.4, level 2",
        "Mean cost of 2 runs (2σ/√n)",
        "Mean cost minus that of t1.4 [95 % interval, Welch; less is better]",
        "Share of runs with cost ≤ 500",
        "best known 444.54 (proven optimal)",
    ):
        assert expected in found.words
    assert found.open == []
    assert len(found.images) >= 4
    assert all(image["alt"] for image in found.images)
    assert report(records, target=500) == page


def test_seconds_of_processor_time(records, tmp_path):
    """The budget, the tables and the pictures say that they are no seconds on the wall."""
    for path in records.parent.glob("a.*"):
        shutil.copy(path, tmp_path)
    description = json.loads((tmp_path / "a.json").read_text())
    description["experiment"] |= {"clock": "processor", "time": 2.56, "playouts": None}
    (tmp_path / "a.json").write_text(json.dumps(description))
    rows = [f"{variant.name},rc201.1,{seed},0.01,300,-900.0" for variant in VARIANTS for seed in (1, 2)]
    (tmp_path / "a.csv").write_text("\n".join(["variant,instance,seed,seconds,playouts,score", *rows, ""]))
    found = Reader(report(tmp_path / "a.csv"))
    assert "2.56 s of processor time" in found.words
    assert "processor seconds" in found.words
    assert any(image["alt"].endswith("over processor seconds") for image in found.images)


def test_a_page_needs_nothing_else(records):
    """No script, no style or picture from anywhere; names are text, whatever is in them."""
    found = Reader(report(records))
    assert not found.tags & {"script", "link", "iframe", "object", "nrpa"}
    assert all(image["src"].startswith("data:image/") for image in found.images)
    assert "http" not in re.sub(r'src="data:[^"]*"', "", report(records))
    assert "<NRPA>" in found.words


def test_halves_of_letters_can_be_written(records, tmp_path):
    """JSON may hold them; no file of text can."""
    for path in records.parent.glob("a*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    description = json.loads((tmp_path / "a.json").read_text())
    description["experiment"]["problem"] = "a.py:\ud800"
    (tmp_path / "a.json").write_text(json.dumps(description))
    assert "?: 2 variants" in report(tmp_path / "a.csv").encode().decode()


def test_the_command_finds_the_best_again(records):
    """By its seed and the playouts that it took."""
    import shlex

    from nrpa.bench.records import read_best

    best = max(read_best(records.with_suffix(".best.json")), key=lambda run: run.result.score)
    command = re.search(r"nrpa solve tsptw .*? --playouts \d+", Reader(report(records)).words)[0]
    words = shlex.split(command)
    assert words[:4] == ["nrpa", "solve", "tsptw", "rc201.1"]
    options = dict(zip(words[4::2], words[5::2], strict=True))
    assert options["--seed"] == str(best.result.seed)
    assert options["--playouts"] == str(best.result.improvements[-1].playouts)
    assert (options["--solver"], options["--level"]) == ("gnrpa", "2")


def test_records_without_solutions_say_so(records, tmp_path):
    """As those of older versions, which keep none; the command that finds them is there."""
    for path in records.parent.glob("a*"):
        if "best" not in path.name:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    words = Reader(report(tmp_path / "a.csv")).words
    assert "No solution was kept" in words
    assert "nrpa solve tsptw rc201.1" in words


def test_no_file_of_a_user_is_executed(records, tmp_path, monkeypatch):
    """A problem of one's own is shown as text, unless it is named."""
    for path in records.parent.glob("a*"):
        text = (
            path.read_text().replace('"tsptw"', '"Mine"').replace('"problem": "Mine"', '"problem": "mine.py:Mine"', 1)
        )
        (tmp_path / path.name).write_text(text)
    (tmp_path / "mine.py").write_text("raise SystemExit('executed')")
    monkeypatch.chdir(tmp_path)
    words = Reader(report(tmp_path / "a.csv")).words
    assert "No picture: " in words
    assert "The solution as JSON" in words


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"a.json": None}, {}, r"a\.json: no such file; expected the description"),
        ({"a.json": "[1]"}, {}, r"a\.json: is not the description"),
        (
            {"a.json": '{"experiment": {"variants": {}, "instances": {}, "playouts": "x"}}'},
            {},
            "a.json: playouts must be",
        ),
        (
            {"a.json": '{"experiment": {"variants": {}, "instances": {}, "time": [1]}}'},
            {},
            "a.json: time must be a pos",
        ),
        ({"a.csv": "x\n"}, {}, r"a\.csv:1: expected the columns"),
        ({"a.best.json": "x"}, {}, r"a\.best\.json: holds no best solutions"),
        ({}, {"versus": "C"}, "there is no variant 'C'; expected one of t1.4, <NRPA>"),
        ({}, {"target": -500}, "the target -500 has the wrong sign: it is a cost here"),
    ],
)
def test_what_cannot_be_used_is_refused(records, tmp_path, changes, options, message):
    """In one sentence."""
    for path in records.parent.glob("a*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for name, text in changes.items():
        (tmp_path / name).unlink() if text is None else (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        report(tmp_path / "a.csv", **options)


def test_several_instances_and_one_run(tmp_path):
    """A section each with a link to it; one run has no interval, and one variant no difference."""
    out = tmp_path / "a.csv"
    two = Experiment("tsptw", ("rc201.1", "rc201.2"), VARIANTS[:1], runs=1, playouts=20)
    run_experiment(two, out, workers=1)
    page = report(out)
    assert 'href="#instance-2"' in page
    assert 'id="instance-2"' in page
    assert "minus that of" not in page
    assert "best on" not in page


def test_who_won_comes_first(records):
    """The table over all instances stands above all others, with a line for each variant."""
    words = Reader(report(records)).words
    assert "1 of 1 instances, at the last mark" in words
    assert words.index("best on") < words.index("What was run") < words.index("Mean cost of")


def scored(means, instance, mark=1.0, runs=6):
    """Return runs of variants around their means."""
    return [
        Record(variant, instance, seed, mark, 9, mean + 0.01 * seed)
        for variant, mean in means.items()
        for seed in range(runs)
    ]


def test_places_over_instances():
    """Equal means share a place; an instance that a variant lacks is left out; the last common mark counts."""
    rows = scored({"A": 1.0, "B": 2.0, "C": 2.0}, "i") + scored({"A": 9.0, "B": 0.0}, "i", mark=2.0)
    rows += scored({"A": 3.0, "B": 2.0, "C": 1.0}, "j") + scored({"A": 5.0, "B": 4.0}, "k")
    instances, title, head, lines = standing(rows, "seconds", "A")
    assert instances == "2 of 3 instances"
    assert title.startswith("at the last mark by seconds")
    assert title.endswith("excludes 0, with 6 runs of each or more")
    assert head[3:] == ["better than A on", "worse on"]
    assert lines == [["B", "1", "1.50", "1", "1"], ["A", "1", "2.00", "-", "-"], ["C", "1", "2.00", "1", "1"]]


def test_what_cannot_be_compared_has_no_line():
    """One variant alone, or variants without a common mark; few runs prove nothing."""
    assert standing(scored({"A": 1.0}, "i"), "seconds", "A") is None
    assert standing(scored({"A": 1.0}, "i") + scored({"B": 2.0}, "i", mark=2.0), "seconds", "A") is None
    assert standing(scored({"A": 1.0, "B": 2.0}, "i", runs=3), "seconds", "A").lines[0] == ["B", "1", "1.00", "0", "0"]
