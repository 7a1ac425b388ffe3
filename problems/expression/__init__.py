"""Expressions that fit points."""

KIND = "mathematics"
PROBLEMS = {
    "expression": ("problem:Expression", "expression discovery: a short expression that fits points"),
}
