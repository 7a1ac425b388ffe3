"""RNA inverse folding."""

from nrpa.problems.rna.problem import InverseFolding

__all__ = ["InverseFolding"]
