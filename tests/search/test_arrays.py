import random

import numpy as np
import pytest

from nrpa.base.errors import InputError
from nrpa.search.checkpoint import read_arrays, write_arrays

ARRAYS = {
    "a/b": np.arange(6.0).reshape(2, 3),
    "a/none": np.zeros((3, 0)),
    "flag": np.array([True, False]),
    "bits": np.array([2**64 - 1], np.uint64),
    "not-a-number": np.array([np.nan, -0.0, np.inf]),
}


@pytest.fixture
def path(tmp_path):
    write_arrays(tmp_path / "file", ARRAYS)
    return tmp_path / "file"


def test_arrays_come_back(path):
    """With names, types, shapes and every bit; NumPy reads the file without pickle."""
    again = read_arrays(path, "arrays")
    assert {name: (a.dtype, a.shape, a.tobytes()) for name, a in again.items()} == {
        name: (a.dtype, a.shape, a.tobytes()) for name, a in ARRAYS.items()
    }
    assert set(np.load(path, allow_pickle=False).files) == {*ARRAYS, "sha256"}


def test_every_damage_is_noticed(path):
    """Cut anywhere, a byte changed anywhere, or bytes put in: the arrays as they were, or one sentence."""
    data, chance = path.read_bytes(), random.Random(1)
    whole = {name: a.tobytes() for name, a in ARRAYS.items()}
    changed = [data[:length] for length in range(0, len(data), 7)]
    for place in range(len(data)):
        changed.append(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :])
        changed.append(data[:place] + chance.randbytes(3) + data[place:])
    refused = 0
    for each in changed:
        path.write_bytes(each)
        try:
            found = {name: a.tobytes() for name, a in read_arrays(path, "arrays").items()}
        except InputError:
            refused += 1
        else:
            assert found == whole
    assert refused > len(changed) // 2


def test_what_is_no_such_file(path, tmp_path):
    """A pickle is not loaded; a compressed archive, one without the hash, a folder or a missing file is refused."""
    with path.open("wb") as file:
        np.savez(file, a=np.array([print], object))
    for name, expected in [("file", "is damaged, or not arrays"), (".", "is a directory"), ("none", "no such file")]:
        with pytest.raises(InputError, match=expected):
            read_arrays(tmp_path / name, "arrays")
    for save in (np.savez_compressed, np.savez):
        with path.open("wb") as file:
            save(file, **ARRAYS)
        with pytest.raises(InputError, match="is damaged"):
            read_arrays(path, "arrays")
    with path.open("wb") as file:
        np.savez(file, a=np.zeros(1, "M8[s]"), sha256=np.zeros(32, np.uint8))
    with pytest.raises(InputError, match="is damaged"):
        read_arrays(path, "arrays")
    path.write_bytes(b"cost,1")
    with pytest.raises(InputError, match="is not arrays"):
        read_arrays(path, "arrays")


def test_the_last_whole_file_stays(path, monkeypatch):
    """Where the disk is full."""

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left"):
        write_arrays(path, {"a": np.zeros(1)})
    monkeypatch.undo()
    assert set(read_arrays(path, "arrays")) == set(ARRAYS)
    assert [each.name for each in path.parent.iterdir()] == ["file"]
