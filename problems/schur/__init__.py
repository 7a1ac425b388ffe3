"""Weak Schur numbers."""
