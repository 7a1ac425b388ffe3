"""A solver with kernels, for nrpa."""
