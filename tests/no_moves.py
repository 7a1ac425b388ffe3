"""The kernels of a game that is over before it begins."""


def reset(instance, state):
    pass


def legal_moves(instance, state, moves):
    return 0


def play(instance, state, move):
    pass


def score(instance, state):
    return 0.0
