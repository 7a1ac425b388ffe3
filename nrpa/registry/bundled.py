"""The problems and solvers that come with nrpa. To add one: its folder (its module), and its line here."""

from __future__ import annotations

from nrpa.registry.entry import Entry

PROBLEMS = (
    Entry("binpacking", "nrpa.problems.binpacking:BinPacking", "one-dimensional bin packing"),
    Entry("coloring", "nrpa.problems.coloring:Coloring", "graph colouring"),
    Entry("fold", "nrpa.problems.fold:Folding", "RNA folding: the structure of least energy of a sequence"),
    Entry("morpion", "nrpa.problems.morpion:Morpion", "Morpion Solitaire (Join Five)"),
    Entry("rna", "nrpa.problems.rna:InverseFolding", "RNA inverse folding: a sequence for a structure"),
    Entry("samegame", "nrpa.problems.samegame:SameGame", "SameGame: clear a board of coloured cells group by group"),
    Entry("schur", "nrpa.problems.schur:WeakSchur", "weak Schur numbers: weakly sum-free parts of 1, 2, 3, …"),
    Entry("tsptw", "nrpa.problems.tsptw:TSPTW", "travelling salesman with time windows"),
)

SOLVERS = (
    Entry("gnrpa", "nrpa.solvers.nrpa:GNRPA", "Generalized NRPA: with temperature and bias"),
    Entry("nrpa", "nrpa.solvers.nrpa:NRPA", "Nested Rollout Policy Adaptation: GNRPA with temperature 1 and no bias"),
    Entry("nmcs", "nrpa.solvers.nmcs:NMCS", "Nested Monte Carlo search"),
    Entry("random", "nrpa.solvers.nmcs:RandomSampling", "independent random playouts: level 0 of nested search"),
    Entry("greedy", "nrpa.solvers.nmcs:Greedy", "playouts that make the move of largest bias"),
)
