import hashlib
from importlib import resources

import pytest

import nrpa
from nrpa.io.source import bundled, read_source


def test_bundled_by_name():
    """Text, hash and best-known value of a bundled instance."""
    source = read_source("tsptw", "rc204.1")
    data = (resources.files("nrpa.instances") / "rc204.1").read_bytes()
    assert source.sha256 == hashlib.sha256(data).hexdigest()
    assert source.best_known.value == 878.64
    assert source.best_known.proven_by == "Baldacci et al. (2012)"


def test_a_copy_elsewhere_is_still_the_instance(tmp_path):
    """But an edited copy has no best-known value."""
    text = read_source("tsptw", "rc206.1").text
    copy = tmp_path / "rc206.1"
    copy.write_text(text)
    assert read_source("tsptw", str(copy)).best_known.value == 117.85
    copy.write_text(text.replace("276", "277"))
    assert read_source("tsptw", str(copy)).best_known is None


def test_the_families_of_tours_are_bundled():
    """Solomon, Potvin and Bengio's set, AFG's, 25 of Ohlmann and Thomas's and seven of Dumas's and Gendreau's."""
    assert sum(name.startswith("rc") for name in bundled("tsptw")) == 30
    assert sum(name.startswith("rbg") for name in bundled("tsptw")) == 50
    assert len(bundled("tsptw")) == 30 + 50 + 25 + 7
    assert bundled("no such problem") == {}


def test_no_such_instance():
    """Names that are near are offered."""
    with pytest.raises(nrpa.InputError, match=r"did you mean rc204\.1"):
        read_source("tsptw", "instances/rc_204.1")


def test_a_problem_that_comes_with_no_instance():
    """It is not sent to a list that has none of it."""
    with pytest.raises(nrpa.InputError, match=r"^jobs\.txt: no such file, and no instance comes with Jobs$"):
        read_source("Jobs", "jobs.txt")


@pytest.mark.parametrize("name", ["x" * 300, "a/" * 3000, "x" * 300 + ":y", "a\0b"])
def test_a_name_that_no_file_can_have(name):
    """It is no instance, said without the whole of it."""
    with pytest.raises(nrpa.InputError, match=r"no such file or bundled tsptw instance") as caught:
        read_source("tsptw", name)
    assert len(str(caught.value)) < 200
