"""Nested Monte Carlo search for hard combinatorial problems.

The public names are listed in ``__init__.pyi``. Each is loaded when it is first used, so that ``import nrpa`` and
``nrpa --help`` are quick.
"""

from pathlib import Path

import lazy_loader

from nrpa.base.installed import find_in_checkout, version_of

__version__ = version_of("nrpa")
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

find_in_checkout(Path(__file__).parent)
