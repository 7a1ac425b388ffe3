"""Pools of workers."""

from nrpa.solvers.pool import share_of_turns


def test_playouts_are_shared_out_in_turns():
    """Every total is the sum of the shares, which differ by one at most."""
    for workers in range(1, 8):
        for total in range(40):
            shares = [share_of_turns(total, worker, workers) for worker in range(workers)]
            assert sum(shares) == total
            assert max(shares) - min(shares) <= 1
            assert shares == sorted(shares, reverse=True)
