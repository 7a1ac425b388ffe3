"""The chains of parallel tempering, shared out among workers: each has some neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nrpa.engine.incumbent import allocate_incumbent, allocate_tally
from nrpa.solvers.compiled_tempering import Chains, Memory, allocate_rounds
from nrpa.solvers.interface import Improvement
from nrpa.solvers.memory import Capacity, rows_of, write_rows
from nrpa.solvers.search import State

if TYPE_CHECKING:
    from nrpa.solvers.tempering_search import TemperingSearch


class Parts:
    """A search of all chains, and searches of some of them, whose arrays are views where they are in one process.

    - ``searches``: At most one for each worker, and for each chain.
    """

    def __init__(self, whole: TemperingSearch, workers: int) -> None:
        self._whole = whole
        chains = len(whole.memory.chains.done)
        number = min(workers, chains)
        self._ends = [part * chains // number for part in range(number + 1)]
        self.searches = [whole.part(self.memory(part)) for part in range(number)]

    def memory(self, part: int) -> Memory:
        """Return the memory of a part, with the chains of the whole."""
        memory, steps = self._whole.memory, len(self._whole.memory.best.move)
        rounds = allocate_rounds()._replace(begun=memory.rounds.begun, number=memory.rounds.number)
        best, tally = allocate_incumbent(steps), allocate_tally()
        best.score[0] = memory.best.score[0]
        tally.playouts[0] = self._playouts(part, self._whole.playouts)
        chains: Chains = rows_of(memory.chains, self._ends[part], self._ends[part + 1])
        return Memory(chains, rounds, best, tally, memory.random, memory.room.copy())

    def _playouts(self, part: int, playouts: int) -> int:
        """Return how many of so many playouts are those of a part."""
        number = self._ends[-1]
        chains = range(self._ends[part], self._ends[part + 1])
        return sum((playouts - chain + number - 1) // number for chain in chains)

    def shares(self, more: int) -> list[int]:
        """Return how many of so many more playouts are those of each part."""
        done = self._whole.playouts
        return [self._playouts(part, done + more) - self._playouts(part, done) for part in range(len(self.searches))]

    def numbered(self, part: int, found: Sequence[Improvement]) -> list[Improvement]:
        """Return improvements of a part with their numbers among the playouts of all chains."""
        begin, size = self._ends[part], self._ends[part + 1] - self._ends[part]
        turns = [divmod(each.playouts - 1, size) for each in found]
        return [
            each._replace(playouts=turn * self._ends[-1] + begin + chain + 1, worker=part)
            for (turn, chain), each in zip(turns, found, strict=True)
        ]

    def take_in(self, states: Sequence[State]) -> bool:
        """Let the whole have the chains as they are in the states of its parts; return whether any had to be copied."""
        memories: list[Memory] = [state.made_of[1] for state in states]
        room = np.max([self._whole.memory.room, *(memory.room for memory in memories)], axis=0)
        if (room != self._whole.memory.room).any():
            self._whole.grow_to(Capacity(*map(int, room)))
        whole, copied = self._whole.memory.chains, False
        for begin, state, memory in zip(self._ends, states, memories, strict=False):
            if not np.may_share_memory(memory.chains.games.move, whole.games.move):
                games = self._whole.renumbered(memory.chains.games, state.numbering)
                write_rows(whole, begin, memory.chains._replace(games=games))
                copied = True
        return copied
