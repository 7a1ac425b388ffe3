"""What kernels of board games share: whose turn it is, and who has won."""

EMPTY = NOBODY = -1
PLAYER, WINNER = 0, 1


def player(instance, state):
    """Return whose turn it is."""
    return state.turn[PLAYER]


def rewards(instance, state, rewards):
    """Give 1 to the winner and 0 to the others; without a winner the same to all, 1 in sum."""
    winner, players = state.turn[WINNER], rewards.shape[0]
    for player in range(players):
        rewards[player] = 1.0 / players if winner == NOBODY else 1.0 if winner == player else 0.0
