"""Which problems and solvers there are, by name."""
