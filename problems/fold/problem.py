"""RNA folding, with the exact optimum beside it, or with pseudoknots."""

import os
from functools import cached_property
from typing import Any, Self

import numpy as np

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.io.files import exists
from nrpa.io.source import BestKnown, Source, bundled
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import faultless, typed, zeros
from nrpa.problems.fold.check import check_structure
from nrpa.problems.fold.energy import PSEUDOKNOT, Energy, Helix, find_helices, stacking
from nrpa.problems.lines import split_lines
from nrpa.problems.rna.problem import DEFAULT, PARAMETERS_HELP, StrandProblem
from nrpa.problems.rna.reader import SEVERAL, read_record
from nrpa.problems.rna.structure import SHORTEST_HAIRPIN, base_pairs, parse_sequence
from nrpa.problems.rna.vienna import LONG, PARAMETERS, Folder, folder

kernels = lazy("nrpa.problems.fold.kernels")
callback = lazy("nrpa.machine.callback")
engine = lazy("nrpa.engine.game")

BETA = 1 / 0.61632
"""1/RT at 37 °C, mol/kcal."""
STOP = 3.0
DEAREST = 5.0
STACK = -2.0


class Folding(StrandProblem):
    """RNA folding: find the structure of least free energy of a sequence, helix by helix.

    The objective is the energy in kcal/mol. Without pseudoknots, ViennaRNA's exact optimum is the bound, and the search
    stops there (status "optimal"). A solution is the structure in dot-bracket notation. A move adds one helix, or ends
    the game; its bias is β = -ΔE / RT with a rough ΔE. Beyond 1,000 bases the exact fold takes long, so that neither a
    search nor a check makes it: there is no bound.

    Parameters
    ----------
    sequence : str
        The letters A, C, G and U; T is read as U, lower case as capitals.

    Attributes
    ----------
    sequence : str
        As above, in capitals, with U for T.
    optimal_structure : str
        The structure of minimum free energy without pseudoknots, in dot-bracket notation; folded when it is first read.
    optimum : float
        Its energy in kcal/mol.
    helices : list of Helix
        The helices that moves can add.

    References
    ----------
    R. Lorenz et al., *ViennaRNA Package 2.0*, Algorithms for Molecular Biology 6:26, 2011.

    R. M. Dirks and N. A. Pierce, *A partition function algorithm for nucleic acid secondary structure including
    pseudoknots*, J. Comput. Chem. 24, 2003: what starts a pseudoknot.

    Examples
    --------
    >>> problem = Folding("GGGGAAAACCCC")
    >>> problem.optimal_structure
    '((((....))))'
    >>> problem.check(problem.optimal_structure).figures["energy"] == problem.optimum
    True
    """

    name = "fold"
    picture = "rna:draw_fold"
    objective = Objective("energy", sign=-1, digits=2)
    forms = (
        "a sequence, on one line or more, perhaps after a line `>NAME` (FASTA)",
        "dbn: `>NAME`, the sequence, a structure (not used), energy or not",
        SEVERAL,
    )
    pseudoknots = Option(
        False,
        "Let helices cross, each at a price (documented energy model).",
        details="Helices that cross are written in square brackets (see ``energy.Energy``).",
    )
    parameters = Option(DEFAULT, PARAMETERS_HELP, tuple(PARAMETERS))

    def __init__(self, sequence: str, **options: Any) -> None:
        self.set_options(**options)
        self.sequence = parse_sequence(sequence)
        self._folder = folder(self.parameters)
        stacks = stacking(self._folder)
        self.helices = find_helices(self.sequence, stacks)
        self.energy = Energy(self._folder, stacks, self.sequence)
        self._begin(self.sequence, self.energy)
        loops = _measured_loops(self._folder)
        super().__init__(
            _fold_instance(self.helices, loops, self.pseudoknots, self._callback.address),
            max_steps=max(len(self.sequence) - SHORTEST_HAIRPIN, 0) // 2 + 1,
            max_moves=len(self.helices) + 1,
            codes=len(self.helices) + 1,
            bias_by_move=True,
        )

    @cached_property
    def _exact(self) -> tuple[str, float]:
        return self._folder.mfe(self.sequence)

    @property
    def optimal_structure(self) -> str:
        return self._exact[0]

    @property
    def optimum(self) -> float:
        return self._exact[1]

    @property
    def is_folded_exactly(self) -> bool:
        """Whether searches and checks show the optimum: a fold of a longer sequence takes seconds without a pause."""
        return len(self.sequence) <= LONG

    @property
    def best_known(self) -> BestKnown | None:
        """The best published value, of structures without pseudoknots; None with pseudoknots."""
        return None if self.pseudoknots else self.origin.best_known

    @classmethod
    def load(cls, name: str | os.PathLike[str], **options: Any) -> Self:
        """Return the sequence with a name, or that a text in letters is, as at the command line."""
        name = os.fspath(name)
        if not name or (name.isalpha() and not exists(name) and name not in bundled(cls.bundled_with().name)):
            return typed(cls, "SEQUENCE", parse_sequence, name, **options)
        return super().load(name, **options)

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the problem of the sequence that a text holds; a structure beside it is not used."""
        expected = "a sequence of the letters A, C, G and U"
        sequence = read_record(source, cls.forms).require("sequence", "structure", expected)
        return cls(sequence, **options)

    def new_state(self) -> Any:
        n, words = len(self.sequence), len(self.instance.missing)
        helices = dict.fromkeys(("used", "over_round", "over_square"), words)
        layers = {"partner": n, "around": n, "branches": n + 1, "following": n + 1}
        return zeros(kernels.State, symbols=n, counts=2, **helices, **layers)

    def bound(self) -> float | None:
        return self.optimum if self.is_folded_exactly and not self.pseudoknots else None

    def solution(self, moves: np.ndarray) -> str:
        symbols = ["."] * len(self.sequence)
        round_pairs: list[tuple[int, int]] = []
        for move in moves:
            if move == len(self.helices):
                break
            i, j, length, _ = self.helices[move]
            square = any(a < i < b < j or i < a < j < b for a, b in round_pairs)
            for k in range(length):
                symbols[i + k], symbols[j - k] = "[]" if square else "()"
            if not square:
                round_pairs += [(i + k, j - k) for k in range(length)]
        return "".join(symbols)

    def move_name(self, move: int) -> str:
        """Return the first pair of a helix and its length, as in ``3-18x4``; ``end`` of the last move."""
        if move == len(self.helices):
            return "end"
        i, j, length, _ = self.helices[move]
        return f"{i + 1}-{j + 1}x{length}"

    def moves_of(self, solution: Any) -> np.ndarray:
        """Return the moves (int64[steps]) that build a structure: round brackets first, the longest helix each time."""
        faultless(self, solution)
        left = [base_pairs(solution, brackets) for brackets in ("()", "[]")]
        stop = len(self.helices)
        pairs_of = [{(first + k, last - k) for k in range(length)} for first, last, length, _ in self.helices]

        def longest(legal: list[int]) -> int:
            layer = next((pairs for pairs in left if pairs), set())
            fitting = [move for move in legal if move != stop and pairs_of[move] <= layer]
            if not fitting and layer:
                i, j = min(layer)
                raise InputError(
                    f"fold: the search has no helix for the pair {i + 1}-{j + 1} of the structure to start from"
                )
            found = max(fitting, key=lambda move: self.helices[move].length, default=stop)
            if fitting:
                layer -= pairs_of[found]
            return found

        return np.array(engine.Game(self.model).playout(longest), np.int64)

    def check(self, solution: Any) -> Verdict:
        """Check a structure in plain Python; the energies of loops and stacks are ViennaRNA's."""
        optimum = self.optimum if self.is_folded_exactly else None
        return check_structure(self._folder, self.sequence, solution, optimum, pseudoknots=self.pseudoknots)

    @classmethod
    def parse_solution(cls, text: str) -> str:
        """Return the structure of a plain text: its last line that is not empty, up to the first blank."""
        lines = [line.split()[0] for line in split_lines(text) if line.split() and not line.startswith((">", "#"))]
        return lines[-1] if lines else ""

    def draw(self, solution: Any) -> str:
        """Return the sequence, the structure found and perhaps ViennaRNA's, below each other."""
        rows = [("sequence", self.sequence), ("found", solution)]
        if self.is_folded_exactly:
            rows.append(("optimal", self.optimal_structure))
        return "\n".join(f"{name:11} {text}" for name, text in rows)


def _fold_instance(found: list[Helix], loops: Any, pseudoknots: bool, address: int) -> Any:
    count = len(found)
    first, last, length = np.array([helix[:3] for helix in found], np.int64).reshape(count, 3).T.copy()
    pairs = [{base for k in range(helix.length) for base in (helix.first + k, helix.last - k)} for helix in found]
    sharing = np.zeros((count, count), bool)
    by_base: dict[int, list[int]] = {}
    for h, bases in enumerate(pairs):
        for base in bases:
            by_base.setdefault(base, []).append(h)
    for users in by_base.values():
        sharing[np.ix_(users, users)] = True
    a, b = first[:, None], last[:, None]
    crossing = ((a < first) & (first < b) & (b < last)) | ((first < a) & (a < last) & (last < b))
    missing = np.arange(-(-max(count, 1) // 64) * 64) >= count
    return kernels.Instance(
        first,
        last,
        length,
        _words(sharing, len(missing)),
        _words(crossing & ~sharing, len(missing)),
        _words(missing[None], len(missing))[0],
        np.array([helix.energy for helix in found], np.float64),
        loops,
        PSEUDOKNOT,
        BETA,
        STOP,
        DEAREST,
        2 if pseudoknots else 1,
        address,
    )


def _words(bits: np.ndarray, width: int) -> np.ndarray:
    """Return rows of bits as rows of 64-bit words, lowest bit first."""
    wide = np.zeros((len(bits), width), np.uint8)
    wide[:, : bits.shape[1]] = bits
    return np.packbits(wide, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _measured_loops(folder: Folder) -> Any:
    """Return the energies that a parameter set gives to sample loops."""
    sizes = kernels.LARGEST + 1
    hairpin = np.zeros(sizes)
    for size in range(3, sizes):
        hairpin[size] = folder.loop(f"G{'A' * size}C", f"({'.' * size})", 0)
    interior = np.full((sizes, sizes), np.inf)
    for left in range(sizes):
        for right in range(sizes - left):
            sequence = f"G{'A' * left}GAAAAC{'A' * right}C"
            interior[left, right] = folder.loop(sequence, f"({'.' * left}(....){'.' * right})", 0)
    interior[0, 0] = STACK
    two, three = (folder.loop(f"G{'AGAAAAC' * k}AC", f"({'.(....)' * k}.)", 0) for k in (2, 3))
    return kernels.Loops(hairpin, interior, np.array([two, three - two]))
