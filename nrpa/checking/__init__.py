"""Whether a problem is what the engine relies on: before each search in a moment, and for authors at length."""
