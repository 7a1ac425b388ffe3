"""Build the reproductions as one paper: ``python experiments/submission.py --out build/paper``.

The text is paper/paper.md in Markdown, whose tables pages.py writes from the records. Its figures are drawn from the
records as PDF. Needs MyST-Parser, docutils, matplotlib, and pdflatex and bibtex of TeX. ``[@KEY]`` cites an entry of
paper/references.bib, ``@tab-NAME`` and ``@fig-NAME`` name a table and a figure; their captions begin with ``Table:``
and ``Figure:``, and a comment ``plot: COMMAND`` before the latter says what draws it.
"""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from docutils.core import publish_parts
from myst_parser.docutils_ import Parser
from pages import HERE, differing, matched
from tables import run

from nrpa.base.errors import InputError
from nrpa.cli.main import commands

PAPER = HERE / "paper" / "paper.md"
TABLE = re.compile(r"^Table: (.+) \{#(tab-[\w-]+)\}\n\n(?:<!-- from: .+ -->\n\n)?((?:\|.*\n)+)", re.MULTILINE)
FIGURE = re.compile(r"^<!-- plot: (.+) -->\n\nFigure: (.+) \{#(fig-[\w-]+)\}\n", re.MULTILINE)
CITED = re.compile(r"\{?\[\}?@(\w+(?:; ?@\w+)*)\{?\]\}?")
NAMED = re.compile(r"@((tab|fig)-[\w-]+)")
KINDS = {"tab": "Table", "fig": "Figure"}
SPECIAL = re.compile(r"([&%#_])")
MATH = re.compile(r"(\$[^$]+\$)")
FLOAT = "\\begin{{{0}}}[t]\\centering\n{1}\n\\caption{{{2}}}\\label{{{3}}}\n\\end{{{0}}}\n"
LETTERS = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "σ": r"\sigma", "τ": r"\tau", "±": r"\pm", "×": r"\times",
    "−": "-", "√": r"\surd", "ñ": r"\tilde n", "≥": r"\geq", "≤": r"\leq", "→": r"\rightarrow",
}  # fmt: skip
PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern,microtype,graphicx,booktabs,amsmath,amssymb,textcomp}
\usepackage[a4paper,margin=2.6cm]{geometry}
\usepackage[font=small,labelfont=bf]{caption}
\usepackage[numbers,sort&compress]{natbib}
\usepackage[hidelinks]{hyperref}
\setlength{\emergencystretch}{3em}
\newsavebox{\widebox}
\newcommand{\fitted}[1]{\sbox{\widebox}{#1}\ifdim\wd\widebox>\linewidth\resizebox{\linewidth}{!}{\usebox{\widebox}}\else\usebox{\widebox}\fi}
"""
END = "\\bibliographystyle{plainnat}\n\\bibliography{references}\n\\end{document}\n"


def main() -> None:
    """Write the LaTeX, draw the figures, and run pdflatex."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("build/paper"), help="a folder")
    out = parser.parse_args().out
    if wrong := differing(PAPER):
        raise InputError(f"{PAPER}: not what the records say: {'; '.join(wrong)}")
    for tool in ("pdflatex", "bibtex"):
        if shutil.which(tool) is None:
            raise InputError(f"expected the program {tool}, found none")
    out.mkdir(parents=True, exist_ok=True)
    text = PAPER.read_text(encoding="utf-8")
    for command, _, name in FIGURE.findall(text):
        draw(shlex.split(command), out / f"{name}.pdf")
    (out / "paper.tex").write_text(latex(text), encoding="utf-8")
    shutil.copy(PAPER.with_name("references.bib"), out)
    for program in ("pdflatex", "bibtex", "pdflatex", "pdflatex"):
        options = ["-interaction=nonstopmode", "-halt-on-error"] if program == "pdflatex" else []
        done = subprocess.run([program, *options, "paper"], cwd=out, capture_output=True, check=False)
        if done.returncode:
            raise InputError(f"{program} in {out}: {done.stdout.decode(errors='replace')[-2000:]}")
    print(out / "paper.pdf")


def draw(command: Sequence[str], path: Path) -> None:
    """Draw a figure as PDF: by ``nrpa plot``, or how the matches of the MCPS paper agree."""
    if command[0] == "matches":
        draw_matches(path)
    else:
        commands.main([*command[1:], "--out", str(path)], standalone_mode=False)


def draw_matches(path: Path) -> None:
    """Draw our points over the published ones, with both intervals."""
    found = [(row, mine) for table in ("1", "2 to 6") for row, mine in matched(table) if len(mine) == 1]
    theirs, half = np.array([[float(each) for each in row["published"].split(" ± ")] for row, _ in found]).T
    ours, low, high = np.array([[100 * value for value in (m.share, m.low, m.high)] for _, (m,) in found]).T
    figure, axes = plt.subplots(figsize=(4.2, 4.0))
    tables = np.array([row["table"] == "1" or row["game"][0] for row, _ in found], dtype=str)
    for name, marker, label in (("True", "o", "Table 1"), ("3", "s", "Investment"), (None, "^", "other tables")):
        chosen = tables == name if name else ~np.isin(tables, ["True", "3"])
        bars = np.array([ours - low, high - ours])[:, chosen]
        axes.errorbar(theirs[chosen], ours[chosen], bars, half[chosen], marker, ms=4, lw=0.6, label=label)
    axes.plot([20, 90], [20, 90], color="grey", lw=0.8)
    axes.set(xlabel="published points [%]", ylabel="points here [%]", xlim=(25, 90), ylim=(25, 90), aspect="equal")
    axes.legend(frameon=False)
    figure.savefig(path, bbox_inches="tight")
    plt.close(figure)


def latex(text: str) -> str:
    """Return the paper in LaTeX."""
    title, _, rest = text.removeprefix("# ").partition("\n")
    rest = FIGURE.sub(lambda found: raw(figure_of(found[2], found[3])), rest)
    rest = TABLE.sub(lambda found: raw(table_of(found[3], found[1], found[2])), rest)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        settings = {"myst_enable_extensions": ["dollarmath"], "myst_suppress_warnings": ["myst.header"]}
        parts = publish_parts(rest, parser=Parser(), writer="latex", settings_overrides=settings)
    body = CITED.sub(lambda found: f"\\citep{{{re.sub('[@ ]', '', found[1]).replace(';', ',')}}}", parts["body"])
    body = NAMED.sub(lambda found: f"{KINDS[found[2]]}~\\ref{{{found[1]}}}", body)
    abstract, _, body = body.partition(r"\section")
    letters = "".join(f"\\DeclareUnicodeCharacter{{{ord(k):04X}}}{{\\ensuremath{{{v}}}}}\n" for k, v in LETTERS.items())
    begun = f"\\title{{{title}}}\n\\author{{The authors of nrpa}}\n\\begin{{document}}\n\\maketitle\n"
    whole = f"\\begin{{abstract}}{abstract}\\end{{abstract}}\n\\section{body}{END}"
    return PREAMBLE + letters + parts["fallbacks"] + begun + whole


def raw(content: str) -> str:
    """Return LaTeX as a block of Markdown."""
    return f"```{{raw}} latex\n{content}```\n"


def figure_of(caption: str, name: str) -> str:
    """Return a figure."""
    return FLOAT.format("figure", f"\\includegraphics[width=0.75\\linewidth]{{{name}}}", inline(caption), name)


def table_of(markdown: str, caption: str, name: str) -> str:
    """Return a table, made smaller where it is wider than the page."""
    head, _, *rows = ([inline(cell.strip()) for cell in line[1:-1].split("|")] for line in markdown.splitlines())
    lines = [" & ".join(row) + r" \\" for row in (head, *rows)]
    content = "\n".join([r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"])
    columns = "l" + "r" * (len(head) - 1)
    tabular = f"\\small\\fitted{{\\begin{{tabular}}{{{columns}}}\n{content}\n\\end{{tabular}}}}"
    return FLOAT.format("table", tabular, inline(caption), name)


def inline(text: str) -> str:
    """Return a cell or a caption in LaTeX: formulas as they are, bold, italic and typewriter type."""
    parts = MATH.split(text)
    parts[::2] = [SPECIAL.sub(r"\\\1", part) for part in parts[::2]]
    text = "".join(parts)
    for mark, command in ((r"\*\*", "textbf"), (r"\*", "emph"), ("`", "texttt")):
        text = re.sub(rf"{mark}(.+?){mark}", rf"\\{command}{{\1}}", text)
    return text


if __name__ == "__main__":
    run(main)
