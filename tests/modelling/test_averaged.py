import pytest
from user_problems import Bits

import nrpa


class Noisy(nrpa.Problem):
    """Choose three of five gambles, each once; a draw says what they gave. States are changed in place."""

    objective = nrpa.Objective("gain", sign=1)

    def __init__(self, gains):
        self.gains = gains

    def initial_state(self):
        return [[], 0]

    def copy(self, state):
        return [state[0][:], state[1]]

    def legal_moves(self, state):
        return [] if len(state[0]) == 3 else [k for k in range(5) if k not in state[0]]

    def play(self, state, move):
        state[0].append(move)
        state[1] += self.gains[move]
        return state

    def score(self, state):
        return state[1]

    def key(self, state):
        return tuple(state[0])


GAINS = [9, 0, 1, 0, 2], [0, 4, 4, 4, 1], [0, 4, 3, 2, 1]


@pytest.mark.parametrize("measure", [None, min])
@pytest.mark.parametrize("solver", [nrpa.UCT(), nrpa.NRPA(level=2, iterations=20)], ids=lambda solver: solver.name)
def test_the_best_on_average_is_found(solver, measure):
    """All ways are tried, by hand: the mean of three draws, and the worst of them."""

    def of(chosen):
        scores = [sum(gains[k] for k in chosen) for gains in GAINS]
        return min(scores) if measure else sum(scores) / 3

    expected = max(of({a, b, c}) for a in range(5) for b in range(5) for c in range(5) if len({a, b, c}) == 3)
    problem = nrpa.averaged(map(Noisy, GAINS), *([measure] if measure else []))
    result = nrpa.solve(problem, solver, seed=1, playouts=400)
    assert result.gain == pytest.approx(expected) == of(set(result.solution))
    every = [sum(gains[k] for k in result.solution) for gains in GAINS]
    assert (result.best, result.worst) == (max(every), min(every))
    assert result.options["scenarios"] == 3


def test_it_keeps_what_a_problem_promises():
    """Copies are complete, and other draws are another instance."""
    assert nrpa.check_problem(nrpa.averaged(map(Noisy, GAINS)), seed=1).kept
    assert nrpa.averaged(map(Noisy, GAINS)).sha256 != nrpa.averaged(map(Noisy, GAINS[:2])).sha256


def test_compiled_scenarios_are_those_of_their_kernels():
    """Two windows of the same tour: the mean of their scores."""
    distances = [[0, 1, 9, 2], [9, 0, 1, 9], [9, 2, 0, 1], [1, 9, 9, 0]]
    windows = [[[0, 99]] * 4, [[0, 99], [5, 99], [0, 99], [0, 3]]]
    problems = [nrpa.TSPTW(distances, each, moves="all") for each in windows]
    result = nrpa.solve(nrpa.averaged(problems), nrpa.NMCS(level=2), seed=1, playouts=100)
    assert result.score == pytest.approx(sum(each.check(result.solution).score for each in problems) / 2)


def test_a_function_gives_the_scenarios_of_the_first_numbers():
    """As many as are compared."""
    given = nrpa.averaged(lambda number: Noisy(GAINS[number]), compared=2)
    assert given.options["scenarios"] == 2
    assert given.sha256 == nrpa.averaged(map(Noisy, GAINS[:2])).sha256


def test_the_measure_is_an_option():
    """So that a result says it, and a checkpoint goes on with the same one only."""
    worst = nrpa.averaged(map(Noisy, GAINS), min)
    assert worst.options["measure"] == "min" != nrpa.averaged(map(Noisy, GAINS)).options["measure"]


def test_a_bias_of_any_scenario_counts():
    scenarios = [Bits(), nrpa.with_prior(Bits(), lambda states, moves: [[1.0, 3.0]])]
    problem = nrpa.averaged(scenarios)
    assert problem.bias_by_move
    assert problem.biases(problem.initial_state(), [0, 1]) == [0.5, 1.5]


@pytest.mark.parametrize(
    ("given", "fact"),
    [((5,), "5"), (([Bits()], 7), "measure"), ((lambda number: number,), "one class, not int")],
    ids=["number", "measure", "a function that draws numbers"],
)
def test_what_cannot_be_averaged_is_named(given, fact):
    with pytest.raises(nrpa.InputError, match=fact):
        nrpa.averaged(*given)


@pytest.mark.parametrize(
    "given", [[], [Bits(), Noisy(GAINS[0])], [nrpa.Hex(size=3)]], ids=["none", "two classes", "a game"]
)
def test_what_are_no_scenarios_is_refused(given):
    with pytest.raises(nrpa.InputError, match="one class"):
        nrpa.averaged(given)


def test_other_moves_in_a_scenario_are_refused():
    class Short(Bits):
        def __init__(self, steps):
            self.steps = steps

    with pytest.raises(nrpa.ProblemError, match="scenario 2"):
        nrpa.solve(nrpa.averaged([Short(3), Short(2)]), nrpa.NMCS(level=1), seed=1, playouts=5)


@pytest.mark.parametrize("method", ["initial_state", "play", "key"])
def test_a_stop_iteration_of_a_scenario_is_raised_as_what_it_is(method):
    """No RuntimeError of a generator, and no state with fewer parts."""
    stopped = type("Stopped", (Bits,), {method: lambda self, *arguments: next(iter(()))})
    problem = nrpa.averaged([stopped(), stopped()])
    arguments = {"initial_state": (), "play": ([(), ()], 1), "key": ([(), ()],)}[method]
    with pytest.raises(StopIteration):
        getattr(problem, method)(*arguments)
