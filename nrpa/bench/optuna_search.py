"""Which configuration is tried next, and which is given up: by Optuna's sampler and pruner.

References
----------
T. Akiba, S. Sano, T. Yanase, T. Ohta and M. Koyama, *Optuna: A Next-generation Hyperparameter Optimization Framework*,
KDD 2019.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Range
from nrpa.bench.space import SOLVER, Configuration, Dimension, Space

optuna = lazy("optuna")

# Optuna's own threshold. Four pairs, so that a trial is given up by no less than four that all went against it.
SURE, LEAST_PAIRS = 0.1, 4
DRAWS = 100


@contextmanager
def quiet() -> Iterator[None]:
    """Let Optuna say nothing but errors, as long as the context lasts."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        optuna.logging.set_verbosity(before)


def next_configuration(
    space: Space, tried: Sequence[Configuration], worth: Sequence[float], seed: int
) -> Configuration | None:
    """Return the configuration to try next, by the tree-structured Parzen estimator.

    It depends on nothing but the arguments, so that a study that was stopped goes on as if it had not been.

    Parameters
    ----------
    space : Space
        What is searched.
    tried : sequence of dict
        The configurations that were tried.
    worth : sequence of float
        What they are worth; more is better.
    seed : int
        The seed of the whole study.

    Returns
    -------
    dict or None
        A configuration that was not tried; None if 100 draws gave none.

    References
    ----------
    J. Bergstra, R. Bardenet, Y. Bengio and B. Kégl, *Algorithms for Hyper-Parameter Optimization*, NeurIPS 2011.
    """
    seen = [_whole(space, configuration) for configuration in tried]
    with quiet():
        for stream in np.random.SeedSequence([seed, len(tried)]).generate_state(DRAWS):
            sampler = optuna.samplers.TPESampler(seed=int(stream))
            study = optuna.create_study(direction="maximize", sampler=sampler)
            for configuration, value in zip(tried, worth, strict=True):
                study.add_trial(frozen(space, configuration, value=value))
            found = _drawn(space, study.ask())
            if _whole(space, found) not in seen:
                return found
    return None


def is_clearly_worse(own: Sequence[float], best: Sequence[float]) -> bool:
    """Return whether a configuration is given up, by Wilcoxon's signed-rank test on its places and those of the best.

    Parameters
    ----------
    own : sequence of float
        The places of the configuration on the first pairs.
    best : sequence of float
        Those of the best configuration, on at least as many pairs.

    Returns
    -------
    bool
        Whether p is below 0.1, for the pairs that both were run on, four at least.

    References
    ----------
    F. Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1, 1945.
    """
    with quiet():
        study = optuna.create_study(direction="maximize")
        values = dict(enumerate(best))
        study.add_trial(optuna.trial.create_trial(value=sum(best) / len(best), intermediate_values=values))
        trial = optuna.trial.create_trial(
            state=optuna.trial.TrialState.RUNNING, intermediate_values=dict(enumerate(own))
        )
        return bool(optuna.pruners.WilcoxonPruner(p_threshold=SURE, n_startup_steps=LEAST_PAIRS).prune(study, trial))


def frozen(space: Space, configuration: Configuration, **content: Any) -> Any:
    """Return a configuration as a trial of Optuna.

    Parameters
    ----------
    space : Space
        What is searched.
    configuration : dict
        The configuration. An option whose value is not one of those that are tried is left out.
    **content
        What else ``optuna.trial.create_trial`` is given.

    Returns
    -------
    optuna.trial.FrozenTrial
        The trial.
    """
    values = space.values(configuration)
    known = {each.key: _distribution(each) for each in space.dimensions[configuration[SOLVER]]}
    distributions = {key: known[key] for key in values}
    if len(space.solvers) > 1:
        values[SOLVER] = configuration[SOLVER]
        distributions[SOLVER] = optuna.distributions.CategoricalDistribution(space.solvers)
    return optuna.trial.create_trial(params=values, distributions=distributions, **content)


def _drawn(space: Space, trial: Any) -> Configuration:
    several = len(space.solvers) > 1
    solver = trial.suggest_categorical(SOLVER, space.solvers) if several else space.solvers[0]
    values = {each.key: _suggested(trial, each) for each in space.dimensions[solver]}
    return space.configuration(solver, values)


def _suggested(trial: Any, dimension: Dimension) -> Any:
    tried = dimension.tried
    if not isinstance(tried, Range):
        return trial.suggest_categorical(dimension.key, tried)
    draw = trial.suggest_int if dimension.whole else trial.suggest_float
    return draw(dimension.key, tried.low, tried.high, log=tried.log)


def _distribution(dimension: Dimension) -> Any:
    tried = dimension.tried
    if not isinstance(tried, Range):
        return optuna.distributions.CategoricalDistribution(tried)
    kind = optuna.distributions.IntDistribution if dimension.whole else optuna.distributions.FloatDistribution
    return kind(tried.low, tried.high, log=tried.log)


def _whole(space: Space, configuration: Configuration) -> Configuration:
    """Return a configuration with all its options; as it is, if it is one whose values do not go together."""
    try:
        return space.whole(configuration)
    except InputError:
        return configuration
