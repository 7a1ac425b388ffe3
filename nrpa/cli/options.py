"""Options that several commands have; numbers in the digits 0 to 9, where click would take those of any script."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import checked_seed, number_of, path_shown, shortened, whole_of
from nrpa.cli.completion import files
from nrpa.io.files import STANDARD_OUTPUT, is_file, read_json, require_outputs
from nrpa.search.curve import CLOCKS, WALL

MOST_DIGITS = 300
INCH = {"mm": 25.4, "cm": 2.54, "in": 1.0}
NOT_FINITE = ("inf", "infinity", "nan")
clusters = lazy("nrpa.search.clusters")


class Numeral(click.ParamType):  # type: ignore[type-arg]
    """A number that ``read`` finds in a text; the value is of the type ``kind``."""

    def __init__(self, name: str, kind: type[int] | type[float], read: Callable[[str], float | None]) -> None:
        self.name, self._kind, self._read = name, kind, read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = self._read(value.strip()) if isinstance(value, str) else value
        if found is None:
            self.fail(f"{shortened(value)!r} is not a valid {self.name}.", param, ctx)
        return self._kind(found)


def _number(text: str) -> float | None:
    """Return a number, infinity and NaN among them: what does not take these says so itself."""
    return float(text) if text.isascii() and text.lower().lstrip("+-") in NOT_FINITE else number_of(text)


WHOLE = Numeral("integer", int, lambda text: whole_of(text, MOST_DIGITS))
NUMBER = Numeral("float", float, _number)


class Target(click.ParamType):  # type: ignore[type-arg]
    """A number, or several with commas between them, as a list: the parts of an ``nrpa.Lexicographic``; or a word."""

    name = "target"

    def __init__(self, *words: str) -> None:
        self._words = words

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value that a text means."""
        if not isinstance(value, str) or value in self._words:
            return value
        found = [_number(part.strip()) for part in value.split(",")]
        if None in found:
            expected = " or ".join(["a number", "numbers with commas between", *self._words])
            self.fail(f"expected {expected}, found {shortened(value)!r}.", param, ctx)
        return found[0] if len(found) == 1 else found


TARGET = Target()


class Width(click.ParamType):  # type: ignore[type-arg]
    """A length with its unit, mm, cm or in; the value is in inches."""

    name = "width"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the length that a text means."""
        found = number_of(value[:-2].strip())
        inches = None if found is None else found / INCH.get(value[-2:], math.nan)
        if inches is None or not 1 <= inches <= 40:
            self.fail(f"expected 1in to 40in, such as 84mm, 17.4cm, 3.3in, found {shortened(value)!r}.", param, ctx)
        return inches


class Output(click.ParamType):  # type: ignore[type-arg]
    """The name of a file to write, where - is standard output; ``why_not`` says why it cannot be, if it cannot."""

    name = "file"

    def __init__(self, why_not: str = "") -> None:
        self._why_not = why_not

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name."""
        if value != "-":
            return value
        if self._why_not:
            self.fail(f"- is standard output; {self._why_not}.", param, ctx)
        return STANDARD_OUTPUT


PICTURE = "expected a file whose ending says the format of the picture"
RECORDS = "expected a file, beside which others are written"


def type_of(default: Any) -> Any:
    """Return the type of an option by its default value; None where click finds it out."""
    if isinstance(default, bool):
        return None
    return WHOLE if isinstance(default, int) else NUMBER if isinstance(default, float) else None


def flag_of(name: str, is_switch: bool) -> str:
    """Return how an option is given at the command line."""
    dashed = name.replace("_", "-")
    return f"--{dashed}/--no-{dashed}" if is_switch else f"--{dashed}"


def integer(flag: str, text: str, default: int | None = None) -> click.Option:
    """Return an option that is a whole number."""
    return click.Option([flag], type=WHOLE, default=default, show_default=default is not None, help=text)


def number(flag: str, text: str) -> click.Option:
    """Return an option that is a number."""
    return click.Option([flag], type=NUMBER, help=text)


def word(flag: str, text: str, metavar: str, default: str = "", **more: Any) -> click.Option:
    """Return an option that is any text."""
    known: dict[str, Any] = {"default": default, "show_default": True} if default else {}
    return click.Option([flag], metavar=metavar, help=text, **known, **more)


def file(flag: str, text: str, metavar: str = "FILE", **more: Any) -> click.Option:
    """Return an option that is the name of a file."""
    return click.Option([flag], metavar=metavar, shell_complete=files, help=text, **more)


def output(flag: str, text: str, metavar: str = "FILE", why_not: str = "", **more: Any) -> click.Option:
    """Return an option that is the name of a file to write; - is standard output, or is refused, saying ``why_not``."""
    return file(flag, text, metavar, type=Output(why_not), **more)


def require_files(outputs: Mapping[str, str | None], inputs: Iterable[str]) -> None:
    """Raise InputError for files to write, by their options, that cannot be, are read, or describe other files."""
    require_outputs(outputs, inputs)
    for option, path in outputs.items():
        if path is not None:
            _require_no_description(option, path)


def _require_no_description(option: str, path: str) -> None:
    """Raise InputError for a file without which what `nrpa bench` or `nrpa match` recorded could not be continued."""
    if Path(path).suffix != ".json" or not is_file(path):
        return
    try:
        found = read_json(path)
    except InputError:
        return
    for what in ("experiment", "match"):
        if isinstance(found, dict) and isinstance(found.get(what), dict) and "solution" not in found:
            records = Path(path).with_suffix(".csv")
            where = f"in {path_shown(records)}" if is_file(records) else "beside it"
            raise InputError(f"{option} {path}: describes the {what} recorded {where}; choose another file")


def seed_or_drawn(seed: int | None) -> int:
    """Return a seed that was given, or a new one."""
    return secrets.randbits(32) if seed is None else checked_seed(seed)


def quiet(what: str = "result") -> click.Option:
    """Return ``--quiet``."""
    return click.Option(["-q", "--quiet"], is_flag=True, help=f"Print the {what} only.")


def clock(default: str = WALL) -> click.Option:
    """Return ``--clock``; its value is None where it is not given."""
    return click.Option(
        ["--clock"],
        type=click.Choice(CLOCKS),
        help="What seconds are: wall, or processor (processor time of the thread that searches, for a machine that "
        f"does other things as well; one worker).  [default: {default}]",
    )


def executor_options() -> list[click.Parameter]:
    """Return the options. The value of ``--mpi`` is a Cluster, or None without it."""
    return [
        word(
            "--dask",
            "Work on a Dask cluster, as tcp://10.0.0.1:8786, or on a local one (pip install '.[dask]').",
            "ADDRESS|local",
        ),
        click.Option(
            ["--mpi"],
            is_flag=True,
            is_eager=True,
            callback=_mpi,
            help="Work on the processes of mpiexec -n N nrpa ... (pip install '.[mpi]').",
        ),
    ]


def is_elsewhere(dask: str | None, mpi: Any) -> bool:
    """Return whether the work goes to other cores than those of this machine."""
    return mpi is not None or (dask is not None and dask != clusters.LOCAL)


@contextmanager
def cluster_of(dask: str | None, mpi: Any, processes: int) -> Iterator[Any]:
    """Return the cluster that was asked for. Raises InputError if it cannot be had, or both were asked for."""
    if dask is not None and mpi is not None:
        raise InputError("--dask and --mpi exclude each other")
    if dask is None:
        yield mpi
        return
    with clusters.dask_cluster(dask, processes) as cluster:
        yield cluster


def _mpi(context: click.Context, option: click.Parameter, given: bool) -> Any:
    """Return the Cluster in the first process; let the others work, and end them, before anything else is looked at."""
    if not given or context.resilient_parsing:
        return None
    cluster = context.with_resource(clusters.mpi_cluster())
    if cluster is None:
        context.exit(0)
    return cluster
