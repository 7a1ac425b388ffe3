"""Where an instance comes from."""

from __future__ import annotations

from dataclasses import dataclass

from nrpa.io.source import BestKnown


@dataclass(frozen=True)
class Origin:
    """Where an instance comes from. ``load`` sets it; it is empty for instances made in a program.

    Parameters
    ----------
    label : str
        The name of the instance: the path of its file, or its name among the bundled ones.
    sha256 : str
        The hash of the bytes of its file, in hex; empty where ``BaseProblem.digest`` takes its place.
    best_known : BestKnown, optional
        The best published value.
    """

    label: str = ""
    sha256: str = ""
    best_known: BestKnown | None = None
