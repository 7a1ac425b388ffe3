"""Traffic engineering."""
