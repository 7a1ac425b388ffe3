#!/usr/bin/env bash
# One would guess that a fold compound with `dangles = 1` has one energy model, so that the Boltzmann weights of its energies, over its free energy of the ensemble, are the probabilities that it states.
# Energies and the best fold are of dangles 1, the ensemble and the probability of a structure are of dangles 2, without a word: whoever ranks designs by exp((G - E) / kT) under the parameters of 1999 gets "probabilities" that do not add up to 1.
#
# Seen with ViennaRNA 2.8.0, Python 3.11, x86-64: -2.995 for the ensemble with dangles 1, 2 and 3; by the energies of all
# 660 structures -2.930 with 1 and with 3, -2.995 with 2.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q viennarna==2.8.0
"$work/venv/bin/python" - <<'PROGRAM'
import math

import RNA

found = {}
for dangles in (1, 2):
    details = RNA.md()
    details.dangles, details.uniq_ML = dangles, 1
    molecule = RNA.fold_compound("GGGAAAUCCAGGCAAAGCC", details)
    ensemble, thermal = molecule.pf()[1], molecule.exp_params.kT / 1000
    structures = {each.structure for each in molecule.subopt(6000)}
    weights = [math.exp((ensemble - molecule.eval_structure(each)) / thermal) for each in structures]
    stated = sum(molecule.pr_structure(each) for each in structures)
    found[dangles] = ensemble, sum(weights), stated
    print(f"dangles {dangles}: ensemble {ensemble:.3f}, by energies {sum(weights):.3f}, stated {stated:.3f}")
assert abs(found[1][0] - found[2][0]) < 1e-6, "the ensembles differ"
assert abs(found[2][1] - 1) < 0.005 and found[1][1] < 0.95, "the energies of dangles 1 make the ensemble of dangles 1"
assert all(abs(each[2] - 1) < 0.005 for each in found.values()), "what is stated does not add up"
print("as it was seen")
PROGRAM
