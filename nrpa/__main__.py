"""``python -m nrpa`` is the command line."""

from nrpa.cli import main

main()
