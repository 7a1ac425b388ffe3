"""The search algorithms; ``nrpa.registry`` knows them by name."""
