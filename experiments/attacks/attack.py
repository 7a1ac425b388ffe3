"""What the attacks share: --seed and --count, what came of the tries, and the line at the end."""

import argparse
import sys
from collections import Counter


def parser(doc, count):
    """Return a parser with the options of every attack."""
    made = argparse.ArgumentParser(description=doc.partition("\n")[0])
    made.add_argument("--seed", type=int, default=1, help="the same seed, the same tries")
    made.add_argument("--count", type=int, default=count, help="tries")
    return made


class Outcomes(Counter):
    """How many tries came to what; all that is not ``good`` is printed as it comes."""

    def __init__(self, *good):
        super().__init__()
        self.good = {*good}

    def note(self, outcome, said):
        """Count a try."""
        self[outcome] += 1
        if outcome not in self.good:
            print(f"{outcome}: {said}", file=sys.stderr, flush=True)

    def end(self, seed):
        """Print the counts, and exit, with status 1 unless all are good."""
        counts = ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.items()))
        print(f"seed {seed}, {self.total()} tries: {counts}")
        sys.exit(not self.keys() <= self.good)
