"""Experiments: runs × variants × instances, their records on disk, tables and comparisons."""

from nrpa.bench.experiment import Experiment, Variant
from nrpa.bench.records import Record, read_records
from nrpa.bench.run import run_experiment
from nrpa.bench.statistics import Cell, Difference, Share, cells, differences, shares
from nrpa.bench.table import table_text

__all__ = [
    "Cell",
    "Difference",
    "Experiment",
    "Record",
    "Share",
    "Variant",
    "cells",
    "differences",
    "read_records",
    "run_experiment",
    "shares",
    "table_text",
]
