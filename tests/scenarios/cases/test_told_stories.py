"""Stories that mix things, each letter read against account, table and desk (§ 6.4, § 6.7.3).

A ruling annulled in a league match, a club that is no more, a card whose day was typed wrongly, a
game taken over in mid-season, a captain who is also next in the cup.
"""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from kskak.cup import CupStage
from server.store import entries as entry_rows
from server.store.play.people import Office, PersonRow
from server.store.tables.base import people
from server.usecases.cup.cup_rounds import CupRoundRequest
from server.usecases.groups.group_file import read_group_file
from server.usecases.league.reserves import ReserveInput, ask_reserve, decide_reserve
from server.usecases.register.csv_table import RegisterKind
from server.usecases.season.season_views import name_admin
from server.usecases.starts.start_group import start_group
from tests.fakes.cases import officer, ready_for_votes
from tests.fakes.cups import CupScene, cup_scene, name_of
from tests.fakes.desk import ALL_NAMES, CARLA, DAN, MEMBERS, PLAYER, Desk, desk_of, desk_scene
from tests.fakes.disputes import cards_of, case_of, press
from tests.fakes.league import (
    address,
    begin_division,
    board_game,
    division_text,
    game_row,
    players_of,
    team_of,
    view_of,
)
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.postal import begin_postal
from tests.fakes.postal import enter as enter_card
from tests.fakes.takeovers import PLAYED, group_file, ledger, take_over
from tests.fakes.teams import HEAD, SINCE, club_id, league_list, register_clubs, take
from tests.fakes.world import ANNA, BO, KC, TL, World, world_of
from tests.scenarios.cases.test_neighbours import REASONED, between, mine


@pytest.fixture
async def world(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A server with its officials and nobody else."""
    async with world_of(sqlite_url, str(tmp_path)) as made:
        yield made


def told(world: World, since: int, about: str = "") -> dict[str, list[Letter]]:
    """The letters since a count, by whom they went to; ``about``: in the subject."""
    found: dict[str, list[Letter]] = {}
    for one in world.host.letters[since:]:
        if about in one.subject:
            found.setdefault(one.to, []).append(one)
    return found


def text_of(letter: Letter) -> str:
    return " ".join(letter.said.split())


async def shown(world: World, who: str, path: str) -> str:
    """A page as somebody sees it."""
    async with browser(world) as web:
        await web.sign_in(who)
        page = await web.get(path)
        assert page.status == 200, (path, page.status)
        return page.text


# A league match in which a game's ruling is annulled.


async def _decided_match(desk: Desk) -> tuple[int, int, str]:
    """Board 2 is ruled on, the others are resigned: the game, the case, who appeals."""
    world, core = desk.world, desk.world.core
    line = await board_game(core, "DIV-1", 2, "Nord")
    white = (await game_row(core, line.id)).white
    body = {"game": line.id, "kind": "days", "text": "Dagene er forkerte."}
    case = (await desk.call(address(white), "POST", "/cases", body))["id"]
    await desk.hear(TL, case)
    world.clock.wait(days=1)
    effect = {"kind": "result", "result": "0-1", "on": world.clock.today.isoformat()}
    await desk.decide(TL, case, **REASONED, games=[{"game": line.id, "effect": effect}])
    for game in (await view_of(core, "DIV-1")).games:
        if game.id != line.id:
            loser = address((await game_row(core, game.id)).white)
            await desk.call(loser, "POST", f"/games/{game.id}/resign")
    return line.id, case, address(white)


async def test_a_league_result_falls_with_the_ruling_it_rested_on(world: World) -> None:
    """§ 6.4.3, § 6.4.5, § 6.7.4.5: published on a ruling, annulled, played on, published again."""
    await begin_division(world.core, "DIV-1", ("Nord", "Syd"), start=world.clock.today.isoformat())
    await world.pump()
    async with desk_of(world) as desk:
        game, case, loser = await _decided_match(desk)
        since = len(world.host.letters)
        world.clock.wait(days=1)
        await world.pump()
        for who, letters in told(world, since, "Resultatet").items():
            club = "Nord" if who.startswith("nord") else "Syd"
            own = "Resultatet er offentliggjort" if who == TL else f"Resultatet: {club} blev nr. "
            assert own in letters[0].subject, "a player has no place of his own in a division"
        assert "indsigelser mod resultatet" in await shown(world, TL, "/desk")
        await desk.appeal(loser, case)
        asked = told(world, since, "Svar på appellen")[TL][0]
        assert "du har afgjort sagen; nu ligger den hos næste instans" in text_of(asked)
        world.clock.wait(days=2)
        since = len(world.host.letters)
        await desk.decide(KC, case, **REASONED, annuls=["2026/1/1"])
        decision = text_of(told(world, since, "Afgørelse")[loser][0])
        assert "havde brugt 1 dag på trækket; det tæller med" in decision
        assert "herefter tæller" not in decision, "one word of the days, not two"
        turn = text_of(told(world, since, "DIV-1/2")[loser][0])
        assert "og du begynder" in turn and "begynder forfra" not in turn
        for _ in range(3):
            world.clock.wait(days=1)
            await world.pump()
        fallen = told(world, since, "gælder ikke længere")
        assert len(fallen) == 9 and {len(one) for one in fallen.values()} == {1}, "each once"
        assert "spilles der videre i DIV-1/2" in text_of(fallen[TL][0])
        desk_page = await shown(world, TL, "/desk")
        assert "indsigelser mod resultatet" not in desk_page and "præmierne" not in desk_page
        assert "gælder ikke længere" in await shown(world, TL, "/results/DIV-1")
        assert "sidste dag for appel (§ 6.4.3)" in await shown(
            world, address("Nord Et"), "/captain"
        )
        division = await desk.call(TL, "GET", f"/groups/{(await world.group('DIV-1')).id}/league")
        assert division["matches"][0]["finished"] == 3
        since = len(world.host.letters)
        await desk.call(loser, "POST", f"/games/{game}/resign")
        world.clock.wait(days=1)
        await world.pump()
        again = told(world, since, "Resultatet er rettet")
        assert len(again) == 9 and (await shown(world, TL, "/desk")).count("præmierne skal") == 1


# A club that folds or merges beside a case, a captain, an entry in the cup and a running team.


@pytest.mark.parametrize("into", ["", "Vest"])
async def test_a_club_ends_beside_all_that_its_members_have(world: World, into: str) -> None:
    """§ 6.1, § 6.7.3: shown before, told to whom it concerns, and nothing is silently otherwise."""
    core, kc = world.core, await world.person(KC)
    await world.admit("T. Leder", email=TL)
    await register_clubs(core, "Nord", "Syd", "Vest")
    await begin_division(core, "DIV-1", ("Nord", "Syd"), start=world.clock.today.isoformat())
    await name_admin(core, kc, await club_id(core, "Nord"), address("Nord Et"))
    await league_list(core, kc, TL)
    cup = await world.open_list(kc, "Pokal", "cup preliminary", "P-27", TL)
    async with desk_of(world) as desk:
        paid, unpaid = address("Nord To"), address("Nord Tre")
        entry = await desk.call(paid, "POST", "/tournament-entries", {"list": cup.id})
        await desk.call(unpaid, "POST", "/tournament-entries", {"list": cup.id})
        on = {"on": world.clock.today.isoformat()}
        await desk.call(TL, "POST", f"/tournament-entries/{entry['id']}/fee", on)
        line = await board_game(core, "DIV-1", 2, "Nord")
        body = {"game": line.id, "kind": "days", "text": "Dagene er forkerte."}
        case = (await desk.call(paid, "POST", "/cases", body))["id"]
        since = len(world.host.letters)
        await _end_club(world, "Nord", into)
        letters = told(world, since)
        captain = text_of(letters[address("Nord Et")][0])
        if into:
            assert "Klubben Nord er blevet en del af Vest" in captain and "som Vest" in captain
            assert {*letters} == {address("Nord Et"), TL}, "nothing else has changed"
        else:
            assert "Klubben Nord er nedlagt" in captain
            assert "gælder stadig: uden medlemskab" in text_of(letters[paid][0])
            assert "venter derfor på dette" in text_of(letters[unpaid][0])
            assert "Indskuddet er ikke modtaget" in text_of(letters[unpaid][0])
        assert (await team_of(core, "DIV-1", into or "Nord")).club == (into or "Nord")
        assert (await desk.see(TL, case))["stage"] == "opened", "the case is the player's still"
        page = await shown(world, address("Nord Et"), "/captain")
        assert ("sidste dag for at tilmelde holdet" in page) is bool(into)


async def _end_club(world: World, name: str, into: str) -> None:
    async with browser(world) as web:
        await web.sign_in(KC)
        number = str(await club_id(world.core, name))
        other = str(await club_id(world.core, into)) if into else ""
        day = world.clock.today.isoformat()
        page = await web.get("/desk/members/clubs")
        look = await web.submit(page, "/clubs/end", ends=number, into=other, ended=day)
        said = "står ved magt" if into else "bedømmes igen uden medlemskab"
        assert f"Nord Tos tilmelding til Pokal {said}" in look.text
        done = await web.submit(look, "/clubs/end")
        assert done.status == 200
    await world.pump()


# A reserve who takes over games that cases are about.


async def test_a_reserve_is_in_the_case_about_his_game(world: World) -> None:
    """§ 6.7.4.3, § 6.4.1: he read »Siden findes ikke«, and a silence that was another's went on."""
    core, captain = world.core, await _with_reserves(world)
    async with desk_of(world) as desk:
        game = (await board_game(core, "DIV-1", 2, "Nord")).id
        body = {"game": game, "kind": "days", "text": "Dagene er forkerte."}
        case = (await desk.call(address("Nord To"), "POST", "/cases", body))["id"]
        await world.wait_until(world.clock.today + timedelta(days=24))
        (silence,) = [
            one["id"]
            for one in (await desk.call(TL, "GET", "/cases?desk=1"))["cases"]
            if one["game"] == "DIV-1/3"
        ]
        since, tl = len(world.host.letters), await world.person(TL)
        team = (await team_of(core, "DIV-1", "Nord")).id
        for board, name in ((2, "Res To"), (3, "Res Tre")):
            wish = ReserveInput(board, name, address(name), None, "Syg.")
            number = await ask_reserve(core, captain, team, wish)
            assert isinstance(number, int), number
            await decide_reserve(core, tl, number, True, "")
        await world.pump()
        assert "Sagen er udvidet" in told(world, since)[address("Res To")][1].subject
        assert (await desk.see(TL, silence))["stage"] == "settled"
        for who in (TL, address("Nord Tre"), address("Syd Tre")):
            over = told(world, since, "Sagen er sluttet")[who][0]
            assert "En reserve har overtaget partiet" in text_of(over)
        await desk.hear(TL, case)
        await desk.decide(TL, case, **REASONED)
        letters = told(world, since, "Afgørelse")
        assert "kan du appellere" in text_of(letters[address("Res To")][0])


async def _with_reserves(world: World) -> PersonRow:
    """DIV-1, and two members of Nord who play nowhere; Nord's captain."""
    await register_clubs(world.core, "Nord", "Syd")
    names = ("Res To", "Res Tre")
    rows = (f"9{n};{one};1-1-1950;{address(one)};klub;Nord;;{SINCE};1700;{SINCE}"
            for n, one in enumerate(names))  # fmt: skip
    await take(world.core, RegisterKind.MEMBERS, "\n".join([HEAD, *rows]))
    await begin_division(world.core, "DIV-1", ("Nord", "Syd"), start=world.clock.today.isoformat())
    await world.pump()
    return await world.person(address("Nord Et"))


# A card corrected after a ruling that rested on it.


async def test_a_cards_day_is_put_right_after_the_ruling_that_rested_on_it(world: World) -> None:
    """§ 6.2.4, § 6.3.2, Kendelse 107: not by correcting the card, but on appeal, by its words."""
    await begin_postal(world)
    world.clock.go(date(2026, 12, 30))
    days = [date(2026, 11, day) for day in (3, 5, 6, 7)]
    await enter_card(world, "white", "5254", postmark=days[0], who=TL)
    await enter_card(world, "black", "5755", received=days[1], postmark=days[2], who=TL)
    wrong = date(2026, 12, 28)
    seq = (await enter_card(world, "white", "7163", received=days[3], postmark=wrong, who=TL))[
        "card"
    ]
    async with desk_of(world) as desk:
        await desk.call(BO, "POST", f"/games/{world.game}/claim")
        case, path = await case_of(world)
        await desk.hear(TL, case)
        async with browser(world) as tl:
            await tl.sign_in(TL)
            await press(tl, await press(tl, await tl.get(path), 0, "/decide", "draft"), 0,
                        "/decide", "send")  # fmt: skip
        right = {"by": "white", "text": "7163", "corrects": seq}
        right |= {"received": "2026-11-07", "postmark": "2026-11-28"}
        status, why = await desk.ask(TL, "POST", f"/games/{world.game}/cards", right)
        assert (status, why["paragraph"]) == (409, "6.4.1")
        world.clock.wait(days=2)
        await world.pump()
        said = {"text": "Kortet er stemplet den 28/11, ikke den 28/12."}
        await desk.call(ANNA, "POST", f"/cases/{case}/appeal", said)
        await desk.hear(KC, case)
        since = len(world.host.letters)
        async with browser(world) as kc:
            await kc.sign_in(KC)
            page = await kc.get(path)
            assert "Stemplet 28. november 2026, som det er oplyst" in cards_of(page)[1]
            letter = await press(kc, page, 1, "/decide", "draft")
            assert "Gælder ikke længere: Bo Berg rykker op" in letter.text, "what the table gave"
            await press(kc, letter, 0, "/decide", "send")
        await world.pump()
        decision = text_of(told(world, since, "Afgørelse")[ANNA][0])
        assert "regnes for sendt den 28. november 2026" in decision and "22 dage" in decision
        account = await world.account()
        assert account["totals"] == {"white": 22, "black": 1} and account["overstep"] is None
        assert account["result"] == "*" and "gælder ikke længere" not in decision
        world.clock.wait(days=1)
        await world.pump()
        assert len(told(world, since, "gælder ikke længere")[ANNA]) == 1
        assert "præmierne skal" not in await shown(world, TL, "/desk")


# A game taken over, then an overstep by the same player, and a claim.


async def test_the_first_overstep_after_a_takeover_is_told_and_claimed(world: World) -> None:
    """§ 6.3.3.3, § 6.8.7: the player who had used 35 of 40 days when the server took the game."""
    await take_over(world, {"group.toml": group_file(), "1.json": ledger(PLAYED)})
    anna, bo = Player(world), Player(world, BO, layout="outlook", lang="en")
    await world.wait_until(date(2026, 11, 8))
    for who in (ANNA, BO, TL):
        assert world.letters(who)[-1].subject.count("overs") == 1, "told as any other"
    world.clock.wait(days=4)
    assert await bo.reply("2... Nc6") == "moved"
    world.clock.wait(days=1)
    assert await anna.reply("tid") == "claimed"
    claim = text_of(anna.letters[-1])
    assert "brugt 45 dage, grænsen er 40 dage" in claim and "partiet er i bero" in claim
    world.clock.wait(days=20)
    await world.pump()
    page = await shown(world, TL, "/desk")
    assert "1 krav eller indsigelse" in page and "0 tavse uden sag" in page, "nobody is to move"
    assert not any("tavs" in one.subject for one in world.letters(ANNA))
    assert (await world.account())["totals"] == {"white": 24, "black": 45}
    await world.assert_whole()


# A team's captain who is also the next player of a cup round.


async def _captain_in_the_cup(world: World) -> tuple[CupScene, str]:
    """S09 has won his group in the cup, whose next round is due, and leads Nord in a division."""
    scene = await cup_scene(world.core)
    await scene.players(22)
    await scene.enter([name_of(n) for n in range(9, 23)])
    await scene.enter([name_of(n) for n in range(1, 9)], "semi")
    await scene.opened()
    await scene.draw(CupRoundRequest(CupStage.PRELIMINARY))
    for group in ("P-26-01", "P-26-02"):
        await scene.play_out(group)
    teams = {"Nord": ("S09", *players_of("Nord")[1:]), "Syd": players_of("Syd")}
    text = division_text("DIV-1", teams, start=world.clock.today.isoformat())
    await start_group(world.core, read_group_file(text.replace('tl_name = "T. Leder"\n', "")))
    for _ in range(16):
        world.clock.wait(days=1)
        await world.pump()
    return scene, address("S09")


async def _draw_semi(world: World, scene: CupScene, **more: str) -> str:
    async with browser(world) as tl:
        await tl.sign_in(TL)
        page = await tl.get(f"/desk/cups/{scene.cup}")
        fields = next(form.fields for form in page.forms if form.fields.get("stage") == "semi")
        ticked = {name: text for name, text in fields.items() if not name.startswith("without-")}
        done = await tl.post(f"/desk/cups/{scene.cup}/draw", ticked | more)
    await world.pump()
    return done.text


async def test_a_captain_next_in_the_cup_is_quarantined(world: World) -> None:
    """§ 6.4.2: his letter says that the cup goes on without him; the team that plays keeps him."""
    scene, captain = await _captain_in_the_cup(world)
    async with desk_of(world) as desk:
        number, since = await desk.id_of(captain), len(world.host.letters)
        group = (await world.group("DIV-1")).id
        body = {"group": group, "person": number, "kind": "conduct", "text": "Usportsligt."}
        case = await desk.call(TL, "POST", "/cases", body)
        await desk.hear(TL, case["id"])
        path = f"/desk/cases/{case['number']}"
        filled = {f"sanction-{number}": "quarantine", f"months-{number}": "3"}
        async with browser(world) as tl:
            await tl.sign_in(TL)
            page = await tl.get(path)
            letter = await tl.submit(page, "/decide", reasons="Usportsligt.", **filled)
            sent = letter.form("/decide").fields | {"step": "send", "confirm": "1"}
            assert (await tl.post(f"{path}/decide", sent)).status == 200
        await world.pump()
        told_him = text_of(told(world, since, "Afgørelse")[captain][0])
        assert "men kan ikke begynde i pokalens næste runde, der trækkes uden ham" in told_him
        refused = await _draw_semi(world, scene)
        assert "S09 kan ikke sættes ind på grund af karantæne" in refused
        assert "ud af runden" in refused
        done = await _draw_semi(world, scene, **{f"without-{number}": "1", "reason": "Karantæne.",
                                                 "added": address("S15")})  # fmt: skip
        assert "Runden er trukket" in done
        for drawn in ("P-26-S1", "P-26-S2"):
            assert "S09" not in await scene.members(drawn)
        assert (await team_of(world.core, "DIV-1", "Nord")).captain_id == number
        leaver, drawn = (await scene.members("P-26-S1"))[0], await world.group("P-26-S1")
        said = {"text": "Jeg stopper."}
        await desk.call(address(leaver), "POST", f"/groups/{drawn.id}/withdrawals", said)
        page = await shown(world, TL, f"/desk/cups/{scene.cup}")
        assert f"{leaver} har meldt sig ud: sag 2026/2" in page, "the letter alone said so"
        await desk.appeal(captain, case["id"])
        annul = {"paragraphs": ["6.4.2"], "reasons": "Han har ret.", "annuls": ["2026/1/1"]}
        await desk.decide(KC, case["id"], **annul, grants=[number])
        page = await shown(world, TL, f"/desk/cups/{scene.cup}")
        assert "S09 blev holdt ude, men afgørelsen er ophævet: sag 2026/1" in page


async def test_a_captain_next_in_the_cup_dies(world: World) -> None:
    """§ 6.2.8, § 6.7.2.2, § 6.7.4.3: the team is told, as he can't be; the cup says why."""
    scene, captain = await _captain_in_the_cup(world)
    number, since = (await world.person(captain)).id, len(world.host.letters)
    async with browser(world) as kc:
        await kc.sign_in(KC)
        page = await kc.get(f"/desk/members/{number}")
        assert "Holdets partier i DIV-1 går videre ved en reserve" in page.text
        assert "Partierne i DIV-1 standses" not in page.text, "they are not"
        await kc.submit(page, "/death", died=world.clock.today.isoformat(), sure="1")
    await world.pump()
    letters = told(world, since, "dødsfald på holdet")
    team = {address(name) for name in players_of("Nord")[1:]}
    assert {*letters} == {TL, *team} and captain not in told(world, since)
    assert "vælge en anden holdkaptajn" in text_of(letters[address("Nord To")][0])
    refused = await _draw_semi(world, scene)
    assert "S09 er død (§ 6.2.8)" in refused and "karantæne" not in refused


# Own inventions: a dead man's draw offer, a Board that loses a member, and others.

four = desk_scene(ANNA, BO, CARLA, DAN)
"""A group of four, double round: each has six games."""
two = desk_scene(ANNA, BO)
"""One game."""
DM = """
tournament = "DM 2026"
class = "DM"
group = "DM-26-01"
regulation = "email"
start = {start}
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
double = true
"""


async def _dies(world: World, person: int) -> None:
    async with browser(world) as kc:
        await kc.sign_in(KC)
        page = await kc.get(f"/desk/members/{person}")
        await kc.submit(page, "/death", died=world.clock.today.isoformat(), sure="1")
    await world.pump()


async def test_a_draw_offered_by_one_who_dies_while_the_other_has_special_leave(four: Desk) -> None:
    """§ 6.2.8, § 6.3.6.4: the leader is told what he has to do; the preview knows every name."""
    world = four.world
    world.game = (await between(four, ANNA, BO))[0]
    row = await world.row()
    white, black = (ANNA, BO) if row.white_id == await four.id_of(ANNA) else (BO, ANNA)
    said = {"text": "e4", "draw_offer": True}
    await four.call(white, "POST", f"/games/{world.game}/moves", said)
    days = {"from": world.clock.today, "to": world.clock.today + timedelta(days=10)}
    body = {"player": await four.id_of(black), "tournament": "Pokal", "reason": "Indlagt."}
    body |= {name: day.isoformat() for name, day in days.items()}
    await four.call(TL, "POST", "/leave/special", body)
    world.clock.wait(days=1)
    since = len(world.host.letters)
    await _dies(world, await four.id_of(white))
    assert "I bero, til sagen er afgjort" in await shown(world, black, f"/games/{world.game}")
    letters = told(world, since, "Dødsfald")
    assert "Du afgør, hvad der bliver af partierne" in text_of(letters[TL][0])
    assert "Din modstander i gruppen er død" in text_of(letters[black][0])
    (case,) = [one["id"] for one in (await four.call(TL, "GET", "/cases?desk=1"))["cases"]]
    path = f"/desk/cases/{(await four.see(TL, case))['number']}"
    async with browser(world) as tl:
        await tl.sign_in(TL)
        page = await tl.get(path)
        letter = await tl.submit(page, "/rule", text="Død.", has_reason="1")
        name = (await world.person(white)).name
        readers = letter.text.partition("Sendes til: ")[2][:32]
        assert name not in readers and "Carla Dahl, Dan Ege" in readers
        sent = letter.form("/rule").fields | {"step": "send", "confirm": "1"}
        assert (await tl.post(f"{path}/rule", sent)).status == 200
    await world.pump()
    result = (await world.row()).result
    assert result is not None and result != "1/2-1/2", "nobody accepted it"
    assert white not in told(world, since), "nothing is sent to him"


async def test_the_board_loses_a_member_while_a_case_is_before_it(four: Desk) -> None:
    """§ 1.3.9, § 9 of the laws: the substitute is called in by letter, and votes."""
    world, substitute = four.world, "sub1@example.org"
    game = (await mine(four, ANNA))[0]
    body = {"game": game, "kind": "days", "text": "Dagene er forkerte."}
    case = (await four.call(ANNA, "POST", "/cases", body))["id"]
    await four.hear(TL, case)
    await four.decide(TL, case, **REASONED)
    await four.appeal(ANNA, case)
    await four.hear(KC, case)
    await four.decide(KC, case, **REASONED)
    await officer(world, substitute, Office.SUBSTITUTE)
    await four.appeal(ANNA, case, paid=True)
    assert not world.letters(substitute), "nobody's seat is empty"
    dead = await four.id_of(MEMBERS[1])
    assert "medlem af Skaknævnet" in await shown(world, KC, f"/desk/members/{dead}")
    await _dies(world, dead)
    for _ in range(3):
        world.clock.wait(days=1)
        await world.pump()
    (letter,) = world.letters(substitute)
    assert "du sidder nu i sagen 2026/1 i stedet" in text_of(letter)
    await ready_for_votes(world.core, await world.person(MEMBERS[0]), case)
    for one in (MEMBERS[0], MEMBERS[2], substitute):
        await four.call(one, "POST", f"/cases/{case}/vote", {"upholds": []})
    await four.call(MEMBERS[0], "POST", f"/cases/{case}/decisions", REASONED)
    final = text_of(told(world, 0, "Kendelse")[ANNA][-1])
    assert "har deltaget som suppleant" in final and "tilfalder unionen" in final


async def test_an_appeal_to_the_board_over_a_quarantine_with_a_draw_offer_open(four: Desk) -> None:
    """§ 6.4.3: opponents are told that time stands still; upheld, the offer is there to accept."""
    world, bo = four.world, await four.id_of(BO)
    body = {"group": (await world.row()).group_id, "person": bo, "kind": "conduct", "text": "X."}
    case = (await four.call(TL, "POST", "/cases", body))["id"]
    await four.hear(TL, case)
    order = {"paragraphs": ["6.4.2"], "reasons": "Usportsligt."}
    quarantine = [{"person": bo, "kind": "quarantine", "months": 3}]
    await four.decide(TL, case, **order, sanctions=quarantine)
    await four.appeal(BO, case)
    await four.hear(KC, case)
    await four.decide(KC, case, **order)
    world.game = (await between(four, ANNA, BO))[0]
    row = await world.row()
    white, black = (ANNA, BO) if row.black_id == bo else (BO, ANNA)
    await four.call(white, "POST", f"/games/{world.game}/moves", {"text": "e4", "draw_offer": True})
    since = len(world.host.letters)
    await four.appeal(BO, case, paid=True)
    for who in (ANNA, CARLA, DAN):
        letter = text_of(told(world, since, "appelleret")[who][0])
        assert "står tiden stille i partierne" in letter, who
    assert "I bero, til sagen er afgjort" in await shown(world, black, f"/games/{world.game}")
    world.clock.wait(days=20)
    await four.decide(MEMBERS[0], case, **order)
    await four.call(black, "POST", f"/games/{world.game}/draw", {"action": "accept"})
    assert (await world.row()).result == "1/2-1/2"
    assert (await world.account())["totals"] == {"white": 0, "black": 0}


async def test_a_right_on_a_waiting_list_falls_rises_and_ends_with_its_holder(two: Desk) -> None:
    """§ 6.5.3.2, § 6.4.3, § 6.2.8: told each time, never silently; the dead's fee is owed back."""
    world, core = two.world, two.world.core
    of = await world.open_list(await world.person(KC), "Klasse M", "emt M", "M-26", TL)
    row, bo = await world.row(), await two.id_of(BO)
    won = {True: "1-0", False: "0-1"}[row.white_id == bo]
    await two.call(ANNA, "POST", f"/games/{row.id}/resign")
    await _days(world, 2)
    made = await two.call(
        BO, "POST", "/tournament-entries", {"list": of.id, "member": "4711", "born": "1950-02-28"}
    )
    on = {"on": world.clock.today.isoformat()}
    paid = await two.call(TL, "POST", f"/tournament-entries/{made['id']}/fee", on)
    assert paid["state"] == "valid", paid
    objection = {"game": row.id, "kind": "result", "text": "Jeg opgav ikke."}
    case = (await two.call(ANNA, "POST", "/cases", objection))["id"]
    await two.hear(TL, case)
    world.clock.wait(days=1)
    since = len(world.host.letters)
    lost = {"1-0": "0-1", "0-1": "1-0"}[won]
    effect = {"kind": "result", "result": lost, "on": world.clock.today.isoformat()}
    await two.decide(TL, case, **REASONED, games=[{"game": row.id, "effect": effect}])
    await _days(world, 2)
    news = told(world, since)[BO]
    waits = next(text_of(one) for one in news if "Din tilmelding venter igen" in one.subject)
    assert "Begrundelse: Afgørelsen i sag 2026/1 (§ 6.4.3)" in waits
    await two.appeal(BO, case)
    await two.hear(KC, case)
    since = len(world.host.letters)
    await two.decide(KC, case, **REASONED, annuls=["2026/1/1"])
    await _days(world, 2)
    assert (await world.row()).result == won, "what stood before it stands again"
    news = told(world, since)[BO]
    assert any("Din tilmelding er gyldig" in one.subject for one in news), [n.subject for n in news]
    table = next(text_of(one) for one in news if "Resultatet er rettet" in one.subject)
    assert f"Rettet: {row.name} {row.white} – {row.black}: {won}." in table, "told wrongly before"
    since = len(world.host.letters)
    await _dies(world, bo)
    await _days(world, 2)
    assert BO not in told(world, since)
    books = await shown(world, KC, "/desk/kc/economy")
    assert "Indskud, der skal betales tilbage: Klasse M" in books and "100,00" in books
    async with core.store.read() as conn:
        (entry,) = await entry_rows.entries_of(conn, bo)
    assert entry.state == "withdrawn"


async def _days(world: World, days: int) -> None:
    for _ in range(days):
        world.clock.wait(days=1)
        await world.pump()


async def test_a_title_that_rested_on_a_ruling(world: World) -> None:
    """§ 6.5.2, § 6.4.5: champion by a ruling, prizes sent; annulled, drawn, and shared again."""
    text = DM.format(start=world.clock.today.isoformat())
    text += "".join(PLAYER.format(name=ALL_NAMES[one], email=one) for one in (ANNA, BO))
    game, other = (row.id for row in await world.begin_group(text))
    await world.pump()
    anna = await world.person(ANNA)
    async with world.core.store.write() as conn:
        await conn.execute(update(people).where(people.c.id == anna.id).values(citizen=True))
    async with desk_of(world) as desk:
        world.game = game
        row = await world.row()
        await desk.call(BO, "POST", f"/games/{other}/resign")
        body = {"game": game, "kind": "days", "text": "Dagene er forkerte."}
        case = (await desk.call(BO, "POST", "/cases", body))["id"]
        await desk.hear(TL, case)
        won = "1-0" if row.white_id == anna.id else "0-1"
        effect = {"kind": "result", "result": won, "on": world.clock.today.isoformat()}
        await desk.decide(TL, case, **REASONED, games=[{"game": game, "effect": effect}])
        await _days(world, 1)
        (title,) = (await desk.call(TL, "GET", "/titles"))["titles"]
        assert title["name"] == "Anna Ager", title
        await desk.appeal(BO, case)
        await desk.hear(KC, case)
        since = len(world.host.letters)
        await desk.decide(KC, case, **REASONED, annuls=["2026/1/1"])
        await _days(world, 2)
        assert not (await desk.call(TL, "GET", "/titles"))["titles"], "nobody is champion yet"
        assert "gælder ikke længere" in told(world, since)[ANNA][-1].subject
        white, black = (ANNA, BO) if row.white_id == anna.id else (BO, ANNA)
        await desk.call(white, "POST", f"/games/{game}/moves", {"text": "e4"})
        said = {"text": "1... e5", "draw_offer": True}
        await desk.call(black, "POST", f"/games/{game}/moves", said)
        await desk.call(white, "POST", f"/games/{game}/draw", {"action": "accept"})
        await _days(world, 2)
        assert "Resultatet er rettet" in world.letters(ANNA)[-1].subject
        (title,) = (await desk.call(TL, "GET", "/titles"))["titles"]
        assert title["name"] == "Anna Ager", "one and a half points are enough"
