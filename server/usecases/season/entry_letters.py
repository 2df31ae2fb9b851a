"""From an outbox row to a letter about a team entry (§ 6.7.4.1).

Not for wording (mail.office_letters.team_entries).
"""

from collections.abc import Sequence

from kskak.league.team_entry import TeamFault, TeamFinding
from mail.office_letters.league_facts import TeamEntryLetter, TeamNews
from server.store.engine.connection import AsyncConnection
from server.store.entries import lists as list_rows
from server.store.entries import team_entries as rows
from server.store.entries.team_entries import TeamEntryRow
from server.store.mail import outbox as outbox_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.register import members as register_rows
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_facts import NoLetter, leader
from server.usecases.core.letter_params import Params, day, text
from server.usecases.core.outbox_letters import Kind
from server.usecases.season.judging import seat_rating


def _findings(params: Params) -> tuple[TeamFinding, ...]:
    told = params.get("faults")
    if not isinstance(told, list):
        raise NoLetter("faults")
    return tuple(TeamFinding(TeamFault(fault), tuple(players)) for fault, players in told)


async def team_entry_letter(core: Core, reader: PersonRow, params: Params) -> TeamEntryLetter:
    """The letter: the news as of when it happened, the line-up as of now. Raises NoLetter."""
    entry_id = params.get("entry")
    async with core.store.read() as conn:
        row = await rows.find(conn, entry_id) if isinstance(entry_id, int) else None
        of = None if row is None else await list_rows.find(conn, row.list_id)
        tl = None if of is None else await person_rows.find(conn, of.leader_id)
        if row is None or of is None or tl is None:
            raise NoLetter("no such entry")
        seats = (await rows.seats_of(conn, [row.id])).get(row.id, ())
        known = await register_rows.by_ids(conn, [seat.person_id for seat in seats])
    return TeamEntryLetter(
        reader=reader.name,
        club=row.club,
        season=row.season,
        tournament=of.tournament,
        news=TeamNews(text(params, "news")),
        day=day(params, "day"),
        is_valid=params.get("is_valid") is True,
        players=tuple((s.name, seat_rating(s, known[s.person_id])) for s in seats),
        captain=row.captain,
        leader=leader(tl),
        zone=core.settings.clock.zone,
        url=core.url("/team-entry"),
        findings=_findings(params),
        fee=of.fee,
        paragraph=text(params, "paragraph"),
        reason=text(params, "reason"),
    )


async def tell_team(
    core: Core,
    conn: AsyncConnection,
    row: TeamEntryRow,
    news: TeamNews,
    findings: Sequence[TeamFinding] = (),
) -> None:
    """Tell the captain and whoever made the entry its news, and what it still lacks."""
    params: dict[str, object] = {
        "entry": row.id,
        "news": news.value,
        "is_valid": row.state == "valid",
        "faults": [[one.fault.value, list(one.players)] for one in findings],
        "day": row.fee_day or row.entered_day,
        "paragraph": row.paragraph or "",
        "reason": row.reason or "",
    }
    poster, unique = poster_of(core), f"{row.id}.{news.value}.{core.now_us}"
    people = dict.fromkeys((row.captain_id, row.entered_by))
    letters = [poster.to_person(Kind.TEAM_ENTRY, p, unique, params) for p in people]
    await outbox_rows.enqueue(conn, letters)
