"""Bin packing by its rules, written out in plain Python, as slow as it is obvious."""

from __future__ import annotations

import random
from math import ceil


class NaiveBinPacking:
    """The game of ``problems/binpacking/kernels.py`` on lists of sizes."""

    def __init__(self, capacity, sizes, lower_bound, tight, rarely=False):
        self.capacity = capacity
        self.left = sorted(sizes, reverse=True)
        self.bins = []
        self.budget = lower_bound * capacity - sum(sizes)
        self.tight = tight
        self.rarely = rarely
        self.settle()

    @property
    def room(self):
        return self.capacity - sum(self.bins[-1]) if self.bins else 0

    def fitting(self):
        return [size for size in self.left if size <= self.room]

    def in_order(self):
        """Return the items that fit and are no larger than any put into the open bin after its first."""
        return [size for size in self.fitting() if size <= min(self.bins[-1][1:], default=size)]

    def put(self, size):
        self.left.remove(size)
        self.bins[-1].append(size)

    def settle(self):
        """Do what is no choice."""
        while self.left:
            if not self.fitting():
                self.open_bin()
            elif self.tight and self.dominates(self.fitting()[0]):
                self.put(self.fitting()[0])
            else:
                return

    def open_bin(self):
        if self.bins:
            self.budget -= self.room
            if self.budget < 0:
                self.budget += self.capacity
        self.bins.append([])
        self.put(self.left[0])

    def dominates(self, largest):
        candidates = self.in_order()
        if largest == self.room or not candidates:
            return True
        return largest == candidates[0] and best_sum(candidates, self.room) == largest

    def waste_after(self, size):
        rest = list(self.in_order())
        rest.remove(size)
        room = self.room - size
        return room - best_sum([other for other in rest if other <= size], room)

    def legal(self):
        """Return the sizes that may come next, the largest first."""
        if not self.left:
            return []
        if not self.tight:
            return sorted(set(self.fitting()), reverse=True)
        preferred = self.within_budget()
        return [size for size in sorted(set(self.in_order()), reverse=True) if self.rarely or size in preferred]

    def within_budget(self):
        """Return the sizes after which the lower bound stays within reach, or one bin above it."""
        waste = {size: self.waste_after(size) for size in self.in_order()}
        limit = self.budget
        if min(waste.values()) > limit:
            limit += self.capacity
        return {size for size in waste if waste[size] <= limit}

    def play(self, size):
        self.put(size)
        self.settle()

    def score(self):
        fills = [sum(content) / self.capacity for content in self.bins]
        return -len(fills) - (1 - sum(fill**2 for fill in fills) / len(fills)) / 2


def best_sum(sizes, room):
    """Return the largest sum up to ``room`` that some of ``sizes`` have, every subset tried."""
    sums = {0}
    for size in sizes:
        sums |= {total + size for total in sums}
    return max(total for total in sums if total <= room)


def fewest_bins(capacity, sizes):
    """Return the optimum, every assignment tried that does not differ by the names of bins alone."""
    best = len(sizes)

    def place(k, rooms):
        nonlocal best
        if len(rooms) >= best and k < len(sizes):
            return
        if k == len(sizes):
            best = min(best, len(rooms))
            return
        for b in range(len(rooms)):
            if rooms[b] >= sizes[k]:
                place(k + 1, [*rooms[:b], rooms[b] - sizes[k], *rooms[b + 1 :]])
        place(k + 1, [*rooms, capacity - sizes[k]])

    place(0, [])
    return best


def naive_l2(capacity, sizes):
    """L2 of Martello & Toth by its definition, every threshold tried."""
    best = 0
    for k in range(capacity // 2 + 1):
        alone = [s for s in sizes if s > capacity - k]
        large = [s for s in sizes if capacity / 2 < s <= capacity - k]
        small = [s for s in sizes if k <= s <= capacity / 2]
        beyond = sum(small) - (len(large) * capacity - sum(large))
        best = max(best, len(alone) + len(large) + max(0, ceil(beyond / capacity)))
    return best


def random_sizes(rng: random.Random, capacity, items):
    """Sizes that are now all alike, now all different, now small, now large."""
    low, high = sorted((rng.randint(1, capacity), rng.randint(1, capacity)))
    return [rng.randint(low, high) for _ in range(items)]
