"""Whether a problem in plain Python is the same in processes whose strings have other hashes, and sets other orders.

What depends on the order of a set differs between two runs of a program, and between workers. Python draws the hashes
of strings once a process, so other processes play the first games as well.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import pickle
import random
import subprocess
import sys
from contextlib import suppress
from types import ModuleType
from typing import Any

from nrpa.base.lazy import lazy
from nrpa.base.values import plain, shortened
from nrpa.modelling.problem import Problem

cloudpickle = lazy("numba.cloudpickle")

# A set of two strings has the same order in one of two processes.
SEEDS = ("1", "2", "3")
SECONDS = 60
LONGEST_CAUSE = 160
ELSEWHERE = (
    "in another process, where strings have other hashes (PYTHONHASHSEED), so that seeds, workers and resumed runs "
    "would differ; sort what comes from a set, and use no hash()"
)
_CHILD = "from nrpa.checking.hash_order import answer; answer()"


def first_games(problem: Problem, games: int) -> tuple[list[dict[str, str]], list[Any]]:
    """Play random games; return the hashes of what the problem's methods say of each state, and the legal moves."""
    steps: list[dict[str, str]] = []
    lists: list[Any] = []
    for seed in range(games):
        chance, state = random.Random(seed), problem.initial_state()
        for _ in range(problem.max_steps + 1):
            legal = [*problem.legal_moves(state)]
            codes = [plain(problem.code(state, move), lambda part: type(part).__name__) for move in legal]
            result = "" if legal else repr(problem.score(state) if problem.players == 1 else problem.rewards(state))
            said = {"legal_moves": plain(legal), "code": codes, "score, or rewards,": result}
            steps.append({name: _hash_of_json(value) for name, value in said.items()})
            lists.append(legal)
            if not legal:
                break
            state = problem.play(state, chance.choice(legal))
    return steps, lists


def difference(problem: Problem, games: int) -> tuple[str, str]:
    """Return in words what is not the same in other processes, and why that could not be seen; empty for nothing."""
    try:
        content = _parcel(problem, games)
    except Exception as error:
        return "", f"the problem cannot be sent to another process: {_described_error(error)}"
    path = os.pathsep.join(each or os.getcwd() for each in sys.path)
    command = [sys.executable, "-P", "-c", _CHILD]
    environments = [{**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed} for seed in SEEDS]
    pipe = subprocess.PIPE
    children = [subprocess.Popen(command, env=each, stdin=pipe, stdout=pipe, stderr=pipe) for each in environments]
    try:
        here, lists = first_games(problem, games)
        for child in children:
            said, complaint = child.communicate(content, SECONDS)
            if child.returncode:
                last = complaint.decode(errors="replace").strip().rpartition("\n")[2]
                return "", f"another process failed: {shortened(last, LONGEST_CAUSE)}"
            if fault := _first_difference(here, json.loads(said), lists):
                return fault, ""
    except subprocess.TimeoutExpired:
        return "", f"another process took more than {SECONDS} seconds"
    finally:
        for child in children:
            child.kill()
            child.communicate()
    return "", ""


def _parcel(problem: Problem, games: int) -> bytes:
    modules = {
        cls.__module__: getattr(sys.modules.get(cls.__module__), "__file__", None) for cls in type(problem).__mro__
    }
    try:
        content = pickle.dumps(problem) if "__main__" not in modules else b""
    except Exception:
        content = b""
    return pickle.dumps((games, modules, content or cloudpickle.dumps(problem)))


def _first_difference(here: list[dict[str, str]], there: list[dict[str, str]], lists: list[Any]) -> str:
    for one, other, legal in zip(here, there, lists, strict=False):
        for name in one:
            if one[name] != other[name]:
                again = f"{shortened(repr(legal))}, and others or another order"
                said = again if name == "legal_moves" else "something else"
                return f"{name} gave {said} {ELSEWHERE}"
    return ""


def _hash_of_json(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _described_error(error: Exception) -> str:
    return shortened(f"{type(error).__name__}: {error}", LONGEST_CAUSE)


def answer() -> None:
    """In another process: read a problem from standard input, play its first games, and write what it says."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # What the author's code prints is no answer.
    games, modules, content = pickle.load(sys.stdin.buffer)
    for name, file in modules.items():
        _import(name, file)
    json.dump(first_games(pickle.loads(content), games)[0], out)
    out.close()


def _import(name: str, file: str | None) -> None:
    """Import a user's file under its name, if no module is found by that name."""
    with suppress(ImportError, ValueError):
        if name in sys.modules or file is None or importlib.util.find_spec(name) is not None:
            return
    for end in (k for k, sign in enumerate(name) if sign == "."):
        sys.modules.setdefault(name[:end], ModuleType(name[:end]))  # Else unpickling would look for the packages.
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is not None and spec.loader is not None:
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
