"""What several problems need: instances chosen, solutions checked and cut, keys for hashes."""

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_args

import numpy as np

from nrpa.base.errors import InputError, did_you_mean, faults_of
from nrpa.base.values import listed, shortened
from nrpa.io.source import Source
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Verdict

T = TypeVar("T")
P = TypeVar("P", bound=CompiledProblem)
S = TypeVar("S", bound=tuple[Any, ...])

SKETCHED = 100
"""The longest line of a sketch."""


def whole_text(source: Source) -> str:
    """Return the text of a source whose file can hold only one instance; InputError if it names one of several."""
    return instance_meant({"": source.text}, source)


def instance_meant(found: Mapping[str, T], source: Source) -> T:
    """Return the instance that a source means of those that its file holds; the name of a single one may be empty."""
    label, member, names = source.file or source.label, source.member, list(found)
    if member in found:
        return found[member]
    if member and names == [""]:
        raise InputError(f"{label}: holds a single instance without a name; expected no ':{shortened(member)}'")
    if member:
        hint = did_you_mean(member, names, 3) or f"did you mean {names[0]} or {names[-1]}?"
        raise InputError(f"{label}: holds no instance {shortened(member)!r}; {hint}")
    if len(names) > 1:
        raise InputError(
            f"{label}: holds {len(names)} instances ({names[0]} to {names[-1]}); name one, as in {label}:{names[0]}"
        )
    return found[names[0]]


def typed(cls: type[P], what: str, read: Callable[[str], Any], text: str, **options: Any) -> P:
    """Return the problem of which a text is the instance itself, and no name; ``what`` begins an error of ``read``."""
    with faults_of(what):
        read(text)
    return cls(text, **options)


def is_whole(value: Any, least: float = -math.inf, most: float = math.inf) -> bool:
    """Return whether a value is an int from ``least`` to ``most``, and no bool."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def fault_in_list(solution: Any, what: str, member: str, expected: str, fits: Callable[[Any], bool]) -> str | None:
    """Return why a value is no list of fitting parts; None if it is. ``what`` is a sentence on how solutions look."""
    if not isinstance(solution, list):
        return f"{what}, not {type(solution).__name__}"
    for number, found in enumerate(solution, 1):
        if not fits(found):
            return f"{member} {number}: expected {expected}, found {shortened(repr(found))}"
    return None


def fault_in_lists(solution: Any, what: str, part: str, members: str, most: int) -> str | None:
    """Return why something is no list of lists of whole numbers from 1 to ``most``; None if it is."""
    fault = fault_in_list(solution, what, part, f"a list of {members}", lambda found: isinstance(found, (list, tuple)))
    for number, found in [] if fault else enumerate(solution, 1):
        for member in found:
            if not is_whole(member, 1, most):
                return f"{part} {number}: expected {members} from 1 to {most:,}, found {shortened(repr(member))}"
    return fault


def checked_names(what: str, names: Any, count: int) -> list[str]:
    """Return names as a list, which may be empty. Raises InputError unless each is a text, and there are so many."""
    names = listed(names)
    fault = fault_in_list(names, f"{what} must be a list of texts", what, "a text", lambda name: isinstance(name, str))
    if not fault and len(names) not in (0, count):
        fault = f"expected {count} {what}, found {len(names)}"
    if fault:
        raise InputError(fault)
    return [*map(str, names)]


def faultless(problem: CompiledProblem, solution: Any) -> Verdict:
    """Return the verdict on a solution to start from; InputError if it has a fault that its score does not count."""
    verdict = problem.check(solution)
    if verdict.faults and not verdict.faults_counted:
        raise InputError(f"{problem.name}: {verdict.faults[0]}")
    return verdict


def cut(drawing: str) -> str:
    """Return a drawing with its lines cut to 100 characters."""
    lines = drawing.splitlines()
    return "\n".join(line if len(line) <= SKETCHED else f"{line[: SKETCHED - 2]} …" for line in lines)


def zobrist_keys(seed: int, *shape: int) -> np.ndarray:
    """Return random 64-bit numbers (int64) for what can be part of a position, so that a hash is the XOR of some."""
    return np.random.default_rng(seed).integers(-(2**63), 2**63, shape, np.int64)


def most_choices(steps: int, width: int) -> int:
    """Bound the legal moves of a game whose k-th step from either end has at most k of them, and none over ``width``.

    >>> most_choices(4, 2)
    7
    """
    below = min(steps, width)
    return below * (below + 1) // 2 + (steps - below) * width


def zeros(state: type[S], **shapes: int | tuple[int, ...]) -> S:
    """Return a state of arrays of zeros, of these shapes by their names, and of the types that its class declares."""
    return state(**{name: np.zeros(shape, _element(state.__annotations__[name])) for name, shape in shapes.items()})


def _element(array: Any) -> Any:
    """Return the element type of an ``NDArray[type]``, which NumPy 2.5 no longer writes out as ndarray and dtype."""
    dtype = get_args(array)[-1]
    return next(iter(get_args(dtype)), dtype)
