"""Play matches, or go on with them: ``python experiments/matches.py 'mcps/*'``.

A pattern names records below ``results``. The file FILE.json beside each says what is played; of those that have none,
``matches.toml`` does, in whose order they are played, one after the other. The same command goes on where it was
stopped. ``--list`` tells their games so far and, by the seconds of these, the core-minutes that are left.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from tables import run

from nrpa.base.errors import InputError
from nrpa.cli.main import commands
from nrpa.games.match import read_games

HERE = Path(__file__).parent
RESULTS = HERE / "results"


def main() -> None:
    """Play the games that are missing in ``--out``, or list them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="+", help="records below results, without .csv")
    parser.add_argument("--games", type=int, help="in place of those of matches.toml; else 800")
    parser.add_argument("--out", type=Path, default=RESULTS, help="the folder of the records")
    parser.add_argument("--list", action="store_true", help="play nothing")
    options = parser.parse_args()
    known = described()
    for pattern in options.patterns:
        names = [name for name in known if fnmatch(name, pattern)]
        if not names:
            raise InputError(f"{pattern}: expected a record below {RESULTS} or in matches.toml, found none")
        for name in names:
            out, games = options.out / f"{name}.csv", options.games or games_of(known[name])
            if options.list:
                print(f"{name:40} {progress(out, games)}")
                continue
            out.parent.mkdir(parents=True, exist_ok=True)
            given = [*known[name], f"--games={games}", f"--out={out}", "--workers=1"]
            commands.main(["match", *given], standalone_mode=False)


def described() -> dict[str, list[str]]:
    """Return the arguments of ``nrpa match`` by the name of the record: of matches.toml, then of records."""
    asked = tomllib.loads((HERE / "matches.toml").read_text(encoding="utf-8"))
    found = {f"{folder}/{name}": text.split() for folder, lines in asked.items() for name, text in lines.items()}
    for folder in ("mcps", "round-robin", "selections", "playouts", "values"):
        for path in sorted(RESULTS.glob(f"{folder}/*.csv")):
            found.setdefault(f"{folder}/{path.stem}", arguments(path.with_suffix(".json")))
    return found


def arguments(description: Path) -> list[str]:
    """Return the arguments of ``nrpa match`` that play a match that is described."""
    match = json.loads(description.read_text(encoding="utf-8"))["match"]
    of_problem = {name: value for name, value in match["first"]["problem"].items() if name != "codes"}
    players = {seat: player(match[seat]) for seat in ("first", "second", "third") if seat in match}
    given = {**of_problem, **players, "playouts": match["playouts"], "seed": match["seed"]}
    return [match["problem"], *(f"--{name}={value}" for name, value in given.items())]


def player(options: dict[str, Any]) -> str:
    """Return a player as ``nrpa match`` has it, such as ``grave:ref=50,amaf_bias=1e-05,codes=exact``."""
    own = {**options, "codes": options["problem"]["codes"]}
    return f"{own.pop('solver')}:" + ",".join(f"{name}={value}" for name, value in own.items() if name != "problem")


def games_of(given: list[str]) -> int:
    """Return how many games a match has."""
    return int(given[given.index("--games") + 1]) if "--games" in given else 800


def progress(path: Path, games: int) -> str:
    """Return how many games there are of those asked for, and how long the others take, as far as is known."""
    played = read_games(path) if path.exists() else []
    if not played:
        return f"0 of {games}"
    seconds = sum(effort.seconds for game in played for effort in game.efforts) / len(played)
    return f"{len(played)} of {games}, {seconds:.2f} s a game, {seconds * (games - len(played)) / 60:.0f} min left"


if __name__ == "__main__":
    run(main)
