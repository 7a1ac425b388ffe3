"""The folders of the checkout as packages: problems, solvers, plots and others are installed under nrpa."""

from setuptools import find_packages, setup

BESIDE = ("examples", "instances", "plots", "problems", "solvers")
packages = find_packages(include=["nrpa", "nrpa.*"])
packages += [f"nrpa.{name}" for name in find_packages(include=[p for b in BESIDE for p in (b, f"{b}.*")])]
setup(packages=packages, package_dir={f"nrpa.{name}": name for name in BESIDE})
