"""A problem whose rules are in another program, which answers lines of JSON."""

from __future__ import annotations

import hashlib
import json
import logging
import shlex
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from nrpa.adapters.answering import AnsweringProgram, Died, NoAnswer
from nrpa.base.errors import InputError, ProblemError
from nrpa.base.one_at_a_time import PerThread
from nrpa.base.options import Option
from nrpa.base.values import require_known, shortened, whole
from nrpa.io.source import Origin
from nrpa.modelling.objective import Objective
from nrpa.modelling.problem import Problem
from nrpa.python.orders import Stopped

logger = logging.getLogger("nrpa")

# How often a program that ends without an answer is started for one call.
STARTS = 3
FIRST_CALL = "problem"
ABOUT = ("objective", "sign", "digits", "max_steps", "choices", "calls")
EXPECTED = '{"result": …} or {"error": "…"} on one line, and other output on standard error'


class State(str):
    """A state as text of JSON, with what the program has told of it, and that as it was read, by calls."""

    told: dict[str, Any]
    read: dict[str, Any]


class Program(Problem):
    """A problem whose rules are in another program, in any language: it reads lines of JSON, and answers each by one.

    The program runs as long as the problem is used, once in each thread or process that searches. It is asked
    ``{"call": "problem"}`` first, then ``initial_state``, ``legal_moves``, ``play`` and ``score``, with ``"state"`` and
    ``"move"`` where they are needed, and answers ``{"result": …}`` or ``{"error": "…"}``. The page about simulators has
    all calls. An answer must follow from its line alone: a program that ends is started again, and asked again.

    Parameters
    ----------
    command : str or sequence of str
        The command that starts the program, a text in the words of a shell.
    **options
        Values of the options below.

    Raises
    ------
    InputError
        If the program cannot be started, or says that it has no such problem.
    ProblemError
        If its answer to the first call is none. Later, methods raise it where there is no answer, or no sound one.

    Examples
    --------
    >>> import sys
    >>> import nrpa
    >>> problem = nrpa.Program([sys.executable, "examples/paint_shop.py", "12"], timeout=5.0)
    >>> nrpa.solve(problem, seed=1, playouts=100).valid
    True
    """

    name = "program"
    _is_elsewhere = True
    forms = ("a command, such as './simulate 20', of a program that answers lines of JSON",)
    timeout = Option(10.0, "The seconds within which the program answers a call.")

    def __init__(self, command: str | Sequence[str], **options: Any) -> None:
        super().__init__(**options)
        self.command = _words(command)
        self.origin = Origin(shlex.join(self.command))
        self._threads = PerThread()
        self._be(self._answer(FIRST_CALL)["result"])

    @classmethod
    def load(cls, name: Any, **options: Any) -> Program:
        """Return the problem of a command."""
        return cls(name, **options)

    def digest(self) -> str:
        return hashlib.sha256(shlex.join(self.command).encode()).hexdigest()

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any], dict[str, Any]]:
        """Return what is pickled or copied: not the running program."""
        return _again, (self._about,), self.__getstate__()

    def _be(self, about: Any) -> None:
        """Have the objective, the limit of steps and the methods that the program says it has."""
        if not isinstance(about, dict):
            raise self._wrong(FIRST_CALL, about, "an object")
        try:
            require_known(f"the answer to {FIRST_CALL!r}", about, ABOUT)
            objective = Objective(about.get("objective", "score"), about.get("sign", 1), about.get("digits", 2))
            calls = about.get("calls", [])
            require_known("calls", calls, OPTIONAL)
            choices = [whole("choices", each) for each in about["choices"]] if "choices" in about else None
        except (InputError, TypeError) as error:
            raise ProblemError(f"{self._title}: {error}") from None
        self._about = about
        self.max_steps, self.choices = about.get("max_steps", self.max_steps), choices
        methods = dict(OPTIONAL[call] for call in calls)
        self.__class__ = type("Program", (Program,), {"name": self.name, "objective": objective, **methods})

    def initial_state(self) -> State:
        """Return the state of a game's beginning."""
        return self._state_in(self._answer("initial_state"))

    def legal_moves(self, state: State) -> tuple[Hashable, ...]:
        moves: tuple[Hashable, ...] = self._of("legal_moves", state, self._moves)
        return moves

    def play(self, state: State, move: Any) -> State:
        return self._state_in(self._answer("play", state=state, move=self._text("play", move)))

    def score(self, state: State) -> Any:
        return self._of("score", state)

    def _state_in(self, answer: dict[str, Any]) -> State:
        """Return the state that an answer holds, and what else it says of that."""
        state = State(self._text("play", answer.pop("result")))
        state.told, state.read = answer, {}
        return state

    def _of(self, call: str, state: State, read: Callable[[str, State, Any], Any] | None = None) -> Any:
        """Return what the program says of a state, as ``read`` makes it; it is asked once, if not told already."""
        if call not in state.read:
            said = state.told[call] if call in state.told else self._answer(call, state=state)["result"]
            state.read[call] = said if read is None else read(call, state, said)
        return state.read[call]

    def _moves(self, call: str, _: State, said: Any) -> tuple[Hashable, ...]:
        if not isinstance(said, list):
            raise self._wrong(call, said, "a list")
        return tuple(map(_hashable, said))

    def _by_move(self, call: str, state: State, said: Any) -> dict[Hashable, Any]:
        """Return a list that runs along the legal moves as a mapping from move to entry."""
        moves, values = self.legal_moves(state), self._moves(call, state, said)
        if len(values) != len(moves):
            raise self._wrong(call, said, f"{len(moves)} of them, one for each legal move")
        return dict(zip(moves, values, strict=True))

    def _answer(self, call: str, **texts: str) -> dict[str, Any]:
        """Ask the program, and return its answer, which has a result."""
        line = f'{{"call": "{call}"{"".join(f", {json.dumps(name)}: {text}" for name, text in texts.items())}}}\n'
        said = self._line(call, line.encode()).decode(errors="replace").strip()
        try:
            answer = json.loads(said, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            raise self._wrong(call, said, f"{EXPECTED} ({error})") from None
        if not isinstance(answer, dict) or ("result" in answer) == ("error" in answer):
            raise self._wrong(call, said, EXPECTED)
        if "error" in answer:
            raise ProblemError(f"{self._title}: {call}: {answer['error']}")
        return answer

    def _line(self, call: str, line: bytes) -> bytes:
        """Return the line that answers a line. A program that ends is started again, and asked again."""
        for left in reversed(range(STARTS)):
            try:
                said = self._running().ask(line, self.timeout, self._is_wanted)
            except NoAnswer as error:
                raise ProblemError(f"{self._title}: expected one line that answers {call!r}, found {error}") from None
            except Died as error:
                if not left:
                    raise ProblemError(f"{self._title}: asked {call!r} {STARTS} times, the program {error}") from None
                logger.warning("%s: the program %s; it is started again", self._title, error)
            else:
                break
        if said is None:
            raise Stopped
        return said

    def _running(self) -> AnsweringProgram:
        running: AnsweringProgram | None = getattr(self._threads, "running", None)
        if running is None or not running.is_usable:
            running = self._threads.running = AnsweringProgram(self.command)
        return running

    def _is_wanted(self) -> bool:
        return not self._stop[0]

    def _text(self, call: str, value: Any) -> str:
        """Return a state or a move as text of JSON."""
        try:
            return json.dumps(value, sort_keys=True, allow_nan=False)
        except (ValueError, RecursionError):
            raise self._wrong(call, value, "JSON without infinite numbers, and not that deep") from None

    def _wrong(self, call: str, given: Any, expected: str) -> ProblemError:
        return ProblemError(f"{self._title}: {call} gave {shortened(repr(given))}; expected {expected}")

    @property
    def _title(self) -> str:
        return shortened(self.origin.label)


def _again(about: dict[str, Any]) -> Program:
    """Return a problem without its attributes, of which the program has said what it is."""
    problem = Program.__new__(Program)
    problem._be(about)
    return problem


def _of_move(call: str) -> Callable[[Program, State, Hashable], Any]:
    """Return a method of state and move that the program answers for all legal moves at once."""
    return lambda self, state, move: self._of(call, state, self._by_move)[move]


def _of_state(call: str) -> Callable[[Program, State], Any]:
    """Return a method of a state."""
    return lambda self, state: self._of(call, state)


def _of_game(call: str) -> Callable[[Program, list[Any]], Any]:
    """Return a method of the moves of a game."""
    return lambda self, moves: _hashable(self._answer(call, moves=self._text(call, moves))["result"])


# The optional calls of a program, and the methods that they become.
OPTIONAL: dict[str, tuple[str, Any]] = {
    "codes": ("code", _of_move("codes")),
    "biases": ("bias", _of_move("biases")),
    **{call: (call, _of_state(call)) for call in ("describe", "value")},
    **{call: (call, _of_game(call)) for call in ("evaluate", "improve")},
}


def _words(command: str | Sequence[str]) -> list[str]:
    """Return a command as a list of words. Raises InputError for what is none."""
    try:
        words = shlex.split(command) if isinstance(command, str) else [*command]
    except (ValueError, TypeError) as error:
        raise InputError(f"the command {shortened(repr(command))} cannot be read ({error})") from None
    if not words or not all(isinstance(word, str) for word in words):
        raise InputError(f"a command is a text or texts, as in './simulate 20', not {shortened(repr(command))}")
    return words


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _refuse(constant: str) -> Any:
    raise ValueError(f"it holds {constant}")
