import pytest
from numba import config

from nrpa.machine import code_cache


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Pretend that a file of machine code, 2 MiB, is kept in a folder of its own."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "kept"))
    file = code_cache._versioned_folder() / "name.machine"
    file.parent.mkdir(parents=True)
    file.write_bytes(bytes(2**21))
    return file


def test_the_folder_and_its_size_are_shown(nrpa_command, file):
    """And nothing is removed."""
    assert nrpa_command("cache") == (0, f"{file.parents[1]}: 1 file, 2.0 MiB\n", "")
    assert file.exists()


def test_all_is_removed(nrpa_command, file):
    """Without having been there, too."""
    for removed in ("1 file, 2.0", "0 files, 0.0"):
        assert nrpa_command("cache", "--clear") == (0, f"{file.parents[1]}: removed {removed} MiB\n", "")
        assert not file.parent.exists()


def test_what_cannot_be_removed_is_said(nrpa_command, file, monkeypatch):
    """In a sentence that names it, with exit status 2."""

    def refuse(path, missing_ok):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    code, out, err = nrpa_command("cache", "--clear")
    assert (code, out) == (2, "")
    assert "name.machine: cannot be removed (Permission denied)" in err
