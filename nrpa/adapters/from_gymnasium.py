"""A problem from a Gymnasium environment, which is played from one seed, and goes back to where it was."""

from __future__ import annotations

import copy
import inspect
import logging
import pickle
import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, NotInstalledError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.one_at_a_time import PerThread
from nrpa.base.values import SeedLike, checked_seed, shortened, whole
from nrpa.io.source import Origin
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem

logger = logging.getLogger("nrpa")

MAX_STEPS = 1_000
gymnasium = lazy("gymnasium")
env_checker = lazy("gymnasium.utils.env_checker")

STEPS_TRIED = 200
# Pairs of methods with which environments give and take what they are in.
SNAPSHOTS = {
    "clone_state": "restore_state",
    "cloneState": "restoreState",
    "get_state": "set_state",
    "clone_full_state": "restore_full_state",
}
# The generators of random numbers of a whole program: how their states are taken, and given.
LUCK: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "numpy.random": (np.random.get_state, np.random.set_state),
    "random": (random.getstate, random.setstate),
}
BY_REPLAYING, BY_COPYING = "replaying", "copying"


def from_gymnasium(
    make: Callable[[], Any] | str,
    *,
    seed: SeedLike = 0,
    max_steps: int = MAX_STEPS,
    mask: Callable[[Any], Any] | None = None,
    code: Callable[[Any, int], Hashable] | None = None,
    way: str | None = None,
) -> GymnasiumProblem:
    """Return a Gymnasium environment with discrete actions as a problem: its score is the sum of the rewards.

    A random episode is played several times first, to choose how a search goes back to earlier states. It is the first
    way that works: the environment's own ``clone_state`` (with its random numbers) and ``restore_state``, or
    ``get_state`` and ``set_state``; copies of its attributes; replaying the actions after ``reset(seed=seed)``. Where
    the environment uses ``numpy.random`` or ``random``, which it seeds in ``reset``, they go back as well.

    Parameters
    ----------
    make : callable or str
        A function that makes the environment, or its registered name. For workers in other processes, the function must
        be one that can be pickled: no lambda.
    seed : int or numpy.random.Generator
        The seed with which each episode is reset, so that chance in the environment is the same in all.
    max_steps : int
        After how many actions an episode ends at the latest.
    mask : callable, optional
        A function of the environment that returns for each action whether it is allowed. Without it, the mask is the
        first that is there of ``info["action_mask"]``, ``observation["action_mask"]``, and what the environment's
        method ``action_masks()`` returns.
    code : callable, optional
        A function of observation and action that returns the code, anything hashable; by default, the code is step and
        action.
    way : str, optional
        How a search goes back, where the choice above is not the right one: "replaying", "copying", or the name of the
        environment's own method, such as "clone_state".

    Returns
    -------
    Problem
        The problem; its moves are the actions.

    Raises
    ------
    InputError
        If gymnasium is not installed, or this is no environment with actions of ``gymnasium.spaces.Discrete``;
        ProblemError if the same actions have other rewards the next time.

    Examples
    --------
    >>> import functools
    >>> import gymnasium
    >>> import nrpa
    >>> lake = functools.partial(gymnasium.make, "FrozenLake-v1", is_slippery=False)
    >>> nrpa.solve(nrpa.from_gymnasium(lake), nrpa.NRPA(level=2), seed=1, playouts=500).value
    1.0
    """
    return GymnasiumProblem(make, seed=seed, max_steps=max_steps, mask=mask, code=code, way=way)


@dataclass(slots=True, eq=False, repr=False)
class EpisodeState:
    """A state of an episode; ``kept`` is what ``GymnasiumEnvironment.restore`` takes, once a search came back to it."""

    before: EpisodeState | None
    action: int
    reward: float
    legal: tuple[int, ...]
    step: int
    codes: dict[int, Hashable] = field(default_factory=dict)
    kept: Any = None


class GymnasiumProblem(Problem):
    """A Gymnasium environment as a problem, made by ``nrpa.from_gymnasium``."""

    name = "gymnasium"
    _is_elsewhere = True
    objective = Objective("reward", sign=1, digits=2)
    _of_two_scores = (
        "the environment is not deterministic; expected reset(seed=) to seed all of its chance, numpy.random or "
        'random, too, if it uses them, and way="replaying" where it is not copied whole'
    )

    def __init__(
        self, make: Any, *, seed: SeedLike, max_steps: int, mask: Any, code: Any, way: str | None = None
    ) -> None:
        super().__init__()
        self.max_steps = whole("max_steps", max_steps)
        self._code, self._threads = code, PerThread()
        self._environment = GymnasiumEnvironment(make, checked_seed(seed), mask)
        self._environment.try_out(self.max_steps, way)
        self.origin = Origin(self._environment.title)

    def initial_state(self) -> EpisodeState:
        live = self._live()
        return self._seen(live, live.reset(), None, -1)

    def legal_moves(self, state: EpisodeState) -> tuple[int, ...]:
        """Return the actions that are allowed, none after ``max_steps`` of them."""
        return state.legal if state.step < self.max_steps else ()

    def play(self, state: EpisodeState, move: int) -> EpisodeState:
        live = self._live()
        if live.state is not state:
            live.go_to(state)
        return self._seen(live, live.step(move), state, move)

    def score(self, state: EpisodeState) -> float:
        return state.reward

    def code(self, state: EpisodeState, move: int) -> Hashable:
        """Return the code of an action: that of the caller, else step and action."""
        return (state.step, move) if self._code is None else state.codes[move]

    def _seen(self, live: GymnasiumEnvironment, seen: Seen, before: EpisodeState | None, action: int) -> EpisodeState:
        """Return the state that an environment is in now; what it shows may change as it goes on."""
        reward, step = (0.0, 0) if before is None else (before.reward, before.step + 1)
        live.state = EpisodeState(before, action, reward + seen.reward, seen.legal, step)
        if self._code is not None:
            live.state.codes = {move: self._code(seen.observation, move) for move in seen.legal}
        return live.state

    def _live(self) -> GymnasiumEnvironment:
        if not hasattr(self._threads, "live"):
            self._threads.live = copy.copy(self._environment)
        live: GymnasiumEnvironment = self._threads.live
        return live


class Seen(NamedTuple):
    """What an environment shows after a step; ``legal`` is empty where the episode has ended."""

    observation: Any
    reward: float
    legal: tuple[int, ...]


class GymnasiumEnvironment:
    """An environment with discrete actions, of which every episode begins by ``reset(seed=seed)``.

    ``way`` is how it goes back to an earlier state: by a pair of its own methods (the first one's name), BY_COPYING,
    or BY_REPLAYING the actions, where the other ways do not lead to the same rewards and observations.
    ``state`` is where it is; None where that is not known.
    """

    state: EpisodeState | None = None

    def __init__(self, make: Callable[[], Any] | str, seed: int, mask: Callable[[Any], Any] | None) -> None:
        self._make, self._seed, self._mask = make, seed, mask
        self._env = _environment_of(make)
        self.way = BY_REPLAYING
        # Which generators of the whole program the environment uses.
        self._luck: tuple[str, ...] = ()

    def reset(self) -> Seen:
        self.state = None
        takes = _parameters(self._env.reset)
        takes_seed = "seed" in takes or any(each.kind is each.VAR_KEYWORD for each in takes.values())
        observation, info = self._env.reset(**({"seed": self._seed} if takes_seed else {}))
        return Seen(observation, 0.0, self._legal(observation, info))

    def step(self, action: int) -> Seen:
        self.state = None
        observation, reward, terminated, truncated, info = self._env.step(action)
        legal = () if terminated or truncated else self._legal(observation, info)
        return Seen(observation, self._number(reward), legal)

    def _number(self, reward: Any) -> float:
        """Return a reward, which may be an array of one number. Raises ProblemError for anything but a finite one."""
        try:
            array = np.asarray(reward, np.float64)
        except (TypeError, ValueError):
            array = np.zeros(0)
        if array.size != 1 or not np.isfinite(array).all():
            what = f"step gave the reward {shortened(repr(reward))}"
            raise ProblemError(f"{self.title}: {what}; expected a finite number")
        return array.item()

    def go_to(self, state: EpisodeState) -> None:
        """Go to a state, from the last one on the way there of which something was kept."""
        actions, at = [], state
        while at.kept is None and at.before is not None:
            actions.append(at.action)
            at = at.before
        if at.kept is None:
            self.reset()
        else:
            self.restore(at.kept)
        for action in reversed(actions):
            self.step(action)
        if state.kept is None:
            state.kept = self.keep()

    def keep(self) -> Any:
        """Return what ``restore`` takes to come back to where the environment is; None where there is no such thing."""
        if self.way == BY_REPLAYING:
            return None
        try:
            return self._copy()
        except Exception as error:
            said = shortened(f"{type(error).__name__}: {error}")
            logger.warning("%s: a state cannot be copied (%s); its actions are replayed", self.title, said)
            return None

    def _copy(self) -> Any:
        return self._copy_of_env(), [LUCK[name][0]() for name in self._luck]

    def _copy_of_env(self) -> Any:
        if self.way == BY_COPYING:
            return _copied_env(self._env)
        take = getattr(self._env.unwrapped, self.way)
        with_luck = {"include_rng": True} if "include_rng" in _parameters(take) else {}
        return take(**with_luck), [_copied(vars(layer)) for layer in _layers(self._env)[1:]]

    def restore(self, kept: Any) -> None:
        """Go back to where the environment was when ``kept`` was made."""
        self.state = None
        kept, luck = kept
        for name, state in zip(self._luck, luck, strict=True):
            LUCK[name][1](state)
        if self.way == BY_COPYING:
            self._env = _copied_env(kept)
            return
        own, wrappers = kept
        getattr(self._env.unwrapped, SNAPSHOTS[self.way])(own)
        for layer, attributes in zip(_layers(self._env)[1:], wrappers, strict=True):
            vars(layer).update(_copied(attributes))

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes that are pickled or copied: the environment is made anew, and its state left out."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_env", "state")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _env=_environment_of(state["_make"]))

    def try_out(self, steps: int, way: str | None = None) -> None:
        """Play one random episode of at most ``steps`` steps again and again, and choose a ``way`` that reproduces it.

        A ``way`` that is given is the only one. Raises ProblemError where the same actions have other rewards, or
        another choice of actions after them.
        """
        ways = [*(take for take in SNAPSHOTS if hasattr(self._env.unwrapped, take)), BY_COPYING, BY_REPLAYING]
        if way is not None and way not in ways:
            raise InputError(f"{self.title}: no way back is {shortened(repr(way))}; expected one of {', '.join(ways)}")
        with _own_luck() as states:
            actions, first = self._random_episode(steps)
            self._luck = tuple(name for name, state in _states_of_luck().items() if state != states[name])
            self._choose(actions, first, ways, way)

    def _choose(self, actions: list[int], first: list[Seen], ways: list[str], way: str | None) -> None:
        """Choose a way back by an episode."""
        for environment in (self, copy.copy(self)):
            found = [environment.reset(), *map(environment.step, actions)]
            for step, (one, other) in enumerate(zip(first, found, strict=True)):
                if one[1:] != other[1:]:
                    same = f"after reset(seed={self._seed}) and the same {step} actions"
                    differs = shortened(f"reward and legal actions are {one[1:]}, then {other[1:]}")
                    uses = f"; it uses {' and '.join(self._luck)}" if self._luck else ""
                    raise ProblemError(f"{self.title}: the environment is not deterministic: {same}, {differs}{uses}")
        before = self._env
        for self.way in ways[:-1] if way is None else [way]:
            if self.way == BY_REPLAYING:
                return
            try:
                if self._comes_back(actions, first):
                    return
            except Exception as error:
                logger.info("%s: no way back by %s (%s: %s)", self.title, self.way, type(error).__name__, error)
            self._env = before
        if way is not None:
            raise ProblemError(f"{self.title}: by {way} an episode is not the same again; leave way out")
        self.way = BY_REPLAYING

    @property
    def title(self) -> str:
        """The name under which the environment is registered, else that of its class."""
        spec = self._env.spec
        return spec.id if spec is not None else type(self._env.unwrapped).__name__

    def _random_episode(self, steps: int) -> tuple[list[int], list[Seen]]:
        chance = random.Random(self._seed)
        actions: list[int] = []
        seen = [self.reset()]
        while seen[-1].legal and len(actions) < min(steps, STEPS_TRIED):
            actions.append(chance.choice(seen[-1].legal))
            # What is observed may be an array that changes with the next step.
            seen.append(copy.deepcopy(self.step(actions[-1])))
        return actions, seen

    def _comes_back(self, actions: Sequence[int], first: list[Seen]) -> bool:
        """Return whether the second half of an episode is the same, whenever it is played after its first half."""
        half = len(actions) // 2
        self.reset()
        for action in actions[:half]:
            self.step(action)
        kept = self._copy()
        for again in range(3):
            if again:
                self.restore(kept)
            found = [copy.deepcopy(self.step(action)) for action in actions[half:]]
            if not env_checker.data_equivalence(found, first[half + 1 :], exact=True):
                return False
        return True

    def _legal(self, observation: Any, info: dict[str, Any]) -> tuple[int, ...]:
        env, space = self._env, self._env.action_space
        if self._mask is not None:
            mask = self._mask(env)
        elif "action_mask" in info:
            mask = info["action_mask"]
        elif isinstance(observation, Mapping) and "action_mask" in observation:
            mask = observation["action_mask"]
        elif env.has_wrapper_attr("action_masks"):
            mask = env.get_wrapper_attr("action_masks")()
        else:
            mask = np.ones(space.n)
        if np.shape(mask) != (space.n,):
            what = f"the mask is {shortened(repr(mask))}; expected one number for each of the {space.n} actions"
            raise ProblemError(f"{self.title}: {what}")
        return tuple((np.flatnonzero(mask) + space.start).tolist())


def _states_of_luck() -> dict[str, bytes]:
    return {name: pickle.dumps(take()) for name, (take, _) in LUCK.items()}


@contextmanager
def _own_luck() -> Iterator[dict[str, bytes]]:
    """Yield the states of the generators of the whole program, which are as before afterwards.

    They are such as no seed gives, so that whoever seeds a generator changes it.
    """
    before = {name: take() for name, (take, _) in LUCK.items()}
    try:
        np.random.random()
        random.random()
        yield _states_of_luck()
    finally:
        for name, state in before.items():
            LUCK[name][1](state)


def _layers(env: Any) -> list[Any]:
    """Return an environment without its wrappers, and then these, from the innermost on."""
    layers = [env]
    while layers[-1] is not env.unwrapped and isinstance(getattr(layers[-1], "env", None), gymnasium.Env):
        layers.append(layers[-1].env)
    return layers[::-1]


def _copied(attributes: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the attributes of a wrapper, but not of the spaces, nor of the environment inside it."""
    stays = [value for value in attributes.values() if isinstance(value, (gymnasium.Space, gymnasium.Env))]
    return copy.deepcopy(attributes, {id(value): value for value in stays})


def _copied_env(env: Any) -> Any:
    """Return a copy by attributes: own copies may be made anew, as those of ``gymnasium.utils.EzPickle`` are."""
    memo: dict[int, Any] = {}
    for layer in _layers(env):
        twin = memo[id(layer)] = object.__new__(type(layer))
        vars(twin).update({name: copy.deepcopy(value, memo) for name, value in vars(layer).items()})
    return memo[id(env)]


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function by name, none of one in C that does not tell them."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def _environment_of(make: Callable[[], Any] | str) -> Any:
    """Return an environment. Raises InputError where ``make`` makes none, or one without discrete actions."""
    try:
        kind, discrete = gymnasium.Env, gymnasium.spaces.Discrete
    except ImportError:
        what = "an environment needs the package gymnasium, which is not installed"
        raise NotInstalledError(f"{what}; pip install '.[gymnasium]'") from None
    if isinstance(make, str):
        try:
            env = gymnasium.make(make)
        except gymnasium.error.Error as error:
            raise InputError(f"gymnasium cannot make {make!r}: {error}") from None
    elif callable(make):
        env = make()
    else:
        env = make
    if not isinstance(env, kind) or env is make:
        what = f"make gave {shortened(repr(env))}"
        raise InputError(f"{what}; expected a function that makes a gymnasium.Env, or the name of one")
    if not isinstance(env.action_space, discrete):
        raise InputError(f"the actions are {shortened(repr(env.action_space))}; expected gymnasium.spaces.Discrete")
    return env
