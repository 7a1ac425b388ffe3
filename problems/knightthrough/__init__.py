"""Knightthrough."""
