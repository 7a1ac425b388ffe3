"""The trials of ``nrpa tune``: a study of Optuna, in a database of SQLite or in memory. Nothing in it is executed.

References
----------
T. Akiba et al., *Optuna: A Next-generation Hyperparameter Optimization Framework*, KDD 2019. What draws: J. Bergstra,
R. Bardenet, Y. Bengio and B. Kégl, *Algorithms for Hyper-Parameter Optimization*, NeurIPS 2011. What gives a trial up:
F. Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1, 1945.
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
from statistics import fmean
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Range
from nrpa.base.values import plain
from nrpa.bench.space import SOLVER, Configuration, Dimension, Space

optuna = lazy("optuna")

NAME = "nrpa tune"
DESCRIPTION, CONFIGURATION, WHY, RUN = "description", "configuration", "why", "run"
GOES_ON, DONE, GIVEN_UP, FAILED = "running", "done", "given up", "failed"
# Optuna's own threshold. Four pairs, so that a trial is given up by no less than four that all went against it.
SURE, LEAST_PAIRS = 0.1, 4
DRAWS = 100

Pair = tuple[str, int]


@dataclass
class Trial:
    """A configuration that was tried: its scores on the first pairs, the mean gain there, and why it failed if so."""

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
    """The trials on some pairs, and the score of each run, which is in the file ``path`` as soon as it ends.

    Raises InputError if the file is something else, or of something else that was tuned, or cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        space: Space,
        description: dict[str, Any],
        pairs: Sequence[Pair],
        seed: int,
    ) -> None:
        self._path, self._space, self._pairs, self._seed = path, space, pairs, seed
        is_new = path is None or not Path(path).exists() or not Path(path).stat().st_size
        if not is_new:
            _require_ours(path)
        with self._sentences("cannot be written" if is_new else "is no file that `nrpa tune` can read"):
            self._study = _opened(path)
            known = self._study.user_attrs
            content = json.loads(json.dumps(plain(description)))
            if DESCRIPTION in known:
                _require_same(path, known[DESCRIPTION], content)
            else:
                self._study.set_user_attr(DESCRIPTION, content)
            self._scores = {name: float(score) for name, score in known.items() if name.startswith(RUN)}
            self.trials = [self._read(each) for each in self._study.get_trials(deepcopy=False)]

    @property
    def best(self) -> Trial:
        """The trial of the largest gain of those that were run on all pairs; the first one if several have it."""
        done = [trial for trial in self.trials if trial.state == DONE]
        return max(done, key=lambda trial: (trial.gain, -trial.number))

    def begin(self) -> Trial | None:
        """Return the trial that goes on, or a new one: first the default; None if 100 draws gave none that is new."""
        if self.trials and self.trials[-1].state == GOES_ON:
            return self.trials[-1]
        with self._sentences():
            configuration = self._drawn() if self.trials else self._space.default()
            if configuration is None:
                return None
            values = {SOLVER: configuration[SOLVER], **self._space.values(configuration)}
            distributions = _distributions(self._space)
            trial = optuna.trial.create_trial(
                state=optuna.trial.TrialState.RUNNING,
                params=values,
                distributions={key: distributions[key] for key in values},
                user_attrs={CONFIGURATION: plain(configuration)},
            )
            self._study.add_trial(trial)
        self.trials.append(Trial(len(self.trials), configuration))
        return self.trials[-1]

    def score(self, number: int, pair: Pair) -> float | None:
        """Return the score of a trial on a pair, also a fresh one; None if that was not run yet."""
        return self._scores.get(_run_name(number, pair))

    def keep(self, number: int, pair: Pair, score: float) -> None:
        """Note the score of a run."""
        self._scores[_run_name(number, pair)] = score
        with self._sentences():
            self._study.set_user_attr(_run_name(number, pair), score)

    def count(self, trial: Trial, score: float) -> None:
        """Count the score of the next pair, and end the trial where it was the last, or Wilcoxon's test gives it up."""
        trial.scores.append(score)
        gains = [gain(*both) for both in zip(trial.scores, self.trials[0].scores, strict=False)]
        trial.gain = fmean(gains)
        with self._sentences():
            own = self._own(trial)
            own.report(gains[-1], len(gains) - 1)
            if len(gains) == len(self._pairs):
                trial.state = DONE
                self._study.tell(trial.number, trial.gain)
            elif trial.number and own.should_prune():
                trial.state = GIVEN_UP
                self._study.tell(trial.number, state=optuna.trial.TrialState.PRUNED)

    def fail(self, trial: Trial, why: str) -> None:
        """Note that a trial cannot be run."""
        trial.state, trial.why, trial.scores = FAILED, why, []
        with self._sentences():
            self._own(trial).set_user_attr(WHY, why)
            self._study.tell(trial.number, state=optuna.trial.TrialState.FAIL)

    def _own(self, trial: Trial) -> Any:
        return optuna.trial.Trial(self._study, self._study.get_trials(deepcopy=False)[trial.number]._trial_id)

    def _drawn(self) -> Configuration | None:
        """Return one that was not tried, by Optuna's sampler: it depends on the seed and the trials so far alone."""
        seen = [_whole(self._space, trial.configuration) for trial in self.trials]
        for stream in np.random.SeedSequence([self._seed, len(self.trials)]).generate_state(DRAWS):
            scratch = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=int(stream)))
            scratch.add_trials(self._study.get_trials(deepcopy=False))
            values = scratch.ask(_distributions(self._space)).params
            found = self._space.configuration(values[SOLVER], values)
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
        gains = list(found.intermediate_values.values())
        # The last one of a trial that goes on is counted again: it may be what ends it.
        gains = {FAILED: [], GOES_ON: gains[:-1]}.get(state, gains)
        scores = [self._scores[_run_name(found.number, pair)] for pair in self._pairs[: len(gains)]]
        if state == DONE and len(scores) != len(self._pairs):
            raise ValueError(f"trial {found.number} lacks scores")
        mean = fmean(gains) if gains else 0.0
        return Trial(found.number, configuration, state, scores, mean, str(found.user_attrs.get(WHY, "")))

    @contextmanager
    def _sentences(self, what: str = "cannot be written; what it holds is kept") -> Iterator[None]:
        """Let Optuna say nothing but errors, and these be InputErrors."""
        before = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield
        except (InputError, ImportError):
            raise
        except Exception as error:
            if self._path is None:
                raise
            reason = str(error.__cause__ or error).partition("\n")[0]
            raise InputError(f"{os.fspath(self._path)}: {what} ({reason})") from None
        finally:
            optuna.logging.set_verbosity(before)


def _run_name(number: int, pair: Pair) -> str:
    instance, seed = pair
    return f"{RUN} {number} {seed} {instance}"


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


def _distributions(space: Space) -> dict[str, Any]:
    """Return what Optuna draws from, by key: the solver, and the dimensions of all solvers."""
    found = {SOLVER: optuna.distributions.CategoricalDistribution(space.solvers)}
    return found | {each.key: _distribution(each) for own in space.dimensions.values() for each in own}


def _distribution(dimension: Dimension) -> Any:
    tried = dimension.tried
    if not isinstance(tried, Range):
        return optuna.distributions.CategoricalDistribution(tried)
    if dimension.whole:
        return optuna.distributions.IntDistribution(int(tried.low), int(tried.high), log=tried.log)
    return optuna.distributions.FloatDistribution(tried.low, tried.high, log=tried.log)


def _whole(space: Space, configuration: Configuration) -> Configuration:
    """Return a configuration with all its options; as it is, if it is one whose values do not go together."""
    try:
        return space.whole(configuration)
    except InputError:
        return configuration
