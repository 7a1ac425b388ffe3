"""β of the travelling salesman problem with time windows, learned from tours of other instances."""

import nrpa


@nrpa.jit
def arrival(instance, state, move):
    """Return when the city is reached: now, and the way there. City j lies in block j // 64 at place j % 64."""
    return state.figures[0] + instance.distance[state.counts[0], move // 64, move % 64]


def way(instance, state, move, code):
    return instance.distance[state.counts[0], move // 64, move % 64]


def waiting(instance, state, move, code):
    return max(0.0, instance.ready[move // 64, move % 64] - arrival(instance, state, move))


def slack(instance, state, move, code):
    return instance.due[move // 64, move % 64] - arrival(instance, state, move)


def learned(names, playouts=20_000):
    """Return the bias that makes the tours found by the default solver likely."""
    problems = [nrpa.TSPTW.load(name) for name in names]
    tours = [[nrpa.solve(problem, seed=1, playouts=playouts)] for problem in problems]
    return nrpa.fit_bias(problems, tours, [way, waiting, slack])


if __name__ == "__main__":
    bias = learned(["rc201.1", "rc202.1", "rc203.1", "rc204.1"])
    print(bias, f"p = {bias.probability:.2f}, without {bias.uniform:.2f}")
    print(nrpa.solve(nrpa.TSPTW.load("rc205.2"), nrpa.GNRPA(level=2), seed=1, playouts=10_000, bias=bias).summary())
