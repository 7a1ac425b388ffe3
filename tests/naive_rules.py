"""The rules of the games in plain Python, obvious and slow; they share only the numbers of moves with the kernels."""

from itertools import takewhile

from nrpa.problems.games.cells import EMPTY, neighbours
from nrpa.problems.games.problem import turns
from nrpa.problems.gomoku import problem as gomoku_problem
from nrpa.problems.hex import problem as hex_problem
from nrpa.problems.nogo import problem as nogo_problem

ROWS, ENOUGH = 2, 3


def rules_of(problem):
    """Return the first position of a game: ``legal()``, ``play(move)``, ``rewards()``, and whose turn it is."""
    firsts = {
        "atarigo": lambda: ChainRules(problem.size, 2, wins=True),
        "nogo": lambda: ChainRules(problem.size, problem.players, wins=False),
        "hex": lambda: HexRules(problem.size, problem.instance.first),
        "gomoku": lambda: GomokuRules(problem.size),
        "wargame": lambda: WargameRules(problem.players, problem.members, problem.health),
        "investment": lambda: InvestmentRules(problem.players, problem.members, 0),
        "videogame": lambda: Skirmish(problem.size, problem.health, problem.reach, problem.most_moves),
    }
    return firsts.get(problem.name, lambda: AdvanceRules(problem.size, problem.steps))()


class BoardRules:
    """A position on a square board; here, one on which stones are placed on empty cells until somebody wins.

    ``cells`` has the owner of each cell, row after row, or EMPTY.
    """

    def __init__(self, size, players=2):
        self.size = size
        self.players = players
        self.player = 0
        self.cells = [EMPTY] * size**2
        self.winner = None

    def legal(self):
        """Return the empty cells, none where somebody has won."""
        return [cell for cell, owner in enumerate(self.cells) if owner == EMPTY and self.winner is None]

    def rewards(self):
        """Return 1 for the winner and 0 for the others; without a winner the same for all, 1 in sum."""
        return winner_takes_all(self.winner, self.players)


def winner_takes_all(winner, players):
    """Return 1 for the winner and 0 for the others; without a winner the same for all, 1 in sum."""
    if winner is None:
        return (1.0 / players,) * players
    return tuple(float(player == winner) for player in range(players))


class ChainRules(BoardRules):
    """A position of Nogo or Atarigo."""

    def __init__(self, size, players, *, wins):
        super().__init__(size, players)
        self.wins = wins
        self.out = set()

    def legal(self):
        """Return the cells where the player may place a stone."""
        return [] if self.winner is not None else self._legal_of(self.player)

    def _legal_of(self, player):
        return [cell for cell, owner in enumerate(self.cells) if owner == EMPTY and self._is_legal(cell, player)]

    def _is_legal(self, cell, player):
        self.cells[cell] = player
        lives, captures = bool(self._liberties(cell)), self._captures(cell)
        self.cells[cell] = EMPTY
        return captures or lives if self.wins else lives and not captures

    def _captures(self, cell):
        """Return whether a chain of another player beside a stone has no liberty."""
        beside = neighbours(cell, self.size, nogo_problem.STEPS)
        return any(self.cells[c] not in {EMPTY, self.cells[cell]} and not self._liberties(c) for c in beside)

    def _liberties(self, cell):
        """Return the empty cells beside the chain of a stone."""
        chain, open_cells, liberties = {cell}, [cell], set()
        while open_cells:
            for beside in neighbours(open_cells.pop(), self.size, nogo_problem.STEPS):
                if self.cells[beside] == EMPTY:
                    liberties.add(beside)
                elif self.cells[beside] == self.cells[cell] and beside not in chain:
                    chain.add(beside)
                    open_cells.append(beside)
        return liberties

    def play(self, move):
        """Place a stone; who cannot move when it is their turn is out, and the last who is not has won."""
        self.cells[move] = self.player
        if self.wins and self._captures(move):
            self.winner = self.player
        while self.winner is None:
            self.player = (self.player + 1) % self.players
            if self.player in self.out:
                continue
            if len(self.out) == self.players - 1:
                self.winner = self.player
            elif not self._legal_of(self.player):
                self.out.add(self.player)
            else:
                break


class AdvanceRules(BoardRules):
    """A position. The first player begins in the first two rows and goes down, the second the other way round."""

    def __init__(self, size, steps):
        super().__init__(size)
        self.steps = steps
        self.cells[: ROWS * size] = [0] * (ROWS * size)
        self.cells[-ROWS * size :] = [1] * (ROWS * size)

    def legal(self):
        """Return the moves, each a cell times the number of cells plus the cell where the piece goes."""
        if self.winner is not None:
            return []
        moves = []
        for cell, owner in enumerate(self.cells):
            row, column = divmod(cell, self.size)
            for step in self.steps if owner == self.player else ():
                to_row, to_column = row + (1 - 2 * self.player) * step.forward, column + step.right
                if 0 <= to_row < self.size and 0 <= to_column < self.size:
                    end = to_row * self.size + to_column
                    if self.cells[end] == EMPTY or (self.cells[end] != self.player and step.captures):
                        moves.append(cell * self.size**2 + end)
        return sorted(moves)

    def play(self, move):
        cell, end = divmod(move, self.size**2)
        self.cells[cell], self.cells[end] = EMPTY, self.player
        last_row = self.size - 1 if self.player == 0 else 0
        if end // self.size == last_row or 1 - self.player not in self.cells:
            self.winner = self.player
        self.player = 1 - self.player

    def rewards(self):
        """Return 1 for the winner and 0 for the other; who cannot move has lost."""
        return winner_takes_all(1 - self.player if self.winner is None else self.winner, 2)


class HexRules(BoardRules):
    """A position of Hex: the first player connects top and bottom, the second left and right."""

    slant = 1

    def __init__(self, size, first):
        super().__init__(size)
        if first >= 0:
            self.play(first)

    def play(self, move):
        self.cells[move] = self.player
        if self._connects(move):
            self.winner = self.player
        self.player = 1 - self.player

    def _connects(self, cell):
        """Return whether the stones that are connected with a cell reach from one side of their player to the other."""
        owner, reached, open_cells = self.cells[cell], {cell}, [cell]
        while open_cells:
            for beside in neighbours(open_cells.pop(), self.size, hex_problem.STEPS):
                if self.cells[beside] == owner and beside not in reached:
                    reached.add(beside)
                    open_cells.append(beside)
        lines = {divmod(place, self.size)[owner] for place in reached}
        return {0, self.size - 1} <= lines


class GomokuRules(BoardRules):
    """A position of Gomoku: five or more in a row win."""

    def play(self, move):
        self.cells[move] = self.player
        for down, right in gomoku_problem.DIRECTIONS:
            if 1 + self._stones(move, down, right) + self._stones(move, -down, -right) >= gomoku_problem.FIVE:
                self.winner = self.player
        self.player = 1 - self.player

    def _stones(self, cell, down, right):
        """Return how many stones of the cell's owner lie beyond it in one direction, without a gap."""
        row, column = divmod(cell, self.size)
        ray = [(row + k * down, column + k * right) for k in range(1, self.size)]
        on_board = [(r, c) for r, c in ray if 0 <= r < self.size and 0 <= c < self.size]
        owner = self.cells[cell]
        return len(list(takewhile(lambda place: self.cells[place[0] * self.size + place[1]] == owner, on_board)))


class TeamRules:
    """A position of a game of teams: the ``points`` of each member, and who is ``waiting`` for the next turns."""

    def __init__(self, players, members, points):
        self.players = players
        self.members = members
        self.points = [points] * (players * members)
        self.waiting = turns(players, members)

    @property
    def mover(self):
        """The member whose turn it is."""
        return self.waiting[0]

    @property
    def player(self):
        """The team of that member."""
        return self.mover // self.members

    def pass_on(self, can_move):
        """Pass the turn on to the next member who can move."""
        self.waiting.append(self.waiting.pop(0))
        while not can_move(self.mover):
            self.waiting.append(self.waiting.pop(0))


class WargameRules(TeamRules):
    """A position of the Wargame; points are health."""

    def _alive(self):
        return {unit // self.members for unit, health in enumerate(self.points) if health > 0}

    def legal(self):
        """Return the living units of others, none where only one player has any."""
        if len(self._alive()) == 1:
            return []
        return [unit for unit, health in enumerate(self.points) if health > 0 and unit // self.members != self.player]

    def play(self, move):
        """Attack a unit; the turn passes to the next unit that lives."""
        self.points[move] -= 1
        self.pass_on(lambda unit: self.points[unit] > 0)

    def rewards(self):
        """Return 1 for the only player who has units, and 0 for the others."""
        (winner,) = self._alive()
        return winner_takes_all(winner, self.players)


class InvestmentRules(TeamRules):
    """A position of the Investment Pair Game; points are wealth."""

    def winner_of(self, number):
        """Return the team whose member of a number has won against those of the same number; None while nobody has."""
        teams = range(self.players)
        return next((team for team in teams if self.points[team * self.members + number] == ENOUGH), None)

    def legal(self):
        """Return the members of the team to whom a unit can be given: those against whom nobody has won, nor they."""
        first = self.player * self.members
        return [first + number for number in range(self.members) if self.winner_of(number) is None]

    def play(self, move):
        """Give a unit of wealth to a member; the turn passes to the next one who has not been beaten."""
        self.points[move] += 1
        if any(self.winner_of(number) is None for number in range(self.members)):
            self.pass_on(lambda giver: self.winner_of(giver % self.members) in {None, giver // self.members})

    def rewards(self):
        """Return 1 for the team that has won most often; those that have won equally often share it."""
        won = [self.winner_of(number) for number in range(self.members)]
        counts = [won.count(team) for team in range(self.players)]
        share = 1.0 / counts.count(max(counts))
        return tuple(share if count == max(counts) else 0.0 for count in counts)


class Skirmish(TeamRules):
    """A position of the Video Game; points are health.

    A move is an arrival cell times (units + 1), plus the number of the target from 1, or plus 0 without attack.
    """

    def __init__(self, size, health, reach, most_moves):
        super().__init__(2, ROWS * size, health)
        self.size = size
        self.reach = reach
        self.moves_left = most_moves
        front_first = [(row, column) for row in reversed(range(ROWS)) for column in range(size)]
        mirrored = [(size - 1 - row, column) for row, column in front_first]
        self.place = [*front_first, *mirrored]

    def alive(self, player):
        """Return the living units of a player."""
        first = player * self.members
        return [unit for unit in range(first, first + self.members) if self.points[unit] > 0]

    def legal(self):
        """Return the moves that attack; where there are none, the cells where the unit can go or stay."""
        if self.moves_left == 0 or not self.alive(0) or not self.alive(1):
            return []
        attacks, walks = [], []
        for row, column in self._arrivals():
            arrival = (row * self.size + column) * (len(self.place) + 1)
            walks.append(arrival)
            for target in self.alive(1 - self.player):
                down, right = self.place[target][0] - row, self.place[target][1] - column
                if max(abs(down), abs(right)) <= self.reach:
                    attacks.append(arrival + target + 1)
        return attacks or walks

    def _arrivals(self):
        """Return the cell of the unit and the empty ones beside it, row after row."""
        taken = {self.place[unit] for unit in [*self.alive(0), *self.alive(1)] if unit != self.mover}
        row, column = self.place[self.mover]
        around = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
        return [(r, c) for r, c in around if 0 <= r < self.size and 0 <= c < self.size and (r, c) not in taken]

    def play(self, move):
        """Go to a cell and attack; the turn passes to the next unit that lives."""
        cell, target = divmod(move, len(self.place) + 1)
        self.place[self.mover] = divmod(cell, self.size)
        if target > 0:
            self.points[target - 1] -= 1
        self.moves_left -= 1
        self.pass_on(lambda unit: self.points[unit] > 0)

    def rewards(self):
        """Return 1 for the only player who has units and 0 for the other; 0.5 each where both have."""
        alive = [player for player in (0, 1) if self.alive(player)]
        return winner_takes_all(alive[0] if len(alive) == 1 else None, 2)
