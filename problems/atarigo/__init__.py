"""Atarigo."""
