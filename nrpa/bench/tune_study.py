"""The trials of ``nrpa tune``: a study of Optuna, in a database of SQLite or in memory. Nothing in it is executed.

References
----------
T. Akiba, S. Sano, T. Yanase, T. Ohta and M. Koyama, *Optuna: A Next-generation Hyperparameter Optimization Framework*,
KDD 2019.
"""

from __future__ import annotations

import json
import os
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Range
from nrpa.base.plain import plain
from nrpa.bench.space import SOLVER, Configuration, Dimension, Space

optuna = lazy("optuna")

NAME = "nrpa tune"
DESCRIPTION, CONFIGURATION, WHY = "description", "configuration", "why"
GOES_ON, DONE, GIVEN_UP, FAILED = "running", "done", "given up", "failed"
# Optuna's own threshold. Four pairs, so that a trial is given up by no less than four that all went against it.
SURE, LEAST_PAIRS = 0.1, 4
DRAWS = 100


@dataclass
class Trial:
    """A configuration that was tried.

    - ``number``: From 0, the default configuration.
    - ``state``: ``GOES_ON``, ``DONE`` on all pairs, ``GIVEN_UP`` as clearly worse, or ``FAILED``: it cannot be run.
    - ``scores``: The scores of the pairs of instance and seed that count, which are the first ones.
    - ``gain``: The mean over these pairs of (score - default's) / max(|score|, |default's|), which has no unit.
    - ``why``: Why it failed.
    """

    number: int
    configuration: Configuration
    state: str = GOES_ON
    scores: list[float] = field(default_factory=list)
    gain: float = 0.0
    why: str = ""


def gain(own: float, default: float) -> float:
    """Return by how much a score is above the default's, as a share of the larger one: the same in any unit."""
    return 0.0 if own == default else (own - default) / max(abs(own), abs(default))


class TuneStudy:
    """The trials of a plan, in the file ``path`` or in memory alone. Every run is there as soon as it ends.

    Raises InputError if the file is something else, or of something else that was tuned, or cannot be written.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, space: Space, description: dict[str, Any], pairs: int, seed: int
    ) -> None:
        self._path = path
        self._space = space
        self._pairs = pairs
        self._seed = seed
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
            self.trials = [self._read(each) for each in self._study.get_trials(deepcopy=False)]
            self._fresh = {name: float(score) for name, score in self._study.user_attrs.items() if name != DESCRIPTION}

    @property
    def best(self) -> Trial:
        """The trial of the largest gain of those that were run on all pairs; the first one if several have it."""
        done = [trial for trial in self.trials if trial.state == DONE]
        return max(done, key=lambda trial: (trial.gain, -trial.number))

    def begin(self) -> Trial | None:
        """Return the trial that goes on, or a new one: first the default; None if 100 draws gave none that is new."""
        with self._sentences():
            if not self.trials or self.trials[-1].state != GOES_ON:
                configuration = self._drawn() if self.trials else self._space.default()
                if configuration is None:
                    return None
                values = {SOLVER: configuration[SOLVER], **self._space.values(configuration)}
                self._study.enqueue_trial(values, user_attrs={CONFIGURATION: plain(configuration)})
                self.trials.append(Trial(len(self.trials), configuration))
            trial = self.trials[-1]
            if self._frozen(trial).state == optuna.trial.TrialState.WAITING:
                _suggest(self._space, self._study.ask(), trial.configuration)
        return trial

    def score(self, trial: Trial, pair: int) -> float | None:
        """Return the score of a run, None if it was not run yet."""
        with self._sentences("is no file that `nrpa tune` can read"):
            found = self._frozen(trial).user_attrs.get(f"score {pair}")
            return None if found is None else float(found)

    def keep(self, trial: Trial, pair: int, score: float) -> None:
        """Note the score of a run."""
        with self._sentences():
            self._own(trial).set_user_attr(f"score {pair}", score)

    def count(self, trial: Trial, score: float) -> bool:
        """Count the score of the next pair; return whether the trial goes on, and end it where it does not.

        It is given up where Wilcoxon's signed-rank test on the pairs of it and of the best has p < 0.1 (F. Wilcoxon,
        *Individual comparisons by ranking methods*, Biometrics Bulletin 1, 1945).
        """
        own, pair = self._own(trial), len(trial.scores)
        trial.scores.append(score)
        gains = self._gains(trial)
        trial.gain = sum(gains) / len(gains)
        with self._sentences():
            own.report(gains[-1], pair)
            if len(gains) == self._pairs:
                trial.state = DONE
                self._study.tell(trial.number, trial.gain)
            elif trial.number and own.should_prune():
                trial.state = GIVEN_UP
                self._study.tell(trial.number, state=optuna.trial.TrialState.PRUNED)
        return trial.state == GOES_ON

    def fail(self, trial: Trial, why: str) -> None:
        """Note that a trial cannot be run."""
        trial.state, trial.why, trial.scores = FAILED, why, []
        with self._sentences():
            self._own(trial).set_user_attr(WHY, why)
            self._study.tell(trial.number, state=optuna.trial.TrialState.FAIL)

    def fresh(self, trial: Trial, instance: str, seed: int) -> float | None:
        """Return the score of a run with a fresh seed; None if it was not run yet."""
        return self._fresh.get(f"fresh {trial.number} {seed} {instance}")

    def keep_fresh(self, trial: Trial, instance: str, seed: int, score: float) -> None:
        """Note the score of a run with a fresh seed."""
        name = f"fresh {trial.number} {seed} {instance}"
        self._fresh[name] = score
        with self._sentences():
            self._study.set_user_attr(name, score)

    def _gains(self, trial: Trial) -> list[float]:
        return [gain(*both) for both in zip(trial.scores, self.trials[0].scores, strict=False)]

    def _frozen(self, trial: Trial) -> Any:
        return self._study.get_trials(deepcopy=False)[trial.number]

    def _own(self, trial: Trial) -> Any:
        with _quiet():
            return optuna.trial.Trial(self._study, self._frozen(trial)._trial_id)

    def _drawn(self) -> Configuration | None:
        """Return a configuration that was not tried, by the tree-structured Parzen estimator.

        It depends on the trials and the seed alone, so that a study that was stopped goes on as if it had not been (J.
        Bergstra, R. Bardenet, Y. Bengio and B. Kégl, *Algorithms for Hyper-Parameter Optimization*, NeurIPS 2011).
        """
        seen = [_whole(self._space, trial.configuration) for trial in self.trials]
        with _quiet():
            for stream in np.random.SeedSequence([self._seed, len(self.trials)]).generate_state(DRAWS):
                scratch = optuna.create_study(
                    direction="maximize", sampler=optuna.samplers.TPESampler(seed=int(stream))
                )
                scratch.add_trials(self._study.get_trials(deepcopy=False))
                found = _suggest(self._space, scratch.ask())
                if _whole(self._space, found) not in seen:
                    return found
        return None

    def _read(self, found: Any) -> Trial:
        """Return a trial of the file. Raises an exception where it is not one that was written here."""
        configuration = found.user_attrs[CONFIGURATION]
        if not isinstance(configuration, dict) or configuration.get(SOLVER) not in self._space.solvers:
            raise ValueError(f"trial {found.number} has no configuration")
        states = optuna.trial.TrialState
        state = {states.COMPLETE: DONE, states.PRUNED: GIVEN_UP, states.FAIL: FAILED}.get(found.state, GOES_ON)
        steps = found.intermediate_values
        scores = [] if state == FAILED else [float(found.user_attrs[f"score {pair}"]) for pair in range(len(steps))]
        if state == DONE and len(scores) != self._pairs:
            raise ValueError(f"trial {found.number} lacks scores")
        mean = sum(steps.values()) / len(steps) if steps else 0.0
        return Trial(found.number, configuration, state, scores, mean, str(found.user_attrs.get(WHY, "")))

    @contextmanager
    def _sentences(self, what: str = "cannot be written; what it holds is kept") -> Iterator[None]:
        """Let Optuna be quiet, and its errors be InputErrors."""
        try:
            with _quiet():
                yield
        except (InputError, ImportError):
            raise
        except Exception as error:
            if self._path is None:
                raise
            reason = str(error.__cause__ or error).partition("\n")[0]
            raise InputError(f"{os.fspath(self._path)}: {what} ({reason})") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Optuna say nothing but errors, as long as the context lasts."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        optuna.logging.set_verbosity(before)


def _opened(path: str | os.PathLike[str] | None) -> Any:
    storage = None
    if path is not None:
        where = os.path.realpath(path)
        # Not by a URL: in one, some characters of a path mean something else.
        storage = optuna.storages.RDBStorage(
            "sqlite://", engine_kwargs={"creator": lambda: sqlite3.connect(where, timeout=60)}
        )
    pruner = optuna.pruners.WilcoxonPruner(p_threshold=SURE, n_startup_steps=LEAST_PAIRS)
    return optuna.create_study(
        storage=storage, study_name=NAME, direction="maximize", pruner=pruner, load_if_exists=True
    )


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


def _suggest(space: Space, trial: Any, known: Configuration | None = None) -> Configuration:
    """Let a trial of Optuna choose the values of a configuration, or those of a ``known`` one that it was asked for."""
    solvers: Sequence[str] = space.solvers
    solver = trial.suggest_categorical(SOLVER, solvers) if len(solvers) > 1 else solvers[0]
    wanted = None if known is None else space.values(known)
    values = {
        each.key: _suggested(trial, each) for each in space.dimensions[solver] if wanted is None or each.key in wanted
    }
    return known or space.configuration(solver, values)


def _suggested(trial: Any, dimension: Dimension) -> Any:
    tried = dimension.tried
    if not isinstance(tried, Range):
        return trial.suggest_categorical(dimension.key, tried)
    draw = trial.suggest_int if dimension.whole else trial.suggest_float
    return draw(dimension.key, tried.low, tried.high, log=tried.log)


def _whole(space: Space, configuration: Configuration) -> Configuration:
    """Return a configuration with all its options; as it is, if it is one whose values do not go together."""
    try:
        return space.whole(configuration)
    except InputError:
        return configuration
