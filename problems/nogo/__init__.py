"""Nogo."""
