"""The table of kernels: the small functions of a problem that the compiled search calls.

The search calls the functions of this module; which kernel they mean follows from the class of the state. Each kernel
is declared once, here: what compiled code calls, the step-by-step game, error messages and the debug mode follow.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from nrpa.base.errors import ProblemError
from nrpa.engine.hash_table import home_slot
from nrpa.engine.status import LARGEST_BIAS, TOO_MANY_STEPS
from nrpa.machine.jit import by_class, copy_fields, held, jit

State = TypeVar("State", bound=type)
Function = Callable[..., Any]

NOTHING, WHOLE, NUMBER = "nothing", "a whole number", "a number"

# What the kernel ``find`` returns where no legal move has the name, and where none will have it, whatever is played.
NOT_NOW, NEVER = -1, -2
# So that e^β is not 0.
LEAST_BIAS = -700.0


@dataclass(frozen=True)
class Kernel:
    """One entry of the table of kernels."""

    name: str
    parameters: tuple[str, ...]
    returns: str  # NOTHING, WHOLE or NUMBER
    # Given a problem's own kernels by name, returns what takes the place of this one if the problem lacks it, or None
    # where nothing can; None where every problem must have the kernel.
    stand_in: Callable[[dict[str, Function]], Function | None] | None
    of_final_states: bool = False  # whether it is asked only where the game has ended
    composed: bool = False  # whether it is made of the others, for every problem

    @property
    def index_of_state(self) -> int:
        """The index of the parameter whose class says which problem is meant."""
        return next(k for k, parameter in enumerate(self.parameters) if parameter in ("state", "source"))

    @property
    def says_of_any_state(self) -> bool:
        """Whether it is optional and returns something about any state."""
        if self.of_final_states or self.stand_in is None:
            return False
        return self.parameters == ("instance", "state") and self.returns != NOTHING

    def is_optional(self, own: dict[str, Function]) -> bool:
        """Return whether a problem with these kernels, by name, can do without this one."""
        return self.stand_in is not None and self.stand_in(own) is not None

    def __str__(self) -> str:
        return f"{self.name}{_list(self.parameters)}"


def _list(parameters: tuple[str, ...]) -> str:
    return f"({', '.join(parameters)})"


# All kernels, and those that a problem can bring.
KERNELS: dict[str, Kernel] = {}
OF_PROBLEMS: dict[str, Kernel] = {}

_attached: dict[type, dict[str, Function]] = {}


class Moves(NamedTuple):
    """The legal moves of one state, one entry a move. The kernel ``legal_moves`` writes them.

    Attributes
    ----------
    move : ndarray of int64, shape (max_moves,)
        What ``play`` takes.
    code : ndarray of int64, shape (max_moves,)
        The code of the move: the policy has one weight for each code.
    exp_bias : ndarray of float64, shape (max_moves,)
        e^β, where β is the bias of the move. It is read only if the problem sets ``bias_by_move``; else it stays 1.
    """

    move: np.ndarray
    code: np.ndarray
    exp_bias: np.ndarray


def allocate_moves(size: int) -> Moves:
    """Return arrays for legal moves."""
    return Moves(np.zeros(size, np.int64), np.zeros(size, np.int64), np.ones(size))


@jit
def write_exponents(moves, count):
    """Write e^β of the legal moves, up to a common factor where β is large, in place of β; return whether it could.

    A β that is no finite number is left where it is, with its move and code in the first place.
    """
    largest = -np.inf
    for place in range(count):
        if not np.isfinite(moves.exp_bias[place]):
            moves.move[0], moves.code[0] = moves.move[place], moves.code[place]
            moves.exp_bias[0] = moves.exp_bias[place]
            return False
        largest = max(largest, moves.exp_bias[place])
    shift = largest if abs(largest) > LARGEST_BIAS else 0.0
    for place in range(count):
        moves.exp_bias[place] = np.exp(max(moves.exp_bias[place] - shift, LEAST_BIAS))
    return True


def declare(
    returns: str = NOTHING,
    stand_in: Callable[[dict[str, Function]], Function | None] | None = None,
    of_final_states: bool = False,
    composed: bool = False,
) -> Callable[[Function], Function]:
    """Enter a kernel in the table, by a decorator.

    The decorated function gives the kernel its name, its parameters and its description; it has no body. What comes out
    calls the kernel of the problem that the state belongs to, in Python and in compiled code.
    """

    def enter(described: Function) -> Any:
        parameters = tuple(inspect.signature(described).parameters)
        kernel = Kernel(described.__name__, parameters, returns, stand_in, of_final_states, composed)
        KERNELS[kernel.name] = kernel
        if not composed:
            OF_PROBLEMS[kernel.name] = kernel
        return by_class(lambda kind: kernel_of(kind, kernel.name), kernel.index_of_state, inline=True)(described)

    return enter


@declare()
def reset(instance, state):
    """Make a state the initial state of the problem.

    Parameters
    ----------
    instance : NamedTuple of arrays and numbers
        The instance, here and in the other kernels. No kernel can write to it: its arrays are read-only.
    state : NamedTuple of arrays
        The state, in any condition; the kernel writes all of it.
    """


@declare(returns=WHOLE)
def legal_moves(instance, state, moves):
    """Write the legal moves of a state.

    Parameters
    ----------
    moves : Moves
        Where move, code and, if the problem has it, e^β go, from entry 0 on.

    Returns
    -------
    int
        The number of legal moves; 0 ends the playout. A negative number stops the search (see ``nrpa.engine.status``).
    """


@declare(returns=WHOLE, stand_in=lambda own: own["legal_moves"])
def all_moves(instance, state, moves):
    """Write the moves that a level of NMCS tries; optional.

    A problem has this kernel if its ``legal_moves`` leaves moves out to make better playouts: the levels of NMCS then
    try all of them. Without it, they try the legal moves.

    Returns
    -------
    int
        As in ``legal_moves``.
    """


@declare()
def play(instance, state, move):
    """Change a state by a move.

    Parameters
    ----------
    state : NamedTuple of arrays
        The state, which becomes the next one. Its moves have been listed before, unless the problem has ``find``, or
        comes to the same states without.
    move : int
        One of the moves that were listed, or that ``find`` gave, int64.
    """


def _no_score(instance, state):
    return 0.0


@declare(returns=NUMBER, stand_in=lambda own: _no_score if "rewards" in own else None, of_final_states=True)
def score(instance, state):
    """Return the score of a final state, one without legal moves. The search maximises it.

    A game has ``rewards`` in its place; its score is then 0. In a problem with the kernel ``rest`` it is called in any
    state, and returns what has been won so far.

    Returns
    -------
    float
        The score. NaN stops the search.
    """


def _score_as_goal(instance, state, place):
    return score(instance, state)


@declare(returns=NUMBER, stand_in=lambda own: _score_as_goal, of_final_states=True)
def goal(instance, state, place):
    """Return how good a final state is by one goal of several; optional. The solver ``pareto`` maximises each.

    Parameters
    ----------
    place : int
        Which one of the problem's ``goals``, from 0.

    Returns
    -------
    float
        The goal's value times its sign. NaN stops the search.
    """


def _score_as_reward(instance, state, rewards):
    rewards[0] = held(score(instance, state))


@declare(stand_in=lambda own: _score_as_reward, of_final_states=True)
def rewards(instance, state, rewards):
    """Write what each player gets in a final state; optional, and there in every game of several players.

    Without this kernel, the only player gets the score.

    Parameters
    ----------
    rewards : ndarray of float64, shape (players,)
        Where the rewards go, in any condition; the kernel writes all of it. Every player wants as much as possible.
        NaN stops the search.
    """


def _no_value(instance, state, rewards):
    pass


@declare(stand_in=lambda own: _no_value)
def value(instance, state, rewards):
    """Write what each player can expect of a state that is not final; optional.

    Searches call it if an option says so (``UCT(cut=10)``): for a playout that ends early, or beside its result.

    Parameters
    ----------
    rewards : ndarray of float64, shape (players,)
        Where the values go, in any condition; the kernel writes all of it. They are estimates of what ``rewards`` gives
        in the end, or ``score`` in a problem for one player, and as large or small as these can be. NaN stops the
        search.
    """


def _zero(instance, state):
    return 0


@declare(returns=WHOLE, stand_in=lambda own: _zero)
def player(instance, state):
    """Return whose turn it is in any state, also a final one; optional. Without it, it is always the first player's.

    Returns
    -------
    int
        The player, 0 to players - 1.
    """


@declare(returns=WHOLE, stand_in=lambda own: _zero)
def hash(instance, state):  # noqa: A001
    """Return a number that differs for different states, also final ones; optional.

    To searches that remember states, two states of equal hash are the same state, however they were reached. So the
    hash must differ wherever legal moves, the player, or what can follow differ: all 64 bits count. Without this
    kernel, such searches know states by the moves that led to them.

    Returns
    -------
    int
        The hash, int64.
    """


def _leave(instance, state, sequence, steps):
    return 0


@declare(returns=WHOLE, stand_in=lambda own: _leave)
def improve(instance, state, sequence, steps):
    """Make a whole game better, by exchanges of moves or the like; optional.

    ``auto`` and ``GNRPA(improve=True)`` call it for playouts that beat the best of their level; where the problem has
    ``improves_again``, for that best in place of other playouts, whose moves then stand after it in ``sequence``.

    Parameters
    ----------
    state : NamedTuple of arrays
        A work area: a state in any condition before and after. If it has a field ``stop``, bool[1], this is set from
        outside where the search shall stop: a kernel that takes long looks at it, writes what it has, and returns.
    sequence : ndarray of int64
        The moves of a whole game, in order, from entry 0 on; they change. There is room for the longest game; what
        stands after the last move of the changed game is ignored. If the changed game is worse or not legal, the old
        one counts.
    steps : int
        The number of moves before the change.

    Returns
    -------
    int
        0 if nothing has changed, else 1; ``nrpa.engine.status.UNFINISHED`` where it has more to do: it is then called
        again with the same arguments, or the game is given up, if the search is to stop. So a long improvement comes
        back every 0.1 seconds. What has changed when the search is to stop is the result if it is the best; the search
        goes on without it.
    """


def _code_as_name(instance, state, moves, place):
    return moves.code[place]


@declare(returns=WHOLE, stand_in=lambda own: _code_as_name)
def name(instance, state, moves, place):
    """Return the name of a legal move; optional.

    Searches that change a game and play the rest of it again (``nrpa.solvers.tempering.replay``) know moves by their
    names: a name should mean the same move whatever was played before. Without this kernel, the code of a move is its
    name.

    Parameters
    ----------
    moves : Moves
        The legal moves of the state.
    place : int
        Which of them.

    Returns
    -------
    int
        The name, int64.
    """


def _never(instance, state, name):
    return NEVER


@declare(returns=WHOLE, stand_in=lambda own: None if "name" in own or "rest" in own else _never)
def find(instance, state, name):
    """Find a legal move by its name; a problem with the kernel ``name`` or ``rest`` has this one, too.

    It is called in states whose moves have not been listed. ``play`` makes the move that it gives, which may be one
    that only ``all_moves`` lists. Without this kernel, searches list the legal moves and look for the code.

    Parameters
    ----------
    name : int
        A name; a move may have several.

    Returns
    -------
    int
        The move, which is not negative; ``nrpa.NOT_NOW`` (-1) where no legal move has the name; ``nrpa.NEVER`` (-2)
        where none will have it, whatever is played.
    """


@declare(returns=WHOLE, stand_in=lambda own: _zero)
def rest(instance, state):
    """Return a hash of all in a state, any one, that the rest of a game depends on; optional.

    It saves time and changes nothing else: if a changed game comes to a state with the same hash as the old game, it is
    not played on from there. For two states of equal hash this must hold, now and after whatever is played in both:

    - Their legal moves have the same names.
    - ``play`` does the same in both with a move of either, even if the move has another number in the other state.
    - To the end of the game, ``score`` changes by exactly the same amount. In every state, it is what has been won so
      far: a sum of whole numbers, or of others that add up without rounding.

    Returns
    -------
    int
        The hash, int64.
    """


def _no_choices(instance, state, place):
    return 0


def _not_evaluated(instance, state, sequence):
    return np.nan


@declare(returns=NUMBER, stand_in=lambda own: None if "choices" in own else _not_evaluated)
def evaluate(instance, state, sequence):
    """Return the score of a whole game, given by its moves, without playing it; optional, together with ``choices``.

    All games of such a problem have as many moves. They are all orders of 0 to that number - 1, all ways to choose
    one of some moves at each step, or all sets of so many of some moves. Searches that change whole games then play
    none.

    Parameters
    ----------
    state : NamedTuple of arrays
        A work area: a state in any condition before and after.
    sequence : ndarray of int64, shape (max_steps,)
        The moves of a whole game, in order. The kernel does not change it.

    Returns
    -------
    float
        The score. NaN stops the search.
    """


@declare(returns=WHOLE, stand_in=lambda own: None if "evaluate" in own else _no_choices)
def choices(instance, state, place):
    """Return how many moves a step has, which are 0 to that number - 1; 0 where games are orders; -n where sets.

    A set is made of ``max_steps`` of the moves 0 to n - 1, none of them twice; their order is no part of the score.

    Parameters
    ----------
    place : int
        The number of moves before, from 0.
    """


def _unknown(instance, state, sequence, before, first, between, last, is_written):
    return np.nan


# How near to the ends of a block a changed sequence is written, where the rest of it is not.
ENDS = 2


@declare(returns=NUMBER, stand_in=lambda own: _unknown)
def difference(instance, state, sequence, before, first, between, last, is_written):
    """Return by how much the score of a whole game is above that of another one, which ``evaluate`` gave; optional.

    Parameters
    ----------
    sequence, before : ndarray of int64, shape (max_steps,)
        The moves of the game, and of the other one. The kernel does not change them.
    first, last : int
        The step from which on, and the one before which, they may differ.
    between : int
        How they do: two blocks of steps, the first of which ends before this step of ``before``, have changed places;
        if it is ``first``, the steps are in reverse order; if it is ``last``, the first and the last of them have
        changed places; -1 if that is not said.
    is_written : int
        1 where the game is written as a whole. If 0, it may still be the other one, except at two places from each
        end of a block; where NaN is returned, the kernel is asked again after the rest is written.

    Returns
    -------
    float
        The difference, exactly, so that sums of differences are, too; NaN where it is not known, or not sooner than two
        scores.
    """


def _copy_all(instance, source, target):
    copy_fields(source, target)


@declare(stand_in=lambda own: _copy_all)
def copy(instance, source, target):
    """Make a state equal to another one; optional. Without this kernel, all arrays of the state are copied.

    Parameters
    ----------
    source : NamedTuple of arrays
        The state to copy.
    target : NamedTuple of arrays
        The state that becomes equal to it, with arrays of its own.
    """


# The entries of the array that ``play_wanted`` reads and writes beside the names, and of its answer.
WAITING, TRIED, WANTED, STEP, LAST = range(5)
NO_MORE, MADE = 0, 1


def _play_wanted(instance, state, sequence, turn, made, named, rests, won, known, met):
    rank, waiting, tried, wanted = np.uint64(0), np.uint64(turn[WAITING]), turn[TRIED], turn[WANTED]
    step, status = turn[STEP], NO_MORE
    while rank < waiting or tried < wanted:
        if rank == waiting:
            sequence[rank] = sequence[np.uint64(tried)]
            waiting += np.uint64(1)
            tried += 1
        called = sequence[rank]
        move = np.int64(find(instance, state, called))
        if move == NOT_NOW:
            rank += np.uint64(1)
            continue
        for later in range(rank + np.uint64(1), waiting):
            sequence[later - np.uint64(1)] = sequence[later]
        waiting -= np.uint64(1)
        if move < 0:
            continue
        if step == made.shape[0]:
            status = TOO_MANY_STEPS
            break
        made[np.uint64(step)], named[np.uint64(step)] = move, called
        play(instance, state, move)
        rank, step = np.uint64(0), step + 1
        if step == turn[LAST] or note_trail(instance, state, rests, won, known, met, step):
            status = MADE
            break
    turn[WAITING], turn[TRIED], turn[STEP] = np.int64(waiting), tried, step
    return status


@jit
def note_trail(instance, state, rests, won, known, met, step):
    """Note ``rest`` and the score so far after ``step`` moves, where there is ``rest``; return if the former is known.

    ``known`` has hashes (int64), and ``met``, by the home slot of one, the place of it there (int64).
    """
    if not has_rest(state):
        return False
    left = np.int64(rest(instance, state))
    rests[np.uint64(step)], won[np.uint64(step)] = left, held(score(instance, state))
    return known[np.uint64(met[home_slot(left, met.shape[0])])] == left


@declare(returns=WHOLE, stand_in=lambda own: _play_wanted, composed=True)
def play_wanted(instance, state, sequence, turn, made, named, rests, won, known, met):
    """Make wanted moves, at each step the first legal one, and forget names that no later move can have.

    Parameters
    ----------
    sequence : ndarray of int64
        Names. The first ``turn[WAITING]`` were not legal so far; those from ``turn[TRIED]`` to ``turn[WANTED]`` have
        not been looked for yet.
    turn : ndarray of int64, shape (5,)
        These numbers, which change; how many moves the game has, and after how many it stops.
    made, named : ndarray of int64
        The moves of the game, and their names.
    rests, won, known, met : ndarray of int64, float64, int64, int64
        What ``note_trail`` takes.

    Returns
    -------
    int
        NO_MORE where no wanted move is legal; MADE after so many moves, or where what is left is known; or
        TOO_MANY_STEPS.
    """


def _play_all(instance, state, sequence, place, steps):
    for at in range(np.uint64(place), np.uint64(steps)):
        play(instance, state, sequence[at])


@declare(stand_in=lambda own: _play_all, composed=True)
def play_all(instance, state, sequence, place, steps):
    """Make the moves of a sequence from one place up to another, which need not be listed before.

    Parameters
    ----------
    sequence : ndarray of int64
        The moves.
    place, steps : int
        Where to begin, and where to end.
    """


# In place of a move: none is made.
ONLY_LIST = -(2**63)


def _play_and_list(instance, state, move, moves):
    if move != ONLY_LIST:
        play(instance, state, move)
    return legal_moves(instance, state, moves)


@declare(returns=WHOLE, stand_in=lambda own: _play_and_list, composed=True)
def play_and_list(instance, state, move, moves):
    """Make a move, if there is one, and list the legal moves after it; return what ``legal_moves`` does."""


def kernels(*functions: Function) -> Callable[[State], State]:
    """Attach the kernels of a problem to the class of its states, by a decorator.

    The class is a NamedTuple of arrays, and of numbers that never change. A kernel has the name and the parameters of a
    function in ``nrpa.engine.kernels``. Kernels are plain functions in the subset of Python that numba compiles. They
    must not allocate memory. Decorate functions that they call with ``nrpa.jit``.

    Parameters
    ----------
    *functions : callable
        The kernels ``reset(instance, state)``, ``legal_moves(instance, state, moves)``, ``play(instance, state, move)``
        and ``score(instance, state)``. Optional: ``copy(instance, source, target)``, ``all_moves(instance, state,
        moves)``, ``hash(instance, state)``, ``improve(instance, state, sequence, steps)``, ``value(instance, state,
        rewards)``, ``goal(instance, state, place)``, and, together, ``name(instance, state, moves, place)`` and
        ``find(instance, state, name)``, to which ``rest(instance, state)`` may come; ``find`` gives a move,
        ``nrpa.NOT_NOW`` or ``nrpa.NEVER``. Also together, ``evaluate(instance, state, sequence)`` and
        ``choices(instance, state, place)``, with them ``difference(instance, state, sequence, before, first, between,
        last, is_written)``. A game has ``player(instance, state)`` and, instead of the score,
        ``rewards(instance, state, rewards)``.

    Returns
    -------
    callable
        The decorator. It returns the class that it is given.

    Raises
    ------
    TypeError
        If a kernel is missing, unknown, or has other parameters, or the class is no NamedTuple.

    Examples
    --------
    Go to a goal in steps of one or two, and not beyond it:

    >>> from typing import NamedTuple
    >>> class Instance(NamedTuple):
    ...     goal: int
    >>> def reset(instance, state):
    ...     state.place[0] = 0
    >>> def legal_moves(instance, state, moves):
    ...     if state.place[0] >= instance.goal:
    ...         return 0
    ...     for m in range(2):
    ...         moves.move[m] = m + 1
    ...         moves.code[m] = 2 * state.place[0] + m
    ...     return 2
    >>> def play(instance, state, move):
    ...     state.place[0] += move
    >>> def score(instance, state):
    ...     return instance.goal - state.place[0]
    >>> @kernels(reset, legal_moves, play, score)
    ... class State(NamedTuple):
    ...     place: np.ndarray
    >>> sorted(kernels_of(State))
    ['legal_moves', 'play', 'reset', 'score']

    A kernel is an ordinary function, and can be tried as one:

    >>> instance, state, moves = Instance(goal=9), State(np.zeros(1, np.int64)), allocate_moves(2)
    >>> reset(instance, state)
    >>> play(instance, state, 2)
    >>> legal_moves(instance, state, moves)
    2
    >>> moves.code.tolist()
    [4, 5]
    """
    given = {f.__name__: f for f in functions}

    def attach(state_class: State) -> State:
        where = state_class.__qualname__
        if not issubclass(state_class, tuple) or not hasattr(state_class, "_fields"):
            raise TypeError(f"{where}: is no NamedTuple; expected class {state_class.__name__}(NamedTuple)")
        for name, kernel in KERNELS.items():
            if name not in given and not kernel.is_optional(given):
                raise TypeError(f"{where} lacks the kernel {kernel}")
        for name, function in given.items():
            if name not in KERNELS:
                raise TypeError(f"{where}: there is no kernel {name!r}; expected {', '.join(OF_PROBLEMS)}")
            expected, found = KERNELS[name].parameters, tuple(inspect.signature(function).parameters)
            if found != expected:
                raise TypeError(f"{where}: the kernel {name} must take {_list(expected)}, not {_list(found)}")
        _attached[state_class] = given
        return state_class

    return attach


def kernels_of(state_class: type) -> dict[str, Function]:
    """Return the kernels that are attached to a class of states. Raises ProblemError if the class has no kernels."""
    if state_class not in _attached:
        raise ProblemError(
            f"{state_class.__qualname__}: has no kernels; expected a NamedTuple class under the decorator nrpa.kernels"
        )
    return _attached[state_class]


def has_kernel(state_class: type, name: str) -> bool:
    """Return whether a class of states has a kernel of its own by that name."""
    return name in _attached.get(state_class, {})


def kernel_of(state_class: type, name: str) -> Function:
    """Return one kernel of a class of states. Raises ProblemError if the class has no kernels."""
    own, stand_in = kernels_of(state_class), KERNELS[name].stand_in
    standing_in = None if stand_in is None or name in own else stand_in(own)
    return own[name] if standing_in is None else standing_in


# What entered here says of a class of states and a kernel's name whether its states say themselves if they have it.
_says = dict[type, Callable[[str], Function]]()


def known_by_state(state_class: type, function_for: Callable[[str], Function]) -> None:
    """Let states of a class say which kernels they have, by the function of the state for a kernel's name."""
    _says[state_class] = function_for


def _yes(state):
    return True


def _no(state):
    return False


def has(name: str) -> Any:
    """Return a function of a state: whether its problem has a kernel, known when code is compiled where it can be."""

    def choose(state_class: type) -> Function:
        if state_class in _says:
            return _says[state_class](name)
        return _yes if has_kernel(state_class, name) else _no

    return by_class(choose)(_no)


has_find, has_rest, is_evaluated, has_difference = map(has, ("find", "rest", "evaluate", "difference"))
