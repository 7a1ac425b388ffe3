"""Templates of wide rows: the part of each number up to the end of the first row, the last digit where it stays free.

R. Ageron, P. Casteras, T. Pellerin, Y. Portella, A. Rimmel and J. Tomasik, *New lower bounds for Schur and weak Schur
numbers* (arXiv 2112.03175), proved that templates of these widths exist. These ones were found by a constraint solver
(CP-SAT) from the definition, by ``experiments/schur_templates.py``.
"""

import numpy as np

from nrpa.base.errors import InputError

# By width, of partitions and of rows of rows, where no number may be twice another either.
WEAK = {42: "00101110220222222212101303333333313333333333333031112222222220111"}
STRICT = {
    33: "012211330222011033303330110222033012210",
    111: "0122011021203013212303332123103021201102210401223410402443440424443444441444444444444443444240413442"
    "140113221040122011021203013212303032123103021201102210",
}


def known(width: int, level: int) -> np.ndarray:
    """Return the part of each number, of rows (level 0) or of rows of rows. Raises InputError where none is known."""
    texts = STRICT if level else WEAK
    if width not in texts:
        raise InputError(f"known: templates are known for 42 numbers, and for 33 or 111 rows, not for {width}")
    return np.array(list(texts[width]), np.int64)
