"""The paper of the reproductions, experiments/submission.py: what its LaTeX has; no TeX is run."""

import re
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
pytest.importorskip("myst_parser")


@pytest.fixture
def submission(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import submission

    return submission


def test_all_that_is_named_and_cited_is_there(submission):
    """Each table and figure is named in the text, each citation has an entry, and each entry is cited."""
    paper = submission.PAPER.read_text(encoding="utf-8")
    found = submission.latex(paper)
    labels = re.findall(r"\\label\{((?:tab|fig)-[\w-]+)\}", found)
    assert sorted(labels) == sorted(set(labels)) == sorted(set(re.findall(r"\\ref\{([\w-]+)\}", found)))
    assert len(labels) == len(re.findall("^(?:Table|Figure): ", paper, re.MULTILINE)) > 0
    cited = {key for keys in re.findall(r"\\citep\{([^}]+)\}", found) for key in keys.split(",")}
    entries = submission.PAPER.with_name("references.bib").read_text(encoding="utf-8")
    assert cited == set(re.findall(r"^@\w+\{(\w+),", entries, re.MULTILINE))
    assert "[@" not in found
    assert "<!--" not in found


def test_a_table_becomes_one_in_latex(submission):
    """Empty cells stay where they are; what is special in TeX is not lost; formulas are left as they are."""
    found = submission.table_of(
        "| a_1 | b | c |\n| --- | ---: | ---: |\n|  | **5 %** |  |\n", r"By $\sqrt{n}$ & more", "tab-x"
    )
    assert r"a\_1 & b & c \\" in found
    assert r" & \textbf{5 \%} &  \\" in found
    assert r"\caption{By $\sqrt{n}$ \& more}\label{tab-x}" in found
