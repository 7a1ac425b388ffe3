"""Problems and solvers of other packages at the command line."""

import os
import subprocess
import sys

import fake_package


def nrpa_command(folder, *arguments):
    return python(folder, "-m", "nrpa", *arguments)


def python(folder, *arguments):
    command = [sys.executable, *map(str, arguments)]
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


def test_they_are_listed_and_used_by_name(tmp_path):
    """Solved, checked, benchmarked; a name that nrpa has itself is said to be left out."""
    fake_package.install(tmp_path, "purse", ["coins = purse:Coins", "tsptw = purse:Coins"], ["tabu = purse:Tabu"])
    listed = nrpa_command(tmp_path, "list")
    assert f"  {'coins':13}  Coins for an amount, as few as can be (purse 1.0)\n" in listed.stdout
    assert f"  {'tabu':18}  A solver that does nothing (purse 1.0)\n" in listed.stdout
    sentence = "note: the problem 'tsptw' of the package purse 1.0 is left out: nrpa has its own of that name\n"
    assert listed.stderr == sentence
    solved = nrpa_command(tmp_path, "solve", "coins", "--level", 1, "--playouts", 300, "--seed", 1, "--json", "out")
    assert "coins       3" in solved.stdout, solved.stderr
    assert nrpa_command(tmp_path, "check", "coins", "out").stdout == "valid: coins 3\n"
    bench = ("bench", "coins", "--variant", "A:level=1", "--runs", 1, "--playouts", 50, "--out", "b.csv", "-q")
    assert nrpa_command(tmp_path, *bench).returncode == 0
    plot = nrpa_command(tmp_path, "plot", "--solution", "out", "--out", "out.svg")
    assert (plot.returncode, plot.stderr) == (0, "")
    shown = nrpa_command(tmp_path, "solve", "coins", "--help-all").stdout
    assert "Solve an instance of coins (Coins for an amount, as few as can be)." in shown
    assert "--tenure INTEGER" in shown


def test_one_that_cannot_be_imported_is_a_sentence(tmp_path):
    """Exit code 2; the list and the other names work as before."""
    fake_package.install(tmp_path, "purse", ["coins = nowhere:Coins"], ["tabu = nowhere:Tabu"])
    done = nrpa_command(tmp_path, "solve", "coins")
    fault = "cannot be imported (ModuleNotFoundError: No module named 'nowhere')"
    assert (done.returncode, done.stderr) == (2, f"error: the problem 'coins' of the package purse 1.0 {fault}\n")
    done = nrpa_command(tmp_path, "solve", "tsptw", "rc201.1", "--solver", "tabu")
    assert (done.returncode, done.stderr) == (2, f"error: the solver 'tabu' of the package purse 1.0 {fault}\n")
    listed = nrpa_command(tmp_path, "list")
    assert listed.returncode == 0
    assert f"  {'coins':13}  unusable: the problem 'coins' of the package purse 1.0 {fault}\n" in listed.stdout
    assert nrpa_command(tmp_path, "solve", "tsptw", "--help").returncode == 0


def test_the_example_package(tmp_path):
    """Its solver is listed with its package, searches by its name, and keeps the contract."""
    fake_package.install_example(tmp_path)
    fake_package.install(tmp_path, "purse", ["coins = purse:Coins"])
    assert "is played anew (nrpa-example 1.0)\n" in nrpa_command(tmp_path, "list").stdout
    limits = ("--playouts", 60, "--seed", 1, "-q")
    done = nrpa_command(tmp_path, "solve", "coins", "--solver", "restarts", "--part", 0.9, *limits)
    assert "coins       3\n" in done.stdout, done.stderr
    check = (
        "import nrpa; print(nrpa.check_solver(nrpa.registry.solver_class('restarts')(), nrpa.Snake(5), playouts=20))"
    )
    done = python(tmp_path, "-c", check)
    assert done.stdout == "[]\n", done.stderr
