"""A post card as evidence: the case's page shows it, and the Board reads it while it judges."""

import base64
import io
import zipfile
from datetime import date, timedelta

import pytest

from server.store.play.people import Office
from tests.fakes.cases import officer
from tests.fakes.desk import BOARD, MEMBERS, Desk, desk_of
from tests.fakes.machinery.browser import browser
from tests.fakes.postal import PNG, begin_postal, enter
from tests.fakes.world import ANNA, BO, CAPTAIN, KC, TL, World

NOVEMBER_3 = date(2026, 11, 3)
WHY = {"paragraphs": ["6.3.2"], "reasons": "Stemplet er ulæseligt."}
SUBSTITUTE = "suppleant@example.org"


async def _disputed_card(desk: Desk) -> tuple[int, str, str]:
    """Anna's card with no legible stamp, which Bo disputes: the case, its page, the picture."""
    world = desk.world
    await begin_postal(world)
    world.clock.go(NOVEMBER_3 + timedelta(6))
    got = await enter(
        world, "white", "e4", stated=NOVEMBER_3, note="halvt stempel",
        scan=base64.b64encode(PNG).decode(),
    )  # fmt: skip
    opened = await desk.call(BO, "POST", "/cases", {
        "game": world.game, "kind": "days", "text": "Kortet er stemplet den 5.",
    })  # fmt: skip
    number = (await desk.see(TL, opened["id"]))["number"]
    scan = f"/games/{world.game}/cards/{got['card']}/scan"
    return opened["id"], f"/desk/cases/{number}", scan


async def _statuses(world: World, who: str, *paths: str) -> list[int]:
    async with browser(world) as one:
        await one.sign_in(who)
        found: list[int] = []
        for path in paths:
            async with one.session.get(one._url(path)) as answer:
                found.append(answer.status)
        return found


@pytest.mark.both_engines
async def test_the_board_reads_card_and_scan_while_the_case_lies_with_it(world: World) -> None:
    """§ 6.4.3: not before, and never to enter one; the statement then names its ruling.

    § 1.3.9: those who sit, and so a substitute only from when a member is prevented.
    """
    async with desk_of(world) as desk:
        await officer(world, SUBSTITUTE, Office.SUBSTITUTE)
        case, page, scan = await _disputed_card(desk)
        card = f"/games/{world.game}/card"
        assert await _statuses(world, BOARD, card, scan, page) == [403, 403, 404]
        await desk.hear(TL, case)
        await desk.decide(TL, case, **WHY)
        await desk.appeal(BO, case)
        await desk.decide(KC, case, **WHY)
        assert await _statuses(world, BOARD, card, scan) == [403, 403]
        await desk.appeal(BO, case, paid=True)
        assert await _statuses(world, BOARD, card, scan, page) == [200, 200, 200]
        for member in MEMBERS[1:]:
            assert await _statuses(world, member, card, scan, page) == [200, 200, 200], member
        assert await _statuses(world, SUBSTITUTE, card, scan, page) == [403, 403, 404], (
            "no seat is empty"
        )
        assert await _statuses(world, CAPTAIN, card, scan) == [403, 403]
        async with browser(world) as board:
            await board.sign_in(BOARD)
            shown = await board.get(card)
            assert not [form for form in shown.forms if "card" in form.action], "reads only"
            assert scan in shown.links and "halvt stempel" in shown.text
            game = await board.get(f"/games/{world.game}")
            assert card in game.links, "the game's page leads there"
        correction = {"kind": "correction", "ply": 1, "sent": str(NOVEMBER_3 + timedelta(2))}
        await desk.decide(
            BOARD, case, **WHY, games=[{"game": world.game, "effect": correction}]
        )  # fmt: skip
        await _statement_names_the_ruling(world, f"{page.removeprefix('/desk/cases/')}/3")


async def _statement_names_the_ruling(world: World, ref: str) -> None:
    async with browser(world) as bo:
        await bo.sign_in(BO)
        statement = await bo.get(f"/games/{world.game}/statement")
        assert statement.text.count(f"decision {ref}") == 2, "at the row and among the rulings"
        assert "counts as sent on 5 November 2026" in statement.text
        async with bo.session.get(bo._url(f"/games/{world.game}/case.zip")) as answer:
            files = zipfile.ZipFile(io.BytesIO(await answer.read()))
    assert f"The dates rest on decision {ref}." in files.read("account.txt").decode()


async def test_the_cases_page_shows_card_stamps_and_picture(world: World) -> None:
    """§ 6.3.2: as entered and as counted, to the parties and to whom it lies with."""
    async with desk_of(world) as desk:
        _, page, scan = await _disputed_card(desk)
        for who in (ANNA, BO, TL):
            async with browser(world) as one:
                await one.sign_in(who)
                shown = await one.get(page)
            assert "striden drejer sig om" in shown.text or "in dispute" in shown.text, who
            assert "halvt stempel" in shown.text and f'<img src="{scan}"' in shown.html
        assert "ulæseligt (§ 6.3.2)" in shown.text and "Afsenderens egen dato" in shown.text
        assert shown.text.count("3. november 2026") >= 2, "as stated and as counted"


async def test_a_substitute_reads_card_and_scan_from_when_he_sits_and_the_excused_no_more(lite):
    """§ 1.3.9: the seat carries the right to see the evidence, not the office."""
    async with desk_of(lite) as desk:
        await officer(lite, SUBSTITUTE, Office.SUBSTITUTE)
        case, page, scan = await _disputed_card(desk)
        paths = (f"/games/{lite.game}/card", scan, page)
        await desk.hear(TL, case)
        await desk.decide(TL, case, **WHY)
        await desk.appeal(BO, case)
        await desk.decide(KC, case, **WHY)
        await desk.appeal(BO, case, paid=True)
        excused = MEMBERS[1]
        excuse = {"member": await desk.id_of(excused), "reason": "Bortrejst."}
        await desk.call(BOARD, "POST", f"/cases/{case}/excuse", excuse)
        assert await _statuses(lite, SUBSTITUTE, *paths) == [200, 200, 200]
        assert await _statuses(lite, excused, *paths) == [403, 403, 404]
