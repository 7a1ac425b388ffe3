"""The trials of ``nrpa tune`` in a file: a database of SQLite that Optuna writes; nothing in it is executed."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.plain import plain
from nrpa.bench.optuna_search import frozen, quiet
from nrpa.bench.space import SOLVER, Configuration, Space

optuna = lazy("optuna")

NAME = "nrpa tune"
DESCRIPTION, CONFIGURATION, RUNS, WHY, FRESH = "description", "configuration", "runs", "why", "fresh"
GOES_ON, DONE, GIVEN_UP, FAILED = "running", "done", "given up", "failed"


@dataclass
class Trial:
    """A configuration that was tried.

    Attributes
    ----------
    number : int
        From 0, the default configuration.
    configuration : dict
        The solver and the options.
    state : {"running", "done", "given up", "failed"}
        Whether it was run on all pairs, was found clearly worse before, or cannot be run.
    known : dict of int to float
        The scores of runs by the number of the pair of instance and seed.
    runs : int
        The pairs that count, which are the first ones.
    why : str
        Why it failed.
    """

    number: int
    configuration: Configuration
    state: str = GOES_ON
    known: dict[int, float] = field(default_factory=dict)
    runs: int = 0
    why: str = ""

    @property
    def scores(self) -> list[float]:
        """The scores of the pairs that count, in order."""
        return [self.known[pair] for pair in range(self.runs)]


class TuneFile:
    """The trials, in a file or in memory alone. Every run is there as soon as it ends.

    Parameters
    ----------
    path : path-like or None
        The file; None for none.
    space : Space
        What is searched.
    description : dict
        What is tuned and how, as JSON can hold it.

    Attributes
    ----------
    trials : list of Trial
        All trials so far; the last one may be running.

    Raises
    ------
    InputError
        If the file is something else, or of something else that was tuned, or cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str] | None, space: Space, description: dict[str, Any]) -> None:
        self._path = path
        self._space = space
        is_new = path is None or not Path(path).exists() or not Path(path).stat().st_size
        if not is_new:
            _require_ours(path)
        with self._sentences("cannot be written" if is_new else "is no file that `nrpa tune` can read"):
            self._study = _opened(path)
            content = json.loads(json.dumps(plain(description)))
            before = self._study.user_attrs.get(DESCRIPTION)
            if before is None:
                self._study.set_user_attr(DESCRIPTION, content)
            else:
                _require_same(path, before, content)
            self.trials = [_trial(each, space) for each in self._study.get_trials(deepcopy=False)]
            self._fresh = {_key(*key): float(score) for *key, score in self._study.user_attrs.get(FRESH, [])}

    def begin(self, configuration: Configuration) -> Trial:
        """Add a trial and return it."""
        trial = Trial(len(self.trials), configuration)
        state = optuna.trial.TrialState.RUNNING
        with self._sentences():
            self._study.add_trial(
                frozen(self._space, configuration, state=state, user_attrs={CONFIGURATION: plain(configuration)})
            )
        self.trials.append(trial)
        return trial

    def keep(self, trial: Trial, pair: int, score: float) -> None:
        """Note the score of a run."""
        trial.known[pair] = score
        with self._sentences():
            self._own(trial).report(score, pair)

    def end(self, trial: Trial, state: str, runs: int, worth: float, why: str = "") -> None:
        """Note that a trial has ended.

        Parameters
        ----------
        trial : Trial
            The trial.
        state : {"done", "given up", "failed"}
            How.
        runs : int
            The pairs that count.
        worth : float
            What Optuna's own tools show as its value.
        why : str
            Why it failed.
        """
        trial.state, trial.runs, trial.why = state, runs, why
        with self._sentences():
            own = self._own(trial)
            own.set_user_attr(RUNS, runs)
            if state == FAILED:
                own.set_user_attr(WHY, why)
                self._study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
            elif state == GIVEN_UP:
                self._study.tell(trial.number, state=optuna.trial.TrialState.PRUNED)
            else:
                self._study.tell(trial.number, worth)

    def fresh(self, trial: Trial, instance: str, seed: int) -> float | None:
        """Return the score of a run with a fresh seed; None if it was not run yet."""
        return self._fresh.get(_key(trial.number, instance, seed))

    def keep_fresh(self, trial: Trial, instance: str, seed: int, score: float) -> None:
        """Note the score of a run with a fresh seed."""
        self._fresh[trial.number, instance, seed] = score
        with self._sentences():
            self._study.set_user_attr(FRESH, [[*key, value] for key, value in self._fresh.items()])

    def _own(self, trial: Trial) -> Any:
        with quiet():
            return optuna.trial.Trial(self._study, self._study.get_trials(deepcopy=False)[trial.number]._trial_id)

    @contextmanager
    def _sentences(self, what: str = "cannot be written; what it holds is kept") -> Iterator[None]:
        """Let Optuna be quiet, and its errors be InputErrors."""
        try:
            with quiet():
                yield
        except (InputError, ImportError):
            raise
        except Exception as error:
            if self._path is None:
                raise
            reason = str(error.__cause__ or error).partition("\n")[0]
            raise InputError(f"{os.fspath(self._path)}: {what} ({reason})") from None


def _opened(path: str | os.PathLike[str] | None) -> Any:
    storage = None
    if path is not None:
        where = os.path.realpath(path)
        # Not by a URL: in one, some characters of a path mean something else.
        storage = optuna.storages.RDBStorage(
            "sqlite://", engine_kwargs={"creator": lambda: sqlite3.connect(where, timeout=60)}
        )
    return optuna.create_study(storage=storage, study_name=NAME, direction="maximize", load_if_exists=True)


def _require_ours(path: Any) -> None:
    """Raise InputError unless a file is a database with our study in it: Optuna would add its tables to any."""
    names: list[tuple[str]] = []
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)) as own:
        names = own.execute("SELECT study_name FROM studies").fetchall()
    if (NAME,) not in names:
        raise InputError(f"{os.fspath(path)}: exists and was not written by `nrpa tune`; choose another file")


def _require_same(path: Any, before: Any, now: dict[str, Any]) -> None:
    if not isinstance(before, dict):
        raise InputError(f"{path}: does not say what was tuned; choose another file")
    for key, value in now.items():
        if before.get(key) != value:
            raise InputError(f"{path}: was made with other {key}; choose another file, or give the same as before")


def _trial(found: Any, space: Space) -> Trial:
    configuration = found.user_attrs[CONFIGURATION]
    if not isinstance(configuration, dict) or configuration.get(SOLVER) not in space.solvers:
        raise ValueError(f"trial {found.number} has no configuration")
    states = optuna.trial.TrialState
    state = {states.COMPLETE: DONE, states.PRUNED: GIVEN_UP, states.FAIL: FAILED}.get(found.state, GOES_ON)
    known = {int(pair): float(score) for pair, score in found.intermediate_values.items()}
    trial = Trial(found.number, configuration, state, known)
    trial.runs, trial.why = int(found.user_attrs.get(RUNS, 0)), str(found.user_attrs.get(WHY, ""))
    if not set(range(trial.runs)) <= known.keys():
        raise ValueError(f"trial {found.number} lacks scores")
    return trial


def _key(number: Any, instance: Any, seed: Any) -> tuple[int, str, int]:
    return int(number), str(instance), int(seed)
