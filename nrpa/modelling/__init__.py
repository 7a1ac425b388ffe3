"""What the author of a problem writes."""
