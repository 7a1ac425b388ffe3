"""Problems that are a function of a whole sequence: an order of things, a choice for each place, or a subset."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError
from nrpa.base.lazy import lazy
from nrpa.base.options import Option
from nrpa.base.values import plain, shortened, whole
from nrpa.engine.status import LARGEST_BIAS, LARGEST_SCORE
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.objective import Objective, Verdict

cost_function = lazy("nrpa.modelling.cost_function")
kernels = lazy("nrpa.modelling.sequence_kernels")
neighbours = lazy("nrpa.modelling.neighbours")
digests = lazy("nrpa.modelling.digest")
cloudpickle = lazy("numba.cloudpickle")

# Beyond so many, codes are hashed, so that the policy has room for those that it meets alone.
MOST_CODES = 2**20
MOST_PLACES = 10**6
"""The most places, and choices of one, so that the sequences of a search can be held."""
_NOT_ALLOWED = "it is not allowed; a finite cost that counts what is broken leads a search to what is"


class SequenceProblem(CompiledProblem):
    """A function of a whole sequence; ``nrpa.permutation``, ``nrpa.assignment`` and ``nrpa.subset`` make them."""

    _is_order = False
    _is_subset = False
    _translate: Any = None
    _take_apart: Any = None
    _neighbours: np.ndarray | None = None
    _is_led = False

    def _begin(
        self,
        cost: Callable[..., Any],
        counts: Sequence[int],
        values: Sequence[Sequence[Any]],
        objective: Objective | None,
        bias: Any,
        name: str,
        **options: Any,
    ) -> None:
        """Set up the kernels; ``counts`` says how many choices each place has, ``values`` what they stand for."""
        if not callable(cost):
            raise InputError(f"cost must be a function of a sequence, not {shortened(repr(cost))}")
        self.set_options(**options)
        self.objective = Objective("cost", sign=-1, digits=2) if objective is None else objective  # type: ignore[misc]
        self._cost, self._counts, self._values = cost, list(counts), values
        self._exp_bias = np.exp(self._bias(bias))
        self.name = name or type(self).__name__.lower()  # type: ignore[misc]
        self._connect()

    def _connect(self) -> None:
        """Make the function known to the kernels of this process, which call it by its address."""
        self.function = cost_function.CostFunction(
            self._cost, self.objective, self._values, self._first_sequence, self._drawn, max(self._counts)
        )
        self.function.translate = self._translate
        self.holds_gil = not self.function.is_compiled  # type: ignore[misc]
        offered, codes, each_once = self._offered, self._number_of_codes, self._is_order or self._is_subset
        first = np.cumsum([0, *offered])
        instance = kernels.SequenceInstance(
            first, each_once, self._is_subset, self._follows, self._exp_bias, self.function.addresses
        )
        places, most = len(offered), max(offered)
        super().__init__(
            instance,
            max_steps=places,
            max_moves=most,
            max_total=places * (2 * most - places + 1) // 2 if each_once else sum(offered),
            codes=codes if codes <= MOST_CODES else None,
            bias_by_move=len(self._exp_bias) > 0,
        )
        self.function.has_neighbours = self.may_have_neighbours

    @property
    def _follows(self) -> bool:
        return False

    @property
    def _offered(self) -> list[int]:
        """How many choices each move of a game has, as long as none is made."""
        return self._counts

    @property
    def _number_of_codes(self) -> int:
        return sum(self._counts) + self._follows * max(self._counts)

    @property
    def _first_sequence(self) -> list[int]:
        places = len(self._counts)
        return [*range(places)] if self._is_order else [0] * places

    def _bias(self, bias: Any) -> np.ndarray:
        """Return β as a table, without rows where there is none. Raises InputError where it is none."""
        places, most = len(self._counts), max(self._counts)
        if bias is None:
            return np.zeros((0, most))
        shapes = [(places, most), *([(places + 1, most)] if self._is_order else [])]
        try:
            table = np.array(bias, np.float64)
        except (TypeError, ValueError):
            table = np.zeros(0)
        if table.shape not in shapes:
            expected = " or ".join(f"{rows} x {columns}" for rows, columns in shapes)
            raise InputError(f"bias must be a matrix of {expected} numbers, not {shortened(repr(bias))}")
        if not (np.abs(table) <= LARGEST_BIAS).all():
            raise InputError(f"bias must have finite numbers from {-LARGEST_BIAS:g} to {LARGEST_BIAS:g}")
        return table

    def new_state(self) -> Any:
        sequence, filled = np.zeros(self.max_steps, np.int64), np.zeros(1, np.int64)
        taken = np.zeros((2, self.max_moves if self._is_subset else 0), np.int64)
        made, calls, change = np.zeros(self.max_moves, np.bool_), np.zeros(1, np.int64), np.zeros(7, np.int64)
        return kernels.SequenceState(sequence, filled, made, taken, calls, change)

    def _drawn(self, chance: np.random.Generator) -> np.ndarray:
        is_open = not self._is_order and not self._is_subset
        return chance.integers(np.array(self._counts)) if is_open else chance.permutation(self._first_sequence)

    def translate_by(self, translate: Any, in_searches: bool = True) -> None:
        """Let ``translate`` find neighbours and, in searches where that is worth it, compile a function."""
        self._take_apart, self._translate = translate, translate if in_searches else None
        self.function.translate = self._translate

    @property
    def may_have_neighbours(self) -> bool:
        """Whether it is an order of things, not too few and not too many to find what goes well behind each."""
        return self._is_order and neighbours.FEWEST <= self.max_moves <= neighbours.MOST

    def neighbours(self) -> np.ndarray:
        """Return the things that go best behind each one, int64[things, NEIGHBOURS], by β or by the cost's own terms.

        Without rows where neither says so. A cost in plain Python is compiled for it.
        """
        if self._neighbours is None:
            is_by_bias = len(self._exp_bias) > self.max_steps
            self._neighbours = (
                neighbours.best_of(self._exp_bias) if is_by_bias else self.function.neighbours(self._take_apart)
            )
        self._is_led = len(self._neighbours) > 0
        return self._neighbours

    @property
    def how_computed(self) -> str:
        """Sentences that say how the cost is computed, and whether it leads changes; empty where that was not tried."""
        return " ".join(filter(None, [self.function.how_computed, self.how_led]))

    @property
    def how_led(self) -> str:
        """A sentence if the search has asked for neighbours, and there are some."""
        return "Changes bring together what goes well one behind the other." if self._is_led else ""

    def _sequence(self, moves: np.ndarray) -> np.ndarray:
        """Return the choice at each place after some moves."""
        return moves

    def confirm(self, moves: np.ndarray, playouts: int | None = None) -> None:
        self.function.confirm(lambda: self._sequence(moves))

    def forget(self) -> None:
        super().forget()
        self._is_led = False
        if self.function.forget():
            self._neighbours = None

    def raise_kept_error(self) -> None:
        self.function.raise_kept_error()

    def _build_model(self) -> Any:
        self._try_out()
        return super()._build_model()

    def _try_out(self) -> None:
        """Call the function twice for one sequence. Raises ProblemError where the answers differ."""
        sequence = self._first_sequence
        answers = [self.function.score(sequence), self.function.score(sequence)]
        if self.function.is_compiled:
            answers.append(self.function.score_in_search(sequence))
        if not all(math.isclose(each, answers[0], rel_tol=1e-9, abs_tol=1e-9) for each in answers):
            values = " and ".join(self.objective.text(self.objective.value(each)) for each in dict.fromkeys(answers))
            what = "when called twice" if len(answers) == 2 or answers[0] != answers[1] else "in Python and compiled"
            raise ProblemError(f"{self.function.name} returned {values} for one sequence, {what}; expected one value")

    def digest(self) -> str:
        """Return the hash of the function, with what it has captured, and of the sequences that it takes."""
        parts = digests.contents_of(self._cost), type(self).__name__, self._offered, self._values, self._exp_bias
        found: str = digests.digest([*parts, repr(self.objective)])
        return found

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the addresses of this process."""
        left_out = ("function", "instance", "_variants", "_given")
        kept = {name: value for name, value in super().__getstate__().items() if name not in left_out}
        return {**kept, "_cost": cloudpickle.dumps(self._cost)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _cost=cloudpickle.loads(state["_cost"]))
        self._connect()

    def check(self, solution: Any) -> Verdict:
        """Call the function once more, in plain Python."""
        try:
            choices = self._choices(solution)
        except InputError as error:
            return Verdict({}, [str(error)])
        score = self.function.score(choices)
        if score == -LARGEST_SCORE:
            unknown = dict.fromkeys(self.objective.figures(0.0))
            return Verdict(
                unknown,
                [_NOT_ALLOWED],
                score=score,
                faults_counted=True,
            )
        figures = self.objective.figures(score)
        shown = {each: int(value) if value.is_integer() else value for each, value in figures.items()}
        return Verdict(shown, score=score)

    def moves_of(self, solution: Any) -> np.ndarray:
        return np.array(self._choices(solution), np.int64)

    def _choices(self, solution: Any) -> list[int]:
        """Return the choices that a solution is. Raises InputError where it is none."""
        places = len(self._counts)
        if not isinstance(solution, list) or len(solution) != places:
            found = f"{len(solution)}" if isinstance(solution, list) else shortened(repr(solution))
            raise InputError(f"a solution is a list of {places} values, not {found}")
        return [self._choice(place, value) for place, value in enumerate(solution)]

    def _choice(self, place: int, value: Any) -> int:
        if not self._values:
            return whole(f"value {place + 1}", value, 0, self._counts[place] - 1)
        values = [plain(each) for each in self._values[place]]
        if value not in values:
            few = ", ".join(map(repr, values[:10]))
            raise InputError(f"value {place + 1} is {shortened(repr(value))}; expected one of {few}")
        return values.index(value)


class Permutation(SequenceProblem):
    """An order of 0 to n - 1 (``nrpa.permutation``)."""

    _is_order = True

    code = Option(
        "place",
        "What the policy learns about: an item at a place, or an item after another.",
        choices=("place", "previous"),
    )

    def __init__(
        self, n: int, cost: Any, *, objective: Any = None, bias: Any = None, name: str = "", **options: Any
    ) -> None:
        number = whole("n", n, most=MOST_PLACES)
        self._begin(cost, [number] * number, (), objective, bias, name, **options)

    @property
    def _follows(self) -> bool:
        return self.code == "previous"

    def _choices(self, solution: Any) -> list[int]:
        choices = super()._choices(solution)
        seen: dict[int, int] = {}
        for place, item in enumerate(choices, 1):
            if item in seen:
                raise InputError(f"value {place} is {item}, which is value {seen[item]}, too; expected each once")
            seen[item] = place
        return choices


class Assignment(SequenceProblem):
    """A choice for each place (``nrpa.assignment``)."""

    def __init__(self, choices: Any, cost: Any, *, objective: Any = None, bias: Any = None, name: str = "") -> None:
        given = [*choices] if isinstance(choices, Iterable) and not isinstance(choices, (str, bytes)) else []
        if not given:
            raise InputError(
                f"choices must be how many for each place, or a list for each, not {shortened(repr(choices))}"
            )
        if all(isinstance(each, (int, np.integer)) for each in given):
            values: tuple[list[Any], ...] = ()
            counts = [whole(f"choices of place {place}", each, most=MOST_PLACES) for place, each in enumerate(given, 1)]
        else:
            values = tuple(_values_of(place, each) for place, each in enumerate(given, 1))
            counts = [*map(len, values)]
        self._begin(cost, counts, values, objective, bias, name)

    def solution(self, moves: np.ndarray) -> list[Any]:
        """Return the choices, or the values that they stand for, as JSON can hold them."""
        choices: list[int] = moves.tolist()
        if not self._values:
            return choices
        return [plain(values[choice]) for values, choice in zip(self._values, choices, strict=False)]


class Subset(SequenceProblem):
    """So many of n things (``nrpa.subset`` with ``size``): a game chooses one after another, in any order."""

    _is_subset = True

    def __init__(
        self, n: int, size: int, cost: Any, *, objective: Any = None, bias: Any = None, name: str = ""
    ) -> None:
        number = whole("n", n, most=MOST_PLACES)
        self._size = whole("size", size, most=number)
        self._begin(cost, [2] * number, (), objective, bias, name)

    @property
    def _offered(self) -> list[int]:
        return [len(self._counts)] * self._size

    @property
    def _number_of_codes(self) -> int:
        return len(self._counts)

    @property
    def _first_sequence(self) -> list[int]:
        return [int(thing < self._size) for thing in range(len(self._counts))]

    def _bias(self, bias: Any) -> np.ndarray:
        """Return β of taking each thing beside that of leaving it, in one row."""
        table = super()._bias(bias)
        more = table[:, 1:] - table[:, :1]
        if not (np.abs(more) <= LARGEST_BIAS).all():
            raise InputError(f"bias of taking a thing and of leaving it must differ by at most {LARGEST_BIAS:g}")
        return np.reshape(more, (-1, len(self._counts)))

    def _sequence(self, moves: np.ndarray) -> np.ndarray:
        taken = np.zeros(len(self._counts), np.int64)
        taken[moves] = 1
        return taken

    def solution(self, moves: np.ndarray) -> list[int]:
        """Return the list of 1 for what is taken, else 0."""
        chosen: list[int] = self._sequence(moves).tolist()
        return chosen

    def moves_of(self, solution: Any) -> np.ndarray:
        return np.flatnonzero(self._choices(solution))

    def _choices(self, solution: Any) -> list[int]:
        choices = super()._choices(solution)
        if sum(choices) != self._size:
            raise InputError(f"{sum(choices)} things are taken; expected {self._size}")
        return choices


def _values_of(place: int, given: Any) -> list[Any]:
    """Return the values of a place as a list. Raises InputError where there are none, or two look alike."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InputError(f"choices of place {place} must be a list of values, not {shortened(repr(given))}")
    values = [each.item() if isinstance(each, np.generic) else each for each in given]
    first: dict[Any, Any] = {}
    for each in values:
        key = _hashable(plain(each))
        if key in first:
            other = first[key]
            same = f"{each!r} twice" if repr(other) == repr(each) else f"{other!r} and {each!r}, which are equal"
            raise InputError(f"choices of place {place} are values that differ, at least one; found {same}")
        first[key] = each
    if not values:
        raise InputError(f"choices of place {place} are values that differ, at least one; found none")
    return values


def _hashable(value: Any) -> Any:
    """Return what equals that of another value of JSON where the two are equal: 1, 1.0 and True are."""
    if isinstance(value, list):
        return tuple(map(_hashable, value))
    return repr(value) if isinstance(value, dict) else value


def permutation(
    n: int,
    cost: Callable[[Any], Any],
    *,
    objective: Objective | None = None,
    bias: Any = None,
    name: str = "",
) -> Permutation:
    """Return the problem to find the order of 0 to n - 1 that has the least cost.

    Parameters
    ----------
    n : int
        How many things are ordered.
    cost : callable
        The cost of an order, which is a list of n numbers. A function that numba compiles (``numba.njit``) gets an
        int64 array, shape (n,), and is called from machine code; it may allocate memory. The function must not change
        what it is given, and must give the same cost when it is called twice. ``inf`` means that an order is not
        allowed. Quadratic assignment is of this kind: place k gets ``order[k]``.
    objective : Objective, optional
        What the cost is called, and whether less is better; by default "cost", of which less is better. With
        ``nrpa.Lexicographic`` the cost is a tuple of its parts.
    bias : array_like, optional
        β: of item j at place k, shape (n, n); or of item j after item i, shape (n + 1, n), the last row for the first
        item.
    name : str
        What the problem is called in results.

    Returns
    -------
    Permutation
        A problem, which every solver takes. Its solution is the order, a list.

    Raises
    ------
    InputError
        If an argument is none of these.

    Examples
    --------
    >>> import nrpa
    >>> problem = nrpa.permutation(8, lambda order: sum(abs(a - b) for a, b in zip(order, order[1:])))
    >>> nrpa.solve(problem, playouts=2000, seed=1).cost
    7
    """
    return Permutation(n, cost, objective=objective, bias=bias, name=name)


def assignment(
    choices: Sequence[int] | Sequence[Sequence[Any]],
    cost: Callable[[Any], Any],
    *,
    objective: Objective | None = None,
    bias: Any = None,
    name: str = "",
) -> Assignment:
    """Return the problem to make a choice for each place so that the cost is least.

    Parameters
    ----------
    choices : sequence of int, or of sequences
        How many choices each place has, which are then 0 to that number - 1; or the values to choose from, a list for
        each place.
    cost : callable
        The cost of the chosen values, which are a list. A function that numba compiles gets an array, int64, or float64
        if a value is no whole number. Else as in ``nrpa.permutation``.
    objective, name
        As in ``nrpa.permutation``.
    bias : array_like, optional
        β of choice j at place k, shape (places, most choices of a place).

    Returns
    -------
    Assignment
        A problem, which every solver takes. Its solution is the list of the chosen values.

    Raises
    ------
    InputError
        If an argument is none of these.
    """
    return Assignment(choices, cost, objective=objective, bias=bias, name=name)


def subset(
    n: int,
    cost: Callable[[Any], Any],
    *,
    size: int | None = None,
    objective: Objective | None = None,
    bias: Any = None,
    name: str = "",
) -> Assignment | Subset:
    """Return the problem to choose some of n things, or ``size`` of them, so that the cost is least.

    Parameters
    ----------
    n : int
        How many things there are.
    cost : callable
        The cost of a subset, which is a list of n numbers: 1 for what is taken, else 0.
    size : int, optional
        How many things are taken, from 1 to n. Searches then meet no other subset: a change exchanges things that are
        taken for others. By default any number of them may be taken.
    objective, name
        As in ``nrpa.permutation``.
    bias : array_like, optional
        β of leaving thing k and of taking it, shape (n, 2). With ``size``, their difference counts.

    Returns
    -------
    Assignment or Subset
        A problem, which every solver takes. Its solution is the list of n numbers 0 or 1.

    Raises
    ------
    InputError
        If an argument is none of these.

    Examples
    --------
    >>> import nrpa
    >>> far = nrpa.subset(10, lambda taken: abs(sum(k * one for k, one in enumerate(taken)) - 11), size=3)
    >>> result = nrpa.solve(far, playouts=500, seed=1)
    >>> result.cost, sum(result.solution)
    (0, 3)
    """
    if size is not None:
        return Subset(n, size, cost, objective=objective, bias=bias, name=name)
    number = whole("n", n, most=MOST_PLACES)
    return Assignment([2] * number, cost, objective=objective, bias=bias, name=name or "subset")
