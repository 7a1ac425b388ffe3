"""Games of classes in plain Python."""


def random_game(problem, chance):
    """Return the moves of a random game, and its last state."""
    state, moves = problem.initial_state(), []
    while legal := problem.legal_moves(state):
        moves.append(chance.choice(legal))
        state = problem.play(state, moves[-1])
    return moves, state
