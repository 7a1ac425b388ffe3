"""Checkpoints in which an array or a field was changed and the hash made right: refused, or the search goes on."""

import json
import random
import traceback
from functools import partial

import numpy as np
import pytest
from knapsack import Knapsack
from tries import SEED, tries

import nrpa
from nrpa.base.errors import InputError
from nrpa.io.arrays import read_arrays, write_arrays

WHOLE = [-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 63, 64, 127, 2**20, 2**31 - 1, 2**40, 2**62, 2**63 - 1]
FLOATS = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, -1.0, 0.0, 0.5, 1e9]
ODD = [None, True, -1, 0, 1, 2, 3, 10**9, 2**70, 0.5, 1e308, float("nan"), "", "x", "1", [], [1], {}, {"int8": 300}]
PLAIN = partial(Knapsack, [*range(3, 15)], [k * k % 17 for k in range(12)], 60)
BOARD = [[1 + (3 * x * x + y * y + x * y) % 3 for y in range(6)] for x in range(6)]
TARGETS = {
    "nrpa": (PLAIN, nrpa.NRPA(level=3, iterations=4, adapt="plain")),
    "nmcs": (PLAIN, nrpa.NMCS(level=3)),
    "grave": (PLAIN, nrpa.GRAVE(ref=3, policy="adapt")),
    "shuss": (PLAIN, nrpa.SHUSS(budget=50, commit=60)),
    "gnrpa, compiled": (partial(nrpa.TSPTW.load, "rc201.1"), nrpa.GNRPA(level=2, iterations=7)),
    "tempering, compiled": (partial(nrpa.SameGame, BOARD), nrpa.Tempering(chains=3, period=7)),
    "auto, compiled": (partial(nrpa.SameGame, BOARD), nrpa.Auto(tempering=False)),
    "mcps, compiled": (partial(nrpa.SameGame, BOARD), nrpa.MCPS(ref=3, policy="mast")),
}


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


def became(make, arrays, chance, path):
    """Return what became of one change."""
    name = "header" if chance.random() < 0.15 else chance.choice(sorted(arrays))
    write_arrays(path, {**arrays, name: changed(arrays[name], name, list(arrays.values()), chance)})
    try:
        run = nrpa.resume(path, make())
        run.advance(playouts=200)
        run.result()
        return "resumed"
    except InputError:
        return "refused"
    except Exception:
        return f"{name}: {traceback.format_exc()}"


@pytest.mark.parametrize("target", TARGETS)
def test_forged_checkpoints_are_refused_or_go_on(target, tmp_path):
    """Whatever was changed; a process that dies takes this one with it."""
    make, solver = TARGETS[target]
    run = nrpa.start(make(), solver, seed=1)
    run.advance(playouts=150)
    run.save(tmp_path / "run.npz")
    arrays, chance = read_arrays(tmp_path / "run.npz", ""), random.Random(f"{SEED} {target}")
    outcomes = {became(make, arrays, chance, tmp_path / "forged.npz") for _ in tries(12)}
    assert outcomes == {"refused", "resumed"}
