"""The problems that come with nrpa: for one player by kernels; games; pages, each one class in one file."""

from nrpa.registry import problem_class, problems

PAGES = [name for name in problems.bundled if hasattr(problem_class(name), "plain_class")]
GAMES = [name for name in problems.bundled if problem_class(name).players != 1]
ONE_PLAYER = [name for name in problems.bundled if name not in {*PAGES, *GAMES}]
