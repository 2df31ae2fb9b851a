"""Crosstables and a division's table as values, to be shown by pages, mails and papers."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.groups.placing import (
    BOARDS,
    POINTS,
    BoardGame,
    BoardTeam,
    Division,
    RankingPlace,
    RankingRules,
    ScoredGame,
    Table,
    count_games,
    league_placing,
    number,
    percentage,
    placing,
    points_of,
    read_names,
    read_played,
    shared_prizes,
    sonneborn_berger,
)
from kskak.regulation.editions import Result, Side
from kskak.values import FieldError, JsonFields, recast

# A table placed by the rules its file names, as rows and as kskak-placing/1 (CONTRACTS).

PLACING_FORMAT = "kskak-placing/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingLine(RankingPlace):
    """One row of a placed table; teams have no Sonneborn-Berger number.

    ``percent`` of the finished games, None before the first.
    """

    points: Fraction
    sonneborn_berger: Fraction | None
    games: int
    percent: Fraction | None


def rows_of(table: Table | Division) -> tuple[RankingLine, ...]:
    """The rows in order, each with the figures it was placed by."""
    if isinstance(table, Division):
        names, games, placed = table.clubs, table.played, league_placing(table)
    else:
        names, games, placed = table.players, table.games, placing(table)
    points, count = points_of(names, games), count_games(names, games)
    sums = {} if isinstance(table, Division) else sonneborn_berger(names, games)
    return tuple(
        recast(
            RankingLine,
            row,
            points=points[row.name],
            sonneborn_berger=sums.get(row.name),
            games=count[row.name],
            percent=percentage(points[row.name], count[row.name]),
        )
        for row in placed
    )


def placing_json(rows: tuple[RankingLine, ...]) -> dict[str, object]:
    """The answer of ``kskak standings --json``."""
    return {"format": PLACING_FORMAT, "rows": [_row(row) for row in rows]}


def _row(row: RankingLine) -> dict[str, object]:
    return {
        "place": row.place,
        "name": row.name,
        "points": number(row.points),
        "sonneborn_berger": None if row.sonneborn_berger is None else number(row.sonneborn_berger),
        "decided_by": row.decided_by and row.decided_by.value,
    }


# kskak-standings/1 in: a table of individuals, or a division of teams (CONTRACTS).

STANDINGS_FORMAT = "kskak-standings/1"


def read_standings(document: object) -> Table | Division:
    """A table from parsed JSON. Raises FieldError naming the place and the remedy."""
    head = JsonFields("standings file", document)
    if head.text("format") != STANDINGS_FORMAT:
        raise head.fail("format", f'"{STANDINGS_FORMAT}"')
    rules = head.one_of("rules", RankingRules)
    return _read_division(head) if rules is RankingRules.LEAGUE else _read_table(head, rules)


def _read_table(head: JsonFields, rules: RankingRules) -> Table:
    players = read_names("player", head.items("players", "a list of names"))
    if not players:
        raise head.fail("players", "at least one name")
    _only_for(head, rules, {"playoff": RankingRules.DM, "agreed_to_share": RankingRules.DM})
    _only_for(head, rules, {"lots": RankingRules.LEAGUE})
    return Table(
        rules,
        players,
        _once_a_colour("game", _games(head, "games", "game", players)),
        _games(head, "playoff", "playoff game", players) if head.is_set("playoff") else (),
        head.flag("agreed_to_share") if head.is_set("agreed_to_share") else False,
    )


def _games(
    head: JsonFields, name: str, where: str, names: Collection[str]
) -> tuple[ScoredGame, ...]:
    listed, known = head.items(name, "a list of games"), frozenset(names)
    return tuple(read_played(f"{where} {i}", value, known) for i, value in enumerate(listed, 1))


def _once_a_colour(where: str, games: tuple[ScoredGame, ...]) -> tuple[ScoredGame, ...]:
    """A second cycle has the colours reversed; the same game twice is a mistake."""
    seen: dict[tuple[str, str], int] = {}
    for place, game in enumerate(games, 1):
        before = seen.setdefault((game.white, game.black), place)
        if before != place:
            raise FieldError(
                f"{where} {place}: {game.white!r} against {game.black!r} is {where} {before}"
                " already; leave one of them out"
            )
    return games


def _read_division(head: JsonFields) -> Division:
    listed = head.items("teams", "a list of teams")
    if not listed:
        raise head.fail("teams", "at least one team")
    _only_for(
        head, RankingRules.LEAGUE, {"playoff": RankingRules.DM, "agreed_to_share": RankingRules.DM}
    )
    teams = [JsonFields(f"team {place}", value) for place, value in enumerate(listed, 1)]
    clubs = read_names("team", [team.named("club") for team in teams])
    lines = [_write_lineup(team, place) for place, team in enumerate(teams, 1)]
    games = head.items("games", "a list of games")
    return Division(
        tuple(BoardTeam(club, players) for club, players in zip(clubs, lines, strict=True)),
        _once_a_board([_board_game(f"game {i}", value, clubs) for i, value in enumerate(games, 1)]),
        _lots(head, clubs),
    )


def _write_lineup(team: JsonFields, place: int) -> tuple[str, ...]:
    wanted = f"the {BOARDS} players, board 1 first"
    listed = team.items("players", wanted)
    if len(listed) != BOARDS:
        raise team.fail("players", wanted)
    return read_names(f"team {place}: player", listed)


def _board_game(where: str, value: object, clubs: Collection[str]) -> BoardGame:
    if not isinstance(value, list) or len(value) != 4:
        raise FieldError(f"{where}: write a game as [board, White's club, Black's club, result]")
    board = value[0]
    if not isinstance(board, int) or isinstance(board, bool) or not 1 <= board <= BOARDS:
        raise FieldError(f"{where}: board is wrong, write a whole number from 1 to {BOARDS}")
    return BoardGame(board, read_played(where, value[1:], clubs))


def _once_a_board(games: list[BoardGame]) -> tuple[BoardGame, ...]:
    """Two teams meet once on a board (§ 6.7.2.3)."""
    seen: dict[tuple[int, frozenset[str]], int] = {}
    for place, game in enumerate(games, 1):
        pair = frozenset((game.played.white, game.played.black))
        before = seen.setdefault((game.board, pair), place)
        if before != place:
            raise FieldError(
                f"game {place}: {game.played.white!r} and {game.played.black!r} have met on board"
                f" {game.board} in game {before} already; leave one of them out"
            )
    return tuple(games)


def _lots(head: JsonFields, clubs: Collection[str]) -> tuple[str, ...]:
    if not head.is_set("lots"):
        return ()
    lots = read_names("lot", head.items("lots", "a list of clubs in the order drawn"))
    for place, club in enumerate(lots, 1):
        if club not in clubs:
            raise FieldError(f"lot {place}: {club!r} has no team in the list, write a club from it")
    return lots


def _only_for(head: JsonFields, rules: RankingRules, owners: Mapping[str, RankingRules]) -> None:
    """Refuse a field that belongs to other rules; ignoring it would hide a mistake."""
    for name, owner in owners.items():
        if head.is_set(name) and rules is not owner:
            raise FieldError(f"standings file: {name} belongs to {owner.value} only, leave it out")


# Crosstables as values: rows and cells, to be shown by pages, mails and the command line.


@dataclass(frozen=True, slots=True)
class CrossCell:
    """What a row scored against a column: the points of each game, in the order listed.

    ``is_own``: the row's own column, which is blocked out. No points: nothing finished yet.
    """

    points: tuple[Fraction, ...] = ()
    is_own: bool = False

    @property
    def total(self) -> Fraction | None:
        """The points together; None before the first finished game."""
        return sum(self.points, Fraction(0)) if self.points else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossRow(RankingLine):
    """One row: place, name, the figures behind the place, and a cell for each column."""

    cells: tuple[CrossCell, ...]

    @property
    def against(self) -> tuple[Fraction | None, ...]:
        """The points against each of the others, in the order of the rows."""
        return tuple(cell.total for cell in self.cells if not cell.is_own)


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Rows in the order of their places; the columns are the rows' names in the same order."""

    rows: tuple[CrossRow, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names along the top."""
        return tuple(row.name for row in self.rows)


def crosstable(table: Table | Division) -> Crosstable:
    """A group by its placing, or a division club by club (§ 6.5.4.1, § 6.7.4.5).

    A club's cell has the points of up to four games, one per board.
    """
    games = table.played if isinstance(table, Division) else table.games
    rows = rows_of(table)
    names = [row.name for row in rows]
    return Crosstable(tuple(_cross_row(row, names, games) for row in rows))


def board_tables(division: Division) -> tuple[Crosstable, ...]:
    """The four boards, each a crosstable of its players (§ 6.7.2.3).

    Ordered by points and Sonneborn-Berger like any group; the text ranks no players by board, so
    the places are for information only. A player is named with the club.
    """
    return tuple(crosstable(_board(division, board)) for board in range(1, BOARDS + 1))


def _board(division: Division, board: int) -> Table:
    seats = {team.club: f"{team.players[board - 1]} ({team.club})" for team in division.teams}
    games = tuple(
        ScoredGame(seats[game.played.white], seats[game.played.black], game.played.result)
        for game in division.games
        if game.board == board
    )
    return Table(RankingRules.EMT, tuple(seats.values()), games)


def _cross_row(row: RankingLine, names: Sequence[str], games: Sequence[ScoredGame]) -> CrossRow:
    met: dict[str, list[Fraction]] = {other: [] for other in names}
    for game in games:
        for own, opponent, score in game.sides:
            if own == row.name:
                met[opponent].append(score)
    cells = tuple(CrossCell(tuple(met[other]), other == row.name) for other in names)
    return recast(CrossRow, row, cells=cells)


# A group's crosstable with what a reader wants to know about each game (§ 6.4.5.1, § 6.5.4.1).

_BY_CLASS = {"DM": RankingRules.DM, "cup": RankingRules.CUP, "theme": RankingRules.THEME}


def rules_of_class(group_class: str, *, is_cup_final: bool = False) -> RankingRules:
    """The ladder of a group of this class (§ 6.5.2, § 6.5.4.1, § 6.6.1.4, § 6.6.1.5).

    Readings: a cup group not linked to a cup follows § 6.6.1.4; play-offs and the players of one
    board follow the EMT's ladder, as the text has none for them. Theme groups have a name of their
    own, and their steps are the same.
    """
    return RankingRules.CUP_FINAL if is_cup_final else _BY_CLASS.get(group_class, RankingRules.EMT)


class GameTermination(StrEnum):
    """How a result came about where it was not played to its end."""

    ADJUDICATED = "adjudicated"
    """By the leader on the position: § 6.2.7, § 6.2.8."""
    WITHDRAWN = "withdrawn"
    """Lost because the player left with at most half of his games finished: § 6.2.8."""
    RULED = "ruled"
    """By any other decision: § 6.4.1."""
    TIME = "time"
    """By an overstep that was claimed, or that both lost by: § 6.3.3.3, § 6.3.3.4."""


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """A player of the group by his number."""

    number: int
    name: str
    club: str | None = None
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class GroupTableGame:
    """A game between two numbers; ``result`` None while it runs; ``is_played``: any move of it."""

    game: int
    white: int
    black: int
    result: Result | None
    how: GameTermination | None = None
    is_played: bool = True


@dataclass(frozen=True, slots=True)
class Meeting:
    """A game from the row's point of view: the player's colour, and points once it is over.

    ``sign``: + or – where it was decided without a move.
    """

    game: int
    opponent: int
    side: Side
    points: Fraction | None
    how: GameTermination | None
    sign: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupTableLine(RankingLine):
    """A player's line, named by his number in the group.

    ``cells`` by the opponent's number; the player's own is not among them.
    """

    sonneborn_berger: Fraction
    player: TablePlayer
    unfinished: int
    cells: Mapping[int, tuple[Meeting, ...]]

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        """All games, by the opponent's number."""
        return tuple(one for number in sorted(self.cells) for one in self.cells[number])


@dataclass(frozen=True, slots=True)
class GroupCrosstable:
    """The lines in the order of places."""

    rules: RankingRules
    lines: tuple[GroupTableLine, ...]

    def __hash__(self) -> int:
        """Of a little of it: what is said of a table is kept by it, and asked for often."""
        return hash(tuple([(line.player.number, line.place, line.games) for line in self.lines]))

    @property
    def by_number(self) -> tuple[GroupTableLine, ...]:
        """The lines in the order of the lots."""
        return tuple(sorted(self.lines, key=lambda line: line.player.number))

    @property
    def is_finished(self) -> bool:
        """Whether all games are finished."""
        return bool(self.lines) and not any(line.unfinished for line in self.lines)

    @property
    def has_begun(self) -> bool:
        """Whether anything is finished."""
        return any(line.games for line in self.lines)


@dataclass(frozen=True, slots=True)
class Tie:
    """How a tie for first place in the DM was settled; players go by number (§ 6.5.2).

    ``playoff`` only once it is finished; ``agreed``: those concerned agreed to share.
    """

    playoff: tuple[ScoredGame, ...] = ()
    agreed: bool = False


def group_table(
    rules: RankingRules,
    players: Sequence[TablePlayer],
    games: Iterable[GroupTableGame],
    tie: Tie | None = None,
) -> GroupCrosstable:
    """The table of a group as it stands (§ 6.4.5.1).

    Placed by the finished games alone; an adjudicated game counts like any other (§ 6.2.8).
    """
    settled = tie or Tie()
    listed = tuple(games)
    finished = tuple(
        ScoredGame(str(game.white), str(game.black), game.result)
        for game in listed
        if game.result is not None
    )
    names = tuple(str(player.number) for player in sorted(players, key=lambda p: p.number))
    rows = rows_of(Table(rules, names, finished, settled.playoff, settled.agreed))
    by_name = {str(player.number): player for player in players}
    return GroupCrosstable(rules, tuple(_line(by_name[row.name], row, listed) for row in rows))


def _line(player: TablePlayer, row: RankingLine, games: Sequence[GroupTableGame]) -> GroupTableLine:
    cells: dict[int, list[Meeting]] = {}
    for game in games:
        if player.number == game.white:
            cells.setdefault(game.black, []).append(_meeting(game, Side.WHITE))
        elif player.number == game.black:
            cells.setdefault(game.white, []).append(_meeting(game, Side.BLACK))
    met = [meeting for one in cells.values() for meeting in one]
    return recast(
        GroupTableLine,
        row,
        player=player,
        unfinished=sum(meeting.points is None for meeting in met),
        cells={number: tuple(one) for number, one in cells.items()},
    )


def _meeting(game: GroupTableGame, side: Side) -> Meeting:
    opponent = game.black if side is Side.WHITE else game.white
    if game.result is None:
        return Meeting(game.game, opponent, side, None, None)
    points = POINTS[game.result][side is Side.BLACK]
    sign = "" if game.is_played or points.denominator > 1 else "+" if points else "–"
    return Meeting(game.game, opponent, side, points, game.how, sign)


# A division's table as shown: team placing, matches, boards, prizes (§ 6.7.4.5, § 6.4.5.1).


@dataclass(frozen=True, slots=True)
class DivisionMatch:
    """Two teams' games of a round: the points so far, and how many games are still running."""

    round: int
    home: str
    away: str
    points: tuple[Fraction, Fraction]
    running: int


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A division as it stands. ``prizes`` in øre by club, once it is finished.

    ``needs_lots``: places still level await lots; ``seed``: that of the lots drawn.
    """

    division: int
    clubs: Crosstable
    boards: tuple[Crosstable, ...]
    matches: tuple[DivisionMatch, ...]
    is_finished: bool
    needs_lots: bool = False
    champion: str | None = None
    seed: str | None = None
    prizes: tuple[tuple[str, Fraction], ...] = ()


def prizes_of_clubs(
    clubs: Crosstable, amounts: tuple[int, ...]
) -> tuple[tuple[str, Fraction], ...]:
    """What each club gets; clubs that share a place share its prizes (§ 6.7.4.5, § 6.5.4).

    Reading: the league's text mentions no sharing; level places share until lots are drawn.
    """
    placed = [RankingPlace(row.place, row.name, row.decided_by) for row in clubs.rows]
    return tuple(shared_prizes(placed, amounts).items())
