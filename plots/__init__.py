"""Pictures of results. Each takes ``(result, ax=None)`` and imports matplotlib only when it is called."""
