"""Games of several players: one in progress, the choice of a move by a tree search, matches of tree searches."""
