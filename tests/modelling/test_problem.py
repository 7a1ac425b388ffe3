import math
import pickle
import random
import threading
import traceback

import numpy as np
import pytest
from user_problems import Bits

import nrpa

SOLVERS = [nrpa.NRPA(level=2, iterations=20), nrpa.NMCS(level=2), nrpa.RandomSampling()]
BY_NAME = [solver.name for solver in SOLVERS]


@pytest.mark.parametrize("solver", SOLVERS, ids=BY_NAME)
def test_same_scores_in_python_and_compiled(solver):
    """The two forms of the knapsack give the same score in every one of 500 playouts of the same seed."""
    from knapsack import Knapsack
    from knapsack_compiled import CompiledKnapsack

    chance = random.Random(1)
    items = [chance.randint(5, 30) for _ in range(30)], [chance.randint(5, 30) for _ in range(30)], 250
    searches = [solver.start(form(*items), 7) for form in (Knapsack, CompiledKnapsack)]
    for _ in range(500):
        for search in searches:
            search.advance(1)
        assert searches[0].last_score == searches[1].last_score
    assert searches[0].score == searches[1].score > 0


class Wide(Bits):
    """More moves than any preset size, more steps than the first allocation, moves of every kind."""

    steps = 200

    def legal_moves(self, state):
        return (
            [] if len(state) == self.steps else [(len(state), frozenset([k])) for k in range(1 + 7 * (len(state) % 9))]
        )

    def score(self, state):
        return sum(min(move[1]) for move in state)


@pytest.mark.parametrize("solver", SOLVERS, ids=BY_NAME)
def test_a_search_grows_and_goes_on(solver):
    """200 steps of up to 57 moves fit; growing changes nothing: a second search, grown at other times, is the same."""
    problem = Wide()
    first, second = solver.start(problem, 1), solver.start(problem, 1)
    while first.playouts < 60:
        first.advance(60 - first.playouts)
    while second.playouts < 60:
        second.advance(1)
    assert first.score == second.score
    assert first.moves.tolist() == second.moves.tolist()
    assert len(first.moves) == 200
    assert problem.check(problem.solution(first.moves)).score == first.score


class Failing(Bits):
    """Raises in the 1,000th playout."""

    method = "score"

    def __init__(self):
        self.playouts = 0

    def initial_state(self):
        self.playouts += 1
        return ()

    def score(self, state):
        return self.fail_in("score", super().score(state))

    def legal_moves(self, state):
        return self.fail_in("legal_moves", super().legal_moves(state))

    def play(self, state, move):
        return self.fail_in("play", super().play(state, move))

    def fail_in(self, method, value):
        if self.playouts >= 1000 and method == self.method:
            raise LookupError(f"in {method}")
        return value


@pytest.mark.parametrize("method", ["score", "legal_moves", "play"])
def test_an_exception_reaches_the_caller(method):
    """Unchanged, with the traceback of the user's method, out of the 1,000th playout."""
    problem = Failing()
    problem.method = method
    with pytest.raises(LookupError, match=f"in {method}") as caught:
        nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=5000)
    assert 1000 <= problem.playouts < 1003
    assert "fail_in" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]


def test_an_exception_in_copy_reaches_the_caller():
    """NMCS copies states."""

    class NoCopy(Bits):
        def copy(self, state):
            raise LookupError("in copy")

    with pytest.raises(LookupError, match="in copy"):
        nrpa.solve(NoCopy(), nrpa.NMCS(level=1), seed=1, playouts=10)


def changed(**methods):
    """Return an instance of Bits, called Mine, with other methods."""
    return type("Mine", (Bits,), methods)()


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (changed(score=lambda self, state: math.nan), "Mine.score returned nan"),
        (changed(score=lambda self, state: "much"), "Mine.score returned 'much'; expected a number"),
        (changed(score=lambda self, state: None), "Mine.score returned None; expected a number"),
        (changed(legal_moves=lambda self, state: []), "Mine: the initial state has no legal moves"),
        (changed(steps=math.inf, max_steps=500), "Mine: a playout made more moves than max_steps = 500"),
        (
            changed(legal_moves=lambda self, state: [] if len(state) == 3 else [[1], [2]]),
            r"Mine.legal_moves gave \[1\], a list, which is not hashable",
        ),
        (changed(score=nrpa.Problem.score), r"Mine lacks the method score\(state\)"),
        (changed(play=nrpa.Problem.play), r"Mine lacks the method play\(state, move\)"),
    ],
)
@pytest.mark.parametrize("solver", SOLVERS[:2], ids=BY_NAME[:2])
def test_broken_problems_are_named(problem, message, solver):
    """A sentence that names the class and the method or the limit."""
    with pytest.raises(nrpa.ProblemError, match=message):
        nrpa.solve(problem, solver, seed=1, playouts=100)


def test_a_code_that_is_not_hashable_is_named():
    """By the solver that asks for codes."""
    with pytest.raises(nrpa.ProblemError, match=r"Mine.code gave \[\d\], a list, which is not hashable"):
        nrpa.solve(changed(code=lambda self, state, move: [move]), SOLVERS[0], seed=1, playouts=100)


@pytest.mark.parametrize(
    ("solver", "codes", "bias"),
    [
        (nrpa.RandomSampling(), False, False),
        (nrpa.RandomSampling(bias=True), False, True),
        (nrpa.NMCS(level=1), False, False),
        (nrpa.NMCS(level=1, bias=True), False, True),
        (nrpa.Greedy(), False, True),
        (nrpa.NRPA(level=1), True, False),
        (nrpa.GNRPA(level=1, bias=False), True, False),
        (nrpa.GNRPA(level=1), True, True),
    ],
)
def test_what_nobody_uses_is_not_asked_for(solver, codes, bias):
    """Codes by solvers with a policy, biases by those that follow them; once the search has begun."""
    asked = set()

    class Asked(Bits):
        def code(self, state, move):
            asked.add("code")
            return move

        def bias(self, state, move):
            asked.add("bias")
            return 0.5 * move

    run = nrpa.start(Asked(), solver, seed=1)
    asked.clear()
    run.advance(playouts=20)
    assert asked == {name for name, wanted in (("code", codes), ("bias", bias)) if wanted}


def test_searches_of_one_problem_do_not_share_what_they_ask_for():
    """A state that is given back and taken again by another kind of search is asked for what that one needs."""

    class Coded(Bits):
        def code(self, state, move):
            return (sum(state), move)

    shared, expected = Coded(), nrpa.solve(Coded(), nrpa.NRPA(level=1), seed=1, playouts=100)
    nrpa.solve(shared, nrpa.RandomSampling(), seed=1, playouts=10)
    assert nrpa.solve(shared, nrpa.NRPA(level=1), seed=1, playouts=100).curve[-1].score == expected.curve[-1].score
    assert nrpa.solve(shared, nrpa.NRPA(level=1), seed=1, playouts=100).solution == expected.solution


@pytest.mark.parametrize("most", [0, 5])
def test_many_different_lists_of_moves(most, monkeypatch):
    """When there are too many to keep, the search is the same."""

    class Subsets(Bits):
        def legal_moves(self, state):
            return [k for k in range(self.steps) if k not in state]

        def score(self, state):
            return sum(k * move for k, move in enumerate(state))

    expected = nrpa.solve(Subsets(), nrpa.NRPA(level=2, iterations=20), seed=1, playouts=400)
    monkeypatch.setattr("nrpa.python.numbering.MOST_LISTS", most)
    assert nrpa.solve(Subsets(), nrpa.NRPA(level=2, iterations=20), seed=1, playouts=400).solution == expected.solution


def test_a_state_changed_in_place_needs_copy():
    """With ``copy``, a problem whose ``play`` changes the state works in nested search, and a pure one agrees."""

    class InPlace(Bits):
        def initial_state(self):
            return []

        def play(self, state, move):
            state.append(move)
            return state

        def copy(self, state):
            return list(state)

    results = [nrpa.solve(p, nrpa.NMCS(level=2), seed=4, playouts=800) for p in (InPlace(), Bits())]
    assert results[0].solution == results[1].solution


@pytest.mark.parametrize(("name", "said"), [("name", "is its own name"), ("goal", "score returns a tuple")])
def test_kernels_that_a_class_has_otherwise(name, said):
    """Their names are attributes of a class: a method in place of one is refused, with what to write."""
    with pytest.raises(nrpa.ProblemError, match=f"Mine has a method {name}, but .*{said}"):
        type("Mine", (nrpa.Problem,), {name: lambda self, state, place: 0})


def test_bias_and_describe():
    """A bias is followed, and figures of the final state are in the result."""

    class Biased(Bits):
        def bias(self, state, move):
            return 30.0 * move

        def describe(self, state):
            return {"ones": sum(state)}

    result = nrpa.solve(Biased(), nrpa.GNRPA(level=1), seed=1, playouts=1)
    assert result.ones == 10
    assert nrpa.solve(Biased(), nrpa.Greedy(), seed=1, playouts=1).score == 10
    assert "ones 10" in result.summary()


def test_two_threads_on_one_problem():
    """Searches of one problem in two threads find what each finds alone."""
    problem = Bits()
    alone = [nrpa.solve(Bits(), nrpa.NRPA(level=2), seed=s, playouts=2000).curve[-1].score for s in (1, 2)]
    found = {}

    def work(seed):
        found[seed] = nrpa.solve(problem, nrpa.NRPA(level=2), seed=seed, playouts=2000).curve[-1].score

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[1], found[2]] == alone


def test_a_used_problem_can_be_pickled():
    """What holds addresses stays behind."""
    problem = Bits()
    before = nrpa.solve(problem, nrpa.NRPA(level=1), seed=1, playouts=50)
    after = nrpa.solve(pickle.loads(pickle.dumps(problem)), nrpa.NRPA(level=1), seed=1, playouts=50)
    assert before.solution == after.solution


@pytest.mark.parametrize("size", [-1000.0, 1000.0])
def test_a_bias_of_any_size_is_followed(size):
    """Only differences count: playouts choose between moves of e^(±1000) as between moves of e^0 and e^1."""

    class Mine(Bits):
        def bias(self, state, move):
            return size + move

    class Plain(Bits):
        def bias(self, state, move):
            return float(move)

    large, plain = (nrpa.start(problem, nrpa.RandomSampling(bias=True), seed=1) for problem in (Mine(), Plain()))
    for _ in range(50):
        large.advance(playouts=1)
        plain.advance(playouts=1)
        assert large._search.last_score == plain._search.last_score


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf])
def test_a_bias_that_is_not_finite_is_refused(wrong):
    """Naming class and method."""

    class Mine(Bits):
        def bias(self, state, move):
            return wrong if move else 0.0

    with pytest.raises(nrpa.ProblemError, match=r"Mine.bias returned -?(nan|inf); expected a finite number"):
        nrpa.solve(Mine(), seed=1, playouts=5)


def test_legal_moves_may_be_a_generator_or_an_array():
    """In the search and in the check afterwards."""

    class Generated(Bits):
        def legal_moves(self, state):
            yield from super().legal_moves(state)

    class Arrays(Bits):
        def legal_moves(self, state):
            return np.array(super().legal_moves(state), np.int64)

    expected = nrpa.solve(Bits(), nrpa.NMCS(level=2), seed=4, playouts=50)
    for problem in (Generated(), Arrays()):
        found = nrpa.solve(problem, nrpa.NMCS(level=2), seed=4, playouts=50)
        assert found.solution == expected.solution
        assert nrpa.solve(problem, nrpa.NRPA(level=1), seed=4, playouts=5, warm_start=found).score >= found.score


class Pairs(nrpa.Problem):
    """Moves are tuples of a word and a number."""

    def initial_state(self):
        return 0

    def legal_moves(self, state):
        return [("go", state), ("stay", (state, 1))] if state < 3 else []

    def play(self, state, move):
        return state + 1

    def score(self, state):
        return state


def test_moves_come_back_from_json_as_they_were():
    """Tuples, where a result has lists."""
    result = nrpa.solve(Pairs(), nrpa.NRPA(level=1), seed=1, playouts=5)
    own = Pairs().own_moves(nrpa.Result.from_json(result.to_json()).solution)
    assert own[0] in Pairs().legal_moves(0)
    assert [word for word, _ in own] == [move[0] for move in result.solution]
    with pytest.raises(nrpa.InputError, match="move 1, 'fly', is not legal"):
        Pairs().own_moves(["fly"])


@pytest.mark.parametrize("method", ["initial_state", "play", "score", "code", "copy"])
@pytest.mark.parametrize("solver", [nrpa.Tempering(chains=1), nrpa.GNRPA(level=1)], ids=lambda solver: solver.name)
def test_a_stop_iteration_is_raised_as_what_it_is(method, solver):
    """As by ``next`` of nothing; a generator around it would make a RuntimeError of it."""
    problem = type("Stopped", (Bits,), {method: lambda self, *arguments: next(iter(()))})()
    if (method, solver.name) == ("copy", "gnrpa"):
        return
    with nrpa.debug(), pytest.raises(StopIteration):
        nrpa.solve(problem, solver, seed=1, playouts=20)
