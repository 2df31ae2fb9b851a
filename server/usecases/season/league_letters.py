"""From an outbox row to a letter of the league, with its facts (§ 6.7.4.2-6.7.4.3, § 6.7.6.1).

Composed when it is sent. Not for which letters there are nor for wording
(mail.office_letters.league).
"""

from collections.abc import Awaitable, Callable
from datetime import date

from mail.office_letters import league_facts as ll
from server.store.groups import groups_and_seats as group_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, leader
from server.usecases.core.letter_params import Params, text
from server.usecases.core.offices import NoSuch
from server.usecases.core.outbox_letters import Kind
from server.usecases.league.rights import team_access
from server.usecases.league.views import DivisionView, Match, view_in
from server.usecases.season.entry_letters import team_entry_letter

_DAYS = frozenset({"first", "last"})


def _number(params: Params, name: str) -> int:
    value = params.get(name)
    if not isinstance(value, int):
        raise NoLetter(name)
    return value


def _division(core: Core, group: GroupRow, tl: PersonRow) -> ll.DivisionFacts:
    url = core.url(f"/league/{group.name}")
    return ll.DivisionFacts(group.name, group.tournament, leader(tl), group.zone, url)


def _value(name: str, value: object) -> str | int | date:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if name in _DAYS:
        return date.fromisoformat(str(value))
    return value if isinstance(value, int) else str(value)


async def _notice(core: Core, reader: PersonRow, params: Params) -> ll.LeagueLetter:
    try:
        found = await team_access(core, reader, _number(params, "team"))
    except NoSuch as error:
        raise NoLetter("no such team") from error
    async with core.store.read() as conn:
        tl = await person_rows.find(conn, found.group.tl_id)
    assert tl is not None
    taken = {"team", "word", "text", "entered"}
    desk = None
    if found.is_captain:
        desk = core.url("/captain")
    elif found.leads:
        desk = core.url(f"/desk/league/{found.group.name}")
    return ll.LeagueNotice(
        reader=reader.name,
        division=_division(core, found.group, tl),
        club=found.team.club,
        word=ll.LeagueWord(text(params, "word")),
        values={name: _value(name, params[name]) for name in params if name not in taken},
        text=text(params, "text"),
        desk_url=desk,
        entered=_entered(params) if found.leads else None,
    )


def _entered(params: Params) -> ll.EnteredLine | None:
    """What the register had on a reserve at the request; for the leader only."""
    match params.get("entered"):
        case [bool() as is_member, str() | None as club, int() | None as k, int() | None as otb]:
            return ll.EnteredLine(is_member, club, k, otb)
        case _:
            return None


async def _schedule(core: Core, reader: PersonRow, params: Params) -> ll.LeagueLetter:
    async with core.store.read() as conn:
        group = await group_rows.find(conn, _number(params, "group"))
        view = None if group is None else await conn.run_sync(view_in, group)
    if view is None:
        raise NoLetter("no such division")
    own = next((team.team for team in view.teams if team.team.captain_id == reader.id), None)
    matches = [m for m in view.matches if own is not None and own.id in (m.home.id, m.away.id)]
    return ll.DivisionSchedule(
        reader=reader.name,
        division=_division(core, view.group, view.tl),
        start=date.fromisoformat(view.group.start),
        teams=_teams(view),
        own_club=None if own is None else own.club,
        own=tuple(_pairing(match, own.id) for match in matches if own is not None),
        rounds=_rounds(view),
    )


def _teams(view: DivisionView) -> tuple[ll.TeamLine, ...]:
    return tuple(
        ll.TeamLine(
            one.team.number,
            one.team.club,
            leader(one.captain),
            tuple((seats[-1].name, seats[-1].rating) for seats in one.boards if seats),
        )
        for one in view.teams
    )


def _pairing(match: Match, own: int) -> ll.PairingLine:
    other = match.away if match.home.id == own else match.home
    colours = tuple(game.white_team == own for game in match.games)
    return ll.PairingLine(match.round, other.club, colours)


def _rounds(view: DivisionView) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The matches of each round, White on boards 1 and 3 first."""
    found: dict[int, list[tuple[str, str]]] = {}
    for match in view.matches:
        clubs = match.home.club, match.away.club
        is_home = match.games[0].white_team == match.home.id
        found.setdefault(match.round, []).append(clubs if is_home else (clubs[1], clubs[0]))
    return tuple(tuple(found[number]) for number in sorted(found))


_Make = Callable[[Core, PersonRow, Params], Awaitable[ll.LeagueLetter]]
LEAGUE: dict[Kind, _Make] = {
    Kind.LEAGUE: _notice,
    Kind.LEAGUE_SCHEDULE: _schedule,
    Kind.TEAM_ENTRY: team_entry_letter,
}
