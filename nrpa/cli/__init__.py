"""The command line."""

from time import perf_counter

# Before anything else is imported: the setup time that a result tells begins here.
STARTED = perf_counter()
# The exit status of a command that is interrupted before it has a result.
INTERRUPTED = 130
# That of `solve` where the solution found has faults that its score does not count.
NOT_VALID = 3
COMMANDS = {
    "solve": "Solve an instance of a problem.",
    "check": "Check a solution.",
    "show": "Show a solution move by move, as a page for the browser.",
    "choose": "Choose a move of a position by a tree search.",
    "match": "Let tree searches play a game against each other.",
    "play": "Play a game against a tree search.",
    "new": "Write a problem, or a solver, of your own to begin with.",
    "list": "List problems, solvers and instances.",
    "bench": "Run an experiment: runs x variants x instances.",
    "tune": "Find the options that suit your instances.",
    "table": "Print what `nrpa bench` recorded.",
    "diagnose": "Say what a problem of your own needs.",
    "explain": "Say why nothing without faults is found: what clashes.",
    "ask": "Ask for games whose values you tell: ask and tell.",
    "report": "Write what `nrpa bench` recorded as one page of HTML.",
    "plot": "Draw what `nrpa bench` recorded, a solution, or a tree.",
    "schema": "Print the JSON Schema of what is written as JSON.",
    "mcp": "Serve the tools of nrpa to a language model (MCP).",
    "cache": "Show where machine code is kept, and how much of it there is.",
}
# Where commands are that have no module of their own name.
MODULES = {
    **dict.fromkeys(("choose", "match", "play"), "games"),
    **dict.fromkeys(("table", "plot", "report"), "show_records"),
}
