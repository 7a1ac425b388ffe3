"""The Wargame."""
