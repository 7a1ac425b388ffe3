"""Packing with turning: strips, bins in two dimensions, boxes in three."""

KIND = "packing"
PROBLEMS = {
    "boxes": ("boxes:BoxLoading", "container loading: boxes of several kinds into one container"),
    "rectangles": ("rectangles:RectanglePacking", "bin packing in two dimensions: rectangles, turned or not"),
    "strip": ("strip:StripPacking", "strip packing: rectangles, turned or not, on a strip as low as can be"),
}
