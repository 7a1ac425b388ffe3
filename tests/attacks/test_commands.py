"""One value of the files that commands read is changed: each command answers with a sentence or a result.

One value: another type, a huge number, NaN, lists in lists, odd letters, a missing key. Runs and games that are missing
are not begun. None may print more than 1 MB or take ten seconds of the processor.
"""

import io
import json
import random
import re
import shutil
import signal
import sqlite3
import sys
import traceback
from collections import Counter
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path

from tries import SEED, WHOLE, tries

from nrpa.bench import run
from nrpa.cli.main import main as nrpa
from nrpa.games import match

SECONDS, LONGEST, ENDLESS = 10, 1_000_000, "9" * 5000
NUMBERS = [-1, 0, 2.5, 10**8, 10**18, 10**30, 1e308, -1e308, float("nan"), float("inf")]
LETTERS = ["", "x", "-", "/", "_x", r"$\frac{$", "\x00", "\ud800", "\u202e字", "a\nb", "1e3", "x" * 10_000, "x.py:X"]
ODD = [*NUMBERS, *LETTERS, None, True, [], [1], [[]], {}, {"a": 1}, [0] * 3000, {"solution": 1}, "DEEP", "ENDLESS"]
WORDS = ['"x"', '"$\\\\frac{$"', "1979-05-27", "[1]", "{a=1}", "1_0", "٣", '"""\na\n"""', "-inf", "1e400", '""', "true"]
TEXTS = [*map(str, NUMBERS), *WORDS, *LETTERS, ENDLESS]
TABLES = ["study_user_attributes", "trial_user_attributes", "trial_values", "trial_intermediate_values", "trials"]
SMALL = "--variant A:solver=nrpa,level=1 --variant B:solver=nmcs,level=1 --workers 1 -q --out a.csv"
BENCH = f"bench tsptw rc201.1 --playouts 20 --runs 2 {SMALL}"
SOLVE = "solve tsptw rc201.1 --solver nmcs --level 1 --playouts 20 -q --json r.json"
MATCH = "match hex --size 3 --first uct --second uct --playouts 5 --games 2 -q --out m.csv"
TUNE = "tune tsptw rc201.1 --playouts 5 --trials 2 --runs 1 --fresh-runs 2 --only level -q --out t.db"
TOML = """problem = "tsptw"\ninstances = ["rc201.1"]\nruns = 2\nplayouts = 20\nseed = 1\nclock = "wall"
variants.A = {solver = "nrpa", level = 1}\nvariants.B = {solver = "gnrpa", tau = 1.4, bias = true, moves = "all"}\n"""
READS = f"""a.json {BENCH}\na.json table a.csv --versus A --target 500\na.json plot a.csv --out a.svg
a.json report a.csv --out a.html --target 500\na.json plot a.playouts.csv --out a.png --target 500
a.csv table a.csv --paired --versus B\na.csv plot a.csv --out a.svg --reference 400\na.csv report a.csv --out a.html
a.playouts.csv report a.csv --out a.html\na.playouts.csv plot a.playouts.csv --out a.png --target 500
a.best.json report a.csv --out a.html\na.best.json {BENCH}\nr.json check tsptw rc201.1 r.json --draw
r.json plot --solution r.json --out r.svg\ne.toml bench e.toml --out e.csv -q\nm.json {MATCH}
m.csv {MATCH}\nt.db {TUNE}"""


def ran(command, seconds=SECONDS):
    """Return the exit status of a command, or what it must not do."""
    out, err, sys.argv = io.StringIO(), io.StringIO(), ["nrpa", *command.split()]
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            nrpa()
        code = 0
    except SystemExit as stop:
        code = stop.code or 0
    except BaseException as error:
        return "".join(traceback.format_exception(error)[-2:]).strip()[-300:]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if out.tell() + err.tell() > LONGEST:
        return f"prints {out.tell() + err.tell():,} letters"
    said = [line for line in err.getvalue().splitlines() if not line.startswith("note: ")]
    if code not in (0, 1, 2) or (code == 2 and (len(said) != 1 or not said[0].startswith("error: "))):
        return f"ends with {code} and no sentence: {err.getvalue()[-300:]!r}"
    return code


def as_json(value, chance):
    """Return what a JSON file holds as text, with lists in lists about as deep as Python goes."""
    depth = chance.choice([200, *range(900, 1000, 10), 3000])
    return json.dumps(value).replace('"DEEP"', "[" * depth + "]" * depth).replace('"ENDLESS"', ENDLESS)


def changed_json(value, chance):
    """Change one value somewhere in what a JSON file holds; return what the file holds then."""
    parent = below = value
    while isinstance(below, (dict, list)) and below and (parent is value or chance.random() < 0.8):
        parent, key = below, chance.choice(list(below) if isinstance(below, dict) else range(len(below)))
        below = parent[key]
    old, how = parent.pop(key), chance.randrange(10)
    if how and isinstance(parent, dict):
        parent.update({str(chance.choice(ODD)): old} if how == 1 else {key: chance.choice(ODD)})
    elif how:
        parent.insert(key, chance.choice(ODD))
    return as_json(value, chance)


def change(path, chance):
    """Change one value of a file."""
    if path.suffix == ".db":
        with closing(sqlite3.connect(path)) as base, base:
            table = chance.choice(TABLES)
            column = chance.choice([row[1] for row in base.execute(f"PRAGMA table_info({table})")][1:])
            new = chance.choice([as_json(chance.choice(ODD), chance), *TEXTS]).replace("\ud800", "?")
            base.execute(f"UPDATE OR IGNORE {table} SET {column} = ?", (new,))
        return
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        text = changed_json(json.loads(text), chance)
    else:
        place = chance.choice([*re.finditer(r"[^,\n]+" if path.suffix == ".csv" else r"[\w.]+|\S+$", text, re.M)])
        text = text[: place.start()] + chance.choice([*TEXTS, as_json("DEEP", chance)]) + text[place.end() :]
    path.write_text(text, encoding="utf-8", errors="surrogatepass")


def test_commands_answer_changed_files_with_a_sentence_or_a_result(monkeypatch, tmp_path):
    """Records, descriptions, results, experiments, matches and trials."""
    signal.signal(signal.SIGPROF, lambda *_: (_ for _ in ()).throw(TimeoutError(f"is not done after {SECONDS} s")))
    chance, right, folder = random.Random(SEED), tmp_path / "right", tmp_path / "changed"
    right.mkdir()
    monkeypatch.chdir(right)
    monkeypatch.setattr(sys, "argv", sys.argv)
    Path("e.toml").write_text(TOML)
    assert [ran(command, 0) for command in (BENCH, SOLVE, MATCH, TUNE)] == [0] * 4
    for module in (run, match):
        monkeypatch.setattr(module, "distribute", lambda *_: None)
    outcomes = Counter()
    for _ in tries(60):
        monkeypatch.chdir(tmp_path)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(right, folder)
        monkeypatch.chdir(folder)
        name, _, command = chance.choice(READS.splitlines()).partition(" ")
        change(Path(name), chance)
        found = ran(command)
        assert found in (0, 1, 2), f"{name}, nrpa {command}: {found}"
        outcomes[found] += 1
    assert not WHOLE or outcomes[2] > outcomes[0] > 0
