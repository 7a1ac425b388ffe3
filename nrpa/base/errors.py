"""Errors whose message is one sentence for the person at the terminal."""


class InputError(ValueError):
    """Input that cannot be used; the message names the file, the line and what was expected."""


class ProblemError(InputError):
    """A problem that breaks what the engine relies on; the message names the class and the method."""


class DisagreementError(ProblemError, RuntimeError):
    """A search and the problem's independent check that find different scores of the same solution."""


class LostWorkersError(InputError):
    """Workers that are lost again and again; the search can go on where it was."""
