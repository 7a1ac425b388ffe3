"""Play the matches of ``results`` again, or on: ``python experiments/matches.py --out records 'mcps/*'``; resumable.

A pattern names records below ``results``; the file FILE.json beside each says what is played.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from tables import run

from nrpa.base.errors import InputError
from nrpa.cli.main import commands

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Play the games that are missing in ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("patterns", nargs="+", help="records below results, without .csv")
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--out", type=Path, default=RESULTS, help="the folder of the records")
    options = parser.parse_args()
    for pattern in options.patterns:
        paths = sorted(RESULTS.glob(f"{pattern}.csv"))
        if not paths:
            raise InputError(f"{pattern}: expected a record below {RESULTS}, found none")
        for path in paths:
            out = options.out / path.relative_to(RESULTS)
            out.parent.mkdir(parents=True, exist_ok=True)
            commands.main(arguments(path.with_suffix(".json"), options.games, out), standalone_mode=False)


def arguments(description: Path, games: int, out: Path) -> list[str]:
    """Return the arguments of ``nrpa match`` that play a match that is described up to so many games."""
    match = json.loads(description.read_text(encoding="utf-8"))["match"]
    of_problem = {name: value for name, value in match["first"]["problem"].items() if name != "codes"}
    players = {seat: player(match[seat]) for seat in ("first", "second", "third") if seat in match}
    given = {**of_problem, **players, "playouts": match["playouts"], "seed": match["seed"], "games": games, "out": out}
    return ["match", match["problem"], *(f"--{name}={value}" for name, value in given.items()), "--workers=1"]


def player(options: dict[str, Any]) -> str:
    """Return a player as ``nrpa match`` has it, such as ``grave:ref=50,amaf_bias=1e-05,codes=exact``."""
    own = {**options, "codes": options["problem"]["codes"]}
    return f"{own.pop('solver')}:" + ",".join(f"{name}={value}" for name, value in own.items() if name != "problem")


if __name__ == "__main__":
    run(main)
