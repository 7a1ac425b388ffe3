"""What bundled problems keep: the check names faults, what they are not made of is refused, they travel, and stop."""

import pickle
from pathlib import Path

import pytest
from contract import FAULTS, REFUSED

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.source import Origin, bundled, read_source
from nrpa.registry import problem_class, problems


def smallest(name):
    return min(bundled(name).values(), key=lambda row: row.size).name


@pytest.fixture(params=problems.bundled)
def problem(request):
    """Load the smallest bundled instance, in plain Python where it is a class; of games there are none."""
    cls = problem_class(request.param)
    made = cls.load(smallest(request.param)) if bundled(request.param) else cls()
    return getattr(made, "plain", made)


@pytest.mark.parametrize(
    ("name", "make", "solution", "faults", "score"),
    [
        pytest.param(name, make, *row, id=f"{name}-{k}")
        for name, (make, rows) in FAULTS.items()
        for k, row in enumerate(rows)
    ],
)
def test_faults_are_named(name, make, solution, faults, score):
    """All of them, in words; what has no score has no figures, but for games of SameGame that end early."""
    verdict = make().check(solution)
    assert verdict.faults == faults
    assert not verdict.valid
    assert verdict.score == (None if score is None else pytest.approx(score, abs=1e-6))
    assert score is not None or verdict.figures == {} or name == "samegame"


@pytest.mark.parametrize(
    ("cls", "given", "said"),
    [pytest.param(cls, *row, id=f"{name}-{k}") for name, (cls, rows) in REFUSED.items() for k, row in enumerate(rows)],
)
def test_what_it_is_not_made_of_is_refused(cls, given, said):
    """By one sentence."""
    with pytest.raises(InputError) as raised:
        cls(**given) if isinstance(given, dict) else cls(*given)
    assert str(raised.value) == said


def test_it_is_the_same_where_it_is_sent(problem):
    """It has its name, its hash and its options there, and the same seed finds the same."""
    problem.origin = Origin("another name")
    copy = pickle.loads(pickle.dumps(problem))
    assert (copy.label, copy.digest(), copy.options) == ("another name", problem.digest(), problem.options)
    assert (copy.objective, copy.sha256) == (problem.objective, problem.sha256)
    if problem.players == 1:
        with nrpa.debug():
            one, other = (nrpa.solve(each, nrpa.RandomSampling(), seed=1, playouts=2) for each in (problem, copy))
        assert (one.solution, one.score) == (other.solution, other.score)


def test_a_search_stops_when_it_is_told_to(problem):
    """At once, without a playout; then it goes on."""
    with nrpa.debug():
        search = (nrpa.UCT() if problem.players > 1 else nrpa.RandomSampling()).start(problem, 1)
        search.stop[0] = True
        assert (search.advance(3), search.playouts) == ([], 0)
        search.stop[0] = False
        search.advance(3)
    assert search.playouts == 3


@pytest.mark.parametrize("name", [*filter(bundled, problems.bundled)])
def test_a_copy_of_its_file_is_the_same_instance(name, tmp_path, monkeypatch):
    """By its hash, and with the best known value; of a file of many, the member of that name."""
    monkeypatch.chdir(tmp_path)
    cls, source = problem_class(name), read_source(name, smallest(name))
    file = Path(Path(source.file or source.label).name)
    file.write_text(source.text, encoding="utf-8")
    made, copy = cls.load(smallest(name)), cls.load(f"{file}:{source.member}" if source.member else str(file))
    assert len(copy.sha256) == 64
    assert (copy.digest(), copy.sha256, copy.best_known) == (made.digest(), made.sha256, made.best_known)


def test_solutions_are_drawn(problem):
    """Of a random game, in a terminal and beside a result."""
    if problem.players == 1:
        with nrpa.debug():
            solution = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1).solution
        assert problem.draw(solution).strip()
        assert problem.sketch(solution).strip()
        assert problem.check(solution).score is not None
