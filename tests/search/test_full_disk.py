"""A full disk and a folder that cannot be written: a clear message, and the last good checkpoint kept."""

import json
import os
import resource
import subprocess
import sys
from contextlib import contextmanager

import pytest
from walk import Walk

import nrpa
from nrpa.search.checkpoint import read_checkpoint

SOLVER = nrpa.NRPA(level=2, iterations=5)


@contextmanager
def no_file_larger_than(size):
    """As on a full disk, where a write ends in the middle of a file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_last_good_checkpoint_stays_when_the_disk_is_full(tmp_path):
    """The next one is refused in a sentence and leaves nothing behind; the search goes on from either."""
    path = tmp_path / "run.npz"
    run = nrpa.start(Walk(), SOLVER, seed=1)
    run.advance(playouts=10)
    run.save(path)
    good = path.read_bytes()
    run.advance(playouts=10)
    for size in (1, 100, len(good) // 2, len(good) - 1):
        with no_file_larger_than(size), pytest.raises(nrpa.InputError, match=r"run\.npz: cannot be written \(File too"):
            run.save(path)
        assert path.read_bytes() == good
        assert list(tmp_path.iterdir()) == [path]
    again = nrpa.resume(path, Walk())
    again.advance(playouts=10)
    assert (again.progress.playouts, again.progress.score) == (20, run.progress.score)
    run.save(path)
    assert nrpa.resume(path, Walk()).progress.playouts == 20


def nrpa_command(cwd, *arguments, limit=resource.RLIM_INFINITY):
    """Run the command line, where no file may be larger than the limit."""
    script = (
        "import resource, sys; from nrpa.cli.main import main; "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit})); main()"
    )
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_command_line_says_at_the_start_that_a_checkpoint_cannot_be_kept(tmp_path):
    """Exit 2 and one sentence, not after the search."""
    search = ("solve", "tsptw", "rc201.1", "--level", 1, "--playouts", 500, "-q", "--checkpoint", "run.npz")
    done = nrpa_command(tmp_path, *search, limit=100)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "run.npz: cannot be written (File too large)" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_result_is_printed_though_no_file_can_be_written(tmp_path):
    """Exit 2 after it; what was there before is as it was."""
    (tmp_path / "out.json").write_text("{}")
    search = ("solve", "tsptw", "rc201.1", "--level", 1, "--playouts", 500, "-q", "--json", "out.json")
    done = nrpa_command(tmp_path, *search, limit=100)
    assert done.returncode == 2
    assert "violations" in done.stdout
    assert "error: out.json: cannot be written (File too large)" in done.stderr
    assert json.loads((tmp_path / "out.json").read_text()) == {}


def test_a_folder_that_cannot_be_written(tmp_path):
    """Before the search, and in a sentence; where nobody may refuse root, a folder that takes no files."""
    folder = "/proc" if os.geteuid() == 0 else str(tmp_path / "locked")
    if folder != "/proc":
        (tmp_path / "locked").mkdir(mode=0o555)
    for option in ("--checkpoint", "--json"):
        search = ("solve", "tsptw", "rc201.1", "--playouts", 5, "-q", option, f"{folder}/run.npz")
        done = nrpa_command(tmp_path, *search)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "/run.npz: cannot be written" in done.stderr


def test_every_changed_byte_and_every_cut_is_noticed(tmp_path):
    """At a hundred places of the file each: one sentence that names it."""
    path = tmp_path / "run.npz"
    run = nrpa.start(Walk(), SOLVER, seed=1)
    run.advance(playouts=10)
    run.save(path)
    good = path.read_bytes()
    for place in range(0, len(good), len(good) // 100):
        for changed in (good[:place], good[:place] + bytes([good[place] ^ 64]) + good[place + 1 :]):
            path.write_bytes(changed)
            assert is_refused_or_the_same(path, run.problem.sha256)


def is_refused_or_the_same(path, sha256):
    """Return whether the file is; a zip has bytes that say nothing of its content, such as the time of an entry."""
    try:
        found = read_checkpoint(path)
    except nrpa.InputError as error:
        return str(error).startswith(str(path))
    return found.arrays["memory/tally/playouts"][0] == 10 and found.sha256 == sha256
