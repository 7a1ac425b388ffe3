"""Expressions that fit points."""

# By name: the class, in a module of the folder, and what the problem is.
PROBLEMS = {
    "expression": ("problem:Expression", "expression discovery: a short expression that fits points"),
}
