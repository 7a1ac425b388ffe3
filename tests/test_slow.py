from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def slow(request):
    plugins = request.config.pluginmanager.get_plugins()
    return next(plugin.SLOW for plugin in plugins if hasattr(plugin, "SLOW"))


def test_what_is_called_slow_is_there(slow):
    """A file that was renamed, or a test, would be fast by its new name."""
    for name in (name for names in slow.values() for name in names):
        file, _, test = name.partition("::")
        assert (HERE / file).is_file(), name
        assert f"def {test}(" in (HERE / file).read_text(encoding="utf-8") or not test, name


def test_this_test_is_not_slow(request):
    """And one of a file that is, would be."""
    assert request.node.get_closest_marker("slow") is None
