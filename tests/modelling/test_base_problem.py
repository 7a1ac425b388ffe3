import copy
import pickle
import re
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from knapsack import Knapsack
from knapsack_compiled import CompiledKnapsack
from snake import Snake
from user_problems import EXAMPLES, Bits, solved

import nrpa

LISTS = [3, 4, 5, 6], [4, 5, 7, 8], 9


def test_load_sets_the_origin(tmp_path):
    """Label, hash and best known value in one field, which a problem can read one by one."""
    problem = nrpa.TSPTW.load("rc201.1")
    assert problem.origin == nrpa.Origin("rc201.1", problem.sha256, problem.best_known)
    assert problem.best_known.value == 444.54
    knapsack = Knapsack.load(str(EXAMPLES / "knapsack.txt"))
    assert knapsack.label == str(EXAMPLES / "knapsack.txt")
    assert knapsack.sha256 == knapsack.origin.sha256 != Knapsack(*LISTS).sha256
    assert Knapsack(*LISTS).origin == nrpa.Origin()


@pytest.mark.parametrize("form", [nrpa.TSPTW, nrpa.InverseFolding, nrpa.Folding])
def test_load_takes_a_path_as_a_path_or_as_text(form, tmp_path):
    """A pathlib.Path is read as its text is."""
    texts = {"tsptw": "2\n0 1\n1 0\n0 9\n0 9\n", "rna": "((...))\n", "fold": "GGGAAACCC\n"}
    path = tmp_path / "mine.txt"
    path.write_text(texts[form.name])
    problem = form.load(path)
    assert (problem.label, problem.sha256) == (str(path), form.load(str(path)).sha256)


def test_an_origin_that_the_class_sets_is_kept():
    """Its label stands, and the digest of the instance for the hash of a file."""
    problem = Snake.load("5")
    assert problem.label == "5 dimensions"
    assert problem.sha256 == Snake(5).sha256 != Snake(6).sha256


@pytest.mark.parametrize("name", ["label", "sha256", "best_known"])
@pytest.mark.parametrize("form", [nrpa.TSPTW, nrpa.Morpion, nrpa.BinPacking, CompiledKnapsack])
def test_constructors_take_no_origin(form, name):
    """It is not said in two places."""
    with pytest.raises((TypeError, nrpa.InputError), match=name):
        form([[0, 1], [1, 0]], [[0, 9]] * 2, **{name: "x"})


@pytest.mark.parametrize("form", [Knapsack, CompiledKnapsack])
def test_copies_are_problems_of_their_own(form):
    """Pickled or copied after use, with what says where they are from, and without what holds addresses."""
    problem = form(*LISTS)
    problem.origin = nrpa.Origin("mine")
    before = nrpa.solve(problem, nrpa.NRPA(level=2, iterations=5), seed=1, playouts=20)
    for twin in (pickle.loads(pickle.dumps(problem)), copy.copy(problem), copy.deepcopy(problem)):
        assert twin.model is not problem.model
        assert (twin.label, twin.sha256) == ("mine", problem.sha256)
        assert nrpa.solve(twin, nrpa.NRPA(level=2, iterations=5), seed=1, playouts=20).solution == before.solution


def test_a_problem_can_be_solved_in_another_process():
    """Sent there after it was used here; the result is the same, and of the same instance."""
    problems = [Knapsack(*LISTS), CompiledKnapsack(*LISTS)]
    here = [solved(problem) for problem in problems]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        there = list(pool.map(solved, problems))
    for mine, other in zip(here, there, strict=True):
        assert [mine[key] for key in ("solution", "sha256")] == [other[key] for key in ("solution", "sha256")]


def test_one_model_for_all_threads():
    """Many that ask at once are given the same."""
    for _ in range(20):
        problem, models = Bits(), []
        start = threading.Barrier(8)

        def ask(problem=problem, models=models, start=start):
            start.wait()
            models.append(problem.model)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(set(map(id, models))) == 1


@pytest.mark.parametrize("given", [None, 5, "text"])
def test_from_source_that_returns_no_instance(tmp_path, given):
    """A forgotten ``return cls(...)`` is a sentence."""
    odd = type("Odd", (Bits,), {"from_source": classmethod(lambda cls, source: given)})
    (tmp_path / "a.txt").write_text("1")
    with pytest.raises(
        nrpa.ProblemError, match=f"Odd: from_source returned {given!r}; expected an object of the class"
    ):
        odd.load(str(tmp_path / "a.txt"))


def test_what_the_constructor_refuses_names_the_file(tmp_path):
    """As what the reader itself refuses does, once; an unknown option is no fault of the file."""
    (tmp_path / "a.txt").write_text("2\n0 1\n1 0\n0 9\n0 9\n")
    path = str(tmp_path / "a.txt")
    for name, value in (("bias_scale", -1.0), ("rounding", "up")):
        with pytest.raises(nrpa.InputError, match=f"^{re.escape(path)}: .*{name}"):
            nrpa.TSPTW.load(path, **{name: value})
    with pytest.raises(nrpa.InputError, match=r"^TSPTW has no option 'way'"):
        nrpa.TSPTW.load(path, way=1)
    (tmp_path / "a.txt").write_text("2\n0 1\n1 0\n0 9\n9 0\n")
    with pytest.raises(nrpa.InputError, match=f"^{re.escape(path)}:5: the window"):
        nrpa.TSPTW.load(path)


class MyTour(nrpa.TSPTW):
    """A problem of a user's, derived from a bundled one."""


class MyBest(nrpa.SameGame):
    """One whose figure is another."""

    objective = nrpa.Objective("cells", sign=-1)


class Named(MyTour):
    """One with a name of its own."""

    name = "named"


class Mixin:
    """What is no problem may name one."""

    name = "mixed"


class Mixed(Mixin, nrpa.TSPTW):
    """A problem and something else."""


@pytest.mark.parametrize(
    ("form", "name"),
    [
        (MyTour, "MyTour"),
        (Named, "named"),
        (Mixed, "mixed"),
        (nrpa.TSPTW, "tsptw"),
        (nrpa.Knightthrough, "knightthrough"),
    ],
)
def test_a_derived_class_has_a_name_of_its_own(form, name):
    """Its results are not taken for those of the class above it."""
    assert form.name == name


def test_results_of_a_derived_class_are_not_its_parents():
    """Neither way; bundled instances are read by name, with their best known values where the objective is the same."""
    mine, theirs = MyTour.load("rc201.1"), nrpa.TSPTW.load("rc201.1")
    assert mine.origin == theirs.origin
    first = nrpa.solve(theirs, nrpa.GNRPA(level=1), seed=1, playouts=1)
    with pytest.raises(nrpa.InputError, match=r"the result to start from is of tsptw rc201.1, not of MyTour rc201.1"):
        nrpa.solve(mine, nrpa.GNRPA(level=1), seed=1, playouts=1, warm_start=first)
    assert nrpa.solve(mine, nrpa.GNRPA(level=1), seed=1, playouts=1).problem == "MyTour"
    assert nrpa.SameGame.load("samegame-01").best_known
    assert MyBest.load("samegame-01").label == "samegame-01"
    assert MyBest.load("samegame-01").best_known is None


def test_problems_made_of_another_keep_its_name():
    """As they are searched by tempering, with a prior, or on average."""
    for problem in (nrpa.Morpion("4D"), nrpa.SameGame([[0, 0], [1, 1]])):
        assert problem.hints().replayed.name == problem.name
    prior = nrpa.with_prior(nrpa.WeakSchur(3), lambda states, moves: [[0.0] * len(legal) for legal in moves])
    assert prior.name == nrpa.averaged([nrpa.WeakSchur(3)]).name == "schur"
