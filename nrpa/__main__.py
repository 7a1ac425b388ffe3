"""``python -m nrpa`` is the command line."""

from nrpa.cli.main import program

program()
