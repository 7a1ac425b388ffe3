"""Problems in plain Python: what their methods return, the kernels that call them, whole games in one call."""
