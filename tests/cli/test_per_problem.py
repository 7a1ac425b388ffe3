from nrpa.cli.per_problem import described

CLASSES = """
import nrpa

class Silent(nrpa.Problem):
    def initial_state(self): return 0
    def legal_moves(self, state): return []
    def play(self, state, move): return state
    def score(self, state): return 0

class Spoken(nrpa.Problem):
    '''A job shop.'''
    def initial_state(self): return 0
    def legal_moves(self, state): return []
    def play(self, state, move): return state
    def score(self, state): return 0
"""


def test_a_class_is_described_by_its_docstring(tmp_path):
    """Without one by its name alone, with no empty parentheses."""
    (tmp_path / "shop.py").write_text(CLASSES)
    assert described(f"{tmp_path}/shop.py:Silent") == "Silent"
    assert described(f"{tmp_path}/shop.py:Spoken") == "Spoken (A job shop)"
