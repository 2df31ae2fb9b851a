"""From an outbox row to a letter of the league, with its facts (§ 6.7.4.2-6.7.4.3, § 6.7.6.1).

Composed when it is sent. Not for which letters there are nor for wording
(mail.office_letters.league_letters).
"""

from datetime import date

from mail.office_letters.league_letters import (
    DivisionSchedule,
    EnteredLine,
    LeagueNotice,
    LeagueWord,
    PairingLine,
    TeamLine,
)
from mail.text.letter_facts import LedGroup
from server.store import groups as group_rows
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.league.division_start import team_access
from server.usecases.league.league_views import DivisionView, LeagueMatchView, view_in
from server.usecases.letter_facts import NoLetter, Params, leader, loads, number, text
from server.usecases.rights import NoSuch

_DAYS = frozenset({"first", "last"})


def _division(core: Core, group: GroupRow, tl: PersonRow) -> LedGroup:
    url = core.url(f"/league/{group.name}")
    return LedGroup(group.name, group.tournament, leader(tl), group.zone, url)


def _value(name: str, value: object) -> str | int | date:
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    if name in _DAYS:
        return date.fromisoformat(str(value))
    return value if isinstance(value, int) else str(value)


@loads(LeagueNotice)
async def _notice(core: Core, reader: PersonRow, params: Params) -> LeagueNotice:
    try:
        found = await team_access(core, reader, number(params, "team"))
    except NoSuch as error:
        raise NoLetter("no such team") from error
    tl = await core.store.query(person_rows.find_person, found.group.tl_id)
    assert tl is not None
    taken = {"team", "word", "text", "entered"}
    desk = None
    if found.is_captain:
        desk = core.url("/captain")
    elif found.leads:
        desk = core.url(f"/desk/league/{found.group.name}")
    return LeagueNotice(
        reader=reader.name,
        group=_division(core, found.group, tl),
        club=found.team.club,
        word=LeagueWord(text(params, "word")),
        values={name: _value(name, params[name]) for name in params if name not in taken},
        text=text(params, "text"),
        desk_url=desk,
        entered=_entered(params) if found.leads else None,
    )


def _entered(params: Params) -> EnteredLine | None:
    """What the register had on a reserve at the request; for the leader only."""
    match params.get("entered"):
        case [bool() as is_member, str() | None as club, int() | None as k, int() | None as otb]:
            return EnteredLine(is_member, club, k, otb)
        case _:
            return None


@loads(DivisionSchedule)
async def _schedule(core: Core, reader: PersonRow, params: Params) -> DivisionSchedule:
    async with core.store.read() as conn:
        group = await group_rows.find(conn, number(params, "group"))
        view = None if group is None else await conn.run_sync(view_in, group)
    if view is None:
        raise NoLetter("no such division")
    own = next((team.team for team in view.teams if team.team.captain_id == reader.id), None)
    matches = [m for m in view.matches if own is not None and own in m.teams]
    return DivisionSchedule(
        reader=reader.name,
        group=_division(core, view.group, view.tl),
        start=date.fromisoformat(view.group.start),
        teams=_teams(view),
        own_club=None if own is None else own.club,
        own=tuple(_pairing(match, own.id) for match in matches if own is not None),
        rounds=_rounds(view),
    )


def _teams(view: DivisionView) -> tuple[TeamLine, ...]:
    return tuple(
        TeamLine(
            one.team.number,
            one.team.club,
            leader(one.captain),
            tuple((seats[-1].name, seats[-1].rating) for seats in one.boards if seats),
        )
        for one in view.teams
    )


def _pairing(match: LeagueMatchView, own: int) -> PairingLine:
    other = match.away if match.teams[0].id == own else match.home
    colours = tuple(game.white_team == own for game in match.games)
    return PairingLine(match.round, other, colours)


def _rounds(view: DivisionView) -> tuple[tuple[tuple[str, str], ...], ...]:
    """The matches of each round, White on boards 1 and 3 first."""
    found: dict[int, list[tuple[str, str]]] = {}
    for match in view.matches:
        clubs = match.home, match.away
        is_home = match.games[0].white_team == match.teams[0].id
        found.setdefault(match.round, []).append(clubs if is_home else (clubs[1], clubs[0]))
    return tuple(tuple(found[number]) for number in sorted(found))
