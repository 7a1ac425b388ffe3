"""RNA folding."""
