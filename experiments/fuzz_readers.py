"""Give every reader of nrpa inputs that are nearly right, and count what is not refused in one sentence.

    python experiments/fuzz_readers.py --inputs 100000

Readers: instances of all problems (as a file, and as a name), solutions, results, records, experiments, checkpoints
(with their hash, and with one that was made right). Inputs are made by Hypothesis from right ones: bytes changed, cut,
doubled, words replaced by odd ones. A row of the table is a reader: inputs, how many it read, how many it refused, the
slowest in seconds of processor time, the memory in MB that they took. Exit status 1 at an exception other than
InputError, a refusal of several lines, more than a second, or more than 500 MB; the input is then kept in
``--failures``.
"""

from __future__ import annotations

import argparse
import io
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from rows import run

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.experiment import Experiment
from nrpa.bench.records import header, read_records
from nrpa.cli.claim import read_solution
from nrpa.io.arrays import read_arrays, write_arrays
from nrpa.io.source import bundled, read_source
from nrpa.registry import problem_class, problems
from nrpa.search.checkpoint import WHAT, read_checkpoint

SECONDS, MEGABYTES, HANGS_AFTER = 1.0, 500.0, 10
FURTHER = {
    "binpacking": [b"8\n100\n60\n50\n50\n40\n30\n30\n20\n20\n", b" 1\n one\n 150 4 2\n 100.5\n 70\n 49.5\n 20\n"],
    "tsptw": [b"3\n0 4 5\n4 0 6\n5 6 0\n0 90\n10 20\n0 50\n"],
    "rna": [b">design\n((((...))))\n"],
    "fold": [b">one\nGGGGAAAACCCC\n"],
}
SETTINGS: dict[str, Any] = {
    "database": None,
    "deadline": None,
    "phases": [Phase.generate],
    "suppress_health_check": list(HealthCheck),
}
LONGEST_REFUSAL = 800
LONGEST = 12_000
WORDS = [
    *(b"0", b"-1", b"1", b"2", b"0.5", b"-0", b"nan", b"inf", b"-inf", b"1e400", b"1e-400", b"9" * 400, b"99999999"),
    *(b"1000000000", b"18446744073709551616", b"1_0", b"\xd9\xa3", b"true", b"null", b"None", b"a", b"\xc3\xa9", b""),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\t", b" ", b" " * 2000, b",", b";", b":", b'"', b"'"),
    *(b"[", b"]", b"{", b"}", b"(", b")", b"[" * 3000, b"(" * 3000, b"#", b"..", b"../../etc/passwd", b"x.py:X"),
    *(b"\n" * 3000, b"\x1b[31m", b"%s%n", b"${HOME}", b"__import__('os')", b"cos\nsystem\n(S'true'\ntR."),
]


@dataclass
class Reader:
    """Something that reads, and right inputs for it."""

    name: str
    read: Callable[[bytes], object]
    right: list[bytes]


@dataclass
class Tally:
    """What became of the inputs of one reader."""

    inputs: int = 0
    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    megabytes: float = 0.0


class FailureError(Exception):
    """What a reader must not do."""


@st.composite
def spoilt(draw: Callable[[Any], Any], right: list[bytes]) -> bytes:
    """Return an input that is nearly right."""
    data = draw(st.sampled_from(right))
    for _ in range(draw(st.integers(1, 3))):
        how, place, length = draw(st.tuples(st.integers(0, 6), st.integers(0, 10_000), st.integers(1, 60)))
        at = place * len(data) // 10_001
        end = min(len(data), at + length)
        word = draw(st.sampled_from(WORDS))
        if how == 0:
            data = data[:at] + word + data[at:]
        elif how == 1:
            data = data[:at] + data[end:]
        elif how == 2:
            data = data[:at] + data[at:end] * 2 + data[end:]
        elif how == 3:
            data = data[:at]
        elif how == 4:
            data = data[:at] + bytes([draw(st.integers(0, 255))]) + data[at + 1 :]
        else:
            data = _word_replaced(data, at, word)
    return data


def _word_replaced(data: bytes, at: int, word: bytes) -> bytes:
    """Return the data with the word at a place replaced."""
    inside = b"+-._"
    start = end = at
    while start > 0 and (data[start - 1 : start].isalnum() or data[start - 1 : start] in inside):
        start -= 1
    while end < len(data) and (data[end : end + 1].isalnum() or data[end : end + 1] in inside):
        end += 1
    return data[:start] + word + data[end:]


def readers(folder: Path) -> list[Reader]:
    """Return all readers; they write their inputs into the folder, which should be in memory."""
    found = [reader for name in problems.bundled for reader in _of_problem(name, folder)]
    problem = nrpa.TSPTW.load("rc201.1")
    result = nrpa.solve(problem, nrpa.NMCS(level=1), seed=1, playouts=20)
    experiment = (
        b'problem = "tsptw"\ninstances = ["rc201.1"]\nruns = 3\nplayouts = 100\ntarget = "best known"\nsearches = 2\n'
        b'[variants.A]\nsolver = "nrpa"\nlevel = 2\n[variants.B]\ntau = 1.4\nbias = true\nmoves = "all"\n'
    )
    rows = [(name, seed, k) for name in ("A", '"B, b"') for seed in (1, 2) for k in range(12)]
    records = "".join(f"{name},i,{seed},{0.01 * 2**k},{7 << k},{k - 20.5}\n" for name, seed, k in rows)
    by_playouts = "".join(f"{name},i,{seed},{1 << k},{k - 20.5}\n" for name, seed, k in rows)
    tables = [f"{header('seconds')}{records}".encode(), f"{header('playouts')}{by_playouts}".encode()]
    return [
        *found,
        Reader("results", lambda data: nrpa.Result.from_json(data.decode()), [_json(result, folder).encode()]),
        Reader("records", _of_file(folder / "r.csv", read_records), tables),
        Reader("experiments", _of_file(folder / "e.toml", lambda path: Experiment.from_toml(str(path))), [experiment]),
        *_of_checkpoints(problem, folder),
    ]


def _json(result: nrpa.Result, folder: Path) -> str:
    result.to_json(folder / "result.json")
    return (folder / "result.json").read_text()


def _of_file(path: Path, read: Callable[[Path], object]) -> Callable[[bytes], object]:
    def read_it(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return read_it


def _of_problem(name: str, folder: Path) -> list[Reader]:
    """Return the readers of a problem's instances, by file and by name, and of its solutions."""
    cls = problem_class(name)
    if not cls.reads_instances():
        return []
    rows = sorted(bundled(name).values(), key=lambda row: row.size)
    labels = [row.name for row in rows[:: max(1, len(rows) // 4)]]
    texts = []
    for label in labels:
        try:
            texts.append(read_source(cls.name, label).text.encode())
        except InputError:
            continue
    short = [*FURTHER.get(name, []), *sorted({text for text in texts if text.strip()}, key=len)[:4]]
    readers_ = [Reader(f"{name}: names", lambda data: _by_name(cls, data), [label.encode() for label in labels])]
    if right := [text for text in short if len(text) <= LONGEST]:
        readers_.append(Reader(f"{name}: instances", _of_file(folder / "instance", lambda p: cls.load(str(p))), right))
    problem: Any = cls.load(rows[0].name)
    if problem.players == 1:
        with nrpa.debug():
            result = nrpa.solve(problem, nrpa.RandomSampling(), seed=1, playouts=1)
        right = [_json(result, folder).encode(), str(result.solution).encode(), problem.draw(result.solution).encode()]

        def check(path: Path) -> None:
            problem.check(read_solution(problem, str(path)).solution)

        readers_.append(Reader(f"{name}: solutions", _of_file(folder / "solution", check), right))
    return readers_


def _by_name(cls: Any, data: bytes) -> object:
    text = data.decode(errors="replace")
    return None if text.strip() == "-" else cls.load(text)


def _of_checkpoints(problem: Any, folder: Path) -> list[Reader]:
    path = folder / "run.npz"
    going = nrpa.start(problem, nrpa.NMCS(level=1), seed=1)
    going.advance(playouts=20)
    going.save(path)
    arrays = read_arrays(path, WHAT)
    header = arrays["header"].tobytes()

    def rehashed(data: bytes) -> object:
        """Read a header that somebody has changed, or arrays of other types and sizes, with a hash that is right."""
        changed = {**arrays, "header": np.frombuffer(data, np.uint8)}
        if not data.startswith(b"{"):
            try:
                entry = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False)
            except Exception:
                return None  # What numpy makes of it is not the question here.
            changed = {**arrays, "memory/random": entry, "curve/score": entry}
        write_arrays(path, changed)
        return read_checkpoint(path).resume(problem)

    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, arrays["memory/random"])
    return [
        Reader(
            "checkpoints", _of_file(path, lambda where: read_checkpoint(where).resume(problem)), [path.read_bytes()]
        ),
        Reader("checkpoints, rehashed", rehashed, [header, buffer.getvalue()]),
    ]


def try_one(reader: Reader, data: bytes, tally: Tally) -> None:
    """Give a reader an input. Raises FailureError where it does what it must not."""

    def hangs(number: int, frame: Any) -> None:
        raise FailureError(f"is not done after {HANGS_AFTER} s of the processor")

    signal.signal(signal.SIGPROF, hangs)
    signal.setitimer(signal.ITIMER_PROF, HANGS_AFTER)
    before, begun = _megabytes(), time.process_time()
    tally.inputs += 1
    try:
        reader.read(data)
        tally.read += 1
    except InputError as error:
        tally.refused += 1
        if not str(error).strip() or not str(error).isprintable() or len(str(error)) > LONGEST_REFUSAL:
            raise FailureError(f"refuses not in one sentence: {str(error)[:300]!r}") from None
    except UnicodeDecodeError:
        if reader.name != "results":
            raise
        tally.refused += 1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds, more = time.process_time() - begun, _megabytes() - before
    tally.slowest, tally.megabytes = max(tally.slowest, seconds), tally.megabytes + more
    if seconds > SECONDS:
        raise FailureError(f"takes {seconds:.1f} s of the processor")
    if more > MEGABYTES:
        raise FailureError(f"takes {more:.0f} MB")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def require_right(reader: Reader) -> None:
    """Keep the right inputs that the reader takes. Raises InputError where it takes none."""
    right = []
    for data in reader.right:
        try:
            reader.read(data)
            right.append(data)
        except InputError as error:
            refusal = error
    if not right:
        raise InputError(f"{reader.name}: {refusal}")
    reader.right = right


def fuzz(reader: Reader, inputs: int, chance: int) -> tuple[Tally, str, bytes]:
    """Give a reader so many inputs, or fewer where one fails; return the tally, what failed and the input."""
    require_right(reader)
    tally, last = Tally(), [b""]

    @seed(chance)
    @settings(max_examples=inputs, **SETTINGS)
    @given(spoilt(reader.right))
    def one(data: bytes) -> None:
        last[0] = data
        try_one(reader, data, tally)

    try:
        one()
    except Exception as error:
        return tally, f"{type(error).__name__}: {error}", last[0]
    return tally, "", b""


def main() -> None:
    """Fuzz all readers and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same inputs")
    parser.add_argument("--only", help="readers whose name begins with this")
    parser.add_argument("--failures", type=Path, help="a folder for the inputs that failed")
    options = parser.parse_args()
    memory = Path("/dev/shm")
    failed = total = 0
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        chosen = [each for each in readers(Path(name)) if each.name.startswith(options.only or "")]
        if not chosen:
            raise InputError(f"--only: no reader begins with {options.only!r}")
        print(f"{'reader':28} {'inputs':>8} {'read':>8} {'refused':>8} {'slowest':>8} {'MB':>6}", flush=True)
        for reader in chosen:
            tally, fault, data = fuzz(reader, -(-options.inputs // len(chosen)), options.seed)
            counts = f"{tally.inputs:8,} {tally.read:8,} {tally.refused:8,} {tally.slowest:8.3f} {tally.megabytes:6.0f}"
            print(f"{reader.name:28} {counts}  {fault[:300]}", flush=True)
            total, failed = total + tally.inputs, failed + bool(fault)
            if fault and options.failures:
                options.failures.mkdir(parents=True, exist_ok=True)
                (options.failures / reader.name.replace(": ", "-").replace(" ", "-")).write_bytes(data)
    print(f"{total:,} inputs, {failed} of {len(chosen)} readers failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    run(main)
