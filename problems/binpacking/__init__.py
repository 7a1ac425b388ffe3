"""One-dimensional bin packing."""
