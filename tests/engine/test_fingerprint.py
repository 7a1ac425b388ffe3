import types

from nrpa.engine.fingerprint import fingerprint


def load(source, **names):
    module = types.ModuleType("loaded")
    module.__dict__.update(names)
    exec(source, module.__dict__)
    return module


BASE = "SIZE = 3\ndef helper(x):\n    return x + 1\ndef kernel(x):\n    return helper(x) * SIZE\n"


def printed(source, **names):
    return fingerprint([load(source, **names).kernel])


def test_comments_change_nothing():
    """Only what is computed counts."""
    assert printed(BASE) == printed("# note\n\n" + BASE)


def test_helpers_and_constants_count():
    """An edit of a called function, or of a global number, changes the fingerprint."""
    assert printed(BASE) != printed(BASE.replace("x + 1", "x + 2"))
    assert printed(BASE) != printed(BASE.replace("SIZE = 3", "SIZE = 4"))
    assert printed(BASE) != printed(BASE.replace("* SIZE", "- SIZE"))


def test_helpers_in_other_modules_count():
    """Also where they are reached through the module's name."""
    source = "def kernel(x):\n    return tools.helper(x)\n"
    first, second = load(BASE), load(BASE.replace("x + 1", "x + 2"))
    assert printed(source, tools=first) != printed(source, tools=second)
    assert printed(source, tools=first) == printed(source, tools=load(BASE))


def test_source_files_count(tmp_path):
    """Files given by path are taken byte for byte."""
    path = tmp_path / "engine.py"
    path.write_text("a")
    before = fingerprint([], [path])
    path.write_text("b")
    assert fingerprint([], [path]) != before
