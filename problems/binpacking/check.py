"""The independent check of a packing: plain Python, sharing nothing with the kernels."""

from collections import Counter
from decimal import Decimal
from typing import Any

from nrpa.modelling.objective import Verdict


def check_packing(capacity: Decimal, sizes: list[Decimal], bins: Any) -> Verdict:
    """Check that a packing holds every item once and no bin holds more than its capacity, with exact sums."""
    faults = _form_faults(bins)
    if faults:
        return Verdict({}, faults)
    packed = [[Decimal(str(size)) for size in content] for content in bins]
    faults = _item_faults(Counter(sizes), Counter(size for content in packed for size in content))
    if faults:
        return Verdict({}, faults)
    fills = [sum(content, Decimal(0)) for content in packed]
    faults = [f"bin {k} is empty" for k, fill in enumerate(fills, 1) if fill == 0]
    faults += [f"bin {k} holds {fill:f}, more than {capacity:f}" for k, fill in enumerate(fills, 1) if fill > capacity]
    squares = sum(float(fill / capacity) ** 2 for fill in fills)
    score = -len(fills) - 0.5 * (1 - squares / len(fills))
    return Verdict({"bins": len(fills)}, faults, score)


def _form_faults(bins: Any) -> list[str]:
    if not isinstance(bins, list):
        return [f"a packing is a list of bins, not {type(bins).__name__}"]
    faults = []
    for k, content in enumerate(bins, 1):
        if not isinstance(content, list):
            faults.append(f"bin {k} is no list of sizes: {content!r}")
            continue
        for size in content:
            if isinstance(size, bool) or not isinstance(size, (int, float)):
                faults.append(f"bin {k} holds {size!r}, which is not a size")
    return faults


def _item_faults(wanted: Counter[Decimal], found: Counter[Decimal]) -> list[str]:
    missing, extra = wanted - found, found - wanted
    faults = [f"{_items(size, times)} missing" for size, times in missing.items()]
    faults += [f"{_items(size, times)} too many" for size, times in extra.items()]
    return faults


def _items(size: Decimal, times: int) -> str:
    return f"{times} item{'' if times == 1 else 's'} of size {size:f} {'is' if times == 1 else 'are'}"
