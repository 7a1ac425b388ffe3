"""The shortest simple paths of a network, by the number of links (J. Y. Yen, Management Science 17, 1971)."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from heapq import heappop, heappush

Near = Mapping[Hashable, Sequence[Hashable]]
Path = tuple[Hashable, ...]


def shortest_paths(near: Near, start: Hashable, end: Hashable, count: int) -> list[Path]:
    """Return at most so many, the shortest first; ``near`` has the neighbours of each node that has any."""
    found, rivals = list[Path](), [(0, _shortest(near, (start,), end, ()))]
    while rivals and len(found) < count:
        _, path = heappop(rivals)
        if not path or path in found:
            continue
        found.append(path)
        for length in range(1, len(path)):
            root = path[:length]
            used = {other[length] for other in found if other[:length] == root}
            if rival := _shortest(near, root, end, used):
                heappush(rivals, (len(rival), rival))
    return found


def _shortest(near: Near, root: Path, end: Hashable, used: Collection[Hashable]) -> Path:
    """Return a shortest path that begins with ``root`` and goes on to none of ``used``; empty where there is none."""
    before = dict.fromkeys(root, root[-1])
    layer = [root[-1]]
    while layer and end not in before:
        following = []
        for node in layer:
            for other in near.get(node, ()):
                if other not in before and not (node == root[-1] and other in used):
                    before[other] = node
                    following.append(other)
        layer = following
    if end not in before or end in root:
        return ()
    path = [end]
    while path[-1] != root[-1]:
        path.append(before[path[-1]])
    return (*root[:-1], *reversed(path))
