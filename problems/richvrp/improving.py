"""The routes of a game ruined and recreated."""

from nrpa.machine.jit import jit
from nrpa.problems.exchanges import seed
from nrpa.problems.routing.improving import improve_routes
from nrpa.problems.routing.insertion import recreate
from nrpa.problems.routing.routes import ABSENT, build, let_wait, note, note_waiting, unlink
from nrpa.problems.routing.ruin import begin_change


@jit
def improve(rules, routes, stop, starts, number):
    """Make routes of where the first ``number`` legs start, and better ones of these; return whether all are served.

    Random numbers depend on all legs.
    """
    if not build(rules, routes, starts, number):
        drop_faulty(rules, routes)
    seed(routes.stream, starts, len(starts))
    begin_change(routes)
    left = recreate(rules, routes, routes.work[ABSENT], len(routes.size))
    let_wait(rules, routes, routes.order, left)
    return improve_routes(rules, routes, stop, False)


@jit
def drop_faulty(rules, routes):
    """Let the requests of routes wait that do not keep all rules."""
    for route in range(len(routes.size)):
        while not routes.sound[route] and routes.size[route] > 0:
            unlink(routes, routes.after[len(rules.due) + route])
        note(rules, routes, route)
    note_waiting(rules, routes)
