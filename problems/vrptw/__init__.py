"""Vehicle routing with time windows."""
