"""Check the links inside the built site: ``python docs/check_links.py build/site``.

Every page, file and anchor that a page of the site points to must be there; what lies outside is not asked for. No page
may need a script, a style or a picture from a network: it would be dead offline.
What is missing is printed, with the page that points to it, and ends with exit status 1.
"""

import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

MADE_BY_SPHINX = {"_modules", "_static"}
LOADED = [("script", "src"), ("img", "src"), ("iframe", "src"), ("link", "href")]


@cache
def read(page: Path) -> tuple[list[str], set[str], list[str]]:
    """Return what a page points to, its anchors, and what it loads from a network."""
    html = BeautifulSoup(page.read_bytes(), "html.parser")
    targets = [tag[key] for key in ("href", "src") for tag in html.find_all(attrs={key: True})]
    loaded = [tag[key] for name, key in LOADED for tag in html.find_all(name, attrs={key: True})]
    return targets, {tag["id"] for tag in html.find_all(id=True)}, [each for each in loaded if urlsplit(each).netloc]


def is_missing(page: Path, target: str) -> bool:
    """Return whether a page points to something of the site that is not there."""
    link = urlsplit(target)
    if link.scheme or link.netloc:
        return False
    file = (page.parent / unquote(link.path)).resolve() if link.path else page
    if not file.is_file():
        return True
    return bool(link.fragment) and file.suffix == ".html" and unquote(link.fragment) not in read(file)[1]


def pages_of(site: Path) -> list[Path]:
    """Return the pages of the site that are written by people, in order."""
    return sorted(page for page in site.resolve().rglob("*.html") if not MADE_BY_SPHINX & set(page.parts))


def missing_links(site: Path) -> list[str]:
    """Return a line for each link of the site that leads nowhere."""
    return [f"{page.name}: {target}" for page in pages_of(site) for target in read(page)[0] if is_missing(page, target)]


def from_networks(site: Path) -> list[str]:
    """Return a line for each script, style or picture that a page would load from a network."""
    return [f"{page.name}: {target} is not of the site" for page in pages_of(site) for target in read(page)[2]]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    wrong = [*missing_links(folder), *from_networks(folder)]
    print("\n".join(wrong) or "every link inside the site leads somewhere, and no page needs a network")
    sys.exit(bool(wrong))
