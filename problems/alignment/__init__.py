"""Alignment of several strings."""
