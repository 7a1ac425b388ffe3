"""Experiments that are under way, as many as there are workers."""

from concurrent.futures import Executor, Future, ProcessPoolExecutor

import pytest
import waiting_scores


class Laboratory(Executor):
    """Ends the second newest experiment whenever somebody waits for one; notes how many were under way."""

    def __init__(self):
        self.left, self.under_way = [], []

    def submit(self, function, /, *arguments):
        self.left.append((Future(), function, arguments))
        return self.left[-1][0]

    def end_one(self, waiting, return_when):
        self.under_way.append(len(waiting))
        future, function, arguments = self.left.pop(max(len(self.left) - 2, 0))
        future.set_result(function(*arguments))
        return type("Ended", (), {"done": {future}})


def test_all_workers_are_busy_all_the_time_and_the_order_is_found(monkeypatch):
    laboratory = Laboratory()
    monkeypatch.setattr(waiting_scores.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(waiting_scores, "wait", laboratory.end_one)
    found = waiting_scores.search(laboratory, workers=5, experiments=400)
    assert set(laboratory.under_way) == {5}
    assert (found.told, len(found.open)) == (400, 4)
    assert found.value == waiting_scores.experiment(found.best.moves) <= 4


@pytest.mark.slow
def test_processes_can_do_the_experiments():
    with ProcessPoolExecutor(2) as executor:
        assert waiting_scores.search(executor, workers=2, experiments=20).told >= 20
