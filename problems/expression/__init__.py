"""Expressions that fit points."""

PROBLEMS = {
    "expression": ("problem:Expression", "expression discovery: a short expression that fits points"),
}
