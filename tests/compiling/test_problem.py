"""Classes in plain Python that are compiled as they stand."""

import pickle
import random
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from compiling_classes import problems

import nrpa
from nrpa.base.errors import InputError, ProblemError
from nrpa.base.values import plain as plain_value
from nrpa.engine.game import Game
from nrpa.engine.kernels import kernels_of
from nrpa.modelling.bias import with_bias
from nrpa.python.checks import improved_game


def by_name(problem):
    return type(problem).__name__


@pytest.mark.parametrize("plain", problems(), ids=by_name)
def test_compiled_methods_do_what_plain_ones_do(plain):
    """In random games, moves, codes, biases, lookaheads, players, keys and scores are those of the class in Python."""
    compiled = nrpa.compiled(plain)
    game, chance = Game(compiled.model), random.Random(1)
    cls, codes, keys, rests = type(plain), {}, {}, {}
    for _ in range(30):
        state = plain.initial_state()
        game.reset()
        while True:
            legal = [*plain.legal_moves(state)]
            assert compiled.solution(np.array(game.all_moves(), np.int64)) == plain_value([*plain.all_moves(state)])
            assert compiled.solution(np.array(game.legal_moves(), np.int64)) == plain_value(legal)
            for move, code, exp_bias in zip(legal, game.codes, game.exp_biases, strict=True):
                assert codes.setdefault(plain.code(state, move), code) == code
                assert plain.codes is None or plain.code(state, move) == code
                assert exp_bias == pytest.approx(np.exp(plain.bias(state, move)))
            if cls.key is not nrpa.Problem.key or cls is Bits:
                assert keys.setdefault(plain.key(state), game.hash()) == game.hash()
            if cls.rest is not nrpa.Problem.rest:
                assert rests.setdefault(plain.rest(state), game.value("rest")) == game.value("rest")
            if plain.players > 1:
                assert game.player() == plain.player(state)
            if cls.value is not nrpa.Problem.value:
                assert game.values() == [plain.value(state)]
            if cls.is_legal is not nrpa.Problem.is_legal:
                found = [plain.is_legal(state, move) for move in range(8)]
                assert [game.move_of(move) for move in range(8)] == [
                    move if answer is True else -2 for move, answer in enumerate(found)
                ]
            if not legal:
                break
            chosen = chance.choice(legal)
            move = game.listed[legal.index(chosen)]
            state = plain.play(plain.copy(state), chosen)
            game.play(move)
        if plain.players > 1:
            assert game.rewards() == plain.rewards(state)
        else:
            assert game.score() == plain._result_of(state).score
    assert len(set(codes.values())) == len(codes)
    assert len(set(keys.values())) == len(keys)
    assert len(set(rests.values())) == len(rests)


Bits = type(problems()[2])


@pytest.mark.parametrize("plain", [problems()[0], problems()[3]], ids=by_name)
def test_the_same_seed_gives_the_same_result(plain):
    """NRPA finds the same game with the same seed; names, digests and checks are those of the class."""
    compiled = nrpa.compiled(plain)
    solver = nrpa.GNRPA(level=2, iterations=10)
    one, other = (nrpa.solve(problem, solver, playouts=500, seed=4) for problem in (plain, compiled))
    assert (one.solution, one.score, one.problem) == (other.solution, other.score, other.problem)
    assert compiled.digest() == plain.digest()
    assert compiled.check(one.solution) == plain.check(one.solution)


@nrpa.compiled
class Decorated(nrpa.Problem):
    """Choose numbers."""

    def __init__(self, numbers):
        self.numbers = numbers

    def initial_state(self):
        return (0, 0)

    def legal_moves(self, state):
        return [0, 1] if state[0] < len(self.numbers) else []

    def play(self, state, move):
        return (state[0] + 1, state[1] + move * self.numbers[state[0]])

    def score(self, state):
        return state[1]


def test_a_class_is_decorated():
    """A decorated class makes compiled problems, which can be pickled and are searched by several workers."""
    problem = Decorated([1, -2, 3, -4])
    assert (problem.name, problem.plain.numbers) == ("Decorated", [1, -2, 3, -4])
    again = pickle.loads(pickle.dumps(problem))
    result = nrpa.solve(again, nrpa.RandomSampling(), playouts=200, seed=1, workers=2)
    assert (result.solution, result.score) == ([1, 0, 1, 0], 4)


class Read(nrpa.Problem):
    """A problem of files, with an objective and an option."""

    objective = nrpa.Objective("cost", sign=-1)
    step = nrpa.Option(1, "The step.")

    def __init__(self, size, **options):
        super().__init__(**options)
        self.size = size

    @classmethod
    def from_source(cls, source, **options):
        return cls(int(source.text), **options)

    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return [self.step] if state < self.size else []

    def play(self, state, move):
        return state + move

    def score(self, state):
        return -state


def test_a_compiled_class_is_read_as_the_plain_one(tmp_path):
    """From the same files, with the same options and objective, under the same hash."""
    (tmp_path / "size").write_text("4")
    plain, compiled = (cls.load(tmp_path / "size", step=2) for cls in (Read, nrpa.compiled(Read)))
    assert (type(compiled).reads_instances(), type(compiled).cli_options) == (True, Read.cli_options)
    for name in ("objective", "options", "given_options", "label", "sha256", "name"):
        assert getattr(compiled, name) == getattr(plain, name)
    assert (compiled.plain.size, compiled.options, compiled.given_options) == (4, {"step": 2}, {"step": 2})


class Base(nrpa.Problem):
    """A problem that is right; the others have a fault."""

    def __init__(self, size=4):
        self.size = size

    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return [1, 2] if state < self.size else []

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state


class Raises(Base):
    def play(self, state, move):
        if state == 3:
            raise LookupError(f"mine at {state}")
        return state + move


class Divides(Base):
    def score(self, state):
        return 1 / (state - 4)


class Outside(Base):
    def __init__(self, size=4):
        super().__init__(size)
        self.table = np.arange(4)

    def score(self, state):
        return self.table[state]


class Missing(Base):
    def __init__(self, size=4):
        super().__init__(size)
        self.table = {4: 1}

    def score(self, state):
        return self.table[state]


class NotFinite(Base):
    def score(self, state):
        return np.inf if state == 5 else 0.0


class Improves(Base):
    def improve(self, moves):
        if moves[0] == 2:
            raise LookupError("no better")
        return moves


class Again(Base):
    def improve(self, moves, others):
        if len(others) > 1 and others[0] == 2:
            raise LookupError("no better")
        return moves


def test_a_method_improve_gets_the_game_that_is_no_better():
    """The best of its level stands before it; what the method raises comes out, compiled or not."""
    solver = nrpa.GNRPA(level=1, iterations=20, improve=True)
    for problem in (nrpa.compiled(Again()), Again()):
        assert problem.improves_again
        with pytest.raises(LookupError, match="no better"):
            nrpa.solve(problem, solver, playouts=200, seed=1)


class Ranked(nrpa.Problem):
    """Orders that are valued without being played, whose codes are the moves, with a bias of each."""

    max_steps = 4

    def __init__(self, more=0, later=0):
        self.codes, self.more, self.later = 4, more, later

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [k for k in range(4 + self.later * len(state)) if k not in state]

    def play(self, state, move):
        return (*state, move)

    def score(self, state):
        return sum([place * move for place, move in enumerate(state)])

    def bias_by_code(self):
        return np.arange(float(self.codes))

    def evaluate(self, moves):
        return sum([place * move for place, move in enumerate(moves)]) + self.more

    def improve(self, moves, others, stop):
        return moves if stop[0] else sorted(moves)


@pytest.fixture(scope="module")
def ranked():
    """Return a compiled class whose games have been compared."""
    problem = nrpa.compiled(Ranked())
    problem.forget()
    return problem


def test_a_whole_game_is_valued_without_being_played(ranked):
    """By ``evaluate``, compiled or not; where play and score say otherwise, or games are none, it is refused."""
    for problem in (ranked, Ranked()):
        assert Game(problem.model).evaluate(np.array([2, 0, 1, 3])) == 11
    one, other = (nrpa.Tempering(chains=2).start(problem, 1) for problem in (ranked, Ranked()))
    played = [[(each.score, each.moves.tolist()) for each in search.advance(50)] for search in (one, other)]
    assert played[0] == played[1]
    assert str(one.memory.chains.games) == str(other.memory.chains.games)
    with pytest.raises(ProblemError, match=r"evaluate gives 1[0-9], play and score give"):
        nrpa.compiled(Ranked(more=5)).forget()
    long = Ranked()
    long.max_steps = 5
    with pytest.raises(ProblemError, match=r"orders of 0 to max_steps - 1 = 4, or, .* a game has the moves \["):
        nrpa.compiled(long).forget()


def test_codes_that_are_numbers_stay_what_they_are(ranked):
    """Compiled or not, and have a bias each; a code that is none of them is refused."""
    for problem, interpreted in ((ranked, False), (Ranked(), True)):
        game = Game(problem.model, interpreted)
        game.reset()
        assert (game.legal_moves(), game.codes, problem.model.codes) == ([0, 1, 2, 3], [0, 1, 2, 3], 4)
        assert problem.bias_by_code().tolist() == [0, 1, 2, 3]
    for problem, interpreted in ((nrpa.compiled(Ranked(later=1)), False), (Ranked(later=1), True)):
        game = Game(problem.model, interpreted)
        game.reset()
        game.play(game.legal_moves()[0])
        with pytest.raises(ProblemError, match="code returned 4; expected a whole number, 0 to codes - 1 = 3"):
            game.legal_moves()


def test_codes_that_are_no_numbers_are_refused_before_anything_compiles():
    """Where the class says how many codes there are."""

    class Pairs(Ranked):
        def code(self, state, move):
            return len(state), move

    with pytest.raises(
        ProblemError, match=r"Pairs.code returned \(0, 0\); expected a whole number, 0 to codes - 1 = 3"
    ):
        _ = nrpa.compiled(Pairs()).model


def test_a_tuple_that_is_empty_at_first_holds_tuples_later():
    """As the moves so far do; all moves may be a generator, compiled, too."""

    class Path(Base):
        def initial_state(self):
            return ()

        def legal_moves(self, state):
            return [(0, 1)] if len(state) < 4 else []

        def all_moves(self, state):
            if len(state) < 4:
                yield 0, 1
                yield 1, 0

        def score(self, state):
            return sum([a for a, _ in state])

        def play(self, state, move):
            return (*state, move)

    problem = nrpa.compiled(Path())
    problem.forget()
    game = Game(problem.model)
    game.reset()
    assert [problem.own_move(move) for move in game.all_moves()] == [(0, 1), (1, 0)]


def test_a_bias_by_code_is_kept_by_copies(ranked):
    """As the copies are that other processes get."""
    changed = pickle.loads(pickle.dumps(with_bias(ranked, [3.0, 2.0, 1.0, 0.0])))
    assert (changed.bias_by_code().tolist(), changed.model.bias_by_move, "bias" in changed.has) == (
        [3, 2, 1, 0],
        False,
        False,
    )


def test_a_bias_of_the_callers_replaces_that_by_code(ranked):
    """As it replaces a method ``bias``, in plain Python and compiled; so does a prior."""
    given = with_bias(Ranked(), {0: 1.0}), nrpa.with_prior(Ranked(), np.ones), with_bias(ranked, far)
    assert [problem.bias_by_code() for problem in given] == [None] * 3


def far(state, move):
    return move / 2


def test_a_method_improve_sees_where_the_search_shall_stop(ranked):
    """Compiled, by the array that the search sets; its copies of states leave that alone."""
    state, stop = ranked.new_state(), np.ones(1, np.bool_)
    improve = kernels_of(type(state))["improve"]
    for is_set, expected in ((True, [2, 0, 1, 3]), (False, [0, 1, 2, 3])):
        moves, stop[0] = np.array([2, 0, 1, 3]), is_set
        improve(ranked.model.instance, state._replace(stop=stop), moves, 4)
        assert moves.tolist() == expected
    stop[0] = True
    kernels_of(type(state))["copy"](ranked.model.instance, state._replace(stop=stop), state)
    assert not state.stop[0]
    plain = Ranked()
    plain.heed(stop)
    assert improved_game(plain, [2, 0, 1, 3], []) == [2, 0, 1, 3]
    assert pickle.loads(pickle.dumps(plain)).heeds_stop


def test_rest_needs_is_legal():
    """Compiled, as a changed game asks for moves one by one."""

    class Rest(Base):
        def rest(self, state):
            return state

    with pytest.raises(ProblemError, match=r"rest needs is_legal, .*; write is_legal"):
        nrpa.compiled(Rest())


def test_a_method_improve_that_fails_ends_the_search():
    """An exception of ``improve`` is the author's own; the game is not silently left as it is."""
    solver = nrpa.GNRPA(level=1, iterations=5, improve=True)
    with pytest.raises(LookupError, match="no better"):
        nrpa.solve(nrpa.compiled(Improves()), solver, playouts=200, seed=1)


@pytest.mark.parametrize(
    ("cls", "kind", "said"),
    [
        (Raises, LookupError, "mine at 3"),
        (Divides, ZeroDivisionError, "division by zero"),
        (Outside, IndexError, "index 4 is out of bounds"),
        (Missing, KeyError, "5"),
        (NotFinite, ProblemError, "score returned .*inf"),
    ],
    ids=["raises", "divides", "outside", "missing", "infinite"],
)
def test_faults_are_those_of_plain_python(cls, kind, said):
    """What a method raises comes out as in plain Python, with the author's own words; nothing goes on in silence."""
    with pytest.raises(kind, match=said):
        nrpa.solve(nrpa.compiled(cls()), nrpa.RandomSampling(), playouts=200, seed=1)


class WithDictionary(Base):
    def initial_state(self):
        return {"at": 0}

    def legal_moves(self, state):
        return [1, 2] if state["at"] < self.size else []

    def play(self, state, move):
        return state


class ManyBits(Base):
    def initial_state(self):
        return 1 << 100

    def legal_moves(self, state):
        return [1]


class LargeMoves(Base):
    def legal_moves(self, state):
        return [(1, 2, 1 << 21)] if state < self.size else []


class Catches(Base):
    def score(self, state):
        try:
            return 1 / state
        except ZeroDivisionError:
            return 0


class WithText(Base):
    def legal_moves(self, state):
        return ["one"]


class Yields(Base):
    def score(self, state):
        return next(self.some(state))

    def some(self, state):
        yield state


class Sets(Base):
    def play(self, state, move):
        self.size += 1
        return state


class Untyped(Base):
    def score(self, state):
        return state.nothing


class NoneOrPair(Base):
    def score(self, state):
        where = None
        if self.legal_moves(state):
            where = (1, 2)
        return 0 if where is None else where[0]


class Grows(NamedTuple):
    cells: np.ndarray


class OtherShape(Base):
    def initial_state(self):
        return Grows(np.zeros((1, 1)))

    def legal_moves(self, state):
        return [1] if state.cells.size < 4 else []

    def play(self, state, move):
        return Grows(np.zeros((2, 2)))


class Attribute(Base):
    def __init__(self):
        super().__init__()
        self.names = {"first": 1}

    def score(self, state):
        return self.names["first"]


class Fills(Base):
    def __init__(self):
        super().__init__()
        self.counts = np.zeros(4)

    def score(self, state):
        self.counts[1:3] = np.ones(2)
        return 0


class Piles(Base):
    def score(self, state):
        counts = np.zeros(4)
        if state > 100:
            counts[1] = np.ones(2)
        return 0


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (WithDictionary, r"state is \{'at': 0\}, a dict; expected numbers.*a tuple or an array for a dictionary"),
        (ManyBits, r"state is 1267\d+.*, an int; expected numbers up to 64 bits"),
        (LargeMoves, r"gave \(1, 2, 2097152\); a move that compiles is .* below 2\^20 in tuples of 3: number what is"),
        (Catches, r"test_problem.py:\d+, in Catches.score: an exception that is caught does not compile; use a cond"),
        (WithText, "gave 'one'; a move that compiles is a whole number"),
        (Yields, r"Yields.some: a generator \(yield\) does not compile; use a list that is returned"),
        (Sets, "Sets.play: sets self.size; keep what changes in the state"),
        (
            Fills,
            r"Fills.score does not compile, .*test_problem.py:\d+, .*readonly.*; .* what changes belongs to the state",
        ),
        (Piles, r"Piles.score does not compile, .*test_problem.py:\d+, .*: array.* is written to one place of array"),
        (Untyped, r"Untyped.score does not compile, .*test_problem.py:\d+"),
        (NoneOrPair, r"NoneOrPair.score does not compile, .*numba fails with .*; .* a number in place of None"),
        (OtherShape, "state.cells has the shape"),
        (Attribute, r"Attribute.score: reads self.names, \{'first': 1\}; expected numbers, arrays, lists"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_what_does_not_compile_is_said(cls, said):
    """The message names the method, the line, the construct and what to write in its place."""
    with pytest.raises(ProblemError, match=said):
        nrpa.solve(nrpa.compiled(cls()), nrpa.RandomSampling(), playouts=20, seed=1)


def test_only_plain_problems_are_compiled():
    """A problem with kernels is compiled already, a number is no problem, and a prior is no method."""
    guided, bundled = nrpa.with_prior(problems()[2], lambda state: [0.0, 1.0]), nrpa.TSPTW.load("rc204.1")
    for given, said in ((bundled, "is compiled already"), (3, "is no nrpa.Problem"), (guided, "was given to it")):
        with pytest.raises(InputError, match=said):
            nrpa.compiled(given)


def test_an_attribute_that_changes_is_refused():
    """Machine code has the attributes of the time when it was made."""
    plain = Base()
    problem = nrpa.compiled(plain)
    nrpa.solve(problem, nrpa.RandomSampling(), playouts=20, seed=1)
    plain.size = 5
    with pytest.raises(ProblemError, match=r"self.size has changed since the class was compiled"):
        nrpa.solve(problem, nrpa.RandomSampling(), playouts=20, seed=1)


def test_arrays_that_change_places_are_kept_apart():
    """A state whose arrays are those of the one before in another order is not mixed up."""

    class Swaps(Base):
        def initial_state(self):
            return np.array([1, 2]), np.array([3, 4]), 0

        def legal_moves(self, state):
            return [0] if state[2] < 3 else []

        def play(self, state, move):
            return state[1], state[0], state[2] + 1

        def score(self, state):
            return state[0][0] * 1000 + state[0][1] * 100 + state[1][0] * 10 + state[1][1]

    result = nrpa.solve(nrpa.compiled(Swaps()), nrpa.RandomSampling(), playouts=2, seed=1)
    assert result.score == 3412


def test_the_page_shows_a_fast_class(tmp_path):
    """One that changes its states in place and keeps its legal moves in them; its games are the same compiled."""
    page = (Path(__file__).parents[2] / "docs" / "your-problem.md").read_text()
    file, scope = tmp_path / "route.py", {"__name__": "route"}
    file.write_text(re.search(r"```python\n(import nrpa\n.*?class Route.*?)```", page, re.S)[1])
    exec(compile(file.read_text(), file, "exec"), scope)
    route = scope["Route"]([[0, 3, 1, 9], [3, 0, 4, 1], [1, 4, 0, 5], [9, 1, 5, 0]])
    assert nrpa.check_problem(nrpa.compiled(route), games=3).faults == []
    nrpa.compiled(route).forget()
    assert route.check([2, 1, 3]).figures == {"length": 6}


def test_the_debug_mode_runs_the_plain_class():
    """With NRPA_DEBUG=1 nothing is compiled; what was compiled before is refused with what to do."""
    plain = Base()
    before = nrpa.compiled(plain)
    with nrpa.debug():
        assert nrpa.compiled(plain) is plain
        assert nrpa.compiled(Base) is Base
        with pytest.raises(InputError, match="Base was compiled before the debug mode began; search its plain"):
            nrpa.solve(before, nrpa.RandomSampling(), playouts=20, seed=1)


class Overflows(Base):
    def score(self, state):
        return state * 2**62


def test_an_overflow_ends_the_search():
    """A whole number of more than 63 bits does not wrap around; the line is named, and what to write."""
    line = Overflows.score.__code__.co_firstlineno + 1
    said = rf"score failed compiled, and not in plain Python.*test_problem.py:{line}: .*beyond 64 bits; keep whole"
    with pytest.raises(ProblemError, match=said):
        nrpa.solve(nrpa.compiled(Overflows()), nrpa.RandomSampling(), playouts=20, seed=1)


def test_the_contract_of_a_compiled_class():
    """Is that of the class in plain Python, and its games are played compiled: a number of too many bits is found."""
    contract = nrpa.check_problem(nrpa.compiled(Base()), games=3)
    assert (contract.problem, contract.faults) == ("Base", [])
    faults = nrpa.check_problem(nrpa.compiled(Overflows()), games=3).faults
    assert [fault[:50] for fault in faults] == ["score failed compiled, and not in plain Python in "]
    assert "beyond 64 bits" in faults[0]


def test_hints_are_those_of_the_class():
    """Compiled, too; problems among them are compiled."""

    class Hinted(nrpa.Problem):
        """One move."""

        def initial_state(self):
            return 0

        def legal_moves(self, state):
            return [] if state else [1]

        def play(self, state, move):
            return move

        def score(self, state):
            return 0.0

        def hints(self):
            return nrpa.Hints(tempered=False, arms=(Hinted(),), temperatures=(0.5, 2.0))

    hints = nrpa.compiled(Hinted()).hints()
    assert (hints.tempered, hints.temperatures, hints.replayed) == (False, (0.5, 2.0), None)
    assert [type(arm).__name__ for arm in hints.arms] == ["CompiledClass"]
