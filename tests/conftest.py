"""What several tests use, and which of them are slow."""

import sys
from pathlib import Path

import pytest

from nrpa.cli import main as cli

HERE = Path(__file__).parent

# Whole files, and single tests, that are slow even where all machine code is on disk, by what makes them so:
# ``pytest -m "not slow"`` leaves them out. Single cases of a test have the mark where their parameters are.
SLOW = {
    "scripts that run for seconds": ["experiments/test_yardstick_speed.py"],
    "pages, and the experiments behind them": [
        "test_pages.py",
        "experiments/test_tour_codes.py",
        "experiments/test_which_solver.py",
    ],
    "every problem, or every solver": [
        "attacks/test_commands.py",
        "attacks/test_readers.py",
        "attacks/test_scores.py",
        "test_golden.py",
        "test_every_solver.py",
        "search/test_checkpoint.py::test_stopped_and_resumed_is_uninterrupted",
    ],
    "searches in dozens of ways, which end the same": [
        "search/test_workers.py::test_threads_executors_and_slices_give_one_result",
        "bench/test_tune.py::test_a_study_that_is_stopped_again_and_again_ends_the_same",
    ],
    "other processes": [
        "experiments/test_growth.py::test_a_fault_is_a_row",
        "experiments/test_growth.py::test_what_is_measured_is_kept",
        "machine/test_code_cache.py::test_numbas_own_functions_are_loaded_for_machine_code_that_calls_them",
        "test_import.py::test_subpackages_need_no_import_of_their_own",
        "test_import.py::test_a_checkout_has_its_own_folders_and_no_others",
        "test_import.py::test_a_checkout_that_is_not_installed_solves",
        "test_import.py::test_the_typed_program_runs",
        "bench/test_tune.py::test_workers_change_nothing",
        "bench/test_tune.py::test_sigkill_loses_no_finished_run_and_repeats_none",
        "cli/test_main.py::test_instance_from_standard_input",
        "cli/test_main.py::test_a_closed_standard_output_costs_no_file",
        "plots/test_picture.py::test_a_notebook_shows_pictures",
        "search/test_executors.py::test_a_problem_of_a_users_file_is_made_where_the_file_is_not_loaded",
        "search/test_executors.py::test_a_class_of_the_main_module",
        "search/test_run.py::test_a_checkout_that_is_not_installed",
        "search/test_run.py::test_solving_does_not_import_matplotlib",
        "search/test_workers.py::test_plain_python_in_processes",
        "search/test_workers.py::test_an_error_in_a_worker_reaches_the_caller",
    ],
    "clusters, and processes that are killed": [
        "attacks/test_kill_and_resume.py",
        "attacks/test_signals.py",
        "attacks/test_wrong_kernels.py",
        "search/test_clusters.py",
        "search/test_full_disk.py",
        "search/test_interrupt.py",
        "search/test_processes.py",
        "cli/test_executors.py",
        "cli/test_main.py::test_an_interrupt_keeps_the_result",
        "cli/test_main.py::test_a_signal_while_the_program_ends",
        "solvers/test_search.py::test_a_pickled_search_goes_on_in_another_process",
        "cli/test_resume.py",
        "cli/test_streams.py",
        "cli/test_other_packages.py",
        "bench/test_run.py",
        "games/test_match.py::test_sigkill_loses_no_finished_game",
        "search/test_run.py::test_same_seed_same_result_in_two_processes",
    ],
    "every instance": ["problems/binpacking/test_bounds.py::test_published_optima_lie_between_the_bounds"],
    "thousands of random games": [
        "experiments/test_codes.py::test_random_games_are_those_of_the_paper",
        "problems/binpacking/test_kernels.py::test_random_games_agree_with_the_rules",
        "problems/fold/test_kernels.py::test_playouts_follow_the_rules",
        "problems/morpion/test_kernels.py::test_random_games",
        "problems/samegame/test_kernels.py::test_random_games_agree_with_naive_rules",
        "problems/tsptw/test_kernels.py::test_random_games_agree_with_the_rules",
    ],
    "improvements that a slow twin makes, too, or that take a whole search": [
        "problems/binpacking/test_improving.py",
        "problems/coloring/test_improving.py",
        "problems/rna/test_improving.py::test_auto_improves",
        "problems/tsptw/test_improving.py",
    ],
    "pages with many pictures": ["cli/test_report.py", "report/test_page.py"],
    "problems that no other test has, compiled each time": [
        "cli/test_new.py",
        "experiments/test_strangers.py::test_function_agrees_with_the_class",
        "engine/test_machine_code.py",
        "engine/test_smoke_test.py",
        "machine/test_jit.py",
        "engine/test_new_kernel.py",
        "registry/test_user_file.py",
        "experiments/test_strangers.py",
    ],
}


def pytest_collection_modifyitems(items):
    """Mark the slow tests."""
    slow = {name for names in SLOW.values() for name in names}
    for item in items:
        file = item.path.relative_to(HERE).as_posix() if HERE in item.path.parents else ""
        if file in slow or f"{file}::{getattr(item, 'originalname', '')}" in slow:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def nrpa_command(monkeypatch, capsys, tmp_path):
    """Run ``main`` in this process and an empty folder; return the exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    # Else its name would be that of `python -m pytest`.
    monkeypatch.setattr(sys.modules["__main__"], "__package__", None)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["nrpa", *map(str, arguments)])
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        return code, *capsys.readouterr()

    return run


@pytest.fixture(autouse=True)
def other_processes(monkeypatch):
    """Let no check start processes with other hashes: modules whose tests are about these override it."""
    monkeypatch.setattr("nrpa.checking.hash_order.difference", lambda problem, games: ("", ""))
