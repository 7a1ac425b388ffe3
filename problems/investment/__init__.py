"""The Investment Pair Game."""
