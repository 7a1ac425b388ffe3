"""Directives made from what a problem says itself: its options as a table, the forms of its files, and the index."""

import re
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from nrpa.base.options import Option
from nrpa.registry import problem_class, problems

PAGES = Path(__file__).parent / "problems"


def row(option: Option) -> str:
    """Return an option as a row of a Markdown table."""
    name, default = option.name.replace("_", "-"), option.default
    if isinstance(default, bool):
        return f"| `--{name}/--no-{name}` | {'yes' if default else 'no'} | {option.help} |"
    values = f" {' or '.join(option.choices)}" if option.choices else ""
    return f"| `--{name}`{values} | {default} | {option.help} |"


class ProblemOptions(SphinxDirective):
    """A row for each option of the problem that is named: the flag and its values, the default, what it does."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        rows = [row(option) for option in problem_class(self.arguments[0]).cli_options]
        return self.parse_text_to_nodes("\n".join(["| option | default | |", "|---|---|---|", *rows]))


class ProblemForms(SphinxDirective):
    """A list of the forms of files that the problem that is named reads."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        return self.parse_text_to_nodes("\n".join(f"- {form}" for form in problem_class(self.arguments[0]).forms))


class ProblemIndex(SphinxDirective):
    """A row for each bundled problem, by kinds, with the link to its page."""

    def run(self) -> list[nodes.Node]:
        """Return the table."""
        entries = sorted(problems.bundled.values(), key=lambda entry: (entry.kind, entry.name))
        rows = [f"| {entry.kind} | [{entry.name}]({page_of(entry.name)}) | {entry.summary} |" for entry in entries]
        return self.parse_text_to_nodes("\n".join(["| | problem | |", "|---|---|---|", *rows]))


def page_of(name: str) -> str:
    """Return the file of the page that has the options of a problem, or the forms of its files; empty if none has."""
    named = re.compile(rf"^```\{{problem-(options|forms)\}} {name}$", re.MULTILINE)
    return next((page.name for page in sorted(PAGES.glob("*.md")) if named.search(page.read_text("utf-8"))), "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Enter the directives."""
    app.add_directive("problem-options", ProblemOptions)
    app.add_directive("problem-forms", ProblemForms)
    app.add_directive("problem-index", ProblemIndex)
    return {"parallel_read_safe": True}
