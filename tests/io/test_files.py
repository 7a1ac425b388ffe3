import os

import pytest

import nrpa
from nrpa.io.files import require_writable, write_text


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


def test_require_writable(tmp_path):
    """Says why, and touches nothing."""
    require_writable(tmp_path / "new")
    assert os.listdir(tmp_path) == []
    with pytest.raises(nrpa.InputError, match="is a directory"):
        require_writable(tmp_path)
    with pytest.raises(nrpa.InputError, match="no such directory"):
        require_writable(tmp_path / "no" / "out")
