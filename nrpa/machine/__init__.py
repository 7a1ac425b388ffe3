"""What is done to numba: helpers compiled cheaply, machine code kept on disk, calls of Python from machine code."""
