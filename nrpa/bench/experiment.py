"""What an experiment consists of, from the command line or a TOML file."""

from __future__ import annotations

import dataclasses
import fnmatch
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from nrpa.base.errors import InputError
from nrpa.base.options import parse_option_value, require_option_names, terms_of
from nrpa.base.values import (
    SeedLike,
    checked_seed,
    counted,
    finite,
    is_finite,
    number_of,
    positive,
    shortened,
    whole,
)
from nrpa.bench.records import BEST_KNOWN, is_name
from nrpa.io.files import as_text, is_file, read_bytes
from nrpa.io.source import bundled, file_of
from nrpa.modelling.base_problem import BaseProblem
from nrpa.registry import file_of_class, is_users, problem_class, solver_class, solver_with
from nrpa.search.curve import WALL, require_clock
from nrpa.solvers.interface import Solver

_KEYS = {"problem", "instances", "runs", "time", "playouts", "searches", "target", "seed", "clock", "variants"}
MOST_RUNS = 1_000_000


@dataclass(frozen=True)
class Variant:
    """An algorithm under a name of its own.

    Attributes
    ----------
    name : str
        The name in tables and pictures.
    solver : str
        The solver's name, as at the command line. If empty, an experiment chooses as ``nrpa solve`` does: auto, or the
        first solver that has the options; with a limit of searches GNRPA.
    options : dict
        Options of the solver and of the problem by name.
    """

    name: str
    solver: str = ""
    options: dict[str, Any] = dataclasses.field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Variant:
        """Return the variant that a text, ``NAME:key=value,key=value``, describes.

        The key ``solver`` names the solver; the other values stay text, with commas where they are lists of numbers.
        Raises InputError if the text has another form.

        >>> Variant.parse("warm:tau=1.4,level=2")
        Variant(name='warm', solver='', options={'tau': '1.4', 'level': '2'})
        >>> Variant.parse("long:iterations=300,20,level=3").options
        {'iterations': '300,20', 'level': '3'}
        """
        name, _, rest = text.partition(":")
        options: dict[str, Any] = {}
        for pair in filter(None, rest.split(",")):
            key, equals, value = pair.partition("=")
            if options and not equals and number_of(pair) is not None:
                options[[*options][-1]] += f",{pair.strip()}"
                continue
            if not equals or not key.strip():
                raise InputError(f"variant {name}: expected key=value, found {pair!r}")
            options[key.strip().replace("-", "_")] = value.strip()
        return cls.from_options(name.strip(), options)

    @classmethod
    def from_options(cls, name: str, options: dict[str, Any]) -> Variant:
        """Return a variant; the option ``solver`` names its solver. Raises InputError for an unusable name."""
        if not is_name(name):
            raise InputError(f"a variant needs a name without line breaks, not {name!r}")
        rest = {key: value for key, value in options.items() if key != "solver"}
        return cls(name, str(options.get("solver", "")), rest)

    def make(self, problem: type[BaseProblem]) -> tuple[Solver, dict[str, Any]]:
        """Return the solver with its options, and the problem's. Raises InputError if one or its value is unknown."""
        of_problem = {option.name: option for option in problem.cli_options}
        try:
            solver: Any = solver_class(self._solver(of_problem))
            # An option of any type has no terms: its text is left as it is.
            of_any_type = dict.fromkeys(each.name for each in dataclasses.fields(solver))
            known: dict[str, Any] = {**terms_of(solver), **of_problem}
            defaults = of_any_type | {name: each.default for name, each in known.items()}
            require_option_names(self.options, defaults)
            given = {key: parse_option_value(defaults[key], value) for key, value in self.options.items()}
            made: Solver = solver(**{key: value for key, value in given.items() if key not in of_problem})
            options = {key: of_problem[key].checked(value) for key, value in given.items() if key in of_problem}
        except InputError as error:
            raise InputError(f"variant {self.name}: {error}") from None
        return made, options

    def typed(self, problem: type[BaseProblem], searches: int | None = None) -> Variant:
        """Return the same variant with its solver, and the values of its options as that and the problem take them."""
        of_problem = [option.name for option in problem.cli_options]
        named = dataclasses.replace(self, solver=self._solver(of_problem, searches))
        solver, given = named.make(problem)
        values = {**solver.options, **given}
        return dataclasses.replace(named, options={key: values[key] for key in self.options})

    def _solver(self, of_problem: Iterable[str], searches: int | None = None) -> str:
        return self.solver or solver_with(self.options.keys() - {*of_problem}, searches)


class Job(NamedTuple):
    """One run of an experiment; the instance as at the command line."""

    variant: Variant
    instance: str
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """What tells it from the other runs: variant, instance and seed."""
        return self.variant.name, self.instance, self.seed


@dataclass(frozen=True)
class Experiment:
    """Runs × variants × instances of one problem. The instances are not read yet.

    Attributes
    ----------
    problem : str
        The problem, as at the command line.
    instances : tuple of str
        The instances, as at the command line, ``*`` in a name standing for all bundled ones that match; none where the
        problem reads none.
    variants : tuple of Variant
        What is compared.
    runs : int
        How often each variant runs on each instance.
    time : float or None
        The budget of a run in seconds; this or ``playouts``.
    playouts : int or None
        The budget of a run in playouts; this or ``time``.
    seed : int or numpy.random.Generator
        The seed of the first run; run k of every variant has seed + k.
    clock : {"wall", "processor"}
        What seconds are, as ``nrpa.solve`` takes it.
    target : float, list of float or "best known", or None
        The objective value at which a run ends (several for an ``nrpa.Lexicographic``), or the best known value of its
        instance.
    searches : int or None
        After how many top-level searches a run ends.

    Raises
    ------
    InputError
        If it cannot be run.
    """

    problem: str
    instances: tuple[str, ...]
    variants: tuple[Variant, ...]
    runs: int = 30
    time: float | None = None
    playouts: int | None = None
    seed: SeedLike = 1
    clock: str = WALL
    target: float | Sequence[float] | str | None = None
    searches: int | None = None

    def __post_init__(self) -> None:
        require_clock(self.clock)
        if not isinstance(self.problem, str):
            raise InputError(f"problem must be a name, not {self.problem!r}")
        problem = problem_class(self.problem)
        if problem.reads_instances() and not self.instances:
            raise InputError(f"an experiment on {problem.name} needs at least one instance")
        if self.instances and not problem.reads_instances():
            raise InputError(f"{problem.name} reads no instances, so {self.instances[0]!r} cannot be one")
        object.__setattr__(self, "instances", tuple(_matching(problem.name, self.instances)))
        if not self.variants:
            raise InputError("an experiment needs at least one variant")
        require_unrepeated("variant", [variant.name for variant in self.variants])
        require_unrepeated("instance", list(self.instances))
        for name in self.instance_names():
            if name == "-" or not is_name(name):
                raise InputError(f"an instance of an experiment has a name without line breaks, not {name!r}")
        object.__setattr__(self, "runs", whole("runs", self.runs))
        if (total := self.runs * len(self.variants) * len(self.instance_names())) > MOST_RUNS:
            raise InputError(f"an experiment has at most {MOST_RUNS:,} runs in all, not {total:,}")
        object.__setattr__(self, "seed", checked_seed(self.seed))
        if (self.time is None) == (self.playouts is None):
            raise InputError("an experiment needs a budget of time or of playouts, and not both")
        if self.playouts is not None:
            object.__setattr__(self, "playouts", counted("playouts", self.playouts))
        else:
            object.__setattr__(self, "time", positive("time", finite("time", self.time)))
        if self.searches is not None:
            object.__setattr__(self, "searches", counted("searches", self.searches))
        variants = tuple(variant.typed(problem, self.searches) for variant in self.variants)
        object.__setattr__(self, "variants", variants)
        object.__setattr__(self, "target", _target(self.target))

    @classmethod
    def from_toml(cls, path: str, **overrides: Any) -> Experiment:
        """Return the experiment that a TOML file describes.

        Files that it names are looked for in its own folder, and refused outside of it. A problem in a ``.py`` file is
        the one thing that is executed: read a TOML file of somebody else's before it runs. ``overrides`` replace values
        of the file, but for None. Raises InputError, which names the file, if it cannot be read or used.
        """
        try:
            content = tomllib.loads(as_text(read_bytes(path)))
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{path}: is not TOML ({error})") from None
        except RecursionError:
            raise InputError(f"{path}: is TOML of too many lists within lists") from None
        given = {key: value for key, value in overrides.items() if value is not None}
        if "time" in given or "playouts" in given:
            content = {key: value for key, value in content.items() if key not in ("time", "playouts")}
        try:
            return cls._from_content(_in_folder(Path(path).parent, {**content, **given}))
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _from_content(cls, content: dict[str, Any]) -> Experiment:
        for key in content:
            if key not in _KEYS:
                raise InputError(f"unknown key {key!r}; expected {', '.join(sorted(_KEYS))}")
        for key in ("problem", "variants"):
            if key not in content:
                raise InputError(f"has no key {key!r}")
        instances, variants = content.pop("instances", []), content.pop("variants")
        if not isinstance(instances, list) or not all(isinstance(name, str) for name in instances):
            raise InputError(f"instances must be a list of names, not {instances!r}")
        if not isinstance(variants, dict) or not all(isinstance(options, dict) for options in variants.values()):
            raise InputError("variants must be tables, as in [variants.NRPA]")
        made = tuple(Variant.from_options(name, options) for name, options in variants.items())
        return cls(instances=tuple(instances), variants=made, **content)

    @property
    def budget(self) -> float:
        """The budget of a run, in seconds or playouts."""
        return self.playouts if self.playouts is not None else float(self.time or 0)

    @property
    def ends_early(self) -> bool:
        """Whether its runs can end before their budget does, by a target or a number of searches."""
        return self.target is not None or self.searches is not None

    def of_variants(self, names: Iterable[str]) -> Experiment:
        """Return the experiment with some of its variants only. Raises InputError for a name that none has."""
        known = {variant.name: variant for variant in self.variants}
        for name in names:
            if name not in known:
                raise InputError(f"there is no variant {name!r}; expected one of {', '.join(known)}")
        return dataclasses.replace(self, variants=tuple(known[name] for name in dict.fromkeys(names)))

    def instance_names(self) -> tuple[str, ...]:
        """Return the instances as they are recorded: under the problem's name where it reads none."""
        return self.instances or (problem_class(self.problem).name,)

    def jobs(self) -> list[Job]:
        """Return the runs, the variants in turn, so that all of them see the same machine.

        >>> variants = (Variant("A"), Variant("B", "nmcs"))
        >>> jobs = Experiment("tsptw", ("rc204.1",), variants, runs=2, playouts=1000).jobs()
        >>> [job.key for job in jobs]
        [('A', 'rc204.1', 1), ('B', 'rc204.1', 1), ('A', 'rc204.1', 2), ('B', 'rc204.1', 2)]
        """
        return [
            Job(variant, instance, checked_seed(self.seed) + run)
            for run in range(self.runs)
            for instance in self.instance_names()
            for variant in self.variants
        ]


def _in_folder(folder: Path, content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a TOML file with the files that it names. Raises InputError for one outside its folder."""
    changed = dict(content)
    problem, instances = content.get("problem"), content.get("instances")
    if isinstance(problem, str) and is_users(problem):
        changed["problem"] = _file_in(folder, problem, file_of_class)
    if isinstance(instances, list):
        changed["instances"] = [
            _file_in(folder, name, file_of) if isinstance(name, str) else name for name in instances
        ]
    return changed


def _file_in(folder: Path, name: str, file_of_name: Callable[[str], str]) -> str:
    """Return a name, with the folder before it where what it names is a file there."""
    here, there = file_of_name(str(folder / name)), file_of_name(name)
    inside = folder.resolve()
    for path in (here, there):
        if is_file(path) and inside not in Path(path).resolve().parents:
            raise InputError(f"names {shortened(name)}, which lies outside its folder; expected a file beside it")
    return str(folder / name) if is_file(here) else name


def _matching(problem: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the instances, in place of a name with * the bundled ones that match."""
    for name in names:
        if "*" not in name or is_file(file_of(name)):
            yield name
        elif found := fnmatch.filter(bundled(problem), name):
            yield from found
        else:
            raise InputError(f"no bundled {problem} instance matches {shortened(name)}")


def _target(value: Any) -> float | list[float] | str | None:
    if isinstance(value, str) and value.replace("-", " ") == BEST_KNOWN:
        return BEST_KNOWN
    parts = [*value] if isinstance(value, (list, tuple)) else [value]
    if value is None or (parts and all(is_finite(each) and not isinstance(each, bool) for each in parts)):
        return parts if isinstance(value, tuple) else value
    raise InputError(f"target must be a finite number, several or {BEST_KNOWN!r}, not {shortened(repr(value))}")


def require_unrepeated(what: str, names: Sequence[str]) -> None:
    """Raise InputError for a name that is given twice."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the {what} {name} is given twice")
