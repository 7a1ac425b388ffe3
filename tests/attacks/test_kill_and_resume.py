"""Searches that are killed at random moments and resumed end as one that was never stopped.

Equal are score, solution, improvements by playouts, and the next random numbers.
"""

import json
import multiprocessing
import random
import time
from contextlib import suppress

import pytest
from tries import SEED, tries
from user_problems import EXAMPLES

import nrpa
from nrpa.registry import problem_class, read_problem, solver_class, solvers
from nrpa.search.autosave import CheckpointAutosave, ResultAutosave
from nrpa.search.checkpoint import read_checkpoint

PROBLEMS = {
    "tsptw": "rc204.1",
    "samegame": "samegame-01",
    "morpion": "5D",
    "binpacking": "Hard28_BPP13",
    "rna": "eterna-v1-66",
    "fold": "trna-phe",
    "coloring": "school1",
    "schur": "4",
    "snake": "7",
    "vrptw": "r106",
    f"{EXAMPLES}/snake.py:Snake": "7",
}
OPTIONS = {"gnrpa": {"level": 3}, "nrpa": {"level": 3}, "nmcs": {"level": 2}}
SHORT = ["tsptw", f"{EXAMPLES}/snake.py:Snake"]
EVERY, SECONDS = 0.05, 0.4
FORK = multiprocessing.get_context("fork")


def search(problem, solver, folder, seconds, playouts, begun):
    """Start the search, or go on with the one whose checkpoint is there; write how it ends to ``end.json``.

    ``seconds``: how long it is to take where ``playouts`` is 0. ``begun`` is told when it searches.
    """
    checkpoint = folder / "run.npz"
    made = read_problem(problem_class(problem), PROBLEMS[problem], {})
    if checkpoint.exists():
        going = nrpa.resume(checkpoint, made)
    else:
        going = nrpa.start(made, solver_class(solver)(**OPTIONS.get(solver, {})), seed=7)
    kept = CheckpointAutosave(checkpoint, EVERY), ResultAutosave(folder / "result.json")
    begun.send("searching")
    limit = nrpa.PlayoutLimit(playouts) if playouts else nrpa.TimeLimit(seconds)

    def save(now):
        for each in kept if playouts else ():
            each.slice(now)

    going.advance(stop=limit, on_slice=save)
    memory = going._search.memory
    end = {
        "playouts": going.progress.playouts,
        "score": going.progress.score,
        "solution": going.result().solution,
        "improvements": [point[1:] for point in going.recorder.improvements],
        "random": [each.random.tolist() for each in getattr(memory, "arms", (memory,))],
    }
    (folder / "end.json").write_text(json.dumps(end))


def child(*case):
    """Return a process that searches, when it has begun to. It is forked, as importing nrpa takes long."""
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=search, args=(*case, theirs))
    process.start()
    theirs.close()
    with suppress(EOFError):
        ours.recv()
    return process


def end_of(problem, solver, folder, seconds, playouts):
    """Search to the end and return how it ended; None where it failed."""
    process = child(problem, solver, folder, seconds, playouts)
    process.join()
    return json.loads((folder / "end.json").read_text()) if process.exitcode == 0 else None


def killed_and_resumed(problem, solver, folder, whole, moment):
    """Kill a search after ``moment`` seconds, and return how it ends when it is resumed; what is on disk is whole."""
    process = child(problem, solver, folder, 0, whole["playouts"])
    time.sleep(moment)
    process.kill()
    process.join()
    if (folder / "run.npz").exists():
        read_checkpoint(folder / "run.npz")
    if (folder / "result.json").exists():
        nrpa.Result.from_json((folder / "result.json").read_text())
    (folder / "end.json").unlink(missing_ok=True)
    return end_of(problem, solver, folder, 0, whole["playouts"])


@pytest.mark.parametrize("problem", PROBLEMS if len(tries(1)) > 1 else SHORT)
@pytest.mark.parametrize("solver", solvers.bundled if len(tries(1)) > 1 else ["gnrpa", "nrpa", "nmcs"])
def test_killed_searches_go_on_and_end_as_if_they_had_not_been(solver, problem, tmp_path):
    """Of three solvers on both kinds of problems, or of all on all."""
    (tmp_path / "whole").mkdir()
    whole, chance = end_of(problem, solver, tmp_path / "whole", SECONDS, 0), random.Random(f"{SEED} {solver} {problem}")
    assert whole
    for number in tries(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert killed_and_resumed(problem, solver, folder, whole, chance.uniform(0, SECONDS)) == whole
