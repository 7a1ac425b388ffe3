"""Scheduling: job shops, and projects with scarce resources."""
