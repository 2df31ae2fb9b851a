"""GET /groups: the list, a crosstable, a group's games as PGN. Public (CONTRACTS, § 6.4.5.1).

Not for the order of the rows (kskak.groups.crosstables).
"""

import asyncio
from datetime import date

from aiohttp import web

from kskak.cup import CupStage
from kskak.entries.emt import EmtClass, EmtOutcome
from kskak.groups.crosstables import CrossRow, GameTermination, GroupTableLine, LeagueTable
from kskak.groups.placing import RankingRules, RankingStep, number
from kskak.regulation.editions import Side
from mail.office_letters.bulletins import FinalStanding
from server.api.frame.endpoints import PGN, Call
from server.api.frame.game_models import HEADERS, ApiAnswer, plain_response
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.store import groups as group_rows
from server.store.cup import GroupRound
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.usecases.groups.group_tables import read_final_standing, table_in
from server.usecases.league.league_views import division_in
from server.usecases.play.game_views import all_groups
from server.usecases.play.visibility import group_pgn

# Response models about groups. Not for games (frame/game_models.py).


class GroupItem(ApiAnswer):
    """A group in the list; `live`: anybody may follow its running games."""

    id: int
    name: str
    tournament: str
    group_class: str
    start: date
    live: bool


class GroupList(ApiAnswer):
    """Every group, the newest first."""

    groups: list[GroupItem]


class TableGame(ApiAnswer):
    """A game from the row player's point of view; `points` is null while it runs."""

    game: int
    opponent: int
    side: Side
    points: float | None
    how: GameTermination | None


class TableRow(ApiAnswer):
    """A player's row; `decided_by` is the step that separated it from the row above."""

    place: int
    number: int
    name: str
    club: str | None
    withdrawn: bool
    points: float
    games: int
    unfinished: int
    percent: float | None
    sonneborn_berger: float
    decided_by: RankingStep | None
    results: list[TableGame]


class RightHeld(ApiAnswer):
    """A right gained or lost in a finished group: the class now open, until when, by which rule."""

    number: int
    outcome: EmtOutcome
    opens: EmtClass
    until: date
    paragraph: str


class CupRightHeld(ApiAnswer):
    """The highest class that a finished cup round opens, and until when (§ 6.6.2)."""

    number: int
    opens: EmtClass
    until: date
    paragraph: str


class CupRound(ApiAnswer):
    """The cup and the round that a cup group belongs to (§ 6.6.1.1)."""

    cup: int
    edition: int
    stage: CupStage


class TitleHeld(ApiAnswer):
    """A title and its holders' numbers; `awaits` a play-off or lots, and `between` whom."""

    title: str
    holders: list[int]
    awaits: RankingStep | None
    between: list[int]
    paragraph: str


class PrizeHeld(ApiAnswer):
    """A prize in øre."""

    number: int
    amount: int


class TeamRow(ApiAnswer):
    """A team's row; `points_against` in the order of the other rows, null before a result."""

    place: int
    club: str
    points: float
    games: int
    percent: float | None
    decided_by: RankingStep | None
    points_against: list[float | None]


class BoardRow(ApiAnswer):
    """A player's row on his board; the regulation does not rank players (§ 6.7.4.5)."""

    name: str
    points: float
    games: int
    points_against: list[float | None]


class TeamMatch(ApiAnswer):
    """A match, with the home and away scores so far; `running` games are still being played."""

    round: int
    home: str
    away: str
    points: list[float]
    running: int


class ClubPrize(ApiAnswer):
    """A club's prize in øre."""

    club: str
    amount: int


class DivisionTable(ApiAnswer):
    """A division of the league: teams by place, matches, boards from 1 (§ 6.7.4.5)."""

    division: int
    teams: list[TeamRow]
    matches: list[TeamMatch]
    boards: list[list[BoardRow]]
    champion: str | None
    needs_lots: bool
    lots_seed: str | None
    prizes: list[ClubPrize]


class GroupTable(ApiAnswer):
    """A group's crosstable, rows by place; titles, rights and prizes only once it is finished.

    A division of the league has no rows: its teams are ranked in `division`. `override`: the
    paragraphs that its start deliberately broke.
    """

    id: int
    name: str
    tournament: str
    group_class: str
    start: date
    live: bool
    leader: str
    override: str | None
    override_reason: str | None
    rules: RankingRules
    finished: bool
    round: CupRound | None
    rows: list[TableRow]
    titles: list[TitleHeld]
    rights: list[RightHeld]
    prizes: list[PrizeHeld]
    cup_rights: list[CupRightHeld]
    division: DivisionTable | None


# GET /groups: the list, a crosstable, a group's games as PGN. Public (CONTRACTS, § 6.4.5.1).

Plain = dict[str, object]
"""A JSON object whose numbers may be halves, unlike a game's JSON."""


async def groups(call: Call) -> web.Response:
    """GET /groups."""
    found = await all_groups(call.api.core.store)
    return plain_response(
        {"groups": [_item(group, group.id in found.live) for group in found.groups]}
    )


def _item(group: GroupRow, is_live: bool) -> Plain:
    return {
        "id": group.id,
        "name": group.name,
        "tournament": group.tournament,
        "group_class": group.class_,
        "start": group.start,
        "live": is_live,
    }


async def table(call: Call) -> web.Response:
    """GET /groups/{id}: the crosstable and, once it is finished, the outcome."""
    async with call.api.core.store.read() as conn:
        group = await group_rows.find(conn, call.path_id)
        if group is None:
            raise ApiProblem(ApiProblemKind.NOT_FOUND)
        view = await table_in(conn, group)
        standing = await read_final_standing(conn, group, view)
        leader = await person_rows.find_person(conn, group.tl_id)
        division = await division_in(conn, group)
        live = await group_rows.find_public_groups(conn, (group.id,))
    assert leader is not None
    value: Plain = _item(group, bool(live)) | {
        "leader": leader.name,
        "override": group.override,
        "override_reason": group.override_reason,
        "rules": view.table.rules.value,
        "finished": view.table.is_finished,
        "round": _round(view.kind.round),
        "rows": [_row(line) for line in view.table.lines],
        "division": None,
    }
    if division is None:
        return plain_response(value | _outcome(standing))
    value |= {"rules": RankingRules.LEAGUE.value, "rows": [], "division": _division(division)}
    return plain_response(value | _outcome(None))


def _division(table: LeagueTable) -> Plain:
    """A division by teams, matches and boards; players are compared only within their board."""
    return {
        "division": table.division,
        "teams": [
            {
                "place": row.place,
                "club": row.name,
                "percent": None if row.percent is None else number(row.percent),
                "decided_by": None if row.decided_by is None else row.decided_by.value,
                **_figures(row),
            }
            for row in table.clubs.rows
        ],
        "matches": [
            {
                "round": match.round,
                "home": match.home,
                "away": match.away,
                "points": [number(points) for points in match.points],
                "running": match.running,
            }
            for match in table.matches
        ],
        "boards": [[{"name": r.name, **_figures(r)} for r in one.rows] for one in table.boards],
        "champion": table.champion,
        "needs_lots": table.needs_lots,
        "lots_seed": table.seed,
        "prizes": [{"club": club, "amount": int(money)} for club, money in table.prizes],
    }


def _figures(row: CrossRow) -> Plain:
    return {
        "points": number(row.points),
        "games": row.games,
        "points_against": [
            None if cell.total is None else number(cell.total)
            for cell in row.cells
            if not cell.is_own
        ],
    }


def _round(known: GroupRound | None) -> Plain | None:
    if known is None:
        return None
    return {"cup": known.cup_id, "edition": known.edition, "stage": known.stage}


def _row(line: GroupTableLine) -> Plain:
    results: list[Plain] = [
        {
            "game": one.game,
            "opponent": opponent,
            "side": one.side.value,
            "points": None if one.points is None else number(one.points),
            "how": None if one.how is None else one.how.value,
        }
        for opponent, cell in sorted(line.cells.items())
        for one in cell
    ]
    return {
        "place": line.place,
        "number": line.player.number,
        "name": line.player.name,
        "club": line.player.club,
        "withdrawn": line.player.has_left,
        "points": number(line.points),
        "games": line.games,
        "unfinished": line.unfinished,
        "percent": None if line.percent is None else number(line.percent),
        "sonneborn_berger": number(line.sonneborn_berger),
        "decided_by": None if line.decided_by is None else line.decided_by.value,
        "results": results,
    }


def _outcome(standing: FinalStanding | None) -> Plain:
    if standing is None:
        return {"titles": [], "rights": [], "prizes": [], "cup_rights": []}
    return {
        "titles": [
            {
                "title": award.title.value,
                "holders": [int(holder) for holder in award.holders],
                "awaits": None if award.awaits is None else award.awaits.value,
                "between": [int(number) for number in award.between],
                "paragraph": award.paragraph,
            }
            for award in standing.awards
        ],
        "rights": [
            {
                "number": one.number,
                "outcome": one.outcome.value,
                "opens": one.opens.value,
                "until": one.until.isoformat(),
                "paragraph": one.paragraph,
            }
            for one in standing.consequences
        ],
        "prizes": [{"number": holder, "amount": int(money)} for holder, money in standing.prizes],
        "cup_rights": [
            {
                "number": one.number,
                "opens": one.opens.value,
                "until": one.until.isoformat(),
                "paragraph": one.paragraph,
            }
            for one in standing.cup_rights
        ],
    }


async def pgn(call: Call) -> web.Response:
    """GET /groups/{id}/pgn: finished games for all, running ones for those who may see them."""
    core, request = call.api.core, call.request
    person = None
    if "Authorization" in request.headers:
        now = asyncio.get_running_loop().time()
        person = (await call.api.doors.let_in(request, now)).person
    async with core.store.read() as conn:
        group = await group_rows.find(conn, call.path_id)
    text = None if group is None else await group_pgn(core, group.name, person)
    if text is None:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    return web.Response(text=text, content_type=PGN, charset="utf-8", headers=HEADERS)
