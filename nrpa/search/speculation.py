"""One nested search, spread: what to search next while the searches before it are still running.

The searches below a level depend on each other only through the best sequence so far. So where the search will stand
after one that is running can be guessed: as if it had ended with what has been found before it. From there the next one
is begun at once. When the first has ended, the guess is compared with what came out; if they differ, all that was begun
from the guess is dropped. What is kept is the search as it would have been without any guess.

A stage is the beginning of one search of the level that is not divided any more (a task), with a place in the call
tree. Stages form a tree: each was guessed from, or follows, an earlier one. There is one stage at most at each place.

References
----------
A. Nagórko, *Parallel Nested Rollout Policy Adaptation*, IEEE Conference on Games, 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heapify, heappop, heappush
from typing import Any, Protocol

from nrpa.solvers.interface import Improvement

State = Any
Place = tuple[int, ...]

FOLLOWS = 0
# How many guesses the expected share of right ones, before there are any, counts for.
PRIOR = 2.0


# How likely something is kept (negative, so that the likeliest comes first, then what comes first in the search), where
# it is, the level to guess at from there, and from which stage.
Candidate = tuple[float, Place, int, "Stage"]


class States(Protocol):
    """What the tree needs to know of the states of a search. It never changes one."""

    def place(self, state: State) -> Place:
        """Return where in the call tree a state is: top-level searches, then iterations from the top downwards."""
        ...

    def guessed(self, state: State, level: int) -> State | None:
        """Return the state after the running searches of ``level`` and below, if they find nothing more."""
        ...

    def is_same(self, one: State, other: State) -> bool:
        """Return whether the search goes on in the same way from both, which have the same past."""
        ...


class Stage:
    """The beginning of a task, and how far it is.

    Attributes
    ----------
    start, latest : State
        Where the task begins, and where it is.
    place : tuple of int
        Its place in the call tree.
    source : Stage or None
        The stage that it was guessed from or that it follows; None for the root.
    level : int
        The level whose running search was guessed to find nothing more; FOLLOWS where nothing is guessed.
    guesses : dict of int to Stage or None
        What was guessed from here, by level; None where a guess is of no use.
    after : Stage or None
        The stage that follows, when the task has ended.
    playouts : int
        The playouts done since its start.
    found : list of Improvement
        What it found, numbered by these playouts.
    error : Exception or None
        What ended it; it counts only if the stage becomes the root.
    is_running, has_ended, is_dropped : bool
        Whether a worker has it, whether its search is over, and whether it is of no use any more.
    """

    __slots__ = (
        "after",
        "error",
        "found",
        "guesses",
        "has_ended",
        "is_dropped",
        "is_running",
        "latest",
        "level",
        "place",
        "playouts",
        "source",
        "start",
    )

    def __init__(self, start: State, place: Place, source: Stage | None, level: int) -> None:
        self.start = self.latest = start
        self.place = place
        self.source = source
        self.level = level
        self.guesses: dict[int, Stage | None] = {}
        self.after: Stage | None = None
        self.playouts = 0
        self.found: list[Improvement] = []
        self.error: Exception | None = None
        self.is_running = self.has_ended = self.is_dropped = False


class Odds:
    """How often guesses of each level were right, by the iteration that they were made in."""

    def __init__(self) -> None:
        self._right: dict[tuple[int, int], float] = {}
        self._made: dict[tuple[int, int], float] = {}

    def of(self, level: int, iteration: int) -> float:
        """Return the share of guesses that is expected to be right: at first 1 - 1 / (iteration + 2)."""
        key = level, iteration.bit_length()
        expected = 1.0 - 1.0 / (iteration + 2.0)
        return (self._right.get(key, 0.0) + PRIOR * expected) / (self._made.get(key, 0.0) + PRIOR)

    def count(self, level: int, iteration: int, is_right: bool) -> None:
        """Count a guess that has turned out right or wrong."""
        key = level, iteration.bit_length()
        self._right[key] = self._right.get(key, 0.0) + is_right
        self._made[key] = self._made.get(key, 0.0) + 1.0


class Speculation:
    """The tree of stages. Its root is what is certain; everything else stands on guesses.

    Parameters
    ----------
    states : States
        What is known of states.
    state : State
        Where the search stands.
    top : int
        The top level of the search.
    task : int
        The level of the searches that are not divided.
    iterations : int
        N, the iterations of each level.
    most : int
        The most stages at a time.

    Attributes
    ----------
    root : Stage
        The first stage, which stands on no guess.
    dropped : int
        The playouts of stages that were dropped.
    """

    def __init__(self, states: States, state: State, top: int, task: int, iterations: int, most: int) -> None:
        self._states = states
        self._levels = range(task, max(top, task + 1))
        self._top = top
        self._iterations = iterations
        self._most = most
        self._odds = Odds()
        self.dropped = 0
        self.root = Stage(state, states.place(state), None, FOLLOWS)
        self._stages: dict[Place, Stage] = {self.root.place: self.root}
        self._waiting: list[Candidate] = []
        self._is_up_to_date = False
        self._handed: tuple[float, Stage] | None = None

    def next(self) -> Stage | None:
        """Return the stage to work on that is most likely to be kept, guessed now if it has to be; None if none is.

        It is meant to be running when the next one is asked for.
        """
        if not self._is_up_to_date:
            self._waiting = list(self._candidates())
            heapify(self._waiting)
            self._is_up_to_date = True
        elif self._handed is not None:
            for candidate in self._of_stage(*self._handed):
                heappush(self._waiting, candidate)
        self._handed = None
        while self._waiting:
            negative, _, level, stage = heappop(self._waiting)
            found = self._taken(stage, level)
            if found is not None:
                self._handed = -negative, found
                return found
        return None

    def _taken(self, stage: Stage, level: int) -> Stage | None:
        """Return the stage of a candidate; None if it cannot be worked on any more."""
        if stage.is_dropped or stage.has_ended or stage.error is not None or stage.is_running == (level == FOLLOWS):
            return None
        if level == FOLLOWS:
            return stage
        return self._guess(stage, level) if self._may_guess(stage, level) else None

    def _may_guess(self, stage: Stage, level: int) -> bool:
        is_free = level not in stage.guesses and self._place_after(stage.place, level) not in self._stages
        return is_free and len(self._stages) < self._most

    def _candidates(self) -> Iterator[Candidate]:
        """Yield what could be worked on."""
        chances: dict[Place, float] = {}
        for place in sorted(self._stages):
            stage = self._stages[place]
            chance = 1.0
            if stage.source is not None:
                chance = chances[stage.source.place] * self._chance(stage.source, stage.level)
            chances[place] = chance
            yield from self._of_stage(chance, stage)

    def _of_stage(self, chance: float, stage: Stage) -> Iterator[Candidate]:
        """Yield what could be worked on of a stage that is so likely kept: itself, or guesses from it."""
        if stage.has_ended or stage.error is not None:
            return
        if not stage.is_running:
            yield -chance, stage.place, FOLLOWS, stage
        else:
            for level in self._levels:
                if self._may_guess(stage, level):
                    yield -chance * self._chance(stage, level), stage.place, level, stage

    def _chance(self, stage: Stage, level: int) -> float:
        return 1.0 if level == FOLLOWS else self._odds.of(level, self._iteration(stage, level))

    def _iteration(self, stage: Stage, level: int) -> int:
        """Return the iteration of the level above the running search of ``level``, from 0."""
        return stage.place[self._top - level]

    def _place_after(self, place: Place, level: int) -> Place:
        """Return the place after the search of ``level`` that ``place`` is in, if every level does its N iterations."""
        after = list(place)
        at = self._top - level
        after[at + 1 :] = [0] * (len(after) - at - 1)
        after[at] += 1
        while at > 0 and after[at] >= self._iterations:
            after[at] = 0
            at -= 1
            after[at] += 1
        return tuple(after)

    def _guess(self, stage: Stage, level: int) -> Stage | None:
        state = self._states.guessed(stage.start, level)
        place = () if state is None else self._states.place(state)
        if state is None or place in self._stages:
            stage.guesses[level] = None
            return None
        guess = Stage(state, place, stage, level)
        stage.guesses[level] = self._stages[place] = guess
        return guess

    def progress(self, stage: Stage, latest: State, playouts: int, found: Iterable[Improvement], ended: bool) -> None:
        """Take in what a worker has done of a task.

        Parameters
        ----------
        stage : Stage
            The stage that the worker had.
        latest : State
            Where its search is now; if it has ended, where the next task begins.
        playouts : int
            So many more playouts.
        found : iterable of Improvement
            The improvements in them, numbered from the start of the stage.
        ended : bool
            Whether its search is over.
        """
        self._is_up_to_date = False
        if stage.is_dropped:
            self.dropped += playouts
            return
        stage.playouts += playouts
        stage.found += found
        stage.latest = latest
        if ended:
            self._end(stage)

    def _end(self, stage: Stage) -> None:
        """Find what follows: a guess that was right, or a new stage."""
        state, place = stage.latest, self._states.place(stage.latest)
        stage.has_ended = True
        stage.latest = None
        there = self._stages.get(place)
        if there is not None:
            is_right = self._states.is_same(state, there.start)
            self._count(there, is_right)
            if is_right:
                self._hang(there, stage, FOLLOWS)
            else:
                self._drop(there)
        self._drop_between(stage.place, place)
        if stage.after is None:
            stage.after = self._stages[place] = Stage(state, place, stage, FOLLOWS)
        guesses, stage.guesses = stage.guesses, {}
        for level, guess in guesses.items():
            if guess is not None and guess is not stage.after and not guess.is_dropped:
                self._examine(guess, level, stage.after)

    def _examine(self, guess: Stage, level: int, last: Stage) -> None:
        """Keep a guess if it would be made again now, from the ``last`` that is known before it."""
        while last.after is not None:
            last = last.after
        again = self._states.guessed(last.start, level) if last.place < guess.place else None
        if again is not None and last.guesses.get(level) is None and self._states.is_same(again, guess.start):
            self._hang(guess, last, level)
        else:
            self._count(guess, False)
            self._drop(guess)

    def _hang(self, stage: Stage, source: Stage, level: int) -> None:
        """Make a stage one that was guessed from, or follows, another one than before."""
        self._unhang(stage)
        stage.source, stage.level = source, level
        if level == FOLLOWS:
            source.after = stage
        else:
            source.guesses[level] = stage

    def _unhang(self, stage: Stage) -> None:
        """Take a stage away from where it was guessed from, or what it follows."""
        source = stage.source
        if source is not None and source.guesses.get(stage.level) is stage:
            source.guesses[stage.level] = None
        if source is not None and source.after is stage:
            source.after = None

    def _drop_between(self, first: Place, last: Place) -> None:
        """Drop what is at places that are not there: a level has ended before its N iterations, by repetition."""
        for place in sorted(place for place in self._stages if first < place < last):
            if place in self._stages:
                self._count(self._stages[place], False)
                self._drop(self._stages[place])

    def _count(self, guess: Stage, is_right: bool) -> None:
        if guess.level != FOLLOWS and guess.source is not None:
            self._odds.count(guess.level, self._iteration(guess.source, guess.level), is_right)

    def _drop(self, stage: Stage) -> None:
        """Drop a stage with all that stands on it."""
        self._unhang(stage)
        falling: list[Stage | None] = [stage]
        while falling:
            fallen = falling.pop()
            if fallen is None or fallen.is_dropped:
                continue
            fallen.is_dropped = True
            self.dropped += fallen.playouts
            del self._stages[fallen.place]
            falling += [fallen.after, *fallen.guesses.values()]
            fallen.start = fallen.latest = None

    def commit(self) -> Stage:
        """Make the stage that follows the root, whose search is over, the root; return the one that was."""
        over = self.root
        if over.after is None:
            raise ValueError("the search of the root is not over")
        self._is_up_to_date = False
        self.root = over.after
        self.root.source = None
        del self._stages[over.place]
        over.start = None
        return over
