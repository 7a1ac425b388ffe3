"""The production line of the examples."""

import random

import pytest
from production_line import BUFFER, Line, Order, ProductionLine, breakdowns

import nrpa


def by_events(orders, setup, breakdown):
    """Return when each order is ready: the same line, by looking at every tenth of a minute."""
    booth, buffer, assembly, ready, colour = None, [], None, {}, 0
    waiting, tick = list(range(len(orders))), 0
    while len(ready) < len(orders):
        if assembly and assembly[1] <= tick:
            ready[assembly[0]] = tick
            assembly = None
        if not assembly and buffer:
            first = buffer.pop(0)
            assembly = (first, tick + round(10 * orders[first].assemble))
        if booth and booth[1] <= tick and (len(buffer) < BUFFER):
            buffer.append(booth[0])
            booth = None
        if not assembly and buffer:
            first = buffer.pop(0)
            assembly = (first, tick + round(10 * orders[first].assemble))
        if not booth and waiting:
            number = waiting.pop(0)
            order = orders[number]
            booth = (number, tick + round(10 * (setup[colour][order.colour] + order.paint + breakdown[number])))
            colour = order.colour
        tick += 1
    return [ready[number] / 10 for number in range(len(orders))]


@pytest.mark.parametrize("seed", range(5))
def test_the_line_is_as_it_is_told(seed):
    """Against a simulation tick by tick, with a full buffer that blocks the booth."""
    draw = random.Random(seed)
    orders = [Order(draw.randrange(4), draw.randint(1, 9), draw.choice((1, 2, 40)), 0) for _ in range(20)]
    setup = [[0 if a == b else draw.randint(1, 9) for b in range(4)] for a in range(4)]
    breakdown = [float(draw.choice((0, 0, 90))) for _ in orders]
    line, ready = Line(), []
    for order, held in zip(orders, breakdown, strict=True):
        line.run(order, setup, held)
        ready.append(line.assembly)
    assert ready == pytest.approx(by_events(orders, setup, breakdown), abs=0.01)
    assert (line.late, line.latest) == (sum(ready), max(ready))


def test_it_is_a_problem():
    """Copies are whole, and nothing else is at fault."""
    assert nrpa.check_problem(ProductionLine.load("3"), seed=1, games=3).faults == []


def test_breakdowns_are_those_of_the_order():
    """Wherever it comes in the sequence; one in five, for twenty minutes."""
    problem = ProductionLine.load("1")
    assert len(problem.breakdowns) == 5
    assert {len(each) for each in problem.breakdowns} == {20}
    many = [held for each in breakdowns(random.Random(1), 500, 20) for held in each]
    assert sum(held > 0 for held in many) / len(many) == pytest.approx(0.2, abs=0.02)
    assert sum(many) / len(many) == pytest.approx(4, abs=0.4)


def test_the_score_counts_the_latest_order_five_times():
    """The mean over the scenarios."""
    order = Order(0, 10.0, 5.0, 12)
    problem = ProductionLine([order, order], [[0]], [[0.0, 0.0], [2.0, 0.0]])
    final = problem.final_state([0, 1])
    assert [(line.late, line.latest) for line in final[1]] == [(16.0, 13.0), (20.0, 15.0)]
    assert problem.score(final) == -((16 + 5 * 13) + (20 + 5 * 15)) / 2
