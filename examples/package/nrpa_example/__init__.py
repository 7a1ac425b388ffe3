"""A problem and two solvers for nrpa: one in plain Python, one with kernels."""
