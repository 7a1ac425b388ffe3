"""The independent check of point sets, experiments/check_points.py."""

import json
import sys
from itertools import product
from pathlib import Path

import pytest

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"


@pytest.fixture
def check_points(monkeypatch):
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import check_points

    return check_points


def test_patterns_are_counted(check_points):
    """Right isosceles triangles and squares of whole grids, A187452 and A002415."""
    grids = [[*product(range(n), repeat=2)] for n in (1, 2, 3, 4)]
    assert [check_points.triangles(grid) for grid in grids] == [0, 4, 28, 96]
    assert [check_points.squares(grid) for grid in grids] == [0, 1, 6, 20]


def test_certificates_hold_no_pattern(check_points, monkeypatch, tmp_path, capsys):
    """All files of the record are good; one with another point is not."""
    files = [*(EXPERIMENTS / "results" / "points").glob("*.json")]
    assert files
    monkeypatch.setattr(sys, "argv", ["", *map(str, files)])
    with pytest.raises(SystemExit) as ended:
        check_points.main()
    assert not ended.value.code
    claim = json.loads(files[0].read_text(encoding="utf-8"))
    claim["solution"][0] = claim["solution"][1]
    (tmp_path / "bad.json").write_text(json.dumps(claim), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["", str(tmp_path / "bad.json")])
    with pytest.raises(SystemExit) as ended:
        check_points.main()
    assert ended.value.code
    assert "WRONG" in capsys.readouterr().out
