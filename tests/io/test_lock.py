import os
import subprocess
import sys

import pytest

import nrpa
from nrpa.io.lock import locked

HOLD = "from nrpa.io.lock import locked\nwith locked('out.csv'):\n    print('held', flush=True)\n    input()\n"


def test_one_process_at_a_time(tmp_path, monkeypatch):
    """The second is refused with a sentence; when the first is done, or dead, the next may."""
    monkeypatch.chdir(tmp_path)
    for is_killed in (False, True):
        with subprocess.Popen(
            [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout.readline() == "held\n"
            with pytest.raises(nrpa.InputError, match=r"^out\.csv: another process is writing it"), locked("out.csv"):
                pytest.fail("two hold the lock")
            if is_killed:
                process.kill()
            else:
                process.communicate("\n")
        with locked("out.csv"):
            pass
    assert os.listdir(tmp_path) == []


def test_another_file_is_not_locked(tmp_path):
    """One lock for each name."""
    with locked(tmp_path / "a.csv"), locked(tmp_path / "b.csv"):
        assert sorted(os.listdir(tmp_path)) == ["a.csv.lock", "b.csv.lock"]


def test_an_error_frees_the_lock(tmp_path):
    """And leaves nothing behind."""
    with pytest.raises(RuntimeError), locked(tmp_path / "a.csv"):
        raise RuntimeError
    with locked(tmp_path / "a.csv"):
        pass


def test_a_folder_that_is_not_there(tmp_path):
    """A sentence."""
    with pytest.raises(nrpa.InputError, match=r"cannot be written"), locked(tmp_path / "no" / "a.csv"):
        pass
