import random
from dataclasses import replace

import pytest
from user_problems import Pairs

import nrpa
from nrpa.base.errors import InputError, ProblemError
from nrpa.modelling.objective import Objective, shared


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"name": 3}, "name of an objective must be text"),
        ({"name": "a\ud800"}, "name of an objective must be text"),
        ({"sign": 0}, "sign must be 1 or -1"),
        ({"sign": True}, "sign must be"),
        ({"digits": 10**8}, "digits must be at most 30"),
        ({"digits": -1}, "digits must be"),
        ({"tie_break": float("nan")}, "tie_break must be"),
        ({"tie_break": 1}, "tie_break must be less than 1"),
        ({"tie_break": 10**400}, "tie_break must be less than 1"),
        ({"penalty": -1}, "penalty must be"),
        ({"fault": " "}, "fault must be a word"),
    ],
)
def test_an_objective_can_be_shown(wrong, message):
    """Also one of a file: hundreds of decimals, or a sign of 0, show nothing."""
    with pytest.raises(InputError, match=message):
        Objective(**{"name": "cost", "sign": -1, **wrong})


def test_nothing_has_no_sign():
    """A score that is minus a cost of 0 is -0.0; what rounds to 0 is printed as 0, too."""
    cost, pair = Objective("cost", sign=-1, digits=2), nrpa.Lexicographic(VEHICLES, DISTANCE)
    found = [cost.value(0.0), cost.score(0.0), *pair.figures(pair.packed((0, 0))).values()]
    found.append(Objective("bins", -1, tie_break=0.5).value(-0.25))
    assert [str(value) for value in found] == ["0.0"] * 5
    assert [cost.text(-0.0), cost.text(-0.004), pair.text(0.0)] == ["0.00", "0.00", "0, 0.00"]


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_value_parts_into_faults_and_the_rest(sign):
    """Both ways, whatever the sign; without a penalty, and where there is no number, there are no faults."""
    objective = Objective("worth", sign, penalty=1000.0)
    for faults, rest in ((0, 0.0), (0, 999.5), (1, 0.0), (3, 17.25)):
        value = objective.value(sign * rest - 1000.0 * faults)
        assert (objective.faults(value), objective.without_faults(value)) == (faults, rest)
    assert [objective.faults(float("inf")), Objective("worth", sign).faults(-sign * 1e9)] == [0, 0]
    assert [shared([objective, replace(objective, penalty=each)]).penalty for each in (1000.0, 9.0)] == [1000.0, 0.0]
    assert [objective.faults_text(number) for number in (1, 2.25, 1200)] == [
        "1 violation",
        "2.25 violations",
        "1,200 violations",
    ]


VEHICLES, DISTANCE = nrpa.Objective("vehicles", -1), nrpa.Objective("distance", -1, digits=2)
OBJECTIVE = nrpa.Lexicographic(VEHICLES, nrpa.Objective("load", 1, digits=1), DISTANCE, most=1000)


def test_scores_compare_as_tuples_and_come_back():
    """Also where parts lie at their limits; what is compared are the parts rounded to their digits."""
    chance = random.Random(1)
    last = [-1000, 0.004, 0.006, 1000]
    given = [(-chance.randrange(9), chance.uniform(-2, 2), chance.choice(last)) for _ in range(300)]
    rounded = [(v, round(10 * load) / 10, round(100 * d) / 100) for v, load, d in given]
    pairs = [(OBJECTIVE.packed(each), parts) for each, parts in zip(given, rounded, strict=True)]
    assert [score for score, _ in sorted(pairs, key=lambda pair: pair[1])] == sorted(score for score, _ in pairs)
    for score, (v, load, d) in pairs:
        assert tuple(OBJECTIVE.figures(score).values()) == pytest.approx((-v, load, -d), abs=1e-12)
        assert OBJECTIVE.score(tuple(OBJECTIVE.figures(score).values())) == score


@pytest.mark.parametrize(
    ("parts", "most", "message"),
    [
        ([VEHICLES], 1e6, "at least two parts"),
        ([VEHICLES, "distance"], 1e6, "at least two parts"),
        ([VEHICLES, nrpa.Objective("bins", -1, tie_break=0.5)], 1e6, "without tie_break"),
        ([VEHICLES, DISTANCE], 0, "most must be"),
        ([VEHICLES, DISTANCE], 1e15, "the parts do not fit into one number"),
    ],
    ids=["one", "no-objective", "tie-break", "no-room", "too-large"],
)
def test_what_cannot_be_held_is_refused(parts, most, message):
    """In one sentence."""
    with pytest.raises(InputError, match=message):
        nrpa.Lexicographic(*parts, most=most)


@pytest.mark.parametrize(
    ("score", "message"),
    [
        (3.0, "expected a tuple of ones, waste"),
        ((1, 2, 3), "of 3 parts"),
        ((1, float("nan")), "expected a tuple"),
        ((1, 2e6), "waste is 2000000, beyond 1000000"),
        ((1e9, 2), "ones is 1000000000, beyond 16777216"),
    ],
    ids=["number", "three", "nan", "second-too-large", "first-too-large"],
)
def test_a_score_of_another_form_is_refused(score, message):
    """By the search and by check_problem."""

    class Wrong(Pairs):
        def score(self, state):
            return score

    with pytest.raises(ProblemError, match=message):
        nrpa.solve(Wrong(), nrpa.NRPA(level=1), seed=1, playouts=5)
    assert message in nrpa.check_problem(Wrong()).faults[0]


def test_the_first_part_counts_most():
    """A search finds the best tuple, whose parts are the figures of the result and come back from its record."""
    problem = Pairs()
    result = nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=1000)
    assert (result.ones, -result.waste) == pytest.approx(max(problem.all_scores()))
    assert result.objective.text(result.value) == f"{result.ones}, {result.waste:.2f}"
    assert nrpa.Result.from_json(result.to_json()) == result
    target = nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=1000, target=(result.ones, result.waste))
    assert target.status == "target"
    with pytest.raises(InputError, match="expected 2 numbers"):
        nrpa.solve(problem, nrpa.NRPA(level=2), seed=1, playouts=1000, target=3)
