"""Makes the pictures of the gallery: `python docs/gallery.py FOLDER` runs each command, unless FOLDER has its result.

The commands count playouts, so that they find the same again.
"""

import shlex
import subprocess
import sys
from pathlib import Path

from nrpa.plots.panels import panels_of
from nrpa.plots.picture import new_axes, of_width, rendered
from nrpa.plots.results import reread
from nrpa.search.result import Result

HERE = Path(__file__).parent
COMMANDS = {
    "tsptw": "nrpa solve tsptw rc204.1 --playouts 10000 --seed 1",
    "vrptw": "nrpa solve vrptw c101 --playouts 9 --seed 1",
    "samegame": "nrpa solve samegame samegame-01 --playouts 3000000 --seed 1",
    "morpion": "nrpa solve morpion 5D --playouts 3000000 --seed 1",
    "rna": "nrpa solve rna eterna-v1-20 --playouts 2000 --seed 1",
    "fold": "nrpa solve fold trna-phe --playouts 5000 --seed 1",
    "binpacking": "nrpa solve binpacking u120_19 --playouts 5000 --seed 1",
    "strip": "nrpa solve strip C3P1 --playouts 3000 --seed 1",
    "coloring": "nrpa solve coloring queen8_8 --playouts 5000 --seed 1",
    "schur": "nrpa solve schur 5 --playouts 20000 --seed 1",
    "snake": "nrpa solve snake 7 --playouts 20000 --seed 1",
}
INCHES = 4.0
# Of lines and letters, of which an SVG is smaller.
LINES = ("fold", "morpion", "rna", "schur", "vrptw")


def draw(name: str, folder: Path) -> None:
    """Draw the first panel of what a command finds."""
    found = folder / f"{name}.json"
    if not found.exists():
        subprocess.run([*shlex.split(COMMANDS[name]), "--quiet", "--json", str(found)], check=True)
    result = Result.from_json(found)
    problem = reread(result)
    with of_width(INCHES):
        axes = new_axes()
        axes.figure.set_size_inches(INCHES, INCHES)
        panels_of(problem)[0](problem, result.solution, axes)
    kind = "svg" if name in LINES else "png"
    (HERE / "_static" / "gallery" / f"{name}.{kind}").write_bytes(rendered(axes, kind))


if __name__ == "__main__":
    for each in COMMANDS:
        draw(each, Path(sys.argv[1]))
