"""Mails to and from the leader about a case are filed in it; a stranger's never are (§ 6.4.1)."""

from sqlalchemy import update

from server.store.tables.cases import case_events
from server.usecases.desks import database_care
from tests.fakes.cases import claimed, only_case, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import scene
from tests.fakes.world import ANNA, BO, CAPTAIN, TL, World

world = scene(claimed)
"""Bo has overstepped, and Anna has claimed it."""

SUBJECT = "Re: [Sag 2026/1] K-26-01"


async def test_a_mail_that_names_the_case_is_filed_and_told_to_the_others(world, anna, bo):
    case = await only_case(world)
    assert "[Sag 2026/1]" in world.letters(TL)[-1].said or any(
        "[Sag 2026/1]" in letter.said for letter in world.letters(TL)
    ), "the claim's letter says where to write"
    assert await bo.write_to_server("I was ill.", SUBJECT) == "case"
    assert await Player(world, TL).write_to_server("Send en lægeerklæring.", SUBJECT) == "case"
    view = await seen_by(world, TL, case)
    assert [(paper.kind, paper.text) for paper in view.statements] == [
        ("mail", "I was ill."),
        ("mail", "Send en lægeerklæring."),
    ]
    assert all(paper.inbox_id for paper in view.statements), "the raw mail is found"
    for reader in (ANNA, TL):
        assert any("I was ill." in one.said for one in world.letters(reader)), reader
    assert any("lægeerklæring" in one.said for one in bo.letters)
    assert not any("I was ill." in one.said for one in bo.letters), "not to himself"
    await world.assert_whole()


async def test_who_has_no_part_in_a_case_can_not_write_in_it(world: World, anna: Player) -> None:
    case = await only_case(world)
    seq = (await seen_by(world, TL, case)).case.seq
    assert await Player(world, CAPTAIN).write_to_server("Jeg ved noget.", SUBJECT) != "case"
    assert await Player(world, ANNA).write_to_server("Hej", "[Sag 2026/77] K-26-01") != "case"
    assert (await seen_by(world, TL, case)).case.seq == seq


async def test_an_answer_to_a_letter_of_the_case_is_filed_whoever_layout_he_has(world, anna, bo):
    case = await only_case(world)
    await bo.write_to_server("I was ill.", SUBJECT)
    letter = next(one for one in anna.letters if "I was ill." in one.said)
    assert await anna.reply("Det passer ikke.", letter) == "case"
    papers = (await seen_by(world, BO, case)).statements
    assert papers[-1].text == "Det passer ikke."


async def test_a_changed_event_of_a_case_is_found(world: World, anna: Player) -> None:
    assert (await database_care.verify(world.core.store)).cases == 1
    async with world.core.store.write() as conn:
        await conn.execute(update(case_events).where(case_events.c.seq == 1).values(at_us=1))
    (found,) = (await database_care.verify(world.core.store)).findings
    assert (found.game, found.seq) == ("case 2026/1", 1)


async def test_the_link_in_a_letter_of_the_case_opens_its_page(world, anna, bo):
    await bo.write_to_server("I was ill.", SUBJECT)
    letter = next(one for one in anna.letters if "I was ill." in one.said)
    async with browser(world) as page:
        await page.sign_in(ANNA)
        shown = await page.get(letter.link("/desk/cases/"))
        assert (shown.status, "2026/1" in shown.text) == (200, True)
