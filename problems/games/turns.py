"""What kernels of games of teams share: whose turn it is, and whose comes next."""

from nrpa.machine.jit import jit

TURN = 0


def player(instance, state):
    """Return the team of the member whose turn it is."""
    return instance.order[state.turn[TURN]] // instance.members


def hash(instance, state):  # noqa: A001
    """Return the XOR of the keys of each member's state and of the player to move."""
    return state.hash[0] ^ instance.turn_key[state.turn[TURN]]


@jit
def pass_on(instance, state):
    """Pass the turn on to the next member who has health."""
    turn = state.turn[TURN]
    while True:
        turn = turn + 1 if turn + 1 < instance.order.shape[0] else 0
        if state.health[instance.order[turn]] > 0:
            break
    state.turn[TURN] = turn
