"""Teams pasted as lines: whose they are, what each is refused for, what counts, what goes on."""

import pytest

from server.store import entries as entry_rows
from server.store.engine.store import Store
from server.store.entries import TeamEntryRow
from server.usecases import office
from server.usecases.desks.pasted import PastedRow, PastedRowNote, PasteError, take_entries
from server.usecases.desks.pasted_teams import preview_teams
from server.usecases.season.team_entering import TeamRefused, withdraw_team
from tests.fakes.entries import Federation, federation
from tests.fakes.league import address, players_of
from tests.fakes.machinery.each import each
from tests.fakes.teams import league_list, register_clubs

HEAD = "Klub;Holdleder;1. bræt;2. bræt;3. bræt;4. bræt;Betalt"


@pytest.fixture
async def fed(store: Store) -> Federation:
    """Nord and Syd, four members each; the league is open for entry."""
    made = await federation(store)
    await register_clubs(made.core, "Nord", "Syd")
    await league_list(made.core, made.people["kaj"], "tove@example.org")
    return made


def line(club: str, *, captain: str = "", paid: str = "") -> str:
    one, two, three, four = players_of(club)
    return ";".join((club, captain, one, address(two), three, four, paid))


async def looked(fed: Federation, *lines: str) -> tuple[PastedRow, ...]:
    return await preview_teams(fed.core, fed.people["kaj"], "\n".join(lines), None)


async def taken(fed: Federation, *lines: str) -> list[TeamEntryRow]:
    rows = await looked(fed, *lines)
    ticks = [f"{row.number}.{one.key}" for row in rows for one in row.matches]
    told = await take_entries(fed.core, fed.people["kaj"], rows, ticks)
    assert all(one.is_done for one in told), told
    return list(await fed.core.store.query(entry_rows.list_season_entries, None))


async def test_a_line_is_a_team_and_nothing_counts_before_the_second_press(fed: Federation):
    lines = (HEAD, line("Nord", paid="ja"), line("Syd", captain=players_of("Syd")[2]))
    found = await looked(fed, *lines)
    assert [[one.who for one in row.matches] for row in found] == [["Nord"], ["Syd"]]
    assert not any(row.notes or row.refusal for row in found)
    assert await fed.core.store.query(entry_rows.list_season_entries, None) == ()
    nord, syd = await taken(fed, *lines)
    assert (nord.state, nord.fee_day) == ("valid", "2026-11-02")
    assert (nord.captain, syd.captain) == (players_of("Nord")[0], players_of("Syd")[2])
    assert (syd.state, syd.fee_day) == ("waiting", None)
    async with fed.core.store.read() as conn:
        seats = (await entry_rows.seats_of(conn, [syd.id]))[syd.id]
    assert tuple(seat.name for seat in seats) == players_of("Syd")
    assert [row.notes for row in await looked(fed, *lines)] == [(PastedRowNote.DONE,)] * 2


@pytest.mark.both_engines
async def test_the_same_line_is_taken_again_once_the_team_is_withdrawn(fed: Federation):
    (nord,) = await taken(fed, HEAD, line("Nord", paid="ja"))
    await withdraw_team(fed.core, fed.people["tove"], nord.id, official=True)
    again = await taken(fed, HEAD, line("Nord", paid="ja"))
    assert [row.id for row in again if row.id != nord.id], "a new entry"
    async with fed.core.store.read() as conn:
        owed = await office.owed_in(conn)
    (back,) = [one for one in owed if one.what is office.DebtKind.FEE_BACK]
    assert (back.party, back.ore, back.is_ours) == ("Nord", 40_000, True)
    number = int(back.path.rpartition("-")[2])
    await office.take_back(fed.core, fed.people["kaj"], number, "Holdet trak sig")
    async with fed.core.store.read() as conn:
        owed = await office.owed_in(conn)
    assert office.DebtKind.FEE_BACK not in [one.what for one in owed], "paid back is not owed"


@each(
    "text note",
    ("Vest;;A;B;C;D;", PastedRowNote.NO_CLUB),
    (line("Nord").replace(players_of("Nord")[3], "Ukendt Person"), PastedRowNote.UNKNOWN),
    (line("Nord", paid="32-13-2026"), PastedRowNote.BAD_DAY),
    ("Nord;;A", PastedRowNote.CELLS),
)
async def test_a_line_that_is_no_team_says_why(fed: Federation, text: str, note: PastedRowNote):
    (row,) = await looked(fed, HEAD, text)
    assert row.notes == (note,) and not row.matches


async def test_a_team_that_the_rules_refuse_says_so_with_those_above_it_in_mind(fed: Federation):
    mixed = line("Nord").replace(players_of("Nord")[3], players_of("Syd")[0])
    first, strange, twice = await looked(fed, HEAD, line("Nord"), mixed, line("Nord"))
    assert first.matches and not strange.matches
    assert isinstance(strange.refusal, TeamRefused)
    paragraphs = {one.paragraph for one in strange.refusal.findings}
    assert "6.7.3.2" in paragraphs, "a player of another club"
    assert twice.notes == (PastedRowNote.TWICE,) and not twice.matches


async def test_lines_without_a_header_have_a_captain_where_there_are_six_cells(fed: Federation):
    players = players_of("Nord")
    (five,) = await looked(fed, "\t".join(("Nord", *players)))
    (six,) = await looked(fed, "\t".join(("Nord", players[3], *players)))
    captains = [row.asking.captain for row in (five, six)]
    async with fed.core.store.read() as conn:
        seats = [seat.person_id for seat in five.asking.players]
        assert await entry_rows.team_form_keys(conn) == frozenset()
    assert captains == [seats[0], seats[3]]


async def test_at_most_forty_at_a_time(fed: Federation):
    with pytest.raises(PasteError, match="many"):
        await looked(fed, HEAD, *([line("Nord")] * 41))
