"""Gomoku."""
