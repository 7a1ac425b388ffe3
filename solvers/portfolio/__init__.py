"""Searches that take turns: the race of the solver ``auto``."""
