"""Reports: an experiment as one page that needs nothing else, no network and no script."""

from nrpa.report.page import report

__all__ = ["report"]
