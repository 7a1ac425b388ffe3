"""What the author of a problem writes, and what checks it."""
