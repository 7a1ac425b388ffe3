import itertools
import pickle
import random
import re
import threading
from functools import partial

import gymnasium
import numpy as np
import pytest

import nrpa
from nrpa.base.errors import DisagreementError

TABLE = np.random.default_rng(1).integers(0, 20, (6, 6)).tolist()


class Assignment(gymnasium.Env):
    """Give six jobs, one after the other, to six machines; a machine is taken once."""

    told = "info"
    copied = "whole"
    chance = 0.0

    def __init__(self, **settings):
        self.__dict__.update(settings)
        self.action_space = gymnasium.spaces.Discrete(6, start=1)
        self.observation_space = gymnasium.spaces.MultiBinary(6)
        self.taken = []
        self.seen = np.zeros(6, np.int64)
        if self.copied == "never":
            self.handle = threading.Lock()
        if self.told == "method":
            self.action_masks = self.free
        if self.copied == "snapshots":
            self.get_state, self.set_state = (lambda: self.taken[:]), (lambda kept: setattr(self, "taken", kept[:]))

    def __deepcopy__(self, memo):
        """All of it, nothing but the settings (as gymnasium.utils.EzPickle does), or an error."""
        if self.copied in ("snapshots", "never"):
            raise TypeError("cannot be copied")
        other = Assignment(told=self.told, copied=self.copied)
        other.taken = self.taken[:] if self.copied == "whole" else []
        return other

    def free(self):
        return np.array([machine not in self.taken for machine in range(6)])

    def info(self):
        return {"action_mask": self.free().astype(np.int8)} if self.told == "info" else {}

    def look(self):
        """Return what is seen: the same array, changed."""
        self.seen[:] = self.free()
        return {"machines": self.seen, "action_mask": self.seen} if self.told == "observation" else self.seen

    def reset(self, *, seed=None, options=None):
        self.taken = []
        return self.look(), self.info()

    def step(self, action):
        assert action - 1 not in self.taken
        reward = TABLE[len(self.taken)][action - 1] + (random.random() if self.chance else 0)
        self.taken.append(action - 1)
        return self.look(), reward, len(self.taken) == 6, False, self.info()


BEST = max(sum(map(list.__getitem__, TABLE, order)) for order in itertools.permutations(range(6)))
SOLVERS = (nrpa.NRPA(level=2, iterations=10), nrpa.NMCS(level=2), nrpa.UCT())


def free_machines(env):
    return env.unwrapped.free()


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
@pytest.mark.parametrize(
    ("settings", "mask", "way"),
    [
        ({}, None, "copying"),
        ({"told": "method"}, None, "copying"),
        ({"told": "observation"}, None, "copying"),
        ({"told": "nowhere"}, free_machines, "copying"),
        ({"copied": "snapshots"}, None, "get_state"),
        ({"copied": "settings"}, None, "copying"),
        ({"copied": "never"}, None, "replaying"),
    ],
)
def test_wherever_the_mask_is_and_however_it_is_copied(settings, mask, way, solver):
    """Only what the mask allows is played, and every search ends as that of the plain class does."""
    problem = nrpa.from_gymnasium(partial(Assignment, **settings), mask=mask)
    assert problem._environment.way == way
    result = nrpa.solve(problem, solver, seed=1, playouts=100)
    machines = [action - 1 for action in result.solution]
    assert sorted(machines) == [*range(6)]
    assert result.value == sum(map(list.__getitem__, TABLE, machines)) <= BEST
    plain = nrpa.solve(nrpa.from_gymnasium(Assignment), solver, seed=1, playouts=100)
    assert (result.solution, result.value) == (plain.solution, plain.value)
    assert nrpa.check_problem(problem, games=3).kept


class Console(gymnasium.Env):
    """A game of chance in a machine that gives copies of its state, of the chance as well where that is asked for."""

    def __init__(self):
        self.action_space = self.observation_space = gymnasium.spaces.Discrete(3)
        self.machine = threading.Lock()  # which cannot be copied

    def clone_state(self, include_rng=False):
        return self.last, self.luck.getstate() if include_rng else None

    def restore_state(self, kept):
        self.last, luck = kept
        if luck:
            self.luck.setstate(luck)

    def reset(self, *, seed=None, options=None):
        self.last, self.luck = 0, random.Random(seed)
        return self.last, {}

    def step(self, action):
        self.last = (self.last + action + self.luck.randrange(9)) % 3
        return self.last, float(self.last * action), False, False, {}


def limited_console():
    return gymnasium.wrappers.TimeLimit(gymnasium.wrappers.FrameStackObservation(Console(), 2), 5)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: solver.name)
def test_states_of_the_environment_itself(solver):
    """Its chance and what its wrappers have counted and kept go back with it, however often that is."""
    problems = [nrpa.from_gymnasium(limited_console, seed=3, code=lambda seen, action: (*seen, action)) for _ in "12"]
    assert problems[0]._environment.way == "clone_state"
    problems[1]._environment.way = "replaying"
    found, replayed = (nrpa.solve(problem, solver, seed=1, playouts=60) for problem in problems)
    assert (found.solution, found.value) == (replayed.solution, replayed.value)
    assert len(found.solution) == 5
    assert nrpa.check_problem(problems[0], games=2).faults == []


def test_the_order_in_which_a_mask_is_looked_for():
    """The caller's, that of ``info``, that of the observation, that of the method."""

    class Both(Assignment):
        told = "observation"

        def info(self):
            return {"action_mask": np.eye(6)[4]}

        def action_masks(self):
            return np.eye(6)[5]

        def step(self, action):
            return self.look(), 0.0, True, False, self.info()

    observed = type("Observed", (Both,), {"info": lambda self: {}})
    asked = type("Asked", (observed,), {"told": "nowhere"})
    for make, mask, first in (
        (Both, lambda env: np.eye(6)[2], 3),
        (Both, None, 5),
        (observed, None, 1),
        (asked, None, 6),
    ):
        problem = nrpa.from_gymnasium(make, mask=mask)
        assert problem.legal_moves(problem.initial_state())[0] == first


def test_codes_of_what_is_seen():
    """They are those of the state, also where the environment has gone on."""
    problem = nrpa.from_gymnasium(Assignment, code=lambda seen, action: (*seen.tolist(), action))
    begin = problem.initial_state()
    problem.play(begin, 2)
    assert problem.code(begin, 3) == (1, 1, 1, 1, 1, 1, 3)
    assert problem.code(problem.play(begin, 1), 3) == (0, 1, 1, 1, 1, 1, 3)


def test_a_toy_text_environment():
    """Across the frozen lake and no further than that; the problem survives being pickled."""
    problem = nrpa.from_gymnasium(
        "FrozenLake8x8-v1", seed=5, max_steps=60, code=lambda seen, action: (int(seen), action)
    )
    assert nrpa.check_problem(problem, games=3).kept
    assert problem.label == "FrozenLake8x8-v1"
    make = partial(gymnasium.make, "FrozenLake-v1", is_slippery=False)
    problem = nrpa.from_gymnasium(make, max_steps=20)
    result = nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=400)
    assert (result.value, len(result.solution) <= 20) == (1, True)
    assert pickle.loads(pickle.dumps(problem)).check(result.solution).figures == {"reward": 1}
    short = nrpa.from_gymnasium(make, max_steps=3)
    assert len(nrpa.solve(short, nrpa.RandomSampling(), seed=1, playouts=5).solution) <= 3


@pytest.mark.parametrize(
    ("make", "settings", "said"),
    [
        (partial(Assignment, chance=1.0), {}, "Assignment: the environment is not deterministic: after reset"),
        (partial(Assignment, told="nowhere"), {"mask": lambda env: [1, 0]}, "expected one number for each of the 6"),
        ("NoSuchLake-v1", {}, "gymnasium cannot make 'NoSuchLake-v1'"),
        ("Pendulum-v1", {}, "expected gymnasium.spaces.Discrete"),
        (Assignment(), {}, "expected a function that makes a gymnasium.Env"),
        (dict, {}, "make gave {}; expected a function"),
        (Assignment, {"seed": -1}, "seed must be"),
        (Assignment, {"max_steps": 0}, "max_steps must be"),
    ],
)
def test_what_is_no_problem(make, settings, said):
    """Is refused in a sentence, before any search."""
    with pytest.raises(nrpa.InputError, match=re.escape(said)):
        nrpa.from_gymnasium(make, **settings)


class Digging(gymnasium.Env):
    """Walk to the right, and dig there: a find is drawn by a generator of the whole program."""

    action_space, observation_space = gymnasium.spaces.Discrete(2), gymnasium.spaces.Discrete(100)
    draws, seeds = staticmethod(np.random.rand), staticmethod(np.random.seed)

    def reset(self, *, seed=None, options=None):
        self.seeds(seed)
        self.at, self.time = 0, 0
        return 0, {}

    def step(self, action):
        self.time, self.at = self.time + 1, self.at + 1 - action
        reward = float(self.draws() < 0.5) if action and self.at > 5 else 0.01
        return self.at, reward, False, self.time == 12, {}


class DiggingByRandom(Digging):
    draws, seeds = staticmethod(random.random), staticmethod(random.seed)


class Unseeded(Digging):
    seeds = staticmethod(lambda seed: None)


@pytest.mark.parametrize("way", [None, "replaying", "copying"])
@pytest.mark.parametrize("make", [Digging, DiggingByRandom])
def test_chance_of_the_whole_program(make, way):
    """It goes back with copies, and the program's own is as before."""
    mine = np.random.get_state()[2], random.getstate()
    problem = nrpa.from_gymnasium(make, way=way)
    assert (np.random.get_state()[2], random.getstate()) == mine
    result = nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, playouts=200)
    env = make()
    env.reset(seed=0)
    assert result.value == pytest.approx(sum(env.step(action)[1] for action in result.solution))


def test_chance_that_nobody_seeds():
    """Is named where two scores differ."""
    problem = nrpa.from_gymnasium(Unseeded)
    with pytest.raises(DisagreementError, match=r"expected reset\(seed=\) to seed all .*numpy.random"):
        nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, playouts=400)


def test_a_way_that_there_is_not():
    with pytest.raises(nrpa.InputError, match="Digging: no way back is 'clone_state'; expected one of copying"):
        nrpa.from_gymnasium(Digging, way="clone_state")


class Rewarding(Digging):
    """Its ``reset`` takes no seed, and what is inside it is no environment."""

    reward = 1.0

    @property
    def unwrapped(self):
        return self.seeds

    def reset(self):
        self.time = 0
        return 0, {}

    def step(self, action):
        self.time += 1
        return self.time, self.reward, self.time == 3, False, {}


@pytest.mark.parametrize("reward", [1.0, np.array([1.0]), np.float32(1), True, np.ones((1, 1))])
def test_rewards_of_one_number(reward):
    problem = nrpa.from_gymnasium(type("Rewards", (Rewarding,), {"reward": reward}))
    assert nrpa.solve(problem, seed=1, playouts=5).value == 3.0


@pytest.mark.parametrize("reward", [float("nan"), float("inf"), None, np.array([1.0, 2.0]), "many", []])
def test_rewards_of_another_kind(reward):
    """Are refused with the name of the environment."""
    with pytest.raises(nrpa.ProblemError, match=r"step gave the reward .*; expected a finite number"):
        nrpa.from_gymnasium(type("Rewards", (Rewarding,), {"reward": reward}))
