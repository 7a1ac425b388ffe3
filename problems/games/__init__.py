"""What games share: the problem class, names of cells, kernels for stones and pieces on a board."""
