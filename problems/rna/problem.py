"""Inverse folding: targets from strings, files or the Eterna100 lists."""

import hashlib
import logging
import os
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np

from nrpa.base.errors import InputError, faults_of
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.io.files import exists
from nrpa.io.source import BestKnown, Source, bundled
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import typed, zeros
from nrpa.problems.lines import split_lines
from nrpa.problems.rna import branches
from nrpa.problems.rna.bias import Bias
from nrpa.problems.rna.demands import NOTHING, Demands, parse_letters
from nrpa.problems.rna.fitness import FITNESS, Fitness
from nrpa.problems.rna.improving import Improver, most_folds
from nrpa.problems.rna.order import ENSEMBLE, hamming, names_of, parse_order, score_of
from nrpa.problems.rna.reader import SEVERAL, SYMBOLS, read_record
from nrpa.problems.rna.structure import BASES, CAN_PAIR, PAIRS, WIDTH, base_pairs, parse_sequence, parse_target
from nrpa.problems.rna.vienna import LONG, PARAMETERS, Folder, expected_seconds, folder

kernels = lazy("nrpa.problems.rna.kernels")
callback = lazy("nrpa.machine.callback")

logger = logging.getLogger("nrpa")

SLICE_SECONDS = 0.01
ITERATIONS_LONG = 2
"""N of the solver ``auto`` for long targets, whose improvements find nearly all that is found."""
DEFAULT = "turner2004"
ETERNA = {"turner1999": "eterna-v1-", "turner2004": "eterna-v2-"}
FIXED = "%s: the sequence has a base at every position and is not used; letters such as N would make it a constraint"
PARAMETERS_HELP = "Energy parameters: Turner 2004 with dangles 2, or Turner 1999 with dangles 1."


class StrandProblem(CompiledProblem):
    """A problem that a text is, whose kernels call ``evaluated``, Python code that asks ViennaRNA."""

    holds_gil = True

    def _begin(self, text: str, evaluated: Any) -> None:
        self._text, self._evaluated, self._callback = text, evaluated, callback.Callback(evaluated)

    def __reduce__(self) -> Any:
        return partial(type(self), self._text, **self.options), (), {"origin": self.origin}

    @property
    def label(self) -> str:
        return self.origin.label or self._text

    def digest(self) -> str:
        return hashlib.sha256(self._text.encode()).hexdigest()

    def forget(self) -> None:
        super().forget()
        self._evaluated.forget()

    def raise_kept_error(self) -> None:
        self._callback.raise_kept_error()


class InverseFolding(StrandProblem):
    """RNA inverse folding: find a sequence whose structure of minimum free energy is the target.

    The objective is the fitness of NEMO, at most 1; it is 1 when the target is met, and then the search stops (status
    "target"). A solution is the sequence. A move chooses the bases of a pair, or of one unpaired position. Its bias is
    β = log p, with the probabilities p of NEMO's playouts. Energies and folds are those of ViennaRNA.

    Parameters
    ----------
    target : str
        The target structure in dot-bracket notation.

    Attributes
    ----------
    fitness : Fitness
        The fitness of sequences, and how many folds it has made.

    References
    ----------
    F. Portela, *An unexpectedly effective Monte Carlo technique for the RNA inverse folding
    problem*, bioRxiv 345587, 2018: the fitness and the playouts of NEMO.

    T. Cazenave and T. Fournier, *Monte Carlo Inverse Folding*, 2020: the bias.

    R. Lorenz et al., *ViennaRNA Package 2.0*, Algorithms for Molecular Biology 6:26, 2011.

    Examples
    --------
    >>> problem = InverseFolding("((((....))))")
    >>> problem.check("GGGGAAAACCCC").figures["distance"]
    0
    """

    name = "rna"
    picture = "rna:draw_design"
    objective = FITNESS
    goal: ClassVar[float | None] = 1.0
    forms = (
        "a structure in dots and brackets, perhaps after a line `>NAME`",
        "dbn: `>NAME`, a letter of IUPAC for each base (N: any), the structure with energy or not",
        SEVERAL,
    )
    parameters = Option(
        DEFAULT, PARAMETERS_HELP, tuple(PARAMETERS), details="Eterna100-V1's targets were made for turner1999."
    )

    constraints = Option("", "A letter of IUPAC for each position (N: any base), in place of those of a file.")
    gc = Option("", "Which part of the bases is G or C, from least to most, such as 0.4:0.6.")
    forbid = Option("", "Motifs that must not occur, in letters of IUPAC, such as AAAA,GGGG.")
    order = Option("", "What counts instead, first to last: some of distance, hamming, defect, probability.")

    def __init__(self, target: str, **options: Any) -> None:
        self.set_options(**options)
        partner = parse_target(target)
        self.demands = Demands.parse(partner, self.constraints, self.gc, self.forbid)
        self.target = target
        self._folder = folder(self.parameters)
        if self.order:
            most_faults = (2 + len(self.demands.motifs)) * len(target) if self.demands != NOTHING else 0
            self.objective = parse_order(self.order, len(target), most_faults)  # type: ignore[misc]
            self.goal = 0.0 if self.objective.name in ("distance", "hamming") else None  # type: ignore[misc]
        self.fitness = Fitness(self._folder, target, self.demands, self.objective)
        self._begin(target, self.fitness)
        instance = _rna_instance(partner, self.demands, self._callback.address)
        most = most_folds(len(target))
        self._improver = Improver(self.fitness, self._folder, target, instance, self.demands, most=most)
        self._in_place = callback.InPlace(self._improver, self._callback)
        steps = len(instance.position)
        super().__init__(
            instance._replace(improver=self._in_place.address),
            max_steps=steps,
            max_moves=WIDTH,
            max_total=int(instance.allowed.sum()),
            codes=steps * WIDTH,
            bias_by_move=True,
        )
        if len(target) > LONG:
            logger.warning("one fold of %d bases takes about %.0f s", len(target), expected_seconds(len(target)))

    @property
    def best_known(self) -> BestKnown | None:
        """The best fitness of the target alone; None where more is demanded, or other figures count."""
        return None if self.order or self.demands != NOTHING else self.origin.best_known

    def heed(self, stop: np.ndarray) -> None:
        self._improver.heed(stop)

    def hints(self) -> Hints:
        """Ask for no tempering, and for few iterations where the target is long."""
        is_long = len(self.target) >= branches.WORTH
        return Hints(tempered=False, iterations_improved=ITERATIONS_LONG if is_long else Hints.iterations_improved)

    @classmethod
    def load(cls, name: str | os.PathLike[str], **options: Any) -> Self:
        """Return the target with a name, or that a text in brackets is, as at the command line."""
        name = os.fspath(name)
        if set(name) <= set("(.)[]{}<>") and not exists(name):
            return typed(cls, "TARGET", parse_target, name, **options)
        return super().load(_eterna_name(name, options.get("parameters", DEFAULT)), **options)

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        """Return the target that a text holds, with the letters beside it unless they fix every base."""
        record = read_record(source, cls.forms, iupac=True)
        target = record.require("structure", "sequence", "a structure in dot-bracket notation")
        with faults_of(record.where):
            partner = parse_target(target)
            if record.sequence and not options.get("constraints"):
                if set(record.sequence) <= set(BASES):
                    logger.warning(FIXED, record.where)
                else:
                    options["constraints"] = parse_letters(partner, record.sequence)
        return cls(target, **options)

    @property
    def max_slice(self) -> int:
        """The number of playouts that takes about 10 ms if every sequence has to be folded; at least 1."""
        return max(1, int(SLICE_SECONDS * self.fitness.folds / max(self.fitness.seconds, 1e-9)))

    def new_state(self) -> Any:
        return zeros(kernels.State, letters=len(self.target), choice=len(self.target), step=1, strong=1)

    def solution(self, moves: np.ndarray) -> str:
        letters = ["."] * len(self.target)
        for move, i, j in zip(moves, self.instance.position, self.instance.partner, strict=False):
            if j < 0:
                letters[i] = BASES[move]
            else:
                letters[i], letters[j] = tuple(PAIRS[move])
        return "".join(letters)

    def moves_of(self, solution: Any) -> np.ndarray:
        verdict = self.check(solution)
        sequence: str = verdict.figures.get("sequence", "")
        if verdict.score is None or self.demands.wrong_letters(sequence):
            raise InputError(f"{self.name}: {verdict.faults[0]}")
        moves = []
        for i, j in zip(self.instance.position.tolist(), self.instance.partner.tolist(), strict=True):
            bases, offered = (sequence[i], BASES) if j < 0 else (sequence[i] + sequence[j], PAIRS)
            if bases not in offered:
                raise InputError(f"{self.name}: {bases[0]} at {i + 1} and {bases[1]} at {j + 1} cannot pair")
            moves.append(offered.index(bases))
        return np.array(moves, np.int64)

    def check(self, solution: Any) -> Verdict:
        """Fold a sequence again and compare its structure with the target."""
        order = self.objective if self.order else None
        return check_design(self._folder, self.target, solution, self.demands, order)

    @classmethod
    def parse_solution(cls, text: str) -> str:
        """Return the sequence of a plain or FASTA text, in which its structure may follow, as RNAfold writes it."""
        lines = [line for line in map(str.strip, split_lines(text)) if line and line[0] not in f">#{SYMBOLS}"]
        return parse_sequence("".join(lines))

    def draw(self, solution: Any) -> str:
        """Return sequence, structure and target below each other, with marks at the positions that differ."""
        structure = self._folder.mfe(solution)[0]
        marks = "".join(" " if a == b else "^" for a, b in zip(structure, self.target, strict=True)).rstrip()
        rows = [("sequence", solution), ("structure", structure), ("target", self.target)]
        return "\n".join(f"{name:11} {text}" for name, text in [*rows, ("", marks)] if text)


def _eterna_name(title: str, parameters: str) -> str:
    """Return the bundled name of a target of the Eterna100 lists; the title itself where it is of none."""
    prefix = ETERNA.get(parameters, "")
    rows = bundled(InverseFolding.name).values()
    return next((row.name for row in rows if row.title == title and row.name.startswith(prefix)), title)


def _rna_instance(partner: list[int], demands: Demands, address: int) -> Any:
    pairs = [i for i, j in enumerate(partner) if j > i]
    position = pairs + [i for i, j in enumerate(partner) if j < 0]
    found = Bias(partner, position)
    partners = np.array(partner)[position]
    allowed = demands.allowed(position, partners.tolist())
    return kernels.Instance(
        np.array(position),
        partners,
        found.context,
        found.exp_bias,
        allowed,
        demands.strong(allowed, partners),
        np.array([demands.fewest, demands.most]),
        demands.masks(),
        np.array([*map(len, demands.motifs)], np.int64),
        address,
        improver=0,
    )


def check_design(
    folder: Folder, target: str, sequence: Any, demands: Demands = NOTHING, order: Objective | None = None
) -> Verdict:
    """Fold a sequence again, compare its structure with the target, and look at what else is demanded."""
    if not isinstance(sequence, str):
        return Verdict({}, [f"a design is a string of bases, not {type(sequence).__name__}"])
    try:
        sequence = parse_sequence(sequence)
    except InputError as error:
        return Verdict({}, [str(error)])
    if len(sequence) != len(target):
        return Verdict({}, [f"the sequence has {len(sequence)} bases, the target {len(target)}"])
    wanted = base_pairs(target)
    faults = demands.faults(sequence)
    faults += [
        f"{sequence[i]} at position {i + 1} and {sequence[j]} at position {j + 1} cannot pair, as the target wants"
        for i, j in sorted(wanted)
        if sequence[i] + sequence[j] not in CAN_PAIR
    ]
    structure, energy = folder.mfe(sequence)
    distance = len(wanted ^ base_pairs(structure))
    if distance:
        faults.append(f"it folds into another structure, {distance} base pairs away: {structure}")
    fitness = 1.0
    if distance:
        closeness = 1.0 - distance / (2.0 * len(wanted)) if wanted else 1.0 / (1.0 + distance)
        excess = 1.01 + folder.energy(sequence, target) - energy
        fitness = closeness / excess if closeness >= 0 else closeness * excess
    fitness -= demands.broken(sequence)
    figures = {
        **{"fitness": fitness, "sequence": sequence, "structure": structure, "energy": energy, "distance": distance},
        "gc": round(sum(map(sequence.count, "GC")) / len(sequence), 4),
        **(dict(zip(ENSEMBLE, folder.ensemble(sequence, target), strict=True)) if len(sequence) <= LONG else {}),
    }
    if order is None:
        return Verdict(figures, faults, score=fitness, faults_counted=True)
    figures |= {"faults": demands.broken(sequence), "hamming": hamming(structure, target)}
    figures = {name: figures[name] for name in names_of(order)} | figures
    return Verdict(figures, faults, score=score_of(order, figures), faults_counted=True)
