"""A sanction reaches what its bearer holds: shown before, carried out, or left with a reason.

§ 6.4.2: entries, boards and captaincy of a team that is entered, offices.
"""

import re
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from kskak.entries.entry import EntryFault
from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store.engine.rows import to_us
from server.store.play import people as person_rows
from server.store.play.people import NewPerson, Office
from server.store.tables.all_tables import everything as seals_of
from server.store.tables.people import clubs, members
from server.store.tables.tournaments import (
    entries,
    league_teams,
    team_entries,
    team_entry_boards,
)
from server.usecases.cases import case_actions
from server.usecases.cases.case_actions import CaseKind
from server.usecases.desks.desk_overview import FRIDAY
from server.usecases.entries.entry_judging import judge_stored_entry
from server.usecases.groups.group_file import read_group_file
from server.usecases.rights import NoSuch, appoint
from server.usecases.starts.start_group import start_group
from tests.fakes.cases import only_case
from tests.fakes.desk import Desk, desk_scene
from tests.fakes.league import address, division_text, players_of
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.site import group_text
from tests.fakes.world import ANNA, BO, KC, TL
from tests.scenarios.cases.test_death import _die

desk = desk_scene(ANNA, BO)
"""Two players; Bo has been told off."""


@pytest.fixture
async def web(desk: Desk) -> AsyncIterator[Browser]:
    """The leader, on the web."""
    async with browser(desk.world) as made:
        await made.sign_in(TL)
        yield made


async def _holds(desk: Desk) -> dict[str, int]:
    """Bo's entry, and his team with him as captain on board 1."""
    world = desk.world
    bo, kc = await desk.id_of(BO), await world.person(KC)
    of = await world.open_list(kc, "Klasse M", "emt M", "M-26", TL)
    team = await world.open_list(kc, "Holdturneringen", "league league", "H-27", TL)
    now, day = to_us(world.core.clock.now()), world.clock.today.isoformat()
    made = {"entered_day": day, "entered_by": bo, "created_us": now, "asks": False}
    async with world.core.store.write() as conn:
        await conn.execute(insert(clubs).values(id=1, name="Nord"))
        entry = insert(entries).values(list_id=of.id, person_id=bo, proof="", state="valid", **made)
        number = (await conn.execute(entry.returning(entries.c.id))).scalar_one()
        entered = insert(team_entries).values(
            list_id=team.id, season=2027, club_id=1, captain_id=bo, lineup_us=now, state="valid",
            **made,
        )  # fmt: skip
        nord = (await conn.execute(entered.returning(team_entries.c.id))).scalar_one()
        for board, one in enumerate((bo, await desk.id_of(ANNA)), 1):
            seat = {"entry_id": nord, "board": board, "person_id": one}
            await conn.execute(insert(team_entry_boards).values(seat))
    return {"entry": number, "team": nord}


async def _states(desk: Desk, held: dict[str, int]) -> tuple[str, str]:
    async with desk.world.core.store.read() as conn:
        one = select(entries.c.state).where(entries.c.id == held["entry"])
        two = select(team_entries.c.state).where(team_entries.c.id == held["team"])
        return (await conn.execute(one)).scalar_one(), (await conn.execute(two)).scalar_one()


async def _drafted(desk: Desk, web: Browser, **filled: str) -> tuple[str, Page]:
    """A conduct case about Bo, and the letter of a quarantine of three months."""
    world, group = desk.world, (await desk.world.row()).group_id
    tl, bo = await world.person(TL), await desk.id_of(BO)
    case = await case_actions.complain(world.core, tl, group, bo, CaseKind.CONDUCT, "Usportsligt.")
    path = f"/desk/cases/{case.number}"  # type: ignore[union-attr]
    fields = {f"sanction-{bo}": "quarantine", f"months-{bo}": "3", "reasons": "Usportsligt."}
    fields |= filled
    return path, await web.submit(await web.get(path), "/decide", **fields)


async def _send(web: Browser, path: str, letter: Page, **filled: str) -> Page:
    fields = letter.form("/decide").fields | {"step": "send", "confirm": "1"} | filled
    return await web.post(f"{path}/decide", fields)


@pytest.mark.both_engines
async def test_what_he_holds_is_shown_before_and_falls_with_it(desk: Desk, web: Browser) -> None:
    held = await _holds(desk)
    path, letter = await _drafted(desk, web)
    for told in ("tilmelding til Klasse M bortfalder", "kan ikke spille for Nord",
                 "kan ikke være holdkaptajn for Nord"):  # fmt: skip
        assert told in letter.text, told
        assert told in letter.form("/decide").fields["letter"]
    assert await _states(desk, held) == ("valid", "valid"), "nothing yet"
    assert (await _send(web, path, letter)).status == 200
    assert await _states(desk, held) == ("refused", "waiting")
    await desk.world.pump()
    told = [one.said for one in desk.world.letters(ANNA) if "holdets tilmelding" in one.subject]
    assert len(told) == 1 and "Karantæne eller bortvisning (§ 6.4.2). Bo Berg." in told[0], (
        "the club is to name another, and its captain is himself barred"
    )


async def test_the_entry_waits_again_when_what_refused_it_is_annulled(
    desk: Desk, web: Browser
) -> None:
    """§ 6.4.3: it stood «afslået» with the number of a ruling that was never made."""
    held, bo = await _holds(desk), await desk.id_of(BO)
    kc = await desk.world.person(KC)
    await appoint(desk.world.core, kc, bo, Office.SUBSTITUTE)
    path, letter = await _drafted(desk, web)
    assert "Bo Bergs hverv ophører: suppleant til Skaknævnet" in letter.text
    await _send(web, path, letter)
    await appoint(desk.world.core, kc, await desk.id_of(ANNA), Office.SUBSTITUTE)  # two are free
    assert await _states(desk, held) == ("refused", "waiting")
    number = (await desk.see(TL, await only_case(desk.world)))["number"]
    why = f"Begrundelse: Afgørelsen i sag {number} (§ 6.4.2)"
    assert why in (await web.get(f"/desk/entries/{held['entry']}")).text, "a number is no reason"
    async with browser(desk.world) as own:
        await own.sign_in(BO)
        assert why in (await own.get("/enter")).text
    assert "kan appelleres" in (await web.get("/desk/work")).text
    said = await _annul(desk)
    shown = await web.get("/desk/work")
    assert "ophævet" in shown.text, "what he decided stands no more"
    await web.submit(shown, "/desk/work", wanted="1")
    while desk.world.clock.today.weekday() != FRIDAY:
        await desk.world.wait_until(desk.world.clock.today + timedelta(days=1))
    await desk.world.pump()
    week = next(one for one in desk.world.letters(TL) if "Din uge" in one.subject)
    assert f"{number}/1 (ophævet)" in week.said, week.said
    assert "Bo Bergs tilmelding til Klasse M venter igen på sin plads" in said, said
    assert "Bo Berg kan igen spille for Nord" in said and "er igen holdkaptajn for Nord" in said
    assert "Bo Berg har igen sit embede: suppleant til Skaknævnet" in said
    async with desk.world.core.store.read() as conn:
        held_now = await person_rows.list_offices(conn, desk.world.core.now_us)
    assert [one.office for one in held_now if one.person_id == bo] == [Office.SUBSTITUTE]
    assert await _states(desk, held) == ("waiting", "waiting")


async def test_what_a_lighter_sanction_keeps_taken_is_its_own_to_give_back(
    desk: Desk, web: Browser
) -> None:
    held, bo = await _holds(desk), await desk.id_of(BO)
    path, letter = await _drafted(desk, web)
    await _send(web, path, letter)
    milder = [{"person": bo, "kind": "quarantine", "months": 1}]
    assert "venter igen" not in await _annul(desk, sanctions=milder)
    assert await _states(desk, held) == ("refused", "waiting")
    first, last = (await desk.see(KC, await only_case(desk.world)))["decisions"]
    assert last["takes"] == first["takes"] and len(last["takes"]) == 3


async def test_the_dead_get_nothing_back(desk: Desk, web: Browser) -> None:
    """§ 6.4.3, § 6.2.8: annulled on his appeal, «Bo Berg er igen holdkaptajn for Nord»."""
    held = await _holds(desk)
    path, letter = await _drafted(desk, web)
    await _send(web, path, letter)
    said = await _annul(desk, dies=True)
    assert "ophæves, som om den aldrig" in said and "igen" not in said, said
    assert await _states(desk, held) == ("refused", "waiting")


async def _annul(desk: Desk, *, dies: bool = False, **more: object) -> str:
    """The controller annuls the only case's decision on Bo's appeal: the letter to him, or to the
    leader if he ``dies`` before."""
    case = await only_case(desk.world)
    await desk.appeal(BO, case)
    if dies:
        await _die(desk, BO, died=desk.world.clock.today.isoformat(), sure="1")
    number = (await desk.see(TL, case))["number"]
    order = {"annuls": [f"{number}/1"], "grants": [await desk.id_of(BO)], **more}
    await desk.decide(KC, case, paragraphs=["6.4.2"], reasons="Han har ret.", **order)
    await desk.world.pump()
    found = [" ".join(one.said.split()) for one in desk.world.letters(TL if dies else BO)]
    return next(one for one in reversed(found) if "Han har ret." in one)


async def test_who_is_in_quarantine_is_appointed_to_nothing(desk: Desk, web: Browser) -> None:
    """§ 6.4.2: offices ended by it, and were given again at the next door."""
    path, letter = await _drafted(desk, web)
    await _send(web, path, letter)
    bo, kc = await desk.id_of(BO), await desk.world.person(KC)
    with pytest.raises(NoSuch, match="barred"):
        await appoint(desk.world.core, kc, bo, Office.SUBSTITUTE)
    assert (await appoint(desk.world.core, kc, await desk.id_of(ANNA), Office.SUBSTITUTE)).id
    await desk.appeal(BO, await only_case(desk.world))
    async with browser(desk.world) as page:
        await page.sign_in(KC)
        annul = {f"annul-{path[12:]}/1": "1", "reasons": "Han har ret."}
        annulled = await page.submit(await page.get(path), "/decide", **annul)
    assert "Det er ikke noteret, at afgørelsen" in annulled.text, "nor is it of older rulings"


async def test_a_case_of_conduct_that_the_controller_opens_is_his(desk: Desk) -> None:
    """§ 6.4.2 «såvel turneringslederen som K-skak chefen»: by his door to a game too."""
    world, kc = desk.world, await desk.world.person(KC)
    game = (await world.row()).id
    case = await case_actions.object_to(world.core, kc, game, CaseKind.CONDUCT, "Trusler.")
    assert case.instance == "kc", case  # type: ignore[union-attr]


async def test_what_is_left_needs_a_reason_that_the_letter_has(desk: Desk, web: Browser) -> None:
    held = await _holds(desk)
    path, letter = await _drafted(desk, web)
    keep = {f"leave-entry-{held['entry']}-": "1"}
    bare = await _send(web, path, letter, **keep)
    assert bare.status == 422 and await _states(desk, held) == ("valid", "valid")
    why = keep | {"stands_why": "Gruppen begynder efter karantænen.", "step": "draft"}
    again = await web.post(f"{path}/decide", letter.form("/decide").fields | why)
    text = " ".join(again.form("/decide").fields["letter"].split())
    assert "beholder tilmeldingen til Klasse M: Gruppen begynder efter karantænen." in text
    done = await _send(web, path, again, **{**keep, "stands_why": why["stands_why"]})
    assert done.status == 200, done.text
    assert await _states(desk, held) == ("valid", "waiting")
    async with desk.world.core.store.read() as conn:
        row = await entry_rows.find_entry(conn, held["entry"])
        assert row is not None
        judged = await judge_stored_entry(conn, row, desk.world.clock.today)
    assert EntryFault.QUARANTINED not in judged.faults, "the day after it would have waited again"


@pytest.mark.parametrize("kind", ["warning"])
async def test_a_warning_takes_nothing(desk: Desk, web: Browser, kind: str) -> None:
    held, bo = await _holds(desk), await desk.id_of(BO)
    path, letter = await _drafted(desk, web, **{f"sanction-{bo}": kind, f"months-{bo}": ""})
    assert "bortfalder" not in letter.text
    await _send(web, path, letter)
    assert await _states(desk, held) == ("valid", "valid")


async def _drawn(desk: Desk, **ratings: int) -> int:
    """A division that begins in two weeks, with Bo on board 1 of Nord and its captain; members of
    Nord who play nowhere, by name. The team's number."""
    world = desk.world
    start = (world.clock.today + timedelta(days=14)).isoformat()
    text = division_text("DIV-1", {"Nord": players_of("Nord"), "Syd": players_of("Syd")},
                         start=start)  # fmt: skip
    bo = (await world.person(BO)).name
    own = address("Nord Et")
    text = text.replace(own, BO).replace('name = "Nord Et"', f'name = "{bo}"')
    text = text.replace("tl@example.org", TL)
    await start_group(world.core, read_group_file(text.replace('tl_name = "T. Leder"\n', "")))
    async with world.core.store.write() as conn:
        await conn.execute(insert(clubs).values(id=1, name="Nord"))
        for name, rating in ratings.items():
            new = NewPerson(name=name, email=address(name), created_us=0, k_rating=rating)
            number = await person_rows.add_person(conn, new)
            row = {"person_id": number, "kind": "club", "club_id": 1}
            await conn.execute(insert(members).values(row))
        one = select(league_teams.c.id).where(league_teams.c.club == "Nord")
        return int((await conn.execute(one)).scalar_one())


async def _team(desk: Desk, team: int) -> tuple[str, list[tuple[int, str, str]]]:
    """The captain's name, and the reserves asked for: board, name, state."""
    async with desk.world.core.store.read() as conn:
        row = await conn.run_sync(division_rows.team, team)
        asked = await conn.run_sync(division_rows.reserves, [team])
        captain = await person_rows.find_person(conn, row.captain_id)
    return captain.name, [(one.board, one.name, one.state) for one in asked]


@pytest.mark.both_engines
async def test_in_a_drawn_team_the_next_in_order_follows(desk: Desk, web: Browser) -> None:
    """§ 6.4.2, § 6.7.4.3: board 2 is captain, the strongest free member is proposed as reserve."""
    team = await _drawn(desk, Frida=2300, Gorm=1990, Helle=1800)
    path, letter = await _drafted(desk, web)
    for told in ("Gorm, klubbens næste i rækken, foreslås som reserve",
                 "kan ikke være holdkaptajn for Nord; Nord To bliver det"):  # fmt: skip
        assert told in letter.text, told
        assert told in " ".join(letter.form("/decide").fields["letter"].split())
    bo = (await desk.world.person(BO)).name
    assert await _team(desk, team) == (bo, [])
    assert (await _send(web, path, letter)).status == 200
    assert await _team(desk, team) == ("Nord To", [(1, "Gorm", "asked")])
    await desk.world.pump()
    said = [" ".join(one.said.split()) for one in desk.world.letters(address("Nord To"))]
    new = next(one for one in said if "Nord To er nu holdkaptajn" in one)
    assert "> Afgørelsen i sag 20" in new, new
    page = await web.get("/desk/league/DIV-1")
    asked = re.search(r'action="(/desk/league/DIV-1/reserves/\d+)"', page.html)
    assert "Gorm" in page.text and asked is not None
    done = await web.submit(page, asked[1], answer="approve", note="")
    assert done.status == 200, done.text
    assert (await _team(desk, team))[1] == [(1, "Gorm", "in")]
    async with desk.world.core.store.read() as conn:
        assert (await seals_of(conn)).wrong == (), "offices that change hands are noted"


@pytest.mark.parametrize("is_in", [False, True])
async def test_what_a_drawn_team_gets_back_and_what_it_does_not(
    desk: Desk, web: Browser, is_in: bool
) -> None:
    """§ 6.4.3: the captaincy and the board as they were; who is let in meanwhile stays, and captain
    and leader hear what they may do."""
    team = await _drawn(desk, Gorm=1990)
    path, letter = await _drafted(desk, web)
    await _send(web, path, letter)
    if is_in:
        page = await web.get("/desk/league/DIV-1")
        asked = re.search(r'action="(/desk/league/DIV-1/reserves/\d+)"', page.html)
        assert asked is not None
        await web.submit(page, asked[1], answer="approve", note="")
    said = await _annul(desk)
    bo, state = (await desk.world.person(BO)).name, "in" if is_in else "refused"
    assert await _team(desk, team) == (bo, [(1, "Gorm", state)])
    assert f"{bo} er igen holdkaptajn for Nord" in said
    assert (f"{bo} kan igen spille for Nord" in said) is not is_in
    assert ("kan ikke få brættet på holdet Nord igen" in said) is is_in
    assert ("bede turneringslederen om ham som reserve" in said) is is_in
    told = [" ".join(one.said.split()) for one in desk.world.letters(TL)]
    assert any(f"{bo} er nu holdkaptajn for Nord" in one for one in told)
    assert any("holdt Bo Berg ude af Nord i DIV-1, er ophævet" in one for one in told) is is_in
    async with desk.world.core.store.read() as conn:
        assert (await seals_of(conn)).wrong == ()


async def test_without_anybody_the_board_stands_empty_and_who_is_barred_is_passed_over(desk, web):
    await _drawn(desk, Frida=2300)
    _, letter = await _drafted(desk, web)
    assert "brættet står tomt, til klubben sætter en reserve ind" in letter.text


async def test_what_a_drawn_team_keeps_is_kept_with_its_reason(desk: Desk, web: Browser) -> None:
    team = await _drawn(desk, Gorm=1990)
    path, letter = await _drafted(desk, web)
    start = (desk.world.clock.today + timedelta(days=14)).isoformat()
    keep = {f"leave-{kind}-{team}-{start}": "1" for kind in ("board", "captain")}
    why = keep | {"stands_why": "Holdturneringen begynder ikke nu.", "step": "draft"}
    again = await web.post(f"{path}/decide", letter.form("/decide").fields | why)
    await _send(web, path, again, **{**keep, "stands_why": why["stands_why"]})
    bo = (await desk.world.person(BO)).name
    assert await _team(desk, team) == (bo, [])


async def test_a_place_in_a_group_that_has_not_begun_is_named(desk: Desk, web: Browser) -> None:
    """§ 6.4.2: the leader swaps him; from what is being played a quarantine removes nobody."""
    world = desk.world
    start = (world.clock.today + timedelta(days=5)).isoformat()
    text = group_text("K-26-07").replace("start = 2026-09-01", f"start = {start}")
    bo = await world.person(BO)
    text += f'\n[[players]]\nname = "{bo.name}"\nemail = "{BO}"\n'
    text = text.replace("tl@example.org", TL).replace('tl_name = "Tove Leder"\n', "")
    await start_group(world.core, read_group_file(text))
    _, letter = await _drafted(desk, web)
    assert "kan ikke begynde i K-26-07; pladsen går til en anden" in letter.text
    assert "kan ikke begynde i P-1" not in letter.text
