"""The problems that come with nrpa, by how many play."""

from nrpa.registry import problem_class, problems

ONE_PLAYER = [name for name in problems.bundled if problem_class(name).players == 1]
GAMES = [name for name in problems.bundled if name not in ONE_PLAYER]
