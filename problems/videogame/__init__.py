"""The Video Game."""
