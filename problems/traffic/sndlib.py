"""Networks in the native form of SNDlib (S. Orlowski, R. Wessäly, M. Pióro and A. Tomaszewski, Networks 55, 2010)."""

import re
from collections import defaultdict
from typing import Any

from nrpa.base.errors import InputError
from nrpa.problems.common import fault_in_list
from nrpa.problems.lines import Located, located_lines

FORM = "SNDlib's native form of networks: sections NODES, LINKS and DEMANDS in parentheses"
LEAST, MOST = 1e-30, 1e30  # so that no load is infinite
WORD = r"([^\s()]+)"
ENDS = rf"\( {WORD} {WORD} \)"
ROWS = {
    "NODES": re.compile(rf"{WORD}(?: {ENDS})?"),
    "LINKS": re.compile(rf"{WORD} {ENDS} {WORD} {WORD} {WORD} {WORD} \(((?: {WORD} {WORD})*) \)"),
    "DEMANDS": re.compile(rf"{WORD} {ENDS} {WORD} {WORD} {WORD}"),
}
Edge = tuple[str, str, float]


def read_network(text: str, label: str) -> tuple[list[Edge], list[Edge]]:
    """Return the links with their capacities, and the demands; a link's largest module counts if none is installed."""
    rows = _rows_by_section(located_lines(text, label), label)
    nodes = {row.words()[0] for row in rows["NODES"]}
    links, demands = list[Edge](), list[Edge]()
    for row in rows["LINKS"]:
        _, one, other, installed, _, _, _, *modules = row.words()
        rooms = [installed.number()] if installed.number() else [module.number() for module in modules[::2]]
        if not rooms or max(rooms) <= 0 or not {one, other} <= nodes:
            row.expected("a link between two nodes of NODES, with a capacity above 0 installed or as a module")
        links.append((str(one), str(other), max(rooms)))
    for row in rows["DEMANDS"]:
        _, one, other, unit, amount, longest = row.words()
        if longest != "UNLIMITED" or amount.number() <= 0 or unit.number() <= 0 or not {one, other} <= nodes:
            row.expected("a demand between two nodes of NODES, with an amount above 0 and paths of length UNLIMITED")
        demands.append((str(one), str(other), unit.number() * amount.number()))
    return links, demands


def _rows_by_section(lines: list[Located], label: str) -> dict[str, list[Located]]:
    """Return the rows of each section, without their parentheses; InputError where a section or part is missing."""
    rows, section, depth = defaultdict[str, list[Located]](list), "", 0
    for line in lines:
        if depth == 0 and not line.startswith("?SNDlib native format"):
            section = line.removesuffix("(").strip()
            if section not in (*ROWS, "META", "ADMISSIBLE_PATHS") or not line.endswith("("):
                line.expected("'NODES (', 'LINKS (' or 'DEMANDS ('")
            if section == "ADMISSIBLE_PATHS":
                line.warn("admissible paths are not read; any shortest paths are used")
        elif depth == 1 and line != ")" and section in ROWS:
            row = " ".join(line.replace("(", " ( ").replace(")", " ) ").split())
            if not ROWS[section].fullmatch(row):
                line.expected(f"a row of {section}")
            rows[section].append(line.at(row.replace("(", " ").replace(")", " ")))
        depth += line.count("(") - line.count(")")
    last = lines[-1] if lines else Located("", label, 1)
    for section in ROWS:
        if not rows[section] or depth:
            last.expected(f"a section {section} that ends with ')'")
    return rows


def checked_edges(edges: Any, what: str) -> list[Edge]:
    """Return links or demands as tuples; InputError for anything else."""
    fault = fault_in_list(
        edges, f"expected a list of {what}s", what, "two nodes and a number from 1e-30 to 1e30", _is_edge
    )
    if fault or not edges:
        raise InputError(fault or f"expected a {what} at least")
    return [(one, other, float(number)) for one, other, number in edges]


def is_path(value: Any) -> bool:
    """Return whether a value is a list of what can be nodes."""
    return isinstance(value, list) and all(map(_is_node, value))


def _is_node(value: Any) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_edge(value: Any) -> bool:
    if not isinstance(value, (list, tuple)) or len(value) != 3 or not all(map(_is_node, value[:2])):
        return False
    return isinstance(value[2], (int, float)) and not isinstance(value[2], bool) and LEAST <= value[2] <= MOST
