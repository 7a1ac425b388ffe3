"""Morpion Solitaire, also called Join Five."""
