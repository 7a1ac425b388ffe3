"""What routing problems share: lengths of ways, limits, rules, and improved routes."""
