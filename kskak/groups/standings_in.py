"""kskak-standings/1 in: a table of individuals, or a division of teams (CONTRACTS).

Beyond the contract a file may record what people did: ``playoff`` games and ``agreed_to_share``
(DM class, § 6.5.2), ``lots`` (league, § 6.7.4.5). Not for placing (standings.py).
"""

from collections.abc import Collection, Mapping

from kskak.groups.ladder_individual import RuleSet, Table
from kskak.groups.ladder_teams import BOARDS, BoardGame, Division, Team
from kskak.groups.played import Played, read_names, read_played
from kskak.values.json_fields import FieldError, Fields

FORMAT = "kskak-standings/1"


def read_standings(document: object) -> Table | Division:
    """A table from parsed JSON. Raises FieldError naming the place and the remedy."""
    head = Fields("standings file", document)
    if head.text("format") != FORMAT:
        raise head.fail("format", f'"{FORMAT}"')
    rules = head.one_of("rules", RuleSet)
    return _read_division(head) if rules is RuleSet.LEAGUE else _read_table(head, rules)


def _read_table(head: Fields, rules: RuleSet) -> Table:
    players = read_names("player", head.items("players", "a list of names"))
    if not players:
        raise head.fail("players", "at least one name")
    _only_for(head, rules, {"playoff": RuleSet.DM, "agreed_to_share": RuleSet.DM})
    _only_for(head, rules, {"lots": RuleSet.LEAGUE})
    return Table(
        rules,
        players,
        _once_a_colour("game", _games(head, "games", "game", players)),
        _games(head, "playoff", "playoff game", players) if head.is_set("playoff") else (),
        head.flag("agreed_to_share") if head.is_set("agreed_to_share") else False,
    )


def _games(head: Fields, name: str, where: str, names: Collection[str]) -> tuple[Played, ...]:
    listed, known = head.items(name, "a list of games"), frozenset(names)
    return tuple(read_played(f"{where} {i}", value, known) for i, value in enumerate(listed, 1))


def _once_a_colour(where: str, games: tuple[Played, ...]) -> tuple[Played, ...]:
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


def _read_division(head: Fields) -> Division:
    listed = head.items("teams", "a list of teams")
    if not listed:
        raise head.fail("teams", "at least one team")
    _only_for(head, RuleSet.LEAGUE, {"playoff": RuleSet.DM, "agreed_to_share": RuleSet.DM})
    teams = [Fields(f"team {place}", value) for place, value in enumerate(listed, 1)]
    clubs = read_names("team", [team.named("club") for team in teams])
    lines = [_line_up(team, place) for place, team in enumerate(teams, 1)]
    games = head.items("games", "a list of games")
    return Division(
        tuple(Team(club, players) for club, players in zip(clubs, lines, strict=True)),
        _once_a_board([_board_game(f"game {i}", value, clubs) for i, value in enumerate(games, 1)]),
        _lots(head, clubs),
    )


def _line_up(team: Fields, place: int) -> tuple[str, ...]:
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


def _lots(head: Fields, clubs: Collection[str]) -> tuple[str, ...]:
    if not head.is_set("lots"):
        return ()
    lots = read_names("lot", head.items("lots", "a list of clubs in the order drawn"))
    for place, club in enumerate(lots, 1):
        if club not in clubs:
            raise FieldError(f"lot {place}: {club!r} has no team in the list, write a club from it")
    return lots


def _only_for(head: Fields, rules: RuleSet, owners: Mapping[str, RuleSet]) -> None:
    """Refuse a field that belongs to other rules; ignoring it would hide a mistake."""
    for name, owner in owners.items():
        if head.is_set(name) and rules is not owner:
            raise FieldError(f"standings file: {name} belongs to {owner.value} only, leave it out")
