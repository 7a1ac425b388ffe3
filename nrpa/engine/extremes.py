"""The least and the largest g = e^(w/τ + β) that a policy holds."""

# Far inside float64, so that sums over a step stay finite, with e^β of a move as a factor. A weight this
# extreme has probability 0 or 1 already.
LOWEST = 1e-250
HIGHEST = 1e250
