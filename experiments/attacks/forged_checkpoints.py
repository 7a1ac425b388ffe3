"""Resume checkpoints in which an array or a field was changed and the hash made right: python ... --count 450 --seed 1.

Exit status 1 at anything but a refusal in a sentence or a search that goes on, as when the process that resumes dies.
"""

import json
import random
import sys
import tempfile
import traceback
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

import attack
import numpy as np

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.arrays import read_arrays, write_arrays

WHOLE = [-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 63, 64, 127, 2**20, 2**31 - 1, 2**40, 2**62, 2**63 - 1]
FLOATS = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, -1.0, 0.0, 0.5, 1e9]
ODD = [None, True, -1, 0, 1, 2, 3, 10**9, 2**70, 0.5, 1e308, float("nan"), "", "x", "1", [], [1], {}, {"int8": 300}]
sys.path.append(str(Path(__file__).parents[2] / "examples"))
PLAIN = partial(import_module("knapsack").Knapsack, [*range(3, 15)], [k * k % 17 for k in range(12)], 60)
BOARD = [[1 + (3 * x * x + y * y + x * y) % 3 for y in range(6)] for x in range(6)]
TARGETS = [
    (partial(nrpa.TSPTW.load, "rc201.1"), nrpa.GNRPA(level=2, iterations=7)),
    (PLAIN, nrpa.NRPA(level=3, iterations=4, adapt="plain")),
    (PLAIN, nrpa.NMCS(level=3)),
    (partial(nrpa.SameGame, BOARD), nrpa.Tempering(chains=3, period=7)),
    (partial(nrpa.SameGame, BOARD), nrpa.Auto(tempering=False)),
    (PLAIN, nrpa.GRAVE(ref=3, policy="adapt")),
    (partial(nrpa.SameGame, BOARD), nrpa.MCPS(ref=3, policy="mast")),
    (PLAIN, nrpa.SHUSS(budget=50, commit=60)),
]


def changed(array, name, others, chance):
    """Return an array with another number, shape or type, or another array; of a text, one with another value."""
    if name in ("header", "numbering"):
        value = json.loads(array.tobytes())
        place = chance.choice([value, *(held for held in value.values() if isinstance(held, (dict, list)) and held)])
        place[chance.choice(list(place) if isinstance(place, dict) else range(len(place)))] = chance.choice(ODD)
        return np.frombuffer(json.dumps(value).encode(), np.uint8)
    kind, letter = chance.randrange(8), array.dtype.kind
    if kind < 2:
        resized = np.resize(array, [max(0, n + chance.choice([-1, 0, 1, n])) for n in array.shape])
        return chance.choice([resized, resized, array[:0], array[None], array.astype(np.float32), np.array(3), *others])
    flat, used = array.copy().reshape(-1), np.flatnonzero(array).tolist()
    places = used if used and chance.random() < 0.5 else range(array.size)
    place = slice(None) if kind == 2 or not array.size else chance.choice(places)
    if letter == "b":
        flat.view(np.uint8)[place] = chance.randrange(256)
    elif letter == "i" and kind < 4:
        flat[place] += chance.choice([-1, 1])
    else:
        flat[place] = np.array(chance.choice(FLOATS if letter == "f" else WHOLE)).astype(array.dtype)
    return flat.reshape(array.shape)


def saved(folder, target):
    """Save a search; what compiles when it is resumed compiles here."""
    run = nrpa.start(TARGETS[target][0](), TARGETS[target][1], seed=1)
    run.advance(playouts=150)
    run.save(f"{folder}/{target}.npz")
    nrpa.resume(f"{folder}/{target}.npz", run.problem).advance(playouts=1)


def became(folder, target, seed, number):
    """Return what became of one change."""
    chance, arrays = random.Random(f"{seed} {target} {number}"), read_arrays(f"{folder}/{target}.npz", "")
    name = "header" if chance.random() < 0.15 else chance.choice(sorted(arrays))
    arrays[name] = changed(arrays[name], name, list(arrays.values()), chance)
    write_arrays(f"{folder}/forged.npz", arrays)
    try:
        run = nrpa.resume(f"{folder}/forged.npz", TARGETS[target][0]())
        run.advance(playouts=200)
        run.result()
        return f"resumed {name}"
    except InputError as error:
        return f"refused {name}: {error}"
    except Exception:
        return f"TRACEBACK {name}: {traceback.format_exc()!r}"


def main():
    """Forge so many."""
    options, outcomes, pool = attack.parser(__doc__, 450).parse_args(), attack.Outcomes("refused", "resumed"), None
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.count):
            target = number * len(TARGETS) // options.count
            if not Path(folder, f"{target}.npz").exists():
                saved(folder, target)
            pool = pool or ProcessPoolExecutor(1, get_context("spawn"))
            try:
                answer = pool.submit(became, folder, target, options.seed, number).result(60)
            except (BrokenExecutor, TimeoutError) as error:
                answer = f"DIED {error!r}"
                for process in list(pool._processes.values()):
                    process.kill()
                pool = None
            outcomes.note(answer.split()[0], f"change {number}, target {target}: {answer}")
        pool.shutdown() if pool else None
    outcomes.end(options.seed)


if __name__ == "__main__":
    main()
