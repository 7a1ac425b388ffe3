"""Kill searches at random moments with SIGKILL, resume each from its checkpoint, and compare with one never stopped.

    python experiments/attacks/kill_and_resume.py --seed 1 --count 200

Problems and solvers take turns. "Equal" are score, solution, improvements by playouts, and the next random numbers.
Exit status 1 if a search was lost, or is not equal.
"""

import json
import multiprocessing
import random
import tempfile
import time
from contextlib import suppress
from itertools import product
from pathlib import Path

import attack

import nrpa
from nrpa.base.errors import InputError
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
    f"{Path(__file__).resolve().parents[2]}/examples/snake.py:Snake": "7",
}
OPTIONS = {"gnrpa": {"level": 3}, "nrpa": {"level": 3}, "nmcs": {"level": 2}}
SEED = 7
EVERY = 0.05
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
        going = nrpa.start(made, solver_class(solver)(**OPTIONS.get(solver, {})), seed=SEED)
    kept = CheckpointAutosave(checkpoint, EVERY), ResultAutosave(folder / "result.json")
    begun.send("searching")
    limit = nrpa.PlayoutLimit(playouts) if playouts else nrpa.TimeLimit(seconds)
    going.advance(stop=limit, on_slice=lambda now: [each.slice(now) for each in kept] if playouts else None)
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
    """Kill a search after ``moment`` seconds and resume it; return what came of it, and the playouts that were kept."""
    if whole is None:
        return "failed", ""
    process = child(problem, solver, folder, 0, whole["playouts"])
    time.sleep(moment)
    process.kill()
    process.join()
    checkpoint, result, kept = folder / "run.npz", folder / "result.json", None
    try:
        if checkpoint.exists():
            kept = int(read_checkpoint(checkpoint).arrays["memory/tally/playouts"][0])
        if result.exists():
            nrpa.Result.from_json(result.read_text())
    except InputError as error:
        return "corrupt", error
    (folder / "end.json").unlink(missing_ok=True)
    end = end_of(problem, solver, folder, 0, whole["playouts"])
    if end != whole:
        return "lost" if end is None else "different", kept
    return "equal, nothing kept" if kept is None else "equal", kept


def main():
    """Kill and resume so many."""
    parser = attack.parser(__doc__, 200)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long a search takes that is not stopped")
    parser.add_argument("--only", action="append", choices=list(PROBLEMS), help="a problem; again for another")
    parser.add_argument("--solver", action="append", choices=list(solvers.bundled), help="a solver; again for another")
    given, outcomes = parser.parse_args(), attack.Outcomes("equal", "equal, nothing kept")
    cases, wholes = [*product(given.solver or solvers.bundled, given.only or PROBLEMS)], {}
    for number in range(given.count):
        solver, problem = cases[number % len(cases)]
        moment = random.Random(f"{given.seed} {number}").uniform(0, given.seconds)
        with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as folder:
            if (solver, problem) not in wholes:
                wholes[solver, problem] = end_of(problem, solver, Path(whole), given.seconds, 0)
            outcome, kept = killed_and_resumed(problem, solver, Path(folder), wholes[solver, problem], moment)
        outcomes.note(outcome, f"{number}, {solver} on {problem}, killed after {moment:.3f} s: {kept}")
    outcomes.end(given.seed)


if __name__ == "__main__":
    main()
