import re
import sys
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def test_pictures_page_and_script_agree(monkeypatch):
    """Each picture of the gallery has its card with the command that finds it, and each card its picture; few bytes."""
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.delitem(sys.modules, "gallery", raising=False)
    import gallery

    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    stored = {path.name: path.stat().st_size for path in (DOCS / "_static" / "gallery").iterdir()}
    shown = re.findall(r":img-top: _static/gallery/(\S+)", page)
    commands = re.findall(r"^`(nrpa .*) --plot", page, re.MULTILINE)
    assert sorted(shown) == sorted(stored)
    assert dict(zip((name.partition(".")[0] for name in shown), commands, strict=True)) == gallery.COMMANDS
    assert sum(stored.values()) < 400_000
