"""Inputs that are nearly right, for every reader: each is read, or refused in one sentence.

Readers: instances of all problems (as a file, and as a name), solutions, results, records, experiments, checkpoints.
Inputs are right ones with bytes changed, cut, doubled, words replaced by odd ones. No input may cost more than a second
of the processor, or more than 500 MB.
"""

import gc
import random
import re
import resource
import signal
import time
from collections import Counter
from contextlib import suppress
from functools import partial

import pytest
from tries import SEED, WHOLE, tries

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench.experiment import Experiment
from nrpa.bench.records import header, read_records
from nrpa.cli.check import read_solution
from nrpa.io.source import bundled, read_source
from nrpa.registry import problem_class, problems

SECONDS, MEGABYTES, HANGS_AFTER = 1.0, 500.0, 10
FURTHER = {
    "binpacking": [
        b"8\n100\n60\n50\n50\n40\n30\n30\n20\n20\n",
        b" 1\n one\n 150 4 2\n 100.5\n 70\n 49.5\n 20\n",
        b"3\n100\n60 2\n40.5\t3\n20 7\n",
    ],
    "coloring": [
        b"c twice\np edge 5 10\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\n",
        b"# from 0\n0 1\n1 2\n2 3\n3 4\n4 0\n",
        b"%%MatrixMarket matrix coordinate real symmetric\n% five\n5 5 5\n2 1 0.5\n3 2 1\n4 3 1\n5 4 1\n5 1 -1e3\n",
    ],
    "rcpsp": [
        b"4 2\n3 2\n0 0 0 2 2 3\n4 2 1 1 4\n3 2 2 1 4\n0 0 0 0\n",
        b"RESOURCES\n- nonrenewable : 0 N\n*\nPRECEDENCE RELATIONS:\n1 1 1 2\n2 1 0\n*\nREQUESTS/DURATIONS:\n1 1 3 1\n"
        b"2 1 4 2\n*\nRESOURCEAVAILABILITIES:\n2\n*\n",
    ],
    "samegame": [b"2 4\n0 1 1 -1\n10 1 10 0\n", b"4\nab..\nabc.\ncba.\nabca\n"],
    "tsptw": [
        b"3\n0 4 5\n4 0 6\n5 6 0\n0 90\n10 20\n0 50\n",
        b"TYPE : TSPTW\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : FLOOR_2D\nSERVICE_TIME : 2\nNODE_COORD_SECTION\n1 0 0\n"
        b"2 3.5 4\n3 0 8\nTIME_WINDOW_SECTION\n1 0 90\n2 10 20\n3 0 50\nDEPOT_SECTION\n1\n-1\nEOF\n",
    ],
    "rna": [b">design\n((((...))))\n", b">design\nGGGGAAACCCC\n((((...)))) (-1.20)\n"],
    "fold": [b">one\nGGGGAAAACCCC\n", b"GGGGAAAA\nCCCC\n((((....)))) ( -5.40)\n"],
}
EXPERIMENT = (
    b'problem = "tsptw"\ninstances = ["rc201.1"]\nruns = 3\nplayouts = 100\ntarget = "best known"\nsearches = 2\n'
    b'[variants.A]\nsolver = "nrpa"\nlevel = 2\n[variants.B]\ntau = 1.4\nbias = true\nmoves = "all"\n'
)
LONGEST_REFUSAL = 800
LONGEST = 12_000
WORDS = [
    *(b"0", b"-1", b"1", b"2", b"0.5", b"-0", b"nan", b"inf", b"-inf", b"1e400", b"1e-400", b"9" * 400, b"99999999"),
    *(b"1000000000", b"18446744073709551616", b"1_0", b"\xd9\xa3", b"true", b"null", b"None", b"a", b"\xc3\xa9", b""),
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\t", b" ", b" " * 2000, b",", b";", b":", b'"', b"'"),
    *(b"[", b"]", b"{", b"}", b"(", b")", b"[" * 3000, b"(" * 3000, b"#", b"..", b"../../etc/passwd", b"x.py:X"),
    *(b"\n" * 3000, b"\x1b[31m", b"%s%n", b"${HOME}", b"__import__('os')", b"cos\nsystem\n(S'true'\ntR."),
]


def spoilt(data, chance):
    """Return an input that is nearly right."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        end, how = at + chance.randint(1, 60), chance.randrange(7)
        if how == 0:
            data = data[:at] + chance.choice(WORDS) + data[at:]
        elif how == 1:
            data = data[:at] + data[end:]
        elif how == 2:
            data = data[:at] + data[at:end] * 2 + data[end:]
        elif how == 3:
            data = data[:at]
        elif how == 4:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif found := [*re.finditer(rb"[\w.+-]+", data)]:
            word = chance.choice(found)
            data = data[: word.start()] + chance.choice(WORDS) + data[word.end() :]
    return data


def readers(kind, folder):
    """Yield the name of each reader, what it does, and right inputs; it writes them into the folder."""
    if kind in problems.bundled:
        if problem_class(kind).reads_instances():
            yield from of_problem(kind, folder)
        return
    problem = nrpa.TSPTW.load("rc201.1")
    run = nrpa.start(problem, nrpa.NMCS(level=1), seed=1)
    run.advance(playouts=20)
    run.save(folder / "run.npz")
    rows = [(name, seed, k) for name in ("A", '"B, b"') for seed in (1, 2) for k in range(12)]
    records = "".join(f"{name},i,{seed},{0.01 * 2**k},{7 << k},{k - 20.5}\n" for name, seed, k in rows)
    by_playouts = "".join(f"{name},i,{seed},{1 << k},{k - 20.5}\n" for name, seed, k in rows)
    tables = [f"{header('seconds')}{records}".encode(), f"{header('playouts')}{by_playouts}".encode()]
    described = of_file(folder / "e.toml", lambda path: Experiment.from_toml(str(path)))
    resumed = of_file(folder / "checkpoint", lambda path: nrpa.resume(path, problem))
    result = as_json(run.result(), folder)
    read, right = {
        "results": (lambda data: nrpa.Result.from_json(data.decode(errors="replace")), [result]),
        "records": (of_file(folder / "r.csv", read_records), tables),
        "experiments": (described, [EXPERIMENT]),
        "checkpoints": (resumed, [(folder / "run.npz").read_bytes()]),
    }[kind]
    yield kind, read, right


def as_json(result, folder):
    """Return what the file of a result holds."""
    result.to_json(folder / "result.json")
    return (folder / "result.json").read_bytes()


def of_file(path, read):
    """Return a reader of bytes, made of a reader of a file."""

    def read_it(data):
        path.write_bytes(data)
        read(path)

    return read_it


def of_problem(name, folder):
    """Yield the readers of a problem's instances, by file and by name, and of its solutions."""
    cls = problem_class(name)
    rows = sorted(bundled(name).values(), key=lambda row: row.size)
    labels = [row.name for row in rows[:: max(1, len(rows) // 4)]]
    yield f"{name}: names", partial(by_name, cls), [label.encode() for label in labels]
    texts = set()
    for label in labels:
        with suppress(InputError):
            texts.add(read_source(cls.name, label).text.encode())
    right = [*FURTHER.get(name, []), *sorted(filter(bytes.strip, texts), key=len)[:4]]
    if right := [text for text in right if len(text) <= LONGEST]:
        yield f"{name}: instances", of_file(folder / "instance", lambda path: cls.load(str(path))), right
    problem = cls.load(rows[0].name)
    problem = getattr(problem, "plain", problem)
    if problem.players == 1:
        with nrpa.debug():
            result = nrpa.solve(getattr(problem, "plain", problem), nrpa.RandomSampling(), seed=1, playouts=1)
        check = of_file(folder / "solution", lambda path: problem.check(read_solution(problem, str(path)).solution))
        texts = [str(result.solution).encode(), problem.draw(result.solution).encode()]
        yield f"{name}: solutions", check, [as_json(result, folder), *texts]


def by_name(cls, data):
    """Read the instance of a name, but for standard input."""
    if data.strip() != b"-":
        cls.load(data.decode(errors="replace"))


def became(read, data):
    """Return what became of an input, and what was said."""
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    signal.setitimer(signal.ITIMER_PROF, HANGS_AFTER)
    outcome, said = "read", ""
    try:
        read(data)
    except InputError as error:
        said = str(error)
        one_sentence = said.strip() and said.isprintable() and len(said) <= LONGEST_REFUSAL
        outcome = "refused" if one_sentence else "refused not in one sentence"
    except Exception as error:
        outcome, said = "failed", f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if time.process_time() - begun > SECONDS:
        outcome = "slow"
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before > MEGABYTES * 1024:
        outcome = "large"
    return outcome, said


def hangs(*_):
    """End an input that takes too long."""
    raise TimeoutError(f"is not done after {HANGS_AFTER} s of the processor")


@pytest.mark.parametrize("kind", [*problems.bundled, "results", "records", "experiments", "checkpoints"])
def test_readers_read_or_refuse_in_one_sentence(kind, tmp_path):
    """Of many that are nearly right, most are refused."""
    signal.signal(signal.SIGPROF, hangs)
    gc.freeze()  # to look through all that earlier tests have left would count as time of a reader
    outcomes = Counter()
    for name, read, right in readers(kind, tmp_path):
        chance = random.Random(f"{SEED} {name}")
        with suppress(InputError):
            read(right[0])  # What is loaded or compiled for the first time counts for none.
        takes = [data for data in right if became(read, data)[0] == "read"]
        for _ in tries(40):
            data = spoilt(chance.choice(takes), chance)
            outcome, said = became(read, data)
            assert outcome in {"read", "refused"}, f"{name}: {said[:300]!r}, given {data[:300]!r}"
            outcomes[outcome] += 1
    assert not WHOLE or outcomes["refused"] > outcomes["read"] or not outcomes
