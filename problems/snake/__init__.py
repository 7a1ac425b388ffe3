"""Snake-in-the-box and coil-in-the-box."""

from nrpa.problems.snake.problem import Snake

__all__ = ["Snake"]
