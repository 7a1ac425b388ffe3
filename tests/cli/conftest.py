"""What several tests of the command line use."""

import sys

import pytest

from nrpa.cli import main as cli


@pytest.fixture
def nrpa_command(monkeypatch, capsys, tmp_path):
    """Run ``main`` in this process and an empty folder; return the exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["nrpa", *map(str, arguments)])
        try:
            cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        return code, *capsys.readouterr()

    return run
