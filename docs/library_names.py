"""Directives that document names of the library on one page: a list of them, then each with its documentation."""

from importlib import import_module
from types import ModuleType
from typing import ClassVar

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from nrpa.registry import problems


class LibraryNames(SphinxDirective):
    """The names in the content, a line each, of the module that is named."""

    required_arguments: ClassVar[int] = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the list, with the first line of each, and the documentation."""
        module, names = self.arguments[0], [line.strip() for line in self.content if line.strip()]
        lines = [f".. currentmodule:: {module}", "", ".. autosummary::", "   :nosignatures:", ""]
        lines += [*(f"   {name}" for name in names), ""]
        for name in names:
            kind = "class" if isinstance(member(import_module(module), name), type) else "function"
            options = ["   :members:", "   :show-inheritance:"] if kind == "class" else []
            lines += [f".. auto{kind}:: {module}.{name}", *options, ""]
        return self.parse_text_to_nodes("\n".join(["```{eval-rst}", *lines, "```"]))


class LibraryProblems(LibraryNames):
    """The classes of the problems that come with nrpa."""

    required_arguments: ClassVar[int] = 0
    has_content = False

    def run(self) -> list[nodes.Node]:
        """Return the list, with the first line of each, and the documentation."""
        self.arguments, self.content = ["nrpa"], StringList(problem_classes())
        return super().run()


def problem_classes() -> list[str]:
    """Return the names of the classes of bundled problems, in the order of the problems' names."""
    return [entry.where.partition(":")[2] for entry in problems.bundled.values()]


def member(module: ModuleType, name: str) -> object:
    """Return what a dotted name stands for in a module."""
    found: object = module
    for part in name.split("."):
        found = getattr(found, part)
    return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Enter the directives."""
    app.add_directive("library-names", LibraryNames)
    app.add_directive("library-problems", LibraryProblems)
    return {"parallel_read_safe": True}
