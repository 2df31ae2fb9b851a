"""From the clubs' team entries to the next season, through pages and letters, on both databases.

§ 6.7.3-6.7.4 (who enters, what refuses), § 6.4.4.1 (the fee), § 6.7.4.1 (individual members),
§ 6.7.5.1 (composed, a dispensation refused, composed again), § 6.7.4.2 (started).
"""

import re
from datetime import date

import pytest
from sqlalchemy import update

from kskak.game.game_commands import Resign
from kskak.office.books import EntryKind
from kskak.regulation.editions import Side
from server.store import divisions as division_rows
from server.store.tables.tournaments import team_entries
from server.usecases.cases import case_actions
from server.usecases.entries.entry_judging import EntryStatement
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.office import books_for
from server.usecases.play.game_requests import GameRequest, ask
from server.usecases.rights import rights
from tests.fakes.league import address, begin_division, game_row, players_of, team_of, view_of
from tests.fakes.machinery.browser import Browser, browser
from tests.fakes.teams import (
    DISTRICT,
    by_address,
    club_id,
    league_list,
    register_clubs,
    register_individuals,
)
from tests.fakes.told_once import scene
from tests.fakes.world import KC, TL, World

ALL = tuple(address(f"{c} {b}") for c in ("Nord", "Syd") for b in ("Et", "To", "Tre", "Fire"))
SINGLE = ("Ene Et", "Ene To", "Ene Tre", "Ene Fire", "Ene Fem")


async def _autumn(world: World) -> None:
    await register_clubs(world.core, "Nord", "Syd", "Ost", "Vest")
    await register_individuals(world.core, *SINGLE)
    await begin_division(world.core, "DIV-1", ("Nord", "Syd"))
    world.clock.go(date(2027, 1, 12))
    await world.pump()
    view = await view_of(world.core, "DIV-1")
    clubs = {team.team.id: team.team.club for team in view.teams}
    for game in view.games:
        winner = "Syd" if game.board == 4 else "Nord"
        loser = Side.BLACK if clubs[game.white_team] == winner else Side.WHITE
        row = await game_row(world.core, game.id)
        asked = GameRequest(game.id, row.person_of(loser), "web", lambda _, by: Resign(by))
        await ask(world.core, asked)
    world.clock.go(date(2027, 11, 1))
    await world.pump()
    await league_list(world.core, await world.person(KC), TL)


autumn = scene(_autumn)
"""November 2027: Nord has won division 1 with 3-1, the league's list for 2028 is open."""


async def filled(world: World, club: str, **more: str) -> dict[str, str]:
    """The form's fields for a club's four players."""
    people = [await by_address(world.core, address(name)) for name in players_of(club)]
    fields = {f"player-{board}": str(one.id) for board, one in enumerate(people, 1)}
    return fields | {"list": "1", "captain": str(people[0].id)} | more


async def entered(world: World, page: Browser, club: str, **more: str) -> str:
    """Fill the club's form in and send it; what the page then says."""
    number = await club_id(world.core, club)
    form = await page.get(f"/team-entry?club={number}")
    fields = await filled(world, club) | more
    return (await page.submit(form, "/team-entry", **fields)).text


def chosen(html: str) -> dict[str, str]:
    """What stands chosen in the page's lists, by their field."""
    found = re.finditer(r'<select id="[^"]*" name="([^"]+)"(.*?)</select>', html, re.DOTALL)
    picked = ((one[1], re.search(r'<option value="(\d+)" selected', one[2])) for one in found)
    return {name: option[1] for name, option in picked if option is not None}


async def nord(world: World) -> str:
    """Nord's captain enters the team that played last season: the form is filled in as it was."""
    team = await team_of(world.core, "DIV-1", "Nord")
    number = await club_id(world.core, "Nord")
    async with browser(world) as page:
        await page.sign_in(address("Nord Et"))
        form = await page.get(f"/team-entry?club={number}")
        lineup = await filled(world, "Nord", continues=str(team.id))
        assert "Udfyldt med opstillingen fra sidste sæson" in form.text
        assert chosen(form.html) == {name: lineup[name] for name in lineup.keys() - {"list"}}
        new = await page.get(f"/team-entry?club={number}&continues=0")
        assert chosen(new.html).keys() == {"captain"}, "a new team begins empty"
        text = (await page.submit(form, "/team-entry", **lineup)).text
    await world.pump()
    return text


async def test_a_captain_enters_his_clubs_team_and_the_fee_makes_it_valid(autumn: World) -> None:
    """§ 6.7.4.1, § 6.4.4.1: taken, waiting for the fee; valid with it, and told both times.

    The ratings are those after last season's division: 2000, 1900, 1800 won, 1700 lost (§ 4.5).
    """
    text = await nord(autumn)
    assert "Holdet er tilmeldt." in text and "Indskuddet er ikke modtaget" in text
    assert "Med igen fra 1. division (DIV-1)." in text and "1856,25" in text, "the mean rating"
    letter = autumn.letters(address("Nord Et"))[-1]
    assert "1. bræt: Nord Et (2010)" in letter.said and "400" in letter.said
    async with browser(autumn) as page:
        await page.sign_in(TL)
        desk = await page.get("/desk/team-entries")
        assert "1 hold med igen" in desk.text and "Syd, 1. division (DIV-1)" in desk.text
        await page.submit(desk, "/1/fee", day="2027-11-01")
    await autumn.pump()
    assert "tilmeldingen er gyldig" in autumn.letters(address("Nord Et"))[-1].said
    lines = (await books_for(autumn.core, await autumn.person(KC))).lines
    assert [(one.entry.kind, one.entry.party, one.entry.ore) for one in lines] == [
        (EntryKind.FEE, "Nord", 40_000)
    ]
    await autumn.assert_whole(ALL)


async def test_a_refusal_names_its_paragraph_and_keeps_nothing(autumn: World) -> None:
    """§ 6.7.3.2, § 6.7.3.3, § 6.7.4.2: another club's player, the team twice, the deadline.

    Tried first, the same is said and nothing is kept either.
    """
    async with browser(autumn) as page:
        await page.sign_in(address("Nord Et"))
        stranger = await by_address(autumn.core, address("Syd To"))
        terms = (await page.get("/captain")).text
        assert "13. december 2027 Holdturneringen 2028: sidste dag for at tilmelde" in terms, terms
        tried = await entered(autumn, page, "Nord", **{"player-2": str(stranger.id), "try": "1"})
        assert "medlemmer af klubben" in tried and "(§ 6.7.3.2). Syd To." in tried
        tried = await entered(autumn, page, "Nord", **{"try": "1"})
        assert "men det mangler noget" in tried and "Indskuddet er ikke modtaget" in tried
        assert "1856,25" in tried and "Intet er sendt endnu." in tried
        assert "Klubben har ikke tilmeldt noget hold." in tried
        assert await autumn.outbox("team_entry") == ()
    await nord(autumn)
    async with browser(autumn) as page:
        await page.sign_in(address("Nord Et"))
        said = await entered(autumn, page, "Nord", **{"player-2": str(stranger.id)})
        assert "medlemmer af klubben" in said and "(§ 6.7.3.2). Syd To." in said
        team = await team_of(autumn.core, "DIV-1", "Nord")
        said = await entered(autumn, page, "Nord", continues=str(team.id))
        assert "(§ 6.7.3.3)" in said and "(§ 6.7.3.2)" in said, "the same team, the same players"
        autumn.clock.go(date(2027, 12, 14))
        said = await entered(autumn, page, "Nord")
        assert "Tilmeldingsfristen er udløbet" in said and "(§ 6.7.4.2)" in said
        assert len(await autumn.outbox("team_entry")) == 1, "the first entry's letter alone"


async def individuals(world: World) -> None:
    """Five individual members enter themselves with their fees."""
    tl = await world.person(TL)
    for name in SINGLE:
        person = await by_address(world.core, address(name))
        asked = EntryRequest(1, EntryStatement(member="1"), person.id, fee=date(2027, 11, 1))
        await enter(world.core, tl, asked)


async def compose_and_answer(world: World) -> int:
    """Nobody new but Ost comes into the 1st division; the plan that holds in the end."""
    async with browser(world) as page:
        await page.sign_in(KC)
        form = await page.get("/desk/league-plans")
        plan = await page.submit(form, "/desk/league-plans/entered")
        assert "bliver i 1. division" in plan.text
        answers = (("Vest", 1, "refuse"), (DISTRICT, 1, "refuse"), ("Ost", 1, "grant"),
                   ("Vest", 2, "grant"), (DISTRICT, 2, "grant"))  # fmt: skip
        for club, division, answer in answers:
            fields = {"club": club, "division": str(division), "answer": answer, "reason": "Ja."}
            plan = await page.submit(plan, "/grant", **fields)
        assert plan.text.count("dispensation givet") == 3, plan.text
        assert (
            "Dispensationer, der ikke er givet" in plan.text and "venter på svar" not in plan.text
        )
        old = await page.get("/desk/league-plans/1")
        assert "Planen er sammensat på ny" in old.text
        again = await page.post(
            "/desk/league-plans/1/grant",
            form_token(plan.html) | {"club": "Ost", "division": "1", "reason": "x"},
        )
        assert again.status == 422
        started = await page.submit(plan, "/start", live="1")
        assert started.path == "/desk/league", started.text
        for name in re.findall(r"/desk/league/([^\"#]+)\"", started.html)[:2]:
            shown = await page.get(f"/league/{name}")
            assert "Partierne kan følges, mens de spilles" in shown.text, name
        return int(plan.path.rpartition("/")[2])


def form_token(html: str) -> dict[str, str]:
    found = re.search(r'name="csrf" value="([^"]+)"', html)
    assert found is not None
    return {"csrf": found[1]}


@pytest.mark.both_engines
async def test_the_entries_make_the_next_season(autumn: World) -> None:
    """§ 6.7.5.1, § 6.7.4.2: back, new and left; two dispensations refused; two divisions begin."""
    await nord(autumn)
    await individuals(autumn)
    async with browser(autumn) as page:
        await page.sign_in(TL)
        for club in ("Ost", "Vest"):
            paid = {"entered": "2027-11-01", "fee": "2027-11-01"}
            assert "Holdet er tilmeldt." in await entered(autumn, page, club, **paid)
        desk = await page.get("/desk/team-entries")
        await page.submit(desk, "/1/fee", day="2027-11-01")
        first = await by_address(autumn.core, address("Ene Et"))
        desk = await page.get("/desk/team-entries")
        made = await page.submit(desk, "/districts", captain=str(first.id))
        assert "Ene Fem" in made.text and "3 nye hold" in made.text, made.text
    await autumn.pump()
    plan = await compose_and_answer(autumn)
    assert plan == 3, "two refusals composed again, twice"
    first, second = [await view_of(autumn.core, f"H28-{n}") for n in (1, 2)]
    assert {team.team.club for team in first.teams} == {"Nord", "Ost"}
    assert {team.team.club for team in second.teams} == {"Vest", DISTRICT}
    assert (first.row.season, first.group.start, first.group.seed is not None) == (
        2028, "2028-01-10", True,
    )  # fmt: skip
    (home,) = [one for one in second.teams if one.team.club == DISTRICT]
    assert [seats[0].name for seats in home.boards] == list(SINGLE[:4]) and home.team.is_individual
    captain = await rights(autumn.core, await autumn.person(address("Vest Et")))
    assert second.group.id in captain.captain
    async with autumn.core.store.read() as conn:
        assert [row.season for row in await conn.run_sync(division_rows.divisions, 2028)] == [
            2028
        ] * 2
    async with browser(autumn) as page:
        await page.sign_in(KC)
        again = await page.submit(await page.get(f"/desk/league-plans/{plan}"), "/start")
        assert "Tilmeldingerne er ændret" in again.text, "once"


async def test_a_start_taken_back_leaves_the_entries_as_they_were(autumn: World) -> None:
    """§ 6.7.4.1, § 6.1.2: valid again, the district's members still in their team; start again."""
    await individuals(autumn)
    async with browser(autumn) as page:
        await page.sign_in(TL)
        first = await by_address(autumn.core, address("Ene Et"))
        desk = await page.get("/desk/team-entries")
        await page.submit(desk, "/districts", captain=str(first.id))
        paid = {"entered": "2027-11-01", "fee": "2027-11-01"}
        await entered(autumn, page, "Ost", **paid)
    async with browser(autumn) as page:
        await page.sign_in(KC)
        form = await page.get("/desk/league-plans")
        before_any_move = {"deadline": "2026-12-15"}
        plan = await page.submit(form, "/desk/league-plans/entered", **before_any_move)
        for club in ("Ost", DISTRICT):
            fields = {"club": club, "division": "1", "answer": "grant", "reason": "Ja."}
            plan = await page.submit(plan, "/grant", **fields)
        assert (await page.submit(plan, "/start")).path == "/desk/league"
        seed = (await view_of(autumn.core, "H28-1")).group.seed
        group = await page.get("/desk/groups/H28-1")
        await page.submit(group, "/annul", text="Forkert dag.")
        desk = await page.get("/desk/team-entries")
        assert desk.text.count("gyldig") == 2 and "Gør dem til et hold" not in desk.text
        async with autumn.core.store.write() as conn:
            await conn.execute(update(team_entries).values(captain_id=first.id))
        again = await page.submit(await page.get(plan.path), "/start")
        assert "hold, der mødes: Ene Et (Ost, 1. hovedkreds) (§ 6.7.2.2)" in again.text, again.text
        again = await page.submit(await page.get(plan.path), "/start", word="Aftalt med begge.")
        assert again.path == "/desk/league", again.text
    drawn = (await view_of(autumn.core, "H28-1")).group.seed
    assert drawn == seed, "whoever composes chooses no day for the lots (§ 6.7.4.2)"


async def test_whom_a_ruling_lets_keep_board_and_captaincy_begins(autumn: World) -> None:
    """§ 6.4.2: told «beholder brættet», the team waited the next day, and was in no plan."""
    await nord(autumn)
    who = await by_address(autumn.core, address("Nord Et"))
    group = (await view_of(autumn.core, "DIV-1")).group.id
    tl = await autumn.person(TL)
    kind = case_actions.CaseKind.CONDUCT
    case = await case_actions.complain(autumn.core, tl, group, who.id, kind, "Usportsligt.")
    async with browser(autumn) as page:
        await page.sign_in(TL)
        await entered(autumn, page, "Ost", entered="2027-11-01", fee="2027-11-01")
        await page.submit(await page.get("/desk/team-entries"), "/1/fee", day="2027-11-01")
        keep = {"leave-board-1-": "1", "leave-captain-1-": "1", "stands_why": "Klubben kan ikke."}
        keep |= {f"sanction-{who.id}": "quarantine", f"months-{who.id}": "6", "reasons": "Ja."}
        path = f"/desk/cases/{case.number}"  # type: ignore[union-attr]
        letter = await page.submit(await page.get(path), "/decide", **keep)
        sent = letter.form("/decide").fields | keep | {"step": "send", "confirm": "1"}
        assert (await page.post(f"{path}/decide", sent)).status == 200
        autumn.clock.go(date(2027, 11, 2))
        await autumn.pump()
        assert (await page.get("/desk/team-entries")).text.count("gyldig") == 2
    async with browser(autumn) as page:
        await page.sign_in(KC)
        form = await page.get("/desk/league-plans")
        plan = await page.submit(form, "/desk/league-plans/entered")
        fields = {"club": "Ost", "division": "1", "answer": "grant", "reason": "Ja."}
        plan = await page.submit(plan, "/grant", **fields)
        assert (await page.submit(plan, "/start")).path == "/desk/league"
