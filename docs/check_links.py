"""Check the links inside the built site: ``python docs/check_links.py build/site``.

Every page, file and anchor that a page of the site points to must be there; what lies outside is not asked for.
What is missing is printed, with the page that points to it, and ends with exit status 1.
"""

import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

MADE_BY_SPHINX = {"_modules", "_static"}


@cache
def read(page: Path) -> tuple[list[str], set[str]]:
    """Return what a page points to, and its anchors."""
    html = BeautifulSoup(page.read_bytes(), "html.parser")
    targets = [tag[key] for key in ("href", "src") for tag in html.find_all(attrs={key: True})]
    return targets, {tag["id"] for tag in html.find_all(id=True)}


def is_missing(page: Path, target: str) -> bool:
    """Return whether a page points to something of the site that is not there."""
    link = urlsplit(target)
    if link.scheme or link.netloc:
        return False
    file = (page.parent / unquote(link.path)).resolve() if link.path else page
    if not file.is_file():
        return True
    return bool(link.fragment) and file.suffix == ".html" and unquote(link.fragment) not in read(file)[1]


def missing_links(site: Path) -> list[str]:
    """Return a line for each link of the site that leads nowhere."""
    pages = sorted(page for page in site.resolve().rglob("*.html") if not MADE_BY_SPHINX & set(page.parts))
    return [f"{page.name}: {target}" for page in pages for target in read(page)[0] if is_missing(page, target)]


if __name__ == "__main__":
    missing = missing_links(Path(sys.argv[1]))
    print("\n".join(missing) or "every link inside the site leads somewhere")
    sys.exit(bool(missing))
