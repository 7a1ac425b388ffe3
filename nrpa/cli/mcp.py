"""The command ``nrpa mcp``."""

from __future__ import annotations

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.base.values import path_shown, positive
from nrpa.cli import options
from nrpa.cli.completion import files
from nrpa.io.files import is_directory

clusters, server = lazy("nrpa.search.clusters"), lazy("nrpa.adapters.mcp_server")


@click.command("mcp")
@click.option("--files", "folder", metavar="FOLDER", shell_complete=files, help="Where files of your own may be read.")
@click.option(
    "--max-seconds", type=options.NUMBER, default=60.0, show_default=True, help="The longest that a search may take."
)
def mcp_command(folder: str | None, max_seconds: float) -> None:
    """Serve the tools of nrpa to a language model (MCP).

    The program that the model runs in starts this command, and talks to it over standard input and output (pip install
    '.[mcp]'). Bundled problems and instances are served. Below FOLDER, files are read as well: instances, and problems
    and solvers as FILE.py:NAME, which are code that is run.
    """
    clusters.require_extra("mcp", "mcp", "nrpa mcp")
    if folder is not None and not is_directory(folder):
        raise InputError(f"--files {path_shown(folder)}: no such folder")
    server.serve_tools(folder, positive("--max-seconds", max_seconds))
