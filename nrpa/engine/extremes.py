"""The least and the largest g = e^(w/τ + β) that a policy holds."""

# Far inside float64, so that sums over a step stay finite, with e^β of a move, up to e^±300, as a factor. A weight this
# extreme has probability 0 or 1 already.
LOWEST = 1e-170
HIGHEST = 1e170
