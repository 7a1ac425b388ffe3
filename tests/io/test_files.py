import codecs
import fcntl
import os
import stat
import subprocess
import sys

import pytest

import nrpa
from nrpa.bench.experiment import Experiment
from nrpa.bench.records import read_records
from nrpa.cli.check import read_solution
from nrpa.io.files import (
    as_text,
    exists,
    is_directory,
    is_file,
    locked,
    read_bytes,
    require_distinct,
    require_kept,
    require_writable,
    write_text,
)


def test_write_replaces_and_leaves_nothing_else(tmp_path):
    """The file is whole, its permissions stay, and no temporary file remains."""
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o640)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out"]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    """A crash before the rename loses nothing."""
    path = tmp_path / "out"
    path.write_text("old")

    def crash(*arguments):
        raise RuntimeError

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(RuntimeError):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_keeps_pointing(tmp_path):
    """The file behind a symbolic link is replaced, not the link."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_links_that_lead_in_a_circle(tmp_path):
    """They name no file: a sentence, and they stay."""
    (tmp_path / "own").symlink_to("own")
    (tmp_path / "one").symlink_to("other")
    (tmp_path / "other").symlink_to("one")
    for name in ("own", "one"):
        for write in (require_writable, lambda path: write_text(path, "new")):
            with pytest.raises(nrpa.InputError, match=f"{name}: cannot be written .*circle"):
                write(tmp_path / name)
        assert (tmp_path / name).is_symlink()
    (tmp_path / "new").symlink_to("target")
    write_text(tmp_path / "new", "new")
    assert (tmp_path / "target").read_text() == "new"


def test_require_writable(tmp_path):
    """Says why, and touches nothing."""
    require_writable(tmp_path / "new")
    assert os.listdir(tmp_path) == []
    with pytest.raises(nrpa.InputError, match="is a directory"):
        require_writable(tmp_path)
    with pytest.raises(nrpa.InputError, match="no such directory"):
        require_writable(tmp_path / "no" / "out")


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_file_can_have(tmp_path, name):
    """There is no such file, and none can be written: said before anything is searched."""
    path = tmp_path / name
    assert not exists(path)
    assert not is_file(path)
    assert not is_directory(path)
    for write in (require_writable, lambda path: write_text(path, "new")):
        with pytest.raises(nrpa.InputError, match="cannot be written"):
            write(path)
    assert os.listdir(tmp_path) == []


def test_a_name_as_long_as_can_be(tmp_path):
    """The temporary file's name is not longer than it."""
    path = tmp_path / ("x" * 255)
    require_writable(path)
    write_text(path, "new")
    assert path.read_text() == "new"


def test_a_pipe_is_written_into(tmp_path):
    """Its reader gets the text, and it is still a pipe."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    require_writable(path)
    write_text(path, "new")
    assert os.read(reader, 100) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_device_is_written_into():
    """As is /dev/null, which a program that runs as root could replace; two options may both name it."""
    require_writable("/dev/null")
    write_text("/dev/null", "new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    require_distinct({"--json": "/dev/null", "--curve": "/dev/null"})


@pytest.mark.parametrize("name", ["/dev/stdout", "out"])
def test_standard_output_in_a_file_is_not_lost(tmp_path, name):
    """What is printed before and after stays, by whatever name the file is called."""
    script = f"print('before'); from nrpa.io.files import write_text; write_text({name!r}, 'new\\n'); print('after')"
    with open(tmp_path / "out", "wb") as out:
        subprocess.run([sys.executable, "-c", script], stdout=out, check=True, cwd=tmp_path)
    assert (tmp_path / "out").read_text() == "before\nnew\nafter\n"


def test_the_same_file_twice(tmp_path):
    """Two options that would overwrite each other are refused."""
    with pytest.raises(nrpa.InputError, match="--json and --curve are the same file"):
        require_distinct({"--json": tmp_path / "a", "--curve": tmp_path / "b" / ".." / "a"})


def test_an_input_is_kept(tmp_path):
    """By whatever name it is called; what is no regular file, as a terminal or /dev/null, is no input to keep."""
    (tmp_path / "in").write_text("input")
    (tmp_path / "link").symlink_to(tmp_path / "in")
    for name in ("in", "link", "../" + tmp_path.name + "/in"):
        with pytest.raises(nrpa.InputError, match=r"--json would replace .*, which is read"):
            require_kept({"--json": tmp_path / name}, [tmp_path / "in"])
    require_kept({"--json": tmp_path / "out", "--curve": "/dev/null"}, [tmp_path / "in", tmp_path / "out", "/dev/null"])


def test_standard_input_is_kept(tmp_path):
    """A file that it is taken from."""
    (tmp_path / "in").write_text("input")
    script = "from nrpa.io.files import require_kept; require_kept({'--json': 'in'}, ['-'])"
    with open(tmp_path / "in", "rb") as file:
        found = subprocess.run(
            [sys.executable, "-c", script], stdin=file, capture_output=True, text=True, check=False, cwd=tmp_path
        )
    assert "--json would replace in, which is read" in found.stderr


HOLD = "from nrpa.io.files import locked\nwith locked('out.csv'):\n    print('held', flush=True)\n    input()\n"


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


TOML = 'problem = "tsptw"\ninstances = ["rc201.1"]\nplayouts = 5\n[variants.A]\nlevel = 1\n'
CSV = "variant,instance,seed,playouts,score\nA,i,1,2,-3.5\n"
TSPTW = "3\n0 5 8\n15 0 15\n18 15 0\n0 100\n5 50\n0 60\n"


def marked(path, text):
    path.write_bytes(codecs.BOM_UTF8 + text.encode())
    return str(path)


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path):
    """Spreadsheets and some editors write one: records, experiments, instances, solutions and results are read."""
    assert read_records(marked(tmp_path / "a.csv", CSV)).rows[0].score == -3.5
    assert Experiment.from_toml(marked(tmp_path / "a.toml", TOML)).playouts == 5
    problem = nrpa.TSPTW.load(marked(tmp_path / "instance", TSPTW))
    assert read_solution(problem, marked(tmp_path / "tour", "[1, 2]")).solution == [1, 2]
    result = nrpa.solve(problem, seed=1, playouts=3)
    assert nrpa.Result.from_json("\ufeff" + result.to_json()).solution == result.solution


def test_only_the_mark_at_the_beginning_is_left_out():
    """Elsewhere the character is a part of the text; without one, all is as it was."""
    assert as_text(codecs.BOM_UTF8 + "a\ufeffb".encode()) == "a\ufeffb"
    assert as_text("aé".encode()) == "aé"


def test_what_cannot_be_read(tmp_path):
    """The name and the reason."""
    with pytest.raises(nrpa.InputError, match=r"none: cannot be read \(No such file"):
        read_bytes(tmp_path / "none")


@pytest.mark.parametrize("problem", ["tsptw", "samegame"])
def test_what_has_no_end_is_refused(nrpa_command, problem):
    """A device that gives zeros for ever, as a file."""
    code, out, err = nrpa_command("solve", problem, "/dev/zero")
    assert (code, out) == (2, "")
    assert "/dev/zero: holds more than 512 MB; expected a file that ends before" in err


def test_temporary_files_that_nobody_writes_are_removed(tmp_path):
    """What was left by a process that was killed; not what is locked, or new, or of another name."""
    left, locked, new, other = (tmp_path / name for name in (".nrpa-left", ".nrpa-locked", ".nrpa-new", ".other"))
    for path in (left, locked, new, other):
        path.write_bytes(b"half")
    for path in (left, locked, other):
        os.utime(path, (1e9, 1e9))
    with open(locked, "rb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        write_text(tmp_path / "out", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".nrpa-locked", ".nrpa-new", ".other", "out"])
