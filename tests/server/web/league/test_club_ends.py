"""A club folds or becomes part of another in one deed; nobody captains two that meet (§ 6.7)."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from mail.office_letters.league_letters import LeagueNotice
from server.store import entries as entry_rows
from server.store import members as member_rows
from server.store.play.people import Office
from server.store.tables.tournaments import team_entries
from server.usecases.groups.group_file import GroupFileError, read_group_file
from server.usecases.league.divisions import name_captain
from server.usecases.rights import NoSuch
from server.usecases.season import departures
from server.usecases.season.season_views import name_admin
from server.usecases.season.team_entering import TeamAsking, enter_team
from server.usecases.starts.start_group import start_group
from tests.fakes.league import address, begin_division, division_text, players_of, team_of
from tests.fakes.site import Site
from tests.fakes.teams import by_address, club_id, league_list, lineup, members_of, register_clubs
from tests.server.web.conftest import Browsers


@pytest.fixture
async def league(site: Site) -> Site:
    """Nord and Syd play in division 1 and have entered for the next; Vera enters for Nord."""
    await register_clubs(site.core, "Nord", "Syd", "Vest")
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"), start="2026-01-10")
    for name in ("leif", "vera"):
        await site.admit(name)
    kaj = await site.admit("kaj", Office.KC)
    await league_list(site.core, kaj, "leif@example.org", "H27")
    await name_admin(site.core, kaj, await club_id(site.core, "Nord"), "vera@example.org")
    captain = await by_address(site.core, address("Nord Et"))
    seats = await lineup(site.core, *players_of("Nord"))
    asked = TeamAsking(1, await club_id(site.core, "Nord"), captain.id, seats)
    assert not isinstance(await enter_team(site.core, captain, asked), Exception)
    return site


async def state_of(league: Site) -> tuple[str, int | None]:
    """The entered team's state and club."""
    async with league.core.store.read() as conn:
        row = await entry_rows.find_team_entry(conn, 1)
    assert row is not None
    return row.state, row.club_id


async def names(league: Site) -> set[str]:
    async with league.core.store.read() as conn:
        return {club.name for club in await member_rows.all_clubs(conn)}


async def end(league: Site, browsers: Browsers, into: str) -> tuple[int, str]:
    """The controller looks, then carries it out on the page."""
    kaj, nord = await browsers.of("kaj"), str(await club_id(league.core, "Nord"))
    other = str(await club_id(league.core, into)) if into else ""
    day = league.core.today("Europe/Copenhagen").isoformat()
    form = {"ends": nord, "into": other, "ended": day}
    status, text = (await kaj.post("/desk/members/clubs/end", form | {"act": "look"})), ""
    shown = await status.text()
    assert status.status == 200, shown
    assert "spiller sin turnering til ende" in shown and "Nord Et" in shown, text
    assert "Nord" in await names(league), "nothing yet"
    done = await kaj.post("/desk/members/clubs/end", form)
    return done.status, await done.text()


async def test_a_club_that_folds_takes_its_entry_members_and_administrators(league, browsers):
    before = await members_of(league.core, "Nord")
    assert (await end(league, browsers, ""))[0] in (200, 303)
    assert await state_of(league) == ("withdrawn", 1)
    assert await names(league) == {"Syd", "Vest"}
    today = league.core.today("Europe/Copenhagen")
    async with league.core.store.read() as conn:
        rows = await member_rows.by_ids(conn, [one.id for one in before.values()])
        assert not await entry_rows.list_club_admins(conn)
    assert len(rows) == 4
    assert all(row.is_member(today) for row in rows.values()), "the last day"
    assert not any(row.is_member(today + timedelta(days=1)) for row in rows.values())
    told = await league.written(LeagueNotice.kind)
    assert {row.person_id for row in told} == {
        (await by_address(league.core, address("Nord Et"))).id,
        (await by_address(league.core, "tl@example.org")).id,
    }


async def test_a_club_that_becomes_part_of_another_brings_its_teams(league, browsers):
    """The entry, members and administrator are Vest's; the team that plays bears Vest's name."""
    vest = await club_id(league.core, "Vest")
    await end(league, browsers, "Vest")
    state, club = await state_of(league)
    assert club == vest and state in ("waiting", "valid")
    assert len(await members_of(league.core, "Vest")) == 8
    async with league.core.store.read() as conn:
        assert [one.club for one in await entry_rows.list_club_admins(conn)] == ["Vest"]
    assert (await team_of(league.core, "DIV-1", "Vest")).club == "Vest"


async def test_a_team_keeps_its_name_where_the_other_club_has_one(league: Site, browsers: Browsers):
    """§ 6.7.3.3: one team a club in a division, so Nord stays Nord there."""
    await end(league, browsers, "Syd")
    assert (await team_of(league.core, "DIV-1", "Nord")).club == "Nord"


@pytest.mark.parametrize("into", ["Nord", "missing"])
async def test_what_cannot_be_is_refused_and_changes_nothing(league: Site, into: str):
    kaj, today = await by_address(league.core, "kaj@example.org"), league.core.today("UTC")
    nord = await club_id(league.core, "Nord")
    other = nord if into == "Nord" else 999
    with pytest.raises(NoSuch):
        await departures.end_club(league.core, kaj, nord, other, today, "web")
    with pytest.raises(NoSuch):
        await departures.end_club(league.core, kaj, nord, None, today + timedelta(days=1), "web")
    assert await names(league) == {"Nord", "Syd", "Vest"}


async def test_nobody_captains_two_teams_that_meet_without_the_leaders_word(site: Site):
    """§ 6.7.2.2: by the page's deed and by a file; with the word it goes."""
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"), start="2026-09-10")
    tl, team = await site.person("tl@example.org"), await team_of(site.core, "DIV-1", "Syd")
    asked = (site.core, tl, team.id, address("Nord Et"), "Ny kaptajn")
    with pytest.raises(NoSuch, match="two_teams"):
        await name_captain(*asked)
    await name_captain(*asked, despite=True)
    assert (await team_of(site.core, "DIV-1", "Syd")).captain_id != team.captain_id
    teams = {club: players_of(club) for club in ("Vest", "Øst")}
    one = address("Vest Et")
    text = division_text("DIV-2", teams, start="2026-10-10", captains={"Øst": one})
    with pytest.raises(GroupFileError, match="captain of two teams that meet"):
        await start_group(site.core, read_group_file(text))
    word = text.replace(f'club = "Øst"\ncaptain = "{one}"',
                        f'club = "Øst"\ncaptain = "{one}"\ncaptain_word = "Aftalt."')  # fmt: skip
    await start_group(site.core, read_group_file(word))


async def test_6_2_8_a_dead_league_player_is_told_to_captain_and_leader(league: Site):
    """His board needs a reserve (§ 6.7.4.3), the entered team another player; no case is opened."""
    kaj = await by_address(league.core, "kaj@example.org")
    dead = await by_address(league.core, address("Nord To"))
    today = league.core.today("Europe/Copenhagen")
    await departures.record_death(league.core, kaj, dead.id, today, "web", "Død")
    told = await league.written(LeagueNotice.kind)
    assert {row.person_id for row in told} == {
        (await by_address(league.core, address("Nord Et"))).id,
        (await by_address(league.core, "tl@example.org")).id,
    }
    assert await state_of(league) == ("waiting", 1)
    assert await departures.find_held(league.core, dead.id)


@pytest.mark.parametrize("into", ["", "Vest", "Syd"])
async def test_a_club_that_ended_is_not_awaited_and_its_page_says_so(league, browsers, into):
    """Its team of last season is no more «ikke tilmeldt igen», nor on the sheet or among clubs."""
    kaj, nord = await browsers.of("kaj"), await club_id(league.core, "Nord")
    assert "Klubben ophørte" not in (await kaj.get(f"/clubs/{nord}"))[1]
    assert f"/clubs/{nord}" in (await kaj.get("/clubs"))[1]
    await end(league, browsers, into)
    await withdraw_all(league)
    desk = (await kaj.get("/desk/team-entries"))[1]
    left = desk[desk.index('id="left"') : desk.index('id="districts"')]
    assert "Nord" not in left
    plan = (await kaj.get("/desk/league-plans"))[1]
    assert "Nord" not in plan
    shown = (await kaj.get(f"/clubs/{nord}"))[1]
    assert "Klubben ophørte den" in shown and "K-skakspiller" not in shown
    assert f"/clubs/{nord}" not in (await kaj.get("/clubs"))[1]


async def withdraw_all(league: Site) -> None:
    """What was entered for the coming season is gone: only last season's teams are in sight."""
    async with league.core.store.deciding() as conn:
        await conn.execute(update(team_entries).values(state="withdrawn"))


async def test_composing_on_an_empty_server_says_what_comes_first(site: Site, browsers: Browsers):
    """A link that led to «Siden findes ikke» before anything was entered (§ 6.7.1.2)."""
    kaj = await site.admit("kaj", Office.KC)
    await site.admit("leif")
    page = await browsers.of("kaj")
    assert "/desk/league-plans" in (await page.get("/desk/league"))[1]
    status, text = await page.get("/desk/league-plans")
    assert status == 200 and "Først åbnes holdturneringens tilmelding" in text
    assert 'href="/desk/kc/season"' in text
    asked = await page.post("/desk/league-plans", {"deadline": "2026-12-13", "new": ""})
    assert "Der er ikke lagt nogen holdturnering endnu." in await asked.text()
    await league_list(site.core, kaj, "leif@example.org", "H27")
    status, text = await page.get("/desk/league-plans")
    assert status == 200 and "intet hold er tilmeldt endnu" in text
    assert 'href="/desk/team-entries"' in text
