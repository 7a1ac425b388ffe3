"""Experiments that take their time: as many as there are workers are under way, and each result is told at once."""

import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

import nrpa


class Mixing(nrpa.Problem):
    """In which order to add eight ingredients; no method says what an order is worth."""

    objective = nrpa.Objective("loss", sign=-1)

    def initial_state(self):
        return ()

    def legal_moves(self, state):
        return [ingredient for ingredient in range(8) if ingredient not in state]

    def play(self, state, move):
        return (*state, move)

    def code(self, state, move):
        return (len(state), move)


def experiment(order):
    """The laboratory, a model of a language, a queue: here, some time and a formula."""
    time.sleep(0.01)
    return sum(abs(place - ingredient) for place, ingredient in enumerate(order))


def search(executor, workers, experiments):
    run = nrpa.ask_tell(Mixing(), nrpa.NRPA(level=2, iterations=20), seed=1)
    waiting = {}
    while run.told < experiments:
        for game in run.ask(workers - len(waiting)):
            waiting[executor.submit(experiment, game.moves)] = game.number
        for done in wait(waiting, return_when=FIRST_COMPLETED).done:
            run.tell({waiting.pop(done): done.result()})
    return run


if __name__ == "__main__":
    with ProcessPoolExecutor(4) as executor:
        found = search(executor, workers=4, experiments=400)
        print(found.value, found.best.moves)
