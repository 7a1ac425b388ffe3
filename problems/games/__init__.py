"""What games share: the problem class, names of cells, Zobrist keys, kernels for stones and pieces on a board."""
