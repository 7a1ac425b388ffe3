"""A Gymnasium environment that is played from one seed, and goes back to where it was."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.values import shortened

gymnasium = lazy("gymnasium")
env_checker = lazy("gymnasium.utils.env_checker")

STEPS_TRIED = 200
# Pairs of methods with which environments give and take what they are in.
SNAPSHOTS = (("clone_state", "restore_state"), ("get_state", "set_state"))
BY_REPLAYING, BY_COPYING = "replaying", "copying"


class Seen(NamedTuple):
    """What an environment shows after a step; ``legal`` is empty where the episode has ended."""

    observation: Any
    reward: float
    legal: tuple[int, ...]


class GymnasiumEnvironment:
    """An environment with discrete actions, of which every episode begins by ``reset(seed=seed)``.

    ``way`` is how it goes back to an earlier state: BY_COPYING, by a pair of its own methods (the first one's name), or
    BY_REPLAYING the actions, where the other ways do not lead to the same rewards and observations.
    """

    def __init__(self, make: Callable[[], Any] | str, seed: int, mask: Callable[[Any], Any] | None) -> None:
        self._make, self._seed, self._mask = make, seed, mask
        self._env = _made(make)
        self.way = BY_REPLAYING

    def reset(self) -> Seen:
        """Begin the episode."""
        observation, info = self._env.reset(seed=self._seed)
        return Seen(observation, 0.0, self._legal(info))

    def step(self, action: int) -> Seen:
        """Do an action."""
        observation, reward, terminated, truncated, info = self._env.step(action)
        return Seen(observation, float(reward), () if terminated or truncated else self._legal(info))

    def keep(self) -> Any:
        """Return what ``restore`` takes to come back to where the environment is; None where there is no such thing."""
        if self.way == BY_REPLAYING:
            return None
        return copy.deepcopy(self._env) if self.way == BY_COPYING else getattr(self._env.unwrapped, self.way)()

    def restore(self, kept: Any) -> None:
        """Go back to where the environment was when ``kept`` was made."""
        if self.way == BY_COPYING:
            self._env = copy.deepcopy(kept)
        else:
            getattr(self._env.unwrapped, dict(SNAPSHOTS)[self.way])(kept)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled or copied: not the environment, which is made again."""
        return {name: value for name, value in self.__dict__.items() if name != "_env"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _env=_made(state["_make"]))

    def again(self) -> GymnasiumEnvironment:
        """Return another environment of the same kind."""
        other = GymnasiumEnvironment(self._make, self._seed, self._mask)
        other.way = self.way
        return other

    def try_out(self, steps: int) -> None:
        """Play one random episode, so many ``steps`` at most, again and again; choose the ``way`` by what comes back.

        Raises ProblemError where the same actions have other rewards, or another choice of actions after them.
        """
        actions, first = self._random_episode(steps)
        for environment in (self, self.again()):
            found = [environment.reset(), *map(environment.step, actions)]
            for step, (one, other) in enumerate(zip(first, found, strict=True)):
                if one[1:] != other[1:]:
                    same = f"after reset(seed={self._seed}) and the same {step} actions"
                    told = shortened(f"reward and legal actions are {one[1:]}, then {other[1:]}")
                    raise ProblemError(f"{self.title}: the environment is not deterministic: {same}, {told}")
        own = [take for take, give in SNAPSHOTS if all(hasattr(self._env.unwrapped, name) for name in (take, give))]
        for way in (BY_COPYING, *own):
            self.way = way
            if self._comes_back(actions, first):
                return
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
        before = self._env
        try:
            self.reset()
            for action in actions[:half]:
                self.step(action)
            kept = self.keep()
            for again in range(3):
                if again:
                    self.restore(kept)
                found = [copy.deepcopy(self.step(action)) for action in actions[half:]]
                if not env_checker.data_equivalence([*found], first[half + 1 :], exact=True):
                    return False
        except Exception:
            self._env = before
            return False
        return True

    def _legal(self, info: dict[str, Any]) -> tuple[int, ...]:
        """Return the actions that are allowed, by the mask that there is."""
        env, space = self._env, self._env.action_space
        if self._mask is not None:
            mask = self._mask(env)
        elif "action_mask" in info:
            mask = info["action_mask"]
        elif env.has_wrapper_attr("action_masks"):
            mask = env.get_wrapper_attr("action_masks")()
        else:
            mask = np.ones(space.n)
        if np.shape(mask) != (space.n,):
            what = f"the mask is {shortened(repr(mask))}; expected one number for each of the {space.n} actions"
            raise ProblemError(f"{self.title}: {what}")
        return tuple((np.flatnonzero(mask) + space.start).tolist())


def _made(make: Callable[[], Any] | str) -> Any:
    """Return an environment. Raises InputError where ``make`` makes none, or one without discrete actions."""
    try:
        kind, discrete = gymnasium.Env, gymnasium.spaces.Discrete
    except ImportError:
        what = "an environment needs the package gymnasium, which is not installed"
        raise InputError(f"{what}; pip install 'nrpa[gymnasium]'") from None
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
