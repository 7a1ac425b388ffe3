"""Doors to the outside, each importable apart: Gymnasium, other programs, language models (MCP), schemas of JSON."""
