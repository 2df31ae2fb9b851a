"""The pages of team entries: who may do what, what each refusal says, districts, line-ups."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from html import unescape

import pytest
from sqlalchemy import insert, update

from kskak.league.lineups import is_team_of
from mail.text.catalogue import Words
from server.store import entries as entry_rows
from server.store.cases import publications
from server.store.play.people import Office
from server.store.tables.cases import cases
from server.store.tables.people import members
from server.store.tables.tournaments import league_teams, team_entry_boards
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, change_list, enter
from server.usecases.season import team_entering
from server.usecases.season.season_start import CannotStart, start_season
from server.usecases.season.season_views import name_admin
from server.usecases.season.team_entering import TeamAsking, TeamRefused, enter_team, withdraw_team
from tests.fakes.league import address, begin_division, players_of, team_of
from tests.fakes.machinery.each import each, rows
from tests.fakes.site import Site
from tests.fakes.teams import (
    by_address,
    club_id,
    league_list,
    lineup,
    register_clubs,
    register_individuals,
)
from tests.server.web.conftest import Browsers

SINGLE = ("Ene Et", "Ene To", "Ene Tre", "Ene Fire")
CAST = ("nord.et", "nord.to", "syd.et", "leif", "kaj", "nina", "tove", "anna", "vera")
OWN, OFFICIALS = {"nord.et", "vera"}, {"leif", "kaj"}
FORMS: dict[str, tuple[dict[str, str], set[str]]] = {
    "/team-entry": ({"club": "{club}", "list": "1"}, OWN | OFFICIALS),
    "/team-entry/1/lineup": ({"club": "{club}"}, OWN | OFFICIALS),
    "/desk/team-entries/1/fee": ({"day": "2026-09-01"}, OFFICIALS),
    "/desk/team-entries/1/leave": ({"player": "{p1}", "reason": "Grænseklub."}, OFFICIALS),
    "/desk/team-entries/1/refuse": ({"paragraph": "6.7.3.2", "reason": "Nej."}, OFFICIALS),
    "/desk/team-entries/1/withdraw": ({}, OFFICIALS),
    "/team-entry/1/withdraw": ({"club": "{club}"}, OWN | OFFICIALS),
    "/desk/team-entries/districts": ({"list": "1", "district": "1"}, OFFICIALS),
    "/desk/team-entries/admins": ({"club": "{club}", "email": "anna@example.org"}, OFFICIALS),
    "/desk/league-plans/entered": ({"deadline": "2026-12-13"}, {"kaj"}),
}  # fmt: skip


@pytest.fixture
async def league(site: Site) -> Site:
    """September 2026: Nord and Syd play in division 1 of 2026; Leif leads the list for 2027.

    Kaj is controller, Nina sits on the Board, Tove leads another group, Vera enters for Nord.
    """
    await register_clubs(site.core, "Nord", "Syd")
    await begin_division(site.core, "DIV-1", ("Nord", "Syd"), start="2026-01-10")
    for name, office in (("nina", Office.BOARD), ("leif", None), ("vera", None)):
        await site.admit(name, office)
    kaj = await site.admit("kaj", Office.KC)
    await league_list(site.core, kaj, "leif@example.org", "H27")
    await name_admin(site.core, kaj, await club_id(site.core, "Nord"), "vera@example.org")
    return site


async def nord(league: Site, *names: str, **more: object) -> object:
    """Nord's captain enters a team: an entry, or why not."""
    captain = await by_address(league.core, address("Nord Et"))
    seats = await lineup(league.core, *(names or players_of("Nord")))
    club = await club_id(league.core, "Nord")
    asked = TeamAsking(1, club, captain.id, seats, **more)  # type: ignore[arg-type]
    return await enter_team(league.core, captain, asked)


async def ids(league: Site) -> Mapping[str, str]:
    return {
        "club": str(await club_id(league.core, "Nord")),
        "p1": str((await by_address(league.core, address("Nord To"))).id),
    }


@pytest.mark.parametrize("path", FORMS)
async def test_each_form_of_team_entries_is_for_those_with_the_right_alone(league, browsers, path):
    """§ 6.7.4.1, § 6.4.4.1: the club's own, the list's leader and the controller; no stranger."""
    await nord(league)
    fields, allowed = FORMS[path]
    filled = {name: value.format(**await ids(league)) for name, value in fields.items()}
    for name in sorted(CAST, key=lambda one: one in allowed):
        answer = await (await browsers.of(name)).post(path, filled)
        if name in allowed:
            assert answer.status in (303, 422), (name, answer.status)
        else:
            assert answer.status in (403, 404), (name, answer.status)
    stranger = await (await browsers.stranger()).post(path, filled)
    assert stranger.headers.get("Location", "").startswith("/signin")


@rows(
    "path allowed", ("/team-entry?club={club}", OWN | OFFICIALS), ("/desk/team-entries", OFFICIALS)
)
async def test_each_page_of_team_entries_is_there_for_its_own_people(
    league: Site, browsers: Browsers, path: str, allowed: set[str]
):
    shown = path.format(**await ids(league))
    got = {name: (await (await browsers.of(name)).get(shown))[0] for name in CAST}
    assert got == {name: 200 if name in allowed else 404 for name in CAST}


async def test_a_player_of_two_clubs_waits_for_the_leaders_leave(league: Site, browsers: Browsers):
    """§ 6.7.3.2: refused without asking, waits with it, valid with leave and fee; told why."""
    await moved_to(league, "Syd Et", "Nord")
    syd = await by_address(league.core, address("Syd To"))
    kaj = await league.person("kaj@example.org")
    club = await club_id(league.core, "Syd")
    await name_admin(league.core, kaj, club, address("Syd To"))
    assert not isinstance(await nord(league, "Nord Et", "Syd Et", "Nord Tre", "Nord Fire"),
                          TeamRefused)  # fmt: skip
    await moved_to(league, "Syd Et", "Syd")
    seats = await lineup(league.core, *players_of("Syd"))
    refused = await enter_team(league.core, syd, TeamAsking(1, club, syd.id, seats))
    assert isinstance(refused, TeamRefused)
    assert [(one.paragraph, one.players) for one in refused.findings] == [("6.7.3.2", ("Syd Et",))]
    done = await enter_team(league.core, syd, TeamAsking(1, club, syd.id, seats, asks=True))
    assert not isinstance(done, TeamRefused)
    leif = await browsers.of("leif")
    base = f"/desk/team-entries/{done.id}"
    await leif.post(f"{base}/fee", {"day": "2026-09-01"})
    _, text = await leif.get("/desk/team-entries")
    assert "uden turneringslederens dispensation" in text
    person = await by_address(league.core, address("Syd Et"))
    assert (await leif.post(f"{base}/leave", {"player": str(person.id)})).status == 422
    fields = {"player": str(person.id), "reason": "Grænseklub."}
    assert (await leif.post(f"{base}/leave", fields)).status == 303
    _, text = await leif.get("/desk/team-entries")
    assert "med turneringslederens tilladelse: Grænseklub." in text
    async with league.core.store.read() as conn:
        kept = await entry_rows.find_team_entry(conn, done.id)
    assert kept is not None and kept.state == "valid"


async def moved_to(league: Site, name: str, club: str) -> None:
    """The register says that somebody is a member of a club now."""
    person = await by_address(league.core, address(name))
    number = await club_id(league.core, club)
    async with league.core.store.write() as conn:
        query = update(members).where(members.c.person_id == person.id)
        await conn.execute(query.values(club_id=number))


async def test_a_changed_lineup_is_judged_again_until_the_deadline(league, browsers):
    """§ 6.7.2.1, § 6.7.4.2: another order is kept, a stranger refused; after the deadline none."""
    await nord(league)
    captain = await browsers.of("nord.et")
    people = [await by_address(league.core, address(name)) for name in players_of("Nord")]
    syd = await by_address(league.core, address("Syd To"))
    club = str(await club_id(league.core, "Nord"))

    async def changed(*order: int, **more: str) -> tuple[int, str]:
        fields = {f"player-{board}": str(one) for board, one in enumerate(order, 1)} | more
        fields |= {"club": club, "captain": str(people[1].id)}
        answer = await captain.post("/team-entry/1/lineup", fields)
        return answer.status, await answer.text()

    first, second, third, fourth = (one.id for one in people)
    status, text = await changed(second, first, third, fourth, **{"try": "1"})
    assert status == 200 and "følger ikke ratingtallene" in text, "tried, and not kept"
    _, text = await captain.get("/team-entry")
    assert "følger ikke ratingtallene" not in text
    assert (await changed(second, first, third, fourth))[0] == 303
    _, text = await captain.get("/team-entry")
    assert "følger ikke ratingtallene" in text and "Holdkaptajn: Nord To" in text
    status, text = await changed(first, syd.id, third, fourth)
    assert status == 422 and "medlemmer af klubben" in text
    assert (await changed(first, first, third, fourth))[0] == 422
    league.clock.turn(104)  # 14 December 2026
    captain = await browsers.of("nord.et")
    status, text = await changed(first, second, third, fourth)
    assert status == 422 and "§ 6.7.4.2" in text.replace("\N{NO-BREAK SPACE}", " ")


async def test_a_district_team_gives_its_members_back_when_it_is_withdrawn(league, browsers):
    """§ 6.7.4.1: made of four who applied and paid; withdrawn, they stand on the list again."""
    await register_individuals(league.core, *SINGLE)
    leif, kaj = await browsers.of("leif"), await league.person("kaj@example.org")
    entries = []
    for name in SINGLE:
        person = await by_address(league.core, address(name))
        asked = EntryRequest(1, EntryStatement(member="1"), person.id, fee=date(2026, 9, 1))
        entries.append(await enter(league.core, kaj, asked))
    people = [await by_address(league.core, address(name)) for name in SINGLE]
    fields = {"list": "1", "district": "1", "captain": str(people[1].id)}
    fields |= {f"p-{one.id}": "1" for one in people}
    short = {name: value for name, value in fields.items() if name != f"p-{people[3].id}"}
    short |= {f"p-{odd}": "1" for odd in ("9" * 5000, "²", "")}  # nobody
    refused = await leif.post("/desk/team-entries/districts", short)
    assert refused.status == 422 and "fire forskellige spillere" in await refused.text()
    assert (await leif.post("/desk/team-entries/districts", fields)).status == 303
    _, text = await leif.get("/desk/team-entries")
    assert "1. hovedkreds" in text and "Holdkaptajn: Ene To" in text and "gyldig" in text
    assert "Gør dem til et hold" not in text
    async with league.core.store.read() as conn:
        (team,) = await entry_rows.list_season_entries(conn, 2027)
    await withdraw_team(league.core, await league.person("leif@example.org"), team.id)
    assert "Gør dem til et hold" in (await leif.get("/desk/team-entries"))[1]


@rows(
    "turned said",
    (0, "åbnet den 18. oktober 2026 (§ 6.1.2)"),
    (60, "skulle turneringen være annonceret den 18. oktober 2026"),
    (110, "Tilmeldingsfristen var den 13. december 2026 (§ 6.7.4.2)"),
)
async def test_where_no_list_is_open_the_page_says_who_opens_it_and_when(
    league: Site, browsers: Browsers, turned: int, said: str
):
    """§ 6.1.2, § 6.7.4: the controller's name and address, and the day of the year's plan."""
    kaj = await league.person("kaj@example.org")
    await change_list(league.core, kaj, 1, is_open=False)
    league.clock.turn(turned)
    for name in ("nord.et", "vera"):
        status, text = await (await browsers.of(name)).get("/team-entry")
        assert status == 200 and said in text.replace("\N{NO-BREAK SPACE}", " "), text
        assert "K-skak chefen" in text and 'href="mailto:kaj@example.org"' in text
    await change_list(league.core, kaj, 1, is_open=True)
    assert "mailto:kaj" not in (await (await browsers.of("vera")).get("/team-entry"))[1]


async def test_the_same_form_twice_is_one_entry(league: Site):
    first, second = await nord(league, key="k1"), await nord(league, key="k1")
    assert first == second
    team = await team_of(league.core, "DIV-1", "Syd")
    refused = await nord(league, continues=team.id)
    assert isinstance(refused, TeamRefused)
    assert {one.paragraph for one in refused.findings} >= {"6.7.5.1"}, "not Nord's team"


async def test_6_2_8_a_team_whose_player_leaves_a_group_waits_for_a_word_or_for_his_case(
    league: Site, browsers: Browsers
):
    """The daily duty finds it and tells; the leader's leave, or the case's end, makes it valid."""
    await nord(league)
    leif = await by_address(league.core, "leif@example.org")
    await team_entering.record_team_fee(league.core, leif, 1, date(2026, 9, 1))
    person = await by_address(league.core, address("Nord To"))
    case = {
        "id": 1, "number": "2026/1", "kind": "withdrawal", "state": "opened", "instance": "tl",
        "group_id": (await league.game()).group_id, "seq": 1, "head": b"", "is_suspended": False,
        "snapshot": '{"kinds": ["withdrawal"]}', "opened_us": 0, "person_id": person.id,
    }  # fmt: skip
    async with league.core.store.write() as conn:
        await conn.execute(insert(cases).values(case))
    assert await _state(league) == "valid"
    await team_entering.daily(league.core)
    assert await _state(league) == "waiting"
    web = await browsers.of("leif")
    page = (await web.get("/desk/team-entries"))[1]
    assert "En sag om, at en spiller forlader en anden gruppe" in page
    fields = {"player": str(person.id), "reason": "Han er rask igen."}
    assert (await web.post("/desk/team-entries/1/leave", fields)).status == 303
    assert await _state(league) == "valid"
    async with league.core.store.write() as conn:
        await conn.execute(update(team_entry_boards).values(leave_us=None))
    await team_entering.daily(league.core)
    assert await _state(league) == "waiting"
    async with league.core.store.write() as conn:
        await conn.execute(update(cases).values(state="decided"))
    await team_entering.daily(league.core)
    assert await _state(league) == "valid"


async def _state(league: Site) -> str:
    async with league.core.store.read() as conn:
        row = await entry_rows.find_team_entry(conn, 1)
    assert row is not None
    return row.state


async def test_6_7_3_3_a_club_s_second_team_is_known_as_its_own_next_season(league, browsers):
    """«Nord 2» of last season: offered on the club's page, continued, and no other club's."""
    async with league.core.store.write() as conn:
        await conn.execute(
            update(league_teams).where(league_teams.c.club == "Syd").values(club="Nord 2")
        )
    team = await team_of(league.core, "DIV-1", "Nord 2")
    page = (await (await browsers.of("nord.et")).get("/team-entry"))[1]
    assert f"continues={team.id}" in page and "Nord 2" in page
    made = await nord(league, continues=team.id)
    assert not isinstance(made, TeamRefused), made
    assert made.continues == team.id


@each(
    ("team", "club", "is_its"),
    [("Nord", "Nord", True), ("Nord 2", "nord", True), ("Nord 9", "Nord", True),
     ("Nord 10", "Nord", False), ("Nordby 2", "Nord", False), ("Nord", "Nord 2", False),
     ("Nord 2", "Nord 2", True), ("", None, False), ("2", "", False)],
)  # fmt: skip
def test_6_7_3_3_whose_team_a_name_is(team: str, club: str | None, is_its: bool) -> None:
    assert is_team_of(team, club) is is_its


async def test_a_clubs_payment_in_the_banks_file_pays_its_team(league: Site, browsers: Browsers):
    """§ 6.7.4.1: found by the club's name, recorded as on the desk of teams."""
    await nord(league)
    kaj, path = await browsers.of("kaj"), "/desk/kc/pasted"
    bank = {"what": "fees", "lines": "Dato;Tekst;Beløb\n1-9-2026;Holdskat NORD;400,00"}
    seen = await (await kaj.post(path, bank | {"step": "look"})).text()
    assert 'name="take-2.t1" value="1" checked' in seen
    told = await (await kaj.post(path, bank | {"step": "take", "take-2.t1": "1"})).text()
    assert "1 indskud er noteret." in told
    async with league.core.store.read() as conn:
        row = await entry_rows.find_team_entry(conn, 1)
    assert row is not None and row.fee_day == "2026-09-01"
    seen = await (await kaj.post(path, bank | {"step": "look"})).text()
    assert "take-2" not in seen


async def test_one_captain_of_teams_that_meet_needs_a_word_and_a_barred_one_is_named(
    site: Site, browsers: Browsers
):
    """§ 6.7.2.2, § 6.4.2: page and API name him and his teams, in the reader's language."""
    await register_clubs(site.core, "Nord", "Syd")
    kaj, vera = await site.admit("kaj", Office.KC), await site.admit("vera")
    await league_list(site.core, kaj, "kaj@example.org", "H27")
    for club in ("Nord", "Syd"):
        seats = await lineup(site.core, *players_of(club))
        asked = TeamAsking(1, await club_id(site.core, club), vera.id, seats)
        row = await enter_team(site.core, kaj, replace(asked, fee=date(2026, 9, 1)))
        assert not isinstance(row, TeamRefused)
    page = await browsers.of("kaj")
    made = await page.post("/desk/league-plans/entered", {"deadline": "2026-12-13"})
    granted = {"reason": "Ja.", "answer": "grant"}
    plan = (await page.post(f"{made.headers['Location']}/grants", granted)).headers["Location"]
    answer = await page.post(f"{plan}/start")
    text = unescape(await answer.text())
    assert answer.status == 422 and 'aria-describedby="word-fault"' in text
    assert "Kaptajn for hold, der mødes: Vera (Nord, Syd) (§ 6.7.2.2). Skriv i »Må en hold" in text
    with pytest.raises(CannotStart) as by_api:
        await start_season(site.core, kaj, int(plan.rpartition("/")[2]))
    said = by_api.value.told(Words.load("en"), "captain_word")
    assert "Captain of teams that meet: Vera (Nord, Syd)" in said and "“captain_word”" in said
    told = {"person_id": vera.id, "day": "2026-09-01", "by_id": kaj.id, "at_us": 1}
    await site.core.store.transact(lambda conn: publications.record_death(conn, **told))
    answer = await page.post(f"{plan}/start", {"word": "De har kun hende."})
    text = unescape(await answer.text())
    assert "Intet må begynde for dem her. Vera: " in text and "Ret holdets opstilling" in text
    assert 'value="De har kun hende."' in text, "what was typed stays"
