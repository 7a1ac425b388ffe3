"""The tests that are slow even where all machine code is on disk: ``pytest -m "not slow"`` leaves them out."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent

# Whole files, and single tests, by what makes them slow.
SLOW = {
    "scripts that run for seconds": ["test_experiments.py", "test_worth.py"],
    "pages, and the experiments behind them": [
        "test_pages.py",
        "test_page_experiments.py",
        "test_beside_others.py",
        "test_which_solver.py",
    ],
    "every problem, or every solver": ["test_golden.py", "test_every_solver.py"],
    "clusters, and processes that are killed": [
        "search/test_clusters.py",
        "search/test_full_disk.py",
        "search/test_interrupt.py",
        "search/test_processes.py",
        "cli/test_executors.py",
        "cli/test_main.py::test_an_interrupt_keeps_the_result",
        "solvers/test_search.py::test_a_pickled_search_goes_on_in_another_process",
        "cli/test_resume.py",
        "cli/test_streams.py",
        "cli/test_other_packages.py",
        "bench/test_run.py",
        "bench/test_match.py::test_sigkill_loses_no_finished_game",
        "search/test_run.py::test_same_seed_same_result_in_two_processes",
    ],
    "thousands of random games": ["bench/test_codes.py::test_random_games_are_those_of_the_paper"],
    "problems that no other test has, compiled each time": [
        "engine/test_diagnosis.py",
        "engine/test_first_games.py",
        "engine/test_jit.py",
        "engine/test_new_kernel.py",
        "registry/test_user_file.py",
    ],
}


def pytest_collection_modifyitems(items):
    """Mark the slow tests."""
    slow = {name for names in SLOW.values() for name in names}
    for item in items:
        file = item.path.relative_to(HERE).as_posix() if HERE in item.path.parents else ""
        if file in slow or f"{file}::{getattr(item, 'originalname', '')}" in slow:
            item.add_marker(pytest.mark.slow)
