"""The command ``nrpa cache``."""

from __future__ import annotations

import click

from nrpa.base.errors import InputError
from nrpa.base.lazy import lazy
from nrpa.cli.output import echo

code_cache = lazy("nrpa.machine.code_cache")


@click.command("cache")
@click.option("--clear", is_flag=True, help="Remove it all; it is compiled anew when it is needed.")
def cache_command(clear: bool) -> None:
    """Show where machine code is kept, and how much of it there is.

    The folder is the user's own, or the one that NUMBA_CACHE_DIR names. Other files in it are left alone.
    """
    sizes = code_cache.sizes_on_disk()
    if clear:
        try:
            code_cache.clear()
        except OSError as error:
            raise InputError(f"{error.filename}: cannot be removed ({error.strerror})") from None
    files, megabytes = f"{len(sizes):,} file{'s' * (len(sizes) != 1)}", sum(sizes.values()) / 2**20
    echo(f"{code_cache.cache_folder()}: {'removed ' * clear}{files}, {megabytes:,.1f} MiB")
