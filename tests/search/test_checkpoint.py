import json
import os
import random

import numpy as np
import pytest
from executors import Inline
from small_problems import OF_USERS, SMALL, made, solvers_of
from user_problems import Bits, Pairs
from walk import Walk

import nrpa
from nrpa.base.errors import InputError
from nrpa.search.checkpoint import read_arrays, read_checkpoint, write_arrays


def state_of(run):
    """Return all that must be the same of two runs of equal length."""
    search = run._search
    arms = getattr(search.memory, "arms", ())
    memories = arms if isinstance(arms, tuple) and arms else (search.memory,)
    return {
        "score": run.progress.score,
        "solution": json.dumps(run.result().solution),
        "improvements": [point[1:] for point in run.recorder.improvements],
        "curve": sorted({point[1:] for point in run.recorder.curve if point.playouts.bit_count() == 1}),
        "random": [each.random.tolist() for each in memories],
        "playouts": (search.playouts, search.finished, search.last_score),
    }


def advance_to(run, playouts):
    return run.advance(stop=nrpa.PlayoutLimit(playouts))


@pytest.mark.parametrize("name", SMALL)
def test_stopped_and_resumed_is_uninterrupted(name, tmp_path):
    """Of every solver, stopped at several points one after the other, each time resumed with a problem read anew."""
    path = tmp_path / "run.npz"
    for algorithm in solvers_of(name):
        whole = nrpa.start(made(name), algorithm, seed=3)
        end = advance_to(whole, 80)
        stopped = nrpa.start(made(name), algorithm, seed=3)
        for playouts in (1, 2, 37, 64):
            advance_to(stopped, playouts)
            stopped.save(path)
            stopped = nrpa.resume(path, made(name))
        assert advance_to(stopped, 80) == end
        assert state_of(stopped) == state_of(whole), (name, algorithm.name)
        assert stopped.result().options == whole.result().options


def test_a_memory_that_has_grown_comes_back():
    """A policy whose table was made larger, and games longer than the room at first."""

    class Long(Bits):
        steps = 100

    whole, half = (nrpa.start(Long(), nrpa.NRPA(level=2, iterations=20), seed=1) for _ in range(2))
    advance_to(whole, 300)
    advance_to(half, 150)
    half.save("grown.npz")
    again = nrpa.resume("grown.npz", Long())
    advance_to(again, 300)
    assert state_of(again) == state_of(whole)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def saved():
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.GNRPA(level=2, tau=1.4), seed=5)
    run.advance(playouts=200)
    run.save("run.npz")
    return run


def test_a_bundled_instance_is_read_again(saved):
    """Its clock, status and options are those of the run that was saved; a result needs no further playout."""
    again = nrpa.resume("run.npz")
    assert again.progress == saved.progress
    assert (again.status, again.seed, again.solver) == ("playouts", 5, saved.solver)
    assert again.result().to_dict() | {"setup_seconds": 0} == saved.result().to_dict() | {"setup_seconds": 0}
    assert again.setup_seconds > saved.setup_seconds
    assert again.advance(playouts=100) == "playouts"
    assert again.progress.playouts == 300


def test_a_run_that_has_not_begun():
    """Is saved as well, and begins where it would have."""
    run = nrpa.start(Bits(), seed=1)
    run.save("run.npz")
    again = nrpa.resume("run.npz", Bits())
    assert again.progress == run.progress
    run.advance(playouts=20)
    again.advance(playouts=20)
    assert state_of(run) == state_of(again)


@pytest.mark.parametrize("solver", [nrpa.NRPA(level=2, iterations=5), nrpa.Auto()])
def test_weights_and_warm_start_are_in_the_file(solver):
    """They need not be given again."""
    given = {"weights": {(0, 1): 2.0}, "warm_start": [1] * 9 + [0]}
    whole, half = (nrpa.start(Bits(), solver, seed=1, **given) for _ in range(2))
    advance_to(whole, 60)
    advance_to(half, 30)
    half.save("run.npz")
    again = nrpa.resume("run.npz", Bits())
    advance_to(again, 60)
    assert state_of(again) == state_of(whole)
    assert again.result().inputs == whole.result().inputs


def test_a_bias_is_given_again(tmp_path):
    """The same one goes on; none, another, or one where there was none, is refused."""
    problem = nrpa.TSPTW.load("rc201.1")
    bias = np.linspace(-1, 1, problem.codes)
    whole, half = (nrpa.start(problem, nrpa.NMCS(level=1, bias=True), seed=1, bias=bias) for _ in range(2))
    advance_to(whole, 60)
    advance_to(half, 30)
    half.save("run.npz")
    again = nrpa.resume("run.npz", bias=bias)
    advance_to(again, 60)
    assert state_of(again) == state_of(whole)
    for other, expected in [(None, "give the same one"), (bias + 1, "another bias")]:
        with pytest.raises(InputError, match=f"run.npz: the search was started with .*{expected}"):
            nrpa.resume("run.npz", bias=other)
    nrpa.start(problem, seed=1).save("run.npz")
    with pytest.raises(InputError, match="without a bias"):
        nrpa.resume("run.npz", bias=bias)


def test_a_used_problem_keeps_its_numbers():
    """Where the problem has numbered its moves otherwise, the search goes on with a copy of it."""
    problem = OF_USERS["knapsack"]()
    run = nrpa.start(problem, nrpa.NRPA(level=1), seed=1)
    run.advance(playouts=20)
    run.save("run.npz")
    other = OF_USERS["knapsack"]()
    other.model.moves["a move of another search"]
    again = nrpa.resume("run.npz", other)
    assert again.problem is not other
    assert again.value == run.value
    assert again.solution == run.solution
    assert nrpa.resume("run.npz", problem).problem is problem


class Place(tuple):
    __slots__ = ()


class Odd(Bits):
    def legal_moves(self, state):
        return [Place((move,)) for move in super().legal_moves(state)]

    def play(self, state, move):
        return (*state, move[0])


def test_a_move_that_cannot_be_saved():
    """Is named, with what can be."""
    run = nrpa.start(Odd(), seed=1)
    run.advance(playouts=1)
    with pytest.raises(
        InputError, match=r"^Odd: a checkpoint cannot hold the move \(0,\) \(Place\); expected moves of"
    ):
        run.save("run.npz")
    assert not os.path.exists("run.npz")


def test_a_run_is_not_saved_in_a_slice():
    """The search is ahead then; said in a sentence, and between slices it works."""
    problem, caught = nrpa.TSPTW.load("rc201.1"), []

    def improvement(run):
        with pytest.raises(InputError, match="save it in on_slice"):
            run.save("run.npz")
        caught.append(run)

    run = nrpa.start(problem, nrpa.NMCS(level=1), seed=1)
    run.advance(playouts=100, on_improvement=improvement, on_slice=lambda run: run.save("run.npz"))
    assert caught
    assert nrpa.resume("run.npz").progress == run.progress


def test_a_solver_that_has_the_name_of_another_is_refused():
    """The other one would go on in its place."""

    class Mine(nrpa.NMCS):
        pass

    with pytest.raises(InputError, match="a search of Mine cannot be saved: nmcs is another solver's name"):
        nrpa.start(Bits(), Mine(level=1), seed=1).save("run.npz")


def standing(run):
    """Return what must be the same of two runs of several workers."""
    result = run.result()
    points = [point[1:] for point in result.improvements]
    return result.playouts, run.progress.searches, result.score, result.solution, points


@pytest.mark.parametrize("make", [lambda: nrpa.TSPTW.load("rc201.1"), Walk], ids=["threads", "plain-python"])
def test_several_workers_stopped_and_resumed_are_uninterrupted(make):
    """At several points."""
    solver = nrpa.GNRPA(level=3, iterations=6)
    for workers in (1, 3):
        engine = {"workers": workers, "executor": None if make is not Walk else Inline()}
        whole = nrpa.start(make(), solver, seed=3, **engine)
        advance_to(whole, 400)
        run = nrpa.start(make(), solver, seed=3, **engine)
        for playouts in (0, 1, 47, 116, 230):
            if playouts:
                advance_to(run, playouts)
            run.save("run.npz")
            run.close()
            run = nrpa.resume("run.npz", make(), executor=engine["executor"])
        advance_to(run, 400)
        assert standing(run) == standing(whole)
        run.close()
        whole.close()


def test_searches_of_workers_do_not_go_on_with_others():
    """One sentence names both numbers; a file that lacks an array of one of them is refused as well."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.NMCS(level=1), seed=1, workers=2)
    run.advance(playouts=50)
    run.save("run.npz")
    run.close()
    with pytest.raises(InputError, match=r"run\.npz: is of 2 workers, and cannot go on with 3"):
        nrpa.resume("run.npz", workers=3)
    arrays = read_arrays("run.npz")
    for name in [name for name in arrays if name.startswith("workers/1/memory/best")]:
        write_arrays("run.npz", {key: array for key, array in arrays.items() if key != name})
        with pytest.raises(InputError, match=r"^run\.npz: "):
            nrpa.resume("run.npz")


def rewritten(**changes):
    """Write the checkpoint anew with other values in its header."""
    arrays = read_arrays("run.npz")
    header = json.loads(arrays["header"].tobytes()) | changes
    write_arrays("run.npz", arrays | {"header": np.frombuffer(json.dumps(header).encode(), np.uint8)})


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"versions": {"nrpa": "0.0.9"}}, "was written by nrpa 0.0.9; this is nrpa "),
        ({"format": 2}, "is of format 2; this nrpa reads format 6"),
        ({"versions": None}, "is not a checkpoint of nrpa"),
        ({"solver": "magic"}, "is of magic, a solver of your own; give it as well"),
        (
            {"solver": "nmcs", "solver_options": {}},
            r"checkpoint's array memory/levels/\w+ is missing, or not of \d dim",
        ),
        ({"solver_options": {"level": 0}}, "its options do not fit the solver gnrpa"),
        ({"solver_options": {"x": 0}}, "its options do not fit the solver gnrpa"),
        ({"sha256": "0" * 64}, r"is a checkpoint of tsptw rc201.1 \(sha256 000000000000\), not of tsptw rc201.1 \(sha"),
        ({"instance": "/etc/hostname"}, "/etc/hostname, which is no bundled instance; give the problem as well"),
        ({"problem": "evil.py:Evil"}, "a problem of your own; give it as well"),
    ],
)
def test_another_checkpoint_is_refused(saved, changes, expected):
    """One sentence says what does not fit."""
    with open("evil.py", "w") as file:
        file.write("raise SystemExit('executed')")
    rewritten(**changes)
    with pytest.raises(InputError, match=expected):
        nrpa.resume("run.npz")


def test_a_class_of_another_size_by_now_is_refused():
    """Its instance and options are the same, but the policy that it asks for is not."""
    run = nrpa.start(nrpa.TSPTW.load("rc201.1"), nrpa.GNRPA(level=2, bias=False), seed=1)
    run.save("run.npz")
    problem = nrpa.TSPTW.load("rc201.1")
    problem.codes += 1
    with pytest.raises(InputError, match=r"^run\.npz: .*memory/policy/g has the shape \(4, 400\); expected \(4, 401\)"):
        nrpa.resume("run.npz", problem)


@pytest.mark.parametrize(
    "solver",
    [
        *(nrpa.NRPA(level=2, iterations=5), nrpa.NMCS(level=2), nrpa.Tempering(chains=2), nrpa.GRAVE(ref=3)),
        *(nrpa.Auto(), nrpa.ParetoNRPA(level=2, iterations=5)),
    ],
    ids=lambda solver: solver.name,
)
def test_an_array_of_another_shape_is_refused(solver):
    """Whichever it is, but for those whose own size says how large it may be; the sentence names file and array."""
    problem = Bits if solver.name != "pareto" else Pairs
    run = nrpa.start(problem(), solver, seed=1)
    run.advance(playouts=40)
    run.save("run.npz")
    arrays = read_arrays("run.npz")
    nrpa.resume("run.npz", problem()).advance(playouts=40)
    own_size = ("memory/edges", "amaf/blocks", "log/entries", "log/links", "bits/words", "capacity", "memory/best/move")
    for name in [name for name in arrays if name.startswith("memory/") and not name.endswith(own_size)]:
        if not arrays[name].size:
            continue
        grown = np.concatenate([arrays[name], arrays[name][:1]])
        write_arrays("run.npz", arrays | {name: grown})
        with pytest.raises(InputError, match=r"^run\.npz: the checkpoint's array memory/"):
            nrpa.resume("run.npz", problem())


def test_another_problem_is_refused(saved):
    """Another instance, another problem, or other options of it."""
    for problem, expected in [
        (nrpa.TSPTW.load("rc202.1"), "is a checkpoint of tsptw rc201.1, not of tsptw rc202.1"),
        (Bits(), "is a checkpoint of tsptw rc201.1, not of Bits"),
        (
            nrpa.TSPTW.load("rc201.1", moves="all"),
            "made with the options {.*'moves': 'selective', .*} of the problem, not {.*'moves': 'all', .*}",
        ),
    ]:
        with pytest.raises(InputError, match=expected):
            nrpa.resume("run.npz", problem)
    nrpa.start(Bits(), seed=1).save("run.npz")
    with pytest.raises(InputError, match="is of Bits, a problem of your own; give it as well"):
        nrpa.resume("run.npz")


def test_an_entry_that_lacks(saved):
    """Each entry that is taken away is missed, in a sentence."""
    arrays = read_arrays("run.npz")
    for name in arrays:
        write_arrays("run.npz", {key: array for key, array in arrays.items() if key != name})
        with pytest.raises(InputError, match=r"^run\.npz: "):
            nrpa.resume("run.npz")
    assert len(arrays) > 15


def test_a_damaged_file_is_refused(saved):
    """Cut in half, or with a byte changed; the sentence names the file."""
    with open("run.npz", "rb") as file:
        data = file.read()
    half = len(data) // 2
    for changed in (data[:half], data[:half] + bytes([data[half] ^ 1]) + data[half + 1 :]):
        with open("run.npz", "wb") as file:
            file.write(changed)
        with pytest.raises(InputError, match=r"run\.npz: is damaged, or not a checkpoint of nrpa"):
            read_checkpoint("run.npz")


def test_a_limit_that_is_reached_already(saved):
    """Nothing is searched beyond it."""
    again = nrpa.resume("run.npz")
    assert again.advance(stop=nrpa.PlayoutLimit(150)) == "playouts"
    assert again.progress == saved.progress


ARRAYS = {
    "a/b": np.arange(6.0).reshape(2, 3),
    "a/none": np.zeros((3, 0)),
    "flag": np.array([True, False]),
    "bits": np.array([2**64 - 1], np.uint64),
    "not-a-number": np.array([np.nan, -0.0, np.inf]),
}


@pytest.fixture
def path(tmp_path):
    write_arrays(tmp_path / "file", ARRAYS)
    return tmp_path / "file"


def test_arrays_come_back(path):
    """With names, types, shapes and every bit; NumPy reads the file without pickle."""
    again = read_arrays(path)
    assert {name: (a.dtype, a.shape, a.tobytes()) for name, a in again.items()} == {
        name: (a.dtype, a.shape, a.tobytes()) for name, a in ARRAYS.items()
    }
    assert set(np.load(path, allow_pickle=False).files) == {*ARRAYS, "sha256"}


def test_every_damage_is_noticed(path):
    """Cut anywhere, a byte changed anywhere, or bytes put in: the arrays as they were, or one sentence."""
    data, chance = path.read_bytes(), random.Random(1)
    whole = {name: a.tobytes() for name, a in ARRAYS.items()}
    changed = [data[:length] for length in range(0, len(data), 7)]
    for place in range(len(data)):
        changed.append(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
        changed.append(data[:place] + chance.randbytes(3) + data[place:])
    refused = 0
    for each in changed:
        path.write_bytes(each)
        try:
            found = {name: a.tobytes() for name, a in read_arrays(path).items()}
        except InputError:
            refused += 1
        else:
            assert found == whole
    assert refused > len(changed) // 2


def test_what_is_no_such_file(path, tmp_path):
    """A pickle is not loaded; a compressed archive, one without the hash, a folder or a missing file is refused."""
    with path.open("wb") as file:
        np.savez(file, a=np.array([print], object))
    for name, expected in [
        ("file", "is damaged, or not a checkpoint of nrpa"),
        (".", "is a directory"),
        ("none", "no such file"),
    ]:
        with pytest.raises(InputError, match=expected):
            read_arrays(tmp_path / name)
    for save in (np.savez_compressed, np.savez):
        with path.open("wb") as file:
            save(file, **ARRAYS)
        with pytest.raises(InputError, match="is damaged"):
            read_arrays(path)
    with path.open("wb") as file:
        np.savez(file, a=np.zeros(1, "M8[s]"), sha256=np.zeros(32, np.uint8))
    with pytest.raises(InputError, match="is damaged"):
        read_arrays(path)
    path.write_bytes(b"cost,1")
    with pytest.raises(InputError, match="is not a checkpoint of nrpa"):
        read_arrays(path)


def test_the_last_whole_file_stays(path, monkeypatch):
    """Where the disk is full."""

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write_arrays(path, {"a": np.zeros(1)})
    monkeypatch.undo()
    assert set(read_arrays(path)) == set(ARRAYS)
    assert [each.name for each in path.parent.iterdir()] == ["file"]
