"""Vehicle routing under capacities alone."""
