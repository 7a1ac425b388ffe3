"""Pages that need nothing else, and no network: an experiment as a report, a solution move by move."""

from nrpa.report.page import report

__all__ = ["report"]
