"""A problem from a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from nrpa.base.one_at_a_time import PerThread
from nrpa.base.values import whole
from nrpa.io.source import Origin
from nrpa.modelling.gymnasium_environment import GymnasiumEnvironment, Seen
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem

MAX_STEPS = 1_000


def from_gymnasium(
    make: Callable[[], Any] | str,
    *,
    seed: int = 0,
    max_steps: int = MAX_STEPS,
    mask: Callable[[Any], Any] | None = None,
    code: Callable[[Any, int], Hashable] | None = None,
) -> GymnasiumProblem:
    """Return a Gymnasium environment with discrete actions as a problem: its score is the sum of the rewards.

    A random episode is played several times first. A search goes back to earlier states by copies of the environment,
    where those go on as the environment itself did; else by its own ``clone_state`` and ``restore_state``, or
    ``get_state`` and ``set_state``; else by replaying the actions.

    Parameters
    ----------
    make : callable or str
        A function that makes the environment, or the name under which it is registered. Workers in other processes need
        one that can be pickled, which a lambda cannot.
    seed : int
        What each episode is reset with: chance in the environment is then the same in all.
    max_steps : int
        After how many actions an episode ends at the latest.
    mask : callable, optional
        Which actions are allowed: a function of the environment, which returns a truth value for each. If it is not
        given, ``info["action_mask"]`` or the environment's method ``action_masks()`` is asked, where there is such.
    code : callable, optional
        A function of observation and action that gives the code, anything hashable; without it, the code is the number
        of the step and the action.

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
    return GymnasiumProblem(make, seed=seed, max_steps=max_steps, mask=mask, code=code)


class State:
    """A state of an episode; ``kept``: what the environment kept of it, once a search came back to it."""

    __slots__ = ("action", "before", "codes", "kept", "legal", "reward", "step")

    def __init__(self, before: State | None, action: int, reward: float, legal: tuple[int, ...]) -> None:
        self.before, self.action, self.reward, self.legal = before, action, reward, legal
        self.step: int = 0 if before is None else before.step + 1
        self.codes: dict[int, Hashable] = {}
        self.kept: Any = None


class _Live:
    """An environment, and the state that it is in; None where that is not known."""

    def __init__(self, environment: GymnasiumEnvironment) -> None:
        self.environment = environment
        self.state: State | None = None

    def go_to(self, state: State) -> None:
        """Bring the environment to a state, from the last one on the way there of which something was kept."""
        self.state, actions, at = None, [], state
        while at.kept is None and at.before is not None:
            actions.append(at.action)
            at = at.before
        if at.kept is None:
            self.environment.reset()
        else:
            self.environment.restore(at.kept)
        for action in reversed(actions):
            self.environment.step(action)
        if state.kept is None:
            state.kept = self.environment.keep()


class GymnasiumProblem(Problem):
    """A Gymnasium environment as a problem, made by ``nrpa.from_gymnasium``."""

    name = "gymnasium"
    objective = Objective("reward", sign=1, digits=2)

    def __init__(
        self,
        make: Callable[[], Any] | str,
        *,
        seed: int,
        max_steps: int,
        mask: Callable[[Any], Any] | None,
        code: Callable[[Any, int], Hashable] | None,
    ) -> None:
        super().__init__()
        self.max_steps = whole("max_steps", max_steps)
        self._code, self._threads = code, PerThread()
        self._environment = GymnasiumEnvironment(make, whole("seed", seed, 0), mask)
        self._environment.try_out(self.max_steps)
        self.origin = Origin(self._environment.title)

    def initial_state(self) -> State:
        live = self._live()
        live.state = None
        return self._seen(live, live.environment.reset(), None, -1)

    def legal_moves(self, state: State) -> tuple[int, ...]:
        """Return the actions that are allowed, none after ``max_steps`` of them."""
        return state.legal if state.step < self.max_steps else ()

    def play(self, state: State, move: int) -> State:
        live = self._live()
        if live.state is not state:
            live.go_to(state)
        live.state = None
        return self._seen(live, live.environment.step(move), state, move)

    def score(self, state: State) -> float:
        return state.reward

    def code(self, state: State, move: int) -> Hashable:
        """Return the code of an action: that of the caller, else step and action."""
        return (state.step, move) if self._code is None else state.codes[move]

    def _seen(self, live: _Live, seen: Seen, before: State | None, action: int) -> State:
        """Return the state that an environment is in now; what it shows may change as it goes on."""
        reward = seen.reward + (0.0 if before is None else before.reward)
        live.state = State(before, action, reward, seen.legal)
        if self._code is not None:
            live.state.codes = {move: self._code(seen.observation, move) for move in seen.legal}
        return live.state

    def _live(self) -> _Live:
        """Return the environment of this thread."""
        if not hasattr(self._threads, "live"):
            self._threads.live = _Live(self._environment.again())
        live: _Live = self._threads.live
        return live
