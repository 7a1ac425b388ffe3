"""Classes in plain Python, compiled as they stand: ``nrpa.compiled``."""
