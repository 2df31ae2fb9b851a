"""First steps: White's one mail is enough to play; nobody makes an account to move."""

from tests.fakes.machinery.browser import browser
from tests.fakes.world import ANNA, BO, COMMANDS, TL, World


async def test_white_gets_one_mail_with_an_address_and_plays_with_mail_alone(world, anna, bo):
    assert [one.reply_to == COMMANDS for one in world.letters(ANNA)] == [True, False]
    assert [one.reply_to == COMMANDS for one in world.letters(BO)] == [True]
    first = world.letters(ANNA)[-1]
    for line in ("5254", "Svar på denne mail", first.reply_to, "tl@example.org"):
        assert line in first.said
    assert await anna.reply("5254") == "moved"
    assert await bo.reply("1... c5") == "moved"
    assert await anna.reply("2. Sf3") == "moved"
    assert await world.kinds() == ["MoveSent"] * 3
    assert (await world.row()).ply == 3
    await world.assert_whole()


async def test_every_letter_says_who_is_responsible_and_how_to_reach_him(world, anna, bo):
    await anna.reply("e4")
    await bo.reply("resign")
    await anna.write_to_server("status")
    assert {letter.to for letter in world.host.letters} == {ANNA, BO}
    for letter in world.host.letters:
        assert "tl@example.org" in letter.said or "drift@example.org" in letter.said, letter.subject
        assert letter.mail["Auto-Submitted"] in ("auto-replied", "auto-generated")
        assert letter.mail["X-Loop"] == "skak.example"


async def test_a_scanner_that_opens_the_sign_in_link_does_not_use_it_up(world: World) -> None:
    async with browser(world) as scanner, browser(world) as human:
        asked = await human.get("/signin")
        await human.submit(asked, "/signin", email=BO)
        await world.pump()
        link = world.letters(BO)[-1].link("/login/")
        for _ in range(3):
            assert (await scanner.get(link)).status == 200
        signed_in = await human.submit(await human.get(link), "")
        assert signed_in.status == 200
        assert f"/games/{world.game}" in signed_in.html
        assert (await human.get(link)).status == 410


async def test_nobody_is_told_whether_an_address_is_registered(world: World) -> None:
    before = len(world.host.letters)
    async with browser(world) as one:
        asked = await one.submit(await one.get("/signin"), "/signin", email="fremmed@example.com")
        assert asked.status == 200
    await world.pump()
    assert len(world.host.letters) == before


async def test_the_mailed_start_letter_names_everybody_the_rules_and_the_leader(world):
    for reader in (ANNA, BO):
        start = world.letters(reader)[0]
        for known in ("Anna Ager", ANNA, "Bo Berg", BO, "T. Leder", TL, "K-26-01/1", "6.8.6"):
            assert known in start.said, (reader, known)


async def test_threads_stay_together_and_relays_carry_account_and_address(world, anna, bo_web):
    await anna.reply("e4")
    await bo_web.move("c5")
    await anna.reply("2. Sf3")
    _, first, *others = world.letters(ANNA)
    assert first.mail["References"] is None, "nothing was sent to her before it"
    assert {one.mail["References"].split()[0] for one in others} == {first.mail["Message-ID"]}
    relay = anna.letters[-2]
    assert "Hvid Sort" in relay.text
    for part in ("7755" not in relay.said, "3735" in relay.said, "c5" in relay.said):
        assert part
    written, _ = relay.mail.iter_parts()  # the game is the other part
    assert written.get_content_type() == "multipart/alternative"
    pictures = [part for part in relay.mail.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 1
