"""Teams pasted as lines: a club, its captain and four players each (§ 6.7.4.1).

What is taken is entered as on the club's own page, and judged by the same rules. Not for players'
entries nor for the reading of lines (pasted.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kskak.league.lineups import club_key
from server.store import entries as entry_rows
from server.store import members as member_rows
from server.store.entries import ListRow, NewTeamEntryBoard
from server.store.members import ClubRow, MemberRow
from server.store.play.people import PersonRow
from server.usecases.context import Core, today_of
from server.usecases.desks import pasted
from server.usecases.office import MOST, preview_actions
from server.usecases.register.csv_table import CsvLine
from server.usecases.rights import NotAllowed, require_kc
from server.usecases.season.season_views import league_lists
from server.usecases.season.team_entering import (
    TeamAsking,
    TeamRefused,
    book_of,
    enter_team,
    is_of_club,
    season_of,
)


@dataclass(slots=True)
class _Known:
    """Whom and what the lines may name; ``back``: each club's teams of last season, by key."""

    everybody: pasted.KnownPeople
    members: Mapping[int, pasted.KnownPeople]
    clubs: Mapping[str, ClubRow]
    back: dict[str, list[int]]
    done: frozenset[str]
    seen: set[str]


async def preview_teams(
    core: Core, by: PersonRow, text: str, list_id: int | None
) -> tuple[pasted.PastedRow, ...]:
    """What the lines would come to, each after those above it. Raises PasteError, NotAllowed."""
    lines = pasted.read_pasted(text, pasted.PasteKind.TEAMS)
    if len(lines) > MOST:
        raise pasted.PasteError("many")
    known, lists = await _read_known(core, by)
    chosen = [row for row in lists if list_id in (None, row.id)] or lists
    found = [_line(core, line, known, chosen[0] if len(chosen) == 1 else None) for line in lines]
    done = dict[int, object]()

    async def rehearse(asking: TeamAsking, number: int) -> None:
        try:
            done[number] = await enter_team(core, by, asking)
        except NotAllowed:
            done[number] = pasted.PastedRowNote.OWN

    asked = [(row.asking, row.number) for row in found if isinstance(row.asking, TeamAsking)]
    await preview_actions(core, [partial(rehearse, *one) for one in asked])
    for at, row in enumerate(found):
        match done.get(row.number):
            case TeamRefused() as refusal:
                found[at] = replace(row, matches=(), refusal=refusal)
            case pasted.PastedRowNote() as note:
                found[at] = replace(row, matches=(), notes=(*row.notes, note))
    return tuple(found)


async def _read_known(core: Core, by: PersonRow) -> tuple[_Known, Sequence[ListRow]]:
    today = today_of(core)
    async with core.store.read() as conn:
        await require_kc(conn, by, core.now_us)
        people, season = await member_rows.everybody(conn), await season_of(conn, today)
        clubs = await member_rows.all_clubs(conn)
        lists = await league_lists(conn, only_open=True)
        book = None if season is None else await book_of(conn, season, today)
        entered = await entry_rows.list_season_entries(conn, None, entry_rows.COUNTED_STATES)
        keys = await entry_rows.team_form_keys(conn)
    back: dict[str, list[int]] = {}
    taken = {row.continues for row in entered}
    last = () if book is None else sorted(book.last.values(), key=lambda one: one.division)
    for one in last:
        if one.team.id not in taken:
            back.setdefault(club_key(one.team.club), []).append(one.team.id)
    own: dict[int, list[MemberRow]] = {}
    for person in people:
        if person.club_id is not None and is_of_club(person, person.club_id, today):
            own.setdefault(person.club_id, []).append(person)
    members = {club: pasted.KnownPeople.of(rows) for club, rows in own.items()}
    by_key = {club_key(club.name): club for club in clubs}
    return _Known(pasted.KnownPeople.of(people), members, by_key, back, keys, set()), lists


def _line(core: Core, line: CsvLine, known: _Known, of: ListRow | None) -> pasted.PastedRow:
    """The line as an entry to be tried, or why it can't be one."""
    if line.problem is not None:
        return pasted.PastedRow(line.number, "", notes=(pasted.PastedRowNote.CELLS,))
    text, club = pasted.join_cells(line.cells), known.clubs.get(club_key(line.cells["club"]))
    paid = pasted.read_payment_day(line.cells.get("paid", ""), today_of(core))
    notes = [paid] if isinstance(paid, pasted.PastedRowNote) else []
    notes += [pasted.PastedRowNote.NO_LIST] if of is None else []
    notes += [pasted.PastedRowNote.NO_CLUB] if club is None else []
    if of is None or club is None or isinstance(paid, pasted.PastedRowNote):
        return pasted.PastedRow(line.number, text, notes=tuple(notes))
    own = known.members.get(club.id, pasted.KnownPeople())
    cells = [
        line.cells.get("captain") or line.cells[pasted.BOARDS[0]],
        *(line.cells[b] for b in pasted.BOARDS),
    ]
    people = [own.find_cell(cell) or known.everybody.find_cell(cell) for cell in cells]
    captain, *players = [person.id for person in people if person is not None]
    if len(players) < len(pasted.BOARDS):
        missing = ", ".join(
            cell for cell, person in zip(cells, people, strict=True) if person is None
        )
        return pasted.PastedRow(
            line.number, f"{text} ({missing})", notes=(pasted.PastedRowNote.UNKNOWN,)
        )
    key = f"paste.{of.id}.{pasted.digest(line.cells)}"
    if key in known.done | known.seen:
        note = pasted.PastedRowNote.DONE if key in known.done else pasted.PastedRowNote.TWICE
        return pasted.PastedRow(line.number, text, notes=(note,))
    known.seen.add(key)
    seats = tuple(NewTeamEntryBoard(n, who, None, None, None) for n, who in enumerate(players, 1))
    back = known.back.get(club_key(club.name))
    continues = back.pop(0) if back else None
    asking = TeamAsking(of.id, club.id, captain, seats, continues, fee=paid, key=key)
    match = pasted.PastedRowMatch(f"{club.id}.{of.id}", club.name, of.name, is_sure=True)
    return pasted.PastedRow(line.number, text, (match,), asking=asking)
