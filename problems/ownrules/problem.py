"""Routing by rules of the caller's own, a class in plain Python: ``nrpa.Routing``."""

from __future__ import annotations

import copy
import ctypes
import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from nrpa.base.errors import InputError, ProblemError, place_of
from nrpa.base.lazy import lazy
from nrpa.base.values import not_negative, shortened, whole
from nrpa.modelling.compiled_problem import CompiledProblem
from nrpa.modelling.hints import Hints
from nrpa.modelling.objective import Objective, Verdict
from nrpa.problems.common import fault_in_lists, faultless
from nrpa.problems.lines import LARGEST
from nrpa.problems.ownrules.forms import Form
from nrpa.problems.routing import limits
from nrpa.problems.routing.rules import NEIGHBOURS, Rules, least

callback = lazy("nrpa.machine.callback")
compiled_rules = lazy("nrpa.problems.ownrules.compiled_rules")
digests = lazy("nrpa.modelling.digest")
kernels = lazy("nrpa.problems.ownrules.kernels")
routes = lazy("nrpa.problems.routing.routes")
states = lazy("nrpa.problems.ownrules.states")

REQUIRED = ("start", "visit", "cost")
ALLOWED_EACH, MOST_ALLOWED, IN_PYTHON = 200_000, 20_000_000, 100_000
MOST_CUSTOMERS = 5000


class Routing(CompiledProblem):
    """Routes by rules of your own: a class in plain Python says what a visit does, and what a route costs.

    Every customer is served once; the objective is the cost of all routes, less is better. The methods of the rules are
    compiled as they stand, and the search is that of ``VRPTW`` (ruin and recreate), which plays states on along routes.

    Parameters
    ----------
    customers : int or list of int
        How many there are, or which; rules are given their numbers, from 1.
    rules : object
        It has these methods. States are one NamedTuple of numbers, and no method changes anything:

        - ``start(vehicle)`` returns the state in which a vehicle, from 0 on, leaves. Vehicles whose states are equal
          are of one kind; those of a kind come one after the other.
        - ``visit(state, customer)`` returns the state after a visit, or None where it is not possible.
        - ``finish(state)``, optional, returns the state at the end of the route, or None.
        - ``cost(state)`` returns the cost of a route, a number, or a NamedTuple of its parts, which are added up. It
          is called during the route, too: the more of the cost is known by then, the better customers are compared.
    vehicles : int, optional
        How many there are; where it is not given, as many as it takes, all of which start as vehicle 0 does.
    vehicle_cost : float
        What each vehicle that is used counts beside. Where it is not 0, the search tries to save vehicles first.

    Attributes
    ----------
    rules : object
        As given.
    customers, vehicles : int
        How many there are; as many vehicles as customers where it was not given.
    vehicle_cost : float
        As given.

    Raises
    ------
    InputError
        If a number is none, or rules lack a method; ProblemError if a method raises an exception or returns something
        else, or no vehicle can visit a customer first and end its route then, which names the customer.

    References
    ----------
    J. Christiaens and G. Vanden Berghe, *Slack induction by string removals for vehicle routing problems*,
    Transportation Science 54, 2020.

    Examples
    --------
    >>> from typing import NamedTuple
    >>> class State(NamedTuple):
    ...     here: int
    ...     length: int
    >>> class Line:  # customer c lives c miles from the depot, and a vehicle goes up to ten miles
    ...     def start(self, vehicle):
    ...         return State(0, 0)
    ...     def visit(self, state, customer):
    ...         length = state.length + abs(customer - state.here)
    ...         return State(customer, length) if length + customer <= 10 else None
    ...     def finish(self, state):
    ...         return State(0, state.length + state.here)
    ...     def cost(self, state):
    ...         return state.length
    >>> Routing(5, Line()).check([[1, 2, 3, 4, 5]]).figures
    {'cost': 10.0, 'vehicles': 1}
    """

    name = "routing"
    objective = Objective("cost", sign=-1, digits=2)

    def __init__(
        self,
        customers: int | Sequence[int],
        rules: Any,
        *,
        vehicles: int | None = None,
        vehicle_cost: float = 0.0,
        **options: Any,
    ) -> None:
        if not isinstance(customers, (list, tuple, range)):
            customers = range(1, whole("customers", customers, most=MOST_CUSTOMERS) + 1)
        self.customers = whole("customers", len(customers), most=MOST_CUSTOMERS)
        self._numbers = [0, *(whole("the number of a customer", number) for number in customers)]
        if len({*self._numbers}) <= self.customers:
            raise InputError(f"the numbers of customers must be different, not {shortened(repr(customers))}")
        self.rules = rules() if isinstance(rules, type) else rules
        self.vehicles = self.customers if vehicles is None else whole("vehicles", vehicles, most=MOST_CUSTOMERS)
        self.vehicle_cost = not_negative("vehicle_cost", vehicle_cost)
        self._given_rules = customers, rules, vehicles, vehicle_cost, options
        missing = [name for name in REQUIRED if not callable(getattr(self.rules, name, None))]
        if missing:
            raise InputError(f"{self._title}: the rules have no method {missing[0]}; expected {', '.join(REQUIRED)}")
        first = [self._call("start", 0)] * self.vehicles
        self._starts = first if vehicles is None else [self._call("start", k) for k in range(self.vehicles)]
        self._errors: dict[int, BaseException] = {}
        self._probe()
        super().__init__(
            None,
            max_steps=self.customers + self.vehicles,
            max_moves=self.customers + 1,
            max_total=(self.customers + 1) * (self.customers + self.vehicles),
            codes=(self.customers + 1) ** 2,
            bias_by_move=True,
            **options,
        )

    @property
    def _title(self) -> str:
        return type(self.rules).__name__

    def _call(self, method: str, *given: Any) -> Any:
        """Call a method of the rules; a ProblemError says what it raises."""
        try:
            return getattr(self.rules, method)(*given)
        except Exception as error:
            what = f"{method}{shortened(repr(given), 200)} raised {type(error).__name__}: {error}"
            raise ProblemError(f"{self._title}: {what}, {place_of(error)}") from error

    def _finish(self, state: Any) -> Any:
        return self._call("finish", state) if hasattr(self.rules, "finish") else state

    def _parts(self, state: Any) -> dict[str, float]:
        """Return the parts of a cost by name; a plain one has none. Raises ProblemError where they are no numbers."""
        found = self._call("cost", state)
        parts: tuple[Any, ...] = found if isinstance(found, tuple) else (found,)
        names = getattr(found, "_fields", range(len(parts)))
        for part in parts:
            is_number = isinstance(part, (int, float, np.number)) and abs(float(part)) <= LARGEST
            if not is_number or not all(isinstance(name, str) for name in names if parts is found):
                what = f"cost returned {shortened(repr(found))} for {shortened(repr(state), 200)}"
                raise ProblemError(f"{self._title}: {what}; expected a finite number, or a NamedTuple of some")
        return {str(name): float(part) for name, part in zip(names, parts, strict=True)}

    def _cost(self, state: Any) -> float:
        return sum(self._parts(state).values())

    def _probe(self) -> None:
        """Find which vehicles are of one kind, what each customer costs alone, and each leg between two."""
        n, seen = self.customers + 1, list(self._starts)
        self._form_of(*seen)
        begins = [k for k, start in enumerate(self._starts) if k == 0 or start != self._starts[k - 1]]
        self._kind = np.searchsorted(begins, np.arange(self.vehicles), side="right") - 1
        self._next_kind = np.array([*begins[1:], self.vehicles])[self._kind]
        self._alone, self._legs = np.full((len(begins), n), np.inf), np.full((n, n), np.inf)
        self._firsts: list[Any] = [None] * n
        for kind, begin in enumerate(begins):
            cost = self._cost(self._starts[begin])
            for customer in range(1, n):
                state = self._call("visit", self._starts[begin], self._numbers[customer])
                if state is None:
                    continue
                self._form_of(self._starts[begin], state)
                if (end := self._finish(state)) is None:
                    continue
                seen += [state, end]
                self._firsts[customer] = self._firsts[customer] or state
                self._alone[kind, customer] = self._cost(end)
                here = self._cost(state)
                self._legs[0, customer] = min(self._legs[0, customer], here - cost)
                self._legs[customer, 0] = min(self._legs[customer, 0], self._alone[kind, customer] - here)
                for after in range(1, n):
                    there = None if after == customer else self._call("visit", state, self._numbers[after])
                    if there is not None:
                        self._legs[customer, after] = min(self._legs[customer, after], self._cost(there) - here)
        for customer in np.flatnonzero(~np.isfinite(self._alone).any(axis=0))[1:].tolist():
            who = f"customer {self._numbers[customer]}"
            what = f"{who} is unreachable: no vehicle can visit it first and end its route then"
            raise ProblemError(f"{self._title}: {what} (visit or finish returned None)")
        self._form = self._form_of(*seen)

    def _form_of(self, *seen: Any) -> Form:
        return Form.of(self._title, seen)

    @property
    def _penalty(self) -> float:
        """What a customer who is not served counts: more than any routes."""
        return limits.penalty_above(
            float(np.abs(self._alone[np.isfinite(self._alone)]).sum()) + self.vehicle_cost * self.customers
        )

    @cached_property
    def _methods(self) -> tuple[tuple[int, ...], int, str]:
        """The addresses of the methods and of what they read, and how they are computed."""
        self._called = [callback.OF_TWO_NUMBERS(partial(self._answer, name)) for name in compiled_rules.METHODS]
        in_python = tuple(ctypes.cast(called, ctypes.c_void_p).value or 0 for called in self._called)
        try:
            self._compiled = compiled_rules.CompiledRules(self.rules, self._form, in_python)
        except ProblemError as error:
            return in_python, 0, f"{self._title} runs in plain Python, which is much slower: {error}."
        return self._compiled.addresses, self._compiled.record, f"{self._title} is compiled as it stands."

    @property
    def how_computed(self) -> str:
        """Say how the rules are computed in a search: compiled, or in plain Python, and why."""
        return self._methods[2]

    @property
    def _is_compiled(self) -> bool:
        return self._methods[1] != 0

    def _build_model(self) -> Any:
        self.holds_gil = not self._is_compiled  # type: ignore[misc]
        legs = self._legs[np.isfinite(self._legs)]
        self.instance = kernels.Instance(self._record(), max(float(legs.max()), 1e-9))
        self.objective = replace(self.objective, penalty=self._penalty)  # type: ignore[misc]
        return super()._build_model()

    def _record(self) -> Any:
        """Return the record of rules that kernels read."""
        n, numbers = self.customers + 1, np.zeros(self.customers + 1)
        whole_numbers = np.arange(n)
        near = min(NEIGHBOURS, max(n - 2, 0))
        far = self._legs.copy()
        np.fill_diagonal(far, np.inf)
        far[0], far[:, 0] = np.inf, np.inf
        lists = [np.array([least(row, near) for row in table]).reshape(n, near) for table in (far.T, far)]
        given = Rules(
            # Of legs that are not possible at once, a visit says whether they are later.
            *(np.where(np.isfinite(self._legs), self._legs, np.nan), numbers, numbers, numbers, numbers),
            place=np.r_[whole_numbers, self._kind],
            request=whole_numbers,
            delivery=np.zeros(n, np.int64),
            kind=np.zeros(n, np.int64),
            prize=np.full(n, np.inf),
            alone=self._alone,
            neighbours=lists[0],
            followers=lists[1],
            capacity=0.0,
            vehicle_cost=self.vehicle_cost,
            penalty=self._penalty,
            longest=np.inf,
            duration=np.inf,
            depots=1,
            vehicles=self.vehicles,
            fewest=1 if self.vehicle_cost else self.vehicles,
            allowance=min(ALLOWED_EACH * n, MOST_ALLOWED) if self._is_compiled else IN_PYTHON,
        )
        (visit, finish), record, _ = self._methods
        return states.OwnRules(
            *given,
            visit=visit,
            finish=finish,
            record=record,
            number=np.array(self._numbers),
            starts=np.array([self._row(start) for start in self._starts]),
            next_kind=self._next_kind,
            keys=self._keys(),
        )

    def _keys(self) -> np.ndarray:
        """Return what customers are sorted by: the cost alone, and what a first visit makes of each field."""
        alone = self._alone.min(axis=0)
        alone[0] = 0.0
        firsts = np.array([[float(value) for value in state] for state in self._firsts[1:]])
        fields = [np.r_[0.0, column] for column in firsts.T if len({*column.tolist()}) > 1]
        return np.array([sign * values for values in (alone, *fields) for sign in (1.0, -1.0)])

    def _answer(self, method: str, record: int, block: int) -> int:
        """Answer a kernel in plain Python; what a method raises is kept for this thread."""
        try:
            width = self._width
            asked = np.ctypeslib.as_array((ctypes.c_int64 * width).from_address(block))
            row, to = ((ctypes.c_int64 * width).from_address(block + 8 * width * int(asked[k])) for k in (1, 2))
            state = self._form.state(np.ctypeslib.as_array(row)[: len(self._form.kinds)])
            made = self._call("visit", state, int(asked[0])) if method == "visit" else self._finish(state)
            if made is not None:
                np.ctypeslib.as_array(to)[:] = self._row(made)
            if self._is_compiled:
                what = f"{method} failed compiled, and not in plain Python, for {shortened(repr(state), 200)}"
                raise ProblemError(f"{self._title}: {what}; keep whole numbers below 2^63, and divide by no 0")
            return int(made is not None)
        except BaseException as error:
            self._errors[threading.get_ident()] = error
        return -1

    @property
    def _width(self) -> int:
        found: int = compiled_rules.width_of(self._form)
        return found

    def _row(self, state: Any) -> np.ndarray:
        """Return a state and its cost as a row of cells."""
        row = np.zeros(self._width, np.int64)
        row[: len(self._form.kinds)] = self._form.words(self._title, state)
        row[-1] = np.float64(self._cost(state)).view(np.int64)
        return row

    def raise_kept_error(self) -> None:
        error = self._errors.pop(threading.get_ident(), None)
        if error is not None:
            raise error

    def hints(self) -> Hints:
        return Hints(tempered=False, iterations_improved=20)

    @property
    def improves_again(self) -> bool:
        return True

    def new_state(self) -> Any:
        n, whole_numbers = self.customers, np.zeros
        rows = 1 + n + self.vehicles + states.ROWS
        versions = np.arange(-rows, -states.ROWS)
        game = kernels.Game(
            left=whole_numbers(n, np.int64),
            place=whole_numbers(n + 1, np.int64),
            counts=whole_numbers(4, np.int64),
            total=np.zeros(1),
            cells=whole_numbers((rows, self._width), np.int64),
            version=versions,
            follows=np.zeros_like(versions),
            tried=np.zeros_like(versions),
            failed=np.zeros(1, np.bool_),
            stop=np.zeros(1, np.bool_),
        )
        return kernels.State(*game, *routes.new_routes(n + 1, self.vehicles, True))

    def digest(self) -> str:
        methods = [digests.contents_of(getattr(self.rules, name, None)) for name in (*REQUIRED, "finish")]
        found: str = digests.digest([self._numbers, self.vehicles, self.vehicle_cost, methods, vars(self.rules)])
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {"given": self._given_rules, "origin": self.origin, "names": self._given_names}

    def __setstate__(self, state: dict[str, Any]) -> None:
        customers, rules, vehicles, vehicle_cost, options = state["given"]
        self.__init__(customers, rules, vehicles=vehicles, vehicle_cost=vehicle_cost, **options)  # type: ignore[misc]
        self.origin, self._given_names = state["origin"], state["names"]

    def parts(self) -> list[str]:
        """Return the customers, whom routes can leave out."""
        return [f"customer {number}" for number in self._numbers[1:]]

    def without(self, parts: Collection[str]) -> Routing:
        """Return the problem of the other customers."""
        left = [number for part, number in zip(self.parts(), self._numbers[1:], strict=True) if part not in parts]
        return self._with(left, self.rules)

    def without_rules(self, names: Collection[str]) -> Routing:
        """Return the problem with some methods of its rules switched off."""
        rules, cls = copy.copy(self.rules), type(self.rules)
        rules.__class__ = type(
            cls.__name__, (cls,), {name: _switched_off(getattr(cls, name).when_off()) for name in names}
        )
        return self._with(self._numbers[1:], rules)

    def _with(self, customers: list[int], rules: Any) -> Routing:
        vehicles, options = self._given_rules[2], self._given_rules[4]
        return Routing(customers, rules, vehicles=vehicles, vehicle_cost=self.vehicle_cost, **options)

    def solution(self, moves: np.ndarray) -> list[list[int]]:
        """Return a list of customers for each vehicle, empty for one that stays; those of a kind leave in order."""
        found: list[list[int]] = [[]]
        for move in moves.tolist():
            if move > 0:
                found[-1].append(self._numbers[move])
            else:
                vehicle = len(found) - 1
                more = 1 if found[-1] else int(self._next_kind[vehicle]) - vehicle
                found += [[] for _ in range(more)]
        while found and not found[-1]:
            found.pop()
        return found

    def moves_of(self, solution: Any) -> np.ndarray:
        faultless(self, solution)
        moves, place = list[int](), {number: k for k, number in enumerate(self._numbers)}
        pairs = [*zip(solution, self._kind.tolist(), strict=False)]
        kinds = [[route for route, of in pairs if of == kind and route] for kind in range(int(self._kind[-1]) + 1)]
        for kind, used in enumerate(kinds):
            for route in used:
                moves += [*(place[number] for number in route), 0]
            if len(used) < (self._kind == kind).sum() and any(kinds[kind + 1 :]):
                moves.append(0)
        return np.array(moves, np.int64)

    def check(self, solution: Any) -> Verdict:
        fault = fault_in_lists(solution, "a solution is a list of routes", "route", "customers", max(self._numbers))
        if fault is None and len(solution) > self.vehicles:
            fault = f"{len(solution)} routes are more than {self.vehicles} vehicles"
        served = Counter(customer for route in solution for customer in route) if fault is None else Counter[int]()
        twice = [f"customer {customer} is served {times} times" for customer, times in served.items() if times > 1]
        twice += [f"customer {customer} is not there" for customer in served.keys() - {*self._numbers}]
        if fault or twice:
            return Verdict({}, [fault] if fault else sorted(twice))
        faults = [f"customer {each} is missing" for each in self._numbers[1:] if not served[each]]
        missing, totals, cost = len(faults), Counter[str](), 0.0
        for vehicle, route in enumerate(solution):
            parts, fault = self._replayed(vehicle, route)
            if fault:
                return Verdict({}, [f"route {vehicle + 1} cannot {fault}"])
            cost += sum(parts.values())
            totals.update(parts)
        used = sum(1 for route in solution if route)
        cost += self.vehicle_cost * used
        shares = {name: value for name, value in totals.items() if not name.isdigit()}
        figures = {"cost": cost, "vehicles": used, **shares}
        return Verdict(figures, faults, -(cost + self._penalty * missing), faults_counted=missing > 0)

    def _replayed(self, vehicle: int, route: list[int]) -> tuple[dict[str, float], str]:
        """Return the parts of the cost of a route, and what the vehicle cannot do; empty where it can."""
        state = self._starts[vehicle]
        for customer in route:
            state = self._call("visit", state, customer)
            if state is None:
                return {}, f"visit customer {customer}"
        if route and (state := self._finish(state)) is None:
            return {}, f"end after customer {route[-1]}"
        return self._parts(state) if route else {}, ""

    def draw(self, solution: Any) -> str:
        """Return a line for each route: its customers, and its cost."""
        costs = (sum(self._replayed(*each)[0].values()) for each in enumerate(solution))
        pairs = enumerate(zip(solution, costs, strict=True), 1)
        return "\n".join(f"Route #{k}: {' '.join(map(str, route))}   (cost {cost:.2f})" for k, (route, cost) in pairs)


def _switched_off(off: Any) -> Any:
    """Return a method that returns always the same."""

    def rule_off(self: Any, *arguments: Any) -> Any:
        return off

    return rule_off
