"""Pages that need nothing else, and no network: an experiment as a report, a solution move by move."""

from nrpa.report.page import report
from nrpa.report.show import Step, Walkthrough, show

__all__ = ["Step", "Walkthrough", "report", "show"]
