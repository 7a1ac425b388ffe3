"""Problems in plain Python: what their methods answer, the kernels that call them, games changed and played again."""
