"""Expressions that fit points."""
