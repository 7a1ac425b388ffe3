"""A problem in plain Python and a solver with kernels, for nrpa."""
