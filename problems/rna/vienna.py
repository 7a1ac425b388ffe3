"""Energies and folds from ViennaRNA (Lorenz et al., Algorithms Mol. Biol. 6:26, 2011).

ViennaRNA keeps one parameter set a process, which the program around may change, and must not find changed. So a folder
has a copy of its set; where a known energy shows that this is another, the folder gets a process of its own.
"""

import functools
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partialmethod
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, BinaryIO, NamedTuple, cast

from nrpa.base.errors import InputError, NotInstalledError

_making = threading.Lock()
INSTALL = "ViennaRNA is not installed; pip install '.[rna]'"
LONG = 1000
"""So many bases are folded in half a second; an ensemble takes four times as long, and memory for all pairs."""


class ParameterSet(NamedTuple):
    """A parameter set: what loads it, its model of dangling ends, and the optimum of ``PROBE`` with it, in kcal/mol."""

    loader: str
    dangles: int
    structure: str
    energy: float


PROBE = "GGGGAAAACCCCAGCUUCGGCUAGGCGAAAGCCAUAUGGGAUCC"
PARAMETERS = {
    "turner2004": ParameterSet("params_load_RNA_Turner2004", 2, "((((....))))(((....))).(((....)))...........", -14.1),
    "turner1999": ParameterSet("params_load_RNA_Turner1999", 1, "((((....)))).((....))..(((....)))...........", -19.1),
}


def require() -> ModuleType:
    """Return ViennaRNA's package ``RNA``; InputError if it is not installed."""
    try:
        import RNA
    except ImportError:
        raise NotInstalledError(INSTALL) from None
    return RNA  # type: ignore[no-any-return]


class LocalFolder:
    """A folder in this process; RuntimeError if ViennaRNA's functions do not use its parameter set here.

    The fold compound of the last sequence is kept; threads take turns.
    """

    def __init__(self, parameters: str) -> None:
        wanted = PARAMETERS[parameters]
        self._rna = require()
        self._model = self._rna.md()
        self._model.dangles = wanted.dangles
        self._sequence = ""
        self._compound = None
        self._lock = threading.Lock()
        self._take_set()
        if not self._is_right(wanted):
            with _parameters_kept(self._rna):
                getattr(self._rna, wanted.loader)()
                self._take_set()
        if not self._is_right(wanted):
            raise RuntimeError(f"ViennaRNA does not use the parameters {parameters}: {self.mfe(PROBE)}")

    def _take_set(self) -> None:
        self._set, self._weights = self._rna.param(self._model), self._rna.exp_param(self._model)

    def _is_right(self, wanted: ParameterSet) -> bool:
        self._sequence = ""
        structure, energy = self.mfe(PROBE)
        return structure == wanted.structure and abs(energy - wanted.energy) <= 0.005

    def _compound_of(self, sequence: str, *options: int):
        """Return a fold compound that uses the copy of the set, whatever is loaded now."""
        compound = self._rna.fold_compound(sequence, self._model, *options)
        compound.params_subst(self._set)
        return compound

    def _of(self, sequence: str):
        if sequence != self._sequence:
            self._compound = self._compound_of(sequence)
            self._sequence = sequence
        return self._compound

    def mfe(self, sequence: str) -> tuple[str, float]:
        """Return the structure of minimum free energy and its energy in kcal/mol."""
        with self._lock:
            structure, energy = self._of(sequence).mfe()
        return structure, round(energy, 2)

    def energy(self, sequence: str, structure: str) -> float:
        """Return the energy of a structure in kcal/mol."""
        with self._lock:
            return round(float(self._of(sequence).eval_structure(structure)), 2)

    def energies(self, sequence: str, structures: Sequence[str], enough: float) -> list[float]:
        """Return the energies of structures in kcal/mol, up to the first that is far enough below ``structures[0]``.

        The fold compound, which has no room to fold, is not kept.
        """
        with self._lock:
            compound = self._compound_of(sequence, self._rna.OPTION_EVAL_ONLY)
            found = [round(float(compound.eval_structure(structures[0])), 2)]
            for structure in structures[1:]:
                found.append(round(float(compound.eval_structure(structure)), 2))
                if found[0] - found[-1] >= enough:
                    break
        return found

    def ensemble(self, sequence: str, structure: str) -> tuple[float, float]:
        """Return the ensemble defect of a structure, as a part of its positions, and its probability.

        ViennaRNA's partition function always has the dangles of model 2. The fold compound is not kept.
        """
        with self._lock:
            compound = self._compound_of(sequence)
            compound.exp_params_subst(self._weights)
            compound.exp_params_rescale(compound.mfe()[1])
            compound.pf()
            return compound.ensemble_defect(structure), compound.pr_structure(structure)

    def loop(self, sequence: str, structure: str, first: int) -> float:
        """Return the energy of the loop that the pair of position ``first`` (from 0) closes, in kcal/mol."""
        with self._lock:
            decicalories = int(self._of(sequence).eval_loop_pt(first + 1, self._rna.ptable(structure)))
        return round(decicalories / 100, 2)


@contextmanager
def _parameters_kept(rna: ModuleType) -> Iterator[None]:
    """Load the parameters again that are loaded now."""
    with TemporaryDirectory(prefix="nrpa-") as folder:
        kept = os.path.join(folder, "kept.par")
        if not rna.params_save(kept):
            raise RuntimeError("ViennaRNA cannot save its parameters")
        try:
            yield
        finally:
            rna.params_load(kept)


class RemoteFolder:
    """A ``LocalFolder`` in a process of its own (see ``main``)."""

    def __init__(self, parameters: str) -> None:
        self._parameters = parameters
        self._lock = threading.Lock()
        command = [sys.executable, "-m", __name__, parameters]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _ask(self, method: str, *arguments: Any) -> Any:
        asked, answered = cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)
        try:
            with self._lock:
                pickle.dump((method, arguments), asked)
                asked.flush()
                return pickle.load(answered)
        except (BrokenPipeError, EOFError):
            raise RuntimeError(f"the process that folds with the parameters {self._parameters} ended") from None

    mfe = partialmethod(_ask, "mfe")
    energy = partialmethod(_ask, "energy")
    energies = partialmethod(_ask, "energies")
    ensemble = partialmethod(_ask, "ensemble")
    loop = partialmethod(_ask, "loop")


Folder = LocalFolder | RemoteFolder


def folder(parameters: str) -> Folder:
    """Return the folder of a parameter set; there is one for each process and set."""
    with _making:
        return _folder_of(parameters, os.getpid())


@functools.cache
def _folder_of(parameters: str, process: int) -> Folder:
    """Return the folder of this process: one that was inherited by a fork would answer two."""
    if parameters not in PARAMETERS:
        raise InputError(f"parameters must be one of {', '.join(PARAMETERS)}, not {parameters!r}")
    require()
    try:
        return LocalFolder(parameters)
    except RuntimeError:
        return RemoteFolder(parameters)


def expected_seconds(length: int) -> float:
    """Return about how long one fold takes: 0.14 s at 400 bases, 10 s at 3,000."""
    return float(0.14 * (length / 400) ** 2.12)


def main(parameters: str) -> None:
    """Answer, as the process of a ``RemoteFolder``, until the input ends; who asks minds Ctrl-C, SIGTERM and SIGHUP.

    Each pickle on standard input is the name of a method of ``LocalFolder`` and its arguments, answered by the pickle
    of what it returns.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    folder = LocalFolder(parameters)
    with suppress(EOFError):
        while True:
            method, arguments = pickle.load(sys.stdin.buffer)
            pickle.dump(getattr(folder, method)(*arguments), sys.stdout.buffer)
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
