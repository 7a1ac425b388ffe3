"""Routing by rules of the caller's own: ``nrpa.Routing``, which is no problem until it has them."""
