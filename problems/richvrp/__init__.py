"""Rich vehicle routing."""
