"""The kernel ``improve`` of inverse folding: changes where a sequence misfolds, of which only the promising are folded.

A sequence is changed near the positions that differ from the target, as in RNAinverse and NEMO. To fold it costs a
hundred times what the energy of one structure costs. So what it folded into before, the rivals of the target, is
remembered, and changes are made until the target is ahead of them all by enough, or nothing brings it nearer. Only then
it is folded, and its structure is the next rival. The branches of a long target are improved first, each by itself:
until it folds right, then until it is steady, so that others disturb it less. A change after which more of them
misfold is dropped.

References
----------
I. Hofacker et al., *Fast folding and comparison of RNA secondary structures*, Monatshefte für Chemie 125, 1994:
RNAinverse, an adaptive walk.

F. Portela, *An unexpectedly effective Monte Carlo technique for the RNA inverse folding problem*, bioRxiv 345587, 2018:
NEMO, which draws misfolded parts again.
"""

from __future__ import annotations

import math
import random
import zlib
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nrpa.problems.rna import branches
from nrpa.problems.rna.demands import NOTHING, Demands
from nrpa.problems.rna.fitness import Fitness, Folded
from nrpa.problems.rna.structure import BASES, CLOSING, OPENING, pair_table
from nrpa.problems.rna.vienna import Folder, expected_seconds

if TYPE_CHECKING:
    from nrpa.problems.rna.kernels import Instance

RIVALS = 20
MARGIN = 1.0
"""How far the target has to be ahead of all rivals, in kcal/mol, until a sequence is folded at once."""
IDLE = 20
"""After so many changes in a row that do not bring the target nearer, the sequence is folded as it is."""
PATIENCE = 60
"""After so many folds in a row without a higher fitness, an improvement ends."""
USUAL_SECONDS, SECONDS_AFTER_BRANCHES, LONGEST_SECONDS = 2.0, 10.0, 3.0
FEWEST_FOLDS, MOST_FOLDS = 20, 500
ANOTHER = 0.4
"""The probability that one position more changes at once."""
ELSEWHERE = 0.1
BY_BIAS = 0.5
TRIES = 20
"""So often a change is drawn until it breaks no demand."""
TRIES_OF_BRANCHES = 10
"""So often changes are made until no more branches misfold."""
STEADY = 0.03
"""The ensemble defect of a branch that is steady enough."""
RESTARTS = 5
"""So often a branch that misses its target is improved from new moves, unless that takes long."""


def most_folds(length: int) -> int:
    """Return how many folds an improvement may take: about 2 s of them, 10 s after branches were improved.

    There are at most 500, at least 20 where 20 take no more than 3 s, and always one.
    """
    seconds = expected_seconds(length)
    usual = USUAL_SECONDS if length < branches.WORTH else SECONDS_AFTER_BRANCHES
    fewest = max(1, min(FEWEST_FOLDS, int(LONGEST_SECONDS / seconds)))
    return max(fewest, min(MOST_FOLDS, int(usual / seconds)))


class Improver:
    """Makes sequences fold better into a target; what comes of a sequence depends on that sequence alone."""

    def __init__(
        self,
        fitness: Fitness,
        folder: Folder,
        target: str,
        instance: Instance,
        demands: Demands = NOTHING,
        *,
        most: int,
        ensembles: int = 0,
        whole: bool = True,
    ) -> None:
        self._fitness = fitness
        self._folder = folder
        self._target = target
        self._demands = demands
        self._partner = pair_table(target)
        self._beside = beside(self._partner)
        self._most, self._ensembles = most, ensembles
        self._patience = PATIENCE if whole and len(target) < branches.WORTH else branches.PATIENCE
        self._whole = whole
        self._stop = np.zeros(1, np.bool_)
        self._step_of = [0] * len(target)
        self._bases = [""] * len(target)
        self._allowed = [np.flatnonzero(row).tolist() for row in instance.allowed]
        self._free = [step for step, moves in enumerate(self._allowed) if len(moves) > 1]
        for step, (i, j) in enumerate(zip(instance.position.tolist(), instance.partner.tolist(), strict=True)):
            self._step_of[i] = step
            self._bases[i] = BASES if j < 0 else OPENING
            if j >= 0:
                self._step_of[j] = step
                self._bases[j] = CLOSING
        self._context = instance.context.tolist()
        self._weights = [
            [list(accumulate(row[move] for move in moves)) for row in rows]
            for rows, moves in zip(instance.exp_bias.tolist(), self._allowed, strict=True)
        ]
        self._own, self._branches = self._free, list[Branch]()
        if whole:
            self._improve_branches_of(instance)

    def _improve_branches_of(self, instance: Instance) -> None:
        """Make the improver of each branch, those inside others first, which these know."""
        found = branches.branches(self._partner)
        for first, last in found:
            target = self._target[first : last + 1]
            improver = Improver(
                Fitness(self._folder, target),
                self._folder,
                target,
                branches.instance_of(instance, first, last),
                Demands(motifs=self._demands.motifs),
                most=branches.folds_of_branch(len(target), len(found)),
                ensembles=branches.ensembles_of_branch(len(target), len(found)),
                whole=False,
            )
            steps = branches.steps_of(instance, first, last).tolist()
            inner = [branch for branch in self._branches if first <= branch.first <= last]
            improver._branches = [branch._replace(first=branch.first - first, steps=[]) for branch in inner]
            inside = {step for branch in inner for step in branch.steps}
            improver._own = [own for own in improver._free if steps[own] not in inside]
            self._branches.append(Branch(first, steps, improver))

    def heed(self, stop: np.ndarray) -> None:
        """End an improvement after the fold in progress once ``stop``, bool[1], is set."""
        for improver in (self, *(branch.improver for branch in self._branches)):
            improver._stop = stop

    def __call__(self, buffer: Any) -> float:
        """Improve the moves in a buffer."""
        moves = np.frombuffer(buffer, np.int64)
        before = moves.tolist()
        after = self.improved(before)
        moves[:] = after
        return float(after != before)

    def improved(self, moves: list[int]) -> list[int]:
        """Return moves whose sequence has a higher fitness and breaks no demand, or the moves themselves."""
        generator = random.Random(zlib.crc32(bytes(moves)))
        if not self._free or self._breaks(moves):
            return moves
        best, kept = moves, self._fold(moves)
        rivals = Rivals(self._folder, self._target, kept.structure, RIVALS)
        highest, answer, failures = kept.fitness, moves, 0
        tried = self._with_better_branches(moves) if kept.fitness < 1.0 and self._whole else moves
        if tried != moves and not self._breaks(tried):
            found = self._fold(tried)
            rivals.add(found.structure)
            if found.fitness > highest:
                best = answer = tried
                kept, highest = found, found.fitness
        for _ in range(self._most):
            if kept.fitness == 1.0 or failures == self._patience or self._stop[0]:
                break
            tried = self._with_right_branches(best, kept.structure, rivals, generator)
            found = self._fold(tried)
            rivals.add(found.structure)
            failures += 1
            if found.fitness >= kept.fitness:
                best, kept = tried, found
            if found.fitness > highest:
                highest, answer, failures = found.fitness, tried, 0
        return answer

    def _with_better_branches(self, moves: list[int]) -> list[int]:
        """Improve each branch by itself, those inside others first; the whole may fold better or worse."""
        moves = moves.copy()
        for _, steps, improver in self._branches:
            if self._stop[0]:
                break
            for step, move in zip(steps, improver._best_of_several([moves[step] for step in steps]), strict=True):
                moves[step] = move
        return moves

    def _best_of_several(self, moves: list[int]) -> list[int]:
        """Improve moves and, while they miss the target, draw those outside its inner branches again."""
        if self._fold(moves).fitness == 1.0:
            return moves
        best = self.improved(moves)
        generator = random.Random(zlib.crc32(bytes(moves)))
        is_long = self._most * expected_seconds(len(self._target)) > branches.SECONDS_OF_RESTART
        for _ in range(0 if is_long else RESTARTS):
            if self._fold(best).fitness == 1.0 or self._stop[0]:
                break
            drawn = best.copy()
            for step in self._own:
                drawn[step] = self._drawn(drawn, step, generator)
            if not self._breaks(drawn):
                best = max(best, self.improved(drawn), key=lambda found: self._fold(found).fitness)
        return self._steadied(best, generator) if self._ensembles and self._fold(best).fitness == 1.0 else best

    def _steadied(self, moves: list[int], generator: random.Random) -> list[int]:
        """Change moves that meet the target so that they still do, with a smaller ensemble defect.

        What is beside a branch disturbs it less then.
        """
        least = self._folder.ensemble(self._sequence(moves), self._target)[0]
        for _ in range(self._ensembles):
            if least < STEADY or self._stop[0]:
                break
            tried = self._changed(moves, self._free, generator)
            if self._fold(tried).fitness == 1.0:
                defect = self._folder.ensemble(self._sequence(tried), self._target)[0]
                if defect <= least:
                    moves, least = tried, defect
        return moves

    def _with_right_branches(
        self, moves: list[int], structure: str, rivals: Rivals, generator: random.Random
    ) -> list[int]:
        """Change moves so that no more branches misfold by themselves than before, if such changes are drawn."""
        most = self._misfolded(moves, len(self._branches))
        for _ in range(TRIES_OF_BRANCHES):
            tried = self._ahead(moves, structure, rivals, generator)
            if self._misfolded(tried, most) <= most or self._stop[0]:
                break
        return tried

    def _misfolded(self, moves: list[int], most: int) -> int:
        """Return how many branches misfold by themselves; no more are counted than one beyond ``most``."""
        sequence, count = self._sequence(moves), 0
        for first, _, improver in self._branches:
            part = sequence[first : first + len(improver._target)]
            count += improver._fitness.fold(part).structure != improver._target
            if count > most or self._stop[0]:
                break
        return count

    def _ahead(self, moves: list[int], structure: str, rivals: Rivals, generator: random.Random) -> list[int]:
        """Change moves near what is misfolded as long as that brings the target nearer; at least once at all."""
        first, lead = moves, rivals.lead(self._sequence(moves)).energy
        near = self._steps_near(structure)
        idle = 0
        while idle < IDLE and lead > -MARGIN:
            changed = self._changed(moves, near, generator)
            now = rivals.lead(self._sequence(changed), enough=lead)
            idle += 1
            if now.energy < lead:
                moves, lead, idle = changed, now.energy, 0
                near = self._steps_near(now.rival)
        return self._changed(first, near, generator) if moves is first else moves

    def _changed(self, moves: list[int], near: list[int], generator: random.Random) -> list[int]:
        """Return other moves, by the bias or evenly, for a few steps; the same where those drawn break demands."""
        for _ in range(TRIES):
            changed, more = moves.copy(), 1.0
            while more < ANOTHER or changed == moves:
                step = generator.choice(near if generator.random() >= ELSEWHERE else self._free)
                if generator.random() < BY_BIAS:
                    changed[step] = self._drawn(changed, step, generator)
                else:
                    changed[step] = generator.choice(self._allowed[step])
                more = generator.random()
            if not self._breaks(changed):
                return changed
        return moves

    def _drawn(self, moves: list[int], step: int, generator: random.Random) -> int:
        at, given = self._context[step], 0
        if at >= 0:
            move = moves[self._step_of[at]]
            given = 1 + (move ^ 1 if 0 <= self._partner[at] < at else move)
        return generator.choices(self._allowed[step], cum_weights=self._weights[step][given])[0]

    def _steps_near(self, structure: str) -> list[int]:
        """Return the free steps of the positions that differ from the target, of their pairs, and beside them.

        Beside a position are the next ones, and in a loop the next pairs with the bases beside these. Where none of
        all these is free, they are all that are.
        """
        found = pair_table(structure)
        wrong = [i for i, j in enumerate(found) if j != self._partner[i]]
        around = {k for i in wrong for k in (*self._beside[i], found[i]) if k >= 0}
        return sorted({self._step_of[k] for k in around} & {*self._free}) or self._free

    def _breaks(self, moves: list[int]) -> bool:
        return self._demands != NOTHING and self._demands.broken(self._sequence(moves)) > 0

    def _sequence(self, moves: list[int]) -> str:
        return "".join([bases[moves[step]] for bases, step in zip(self._bases, self._step_of, strict=True)])

    def _fold(self, moves: list[int]) -> Folded:
        return self._fitness.fold(self._sequence(moves))


def beside(partner: list[int]) -> list[set[int]]:
    """Return each position with those beside it, and the next pairs on both sides with the bases beside these."""
    paired, last = [i for i, j in enumerate(partner) if j >= 0], len(partner) - 1
    found = []
    for i in range(last + 1):
        before, after = bisect_left(paired, i), bisect_right(paired, i)
        near = {i - 1, i, i + 1}
        near |= {k + by for k in paired[max(before - 1, 0) : before] for by in (0, 1)}
        near |= {k - by for k in paired[after : after + 1] for by in (0, 1)}
        found.append({k for k in near if 0 <= k <= last})
    return found


class Branch(NamedTuple):
    """A branch: its first position, the steps that decide it, and what improves it by itself."""

    first: int
    steps: list[int]
    improver: Improver


class Lead(NamedTuple):
    """The best rival for a sequence, and the energy of the target minus that of the rival, in kcal/mol.

    Where the energy is positive, the sequence does not fold into the target.
    """

    energy: float
    rival: str


class Rivals:
    """The structures that won against the target: a sequence that loses to one of them need not be folded."""

    def __init__(self, folder: Folder, target: str, first: str, most: int) -> None:
        self._folder = folder
        self._target = target
        self._latest_first = [first]
        self._most = most

    def add(self, structure: str) -> None:
        """Take in a structure that won against the target."""
        if structure in self._latest_first:
            self._latest_first.remove(structure)
        self._latest_first.insert(0, structure)
        del self._latest_first[self._most :]

    def lead(self, sequence: str, enough: float = math.inf) -> Lead:
        """Return how far a rival is ahead."""
        target, *energies = self._folder.energies(sequence, [self._target, *self._latest_first], enough)
        least = min(energies)
        rival = self._latest_first[energies.index(least)]
        if target - least >= enough:
            self.add(rival)
        return Lead(target - least, rival)
