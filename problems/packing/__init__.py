"""Packing with turning: strips, bins in two dimensions, boxes in three."""
