"""A search under a clock: its start, when it stops, its curve and result; what it shows and saves; its workers."""
