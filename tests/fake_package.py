"""A package that is installed beside nrpa and brings a problem and a solver."""

import shutil
import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "package"

MODULE = """
from dataclasses import dataclass
import nrpa

class Coins(nrpa.Problem):
    '''Coins for an amount, as few as can be.'''
    name = "coins"
    objective = nrpa.Objective("coins", sign=-1)

    def initial_state(self):
        return (7, 0)

    def legal_moves(self, state):
        return [coin for coin in (1, 3, 5) if coin <= state[0]]

    def play(self, state, move):
        return (state[0] - move, state[1] + 1)

    def score(self, state):
        return -state[1]

class Misnamed(nrpa.Problem):
    name = "other"

@dataclass(frozen=True)
class Tabu:
    '''A solver that does nothing.'''
    name = "tabu"
    tenure: int = 7

    def start(self, problem, seed, **options):
        return None
"""


def install(folder, name, problems=(), solvers=()):
    """Write the package and its metadata into ``folder``. problems, solvers: lines such as ``coins = purse:Coins``."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = ["[nrpa.problems]", *problems, "[nrpa.solvers]", *solvers]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (folder / f"{name}.py").write_text(MODULE)


def install_example(folder):
    """Install the package in ``examples/package`` for those who have ``folder`` on their path."""
    shutil.copytree(EXAMPLE / "nrpa_example", folder / "nrpa_example", ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    info = folder / f"nrpa_example-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {where}" for name, where in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
