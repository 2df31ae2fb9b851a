"""A table placed by the rules its file names, as rows and as kskak-placing/1 (CONTRACTS).

Not for reading the file (below), the ladders (placing.py) or
crosstables (crosstables.py).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from kskak.groups.placing import (
    BOARDS,
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
    sonneborn_berger,
)
from kskak.values import FieldError, JsonFields, widen

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
        widen(
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
