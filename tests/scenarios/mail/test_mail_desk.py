"""The mail desk: one press releases a held mail, and no number of strangers hides a player's.

Real mails by SMTP, real pages; the press is recorded, and a second one does nothing.
"""

import re
from datetime import timedelta
from html import unescape

import pytest
from sqlalchemy import insert, update

from kskak.game.game_events import MoveSent
from server.store.mail import inbox as inbox_rows
from server.store.mail.inbox import InboxState, NewMail
from server.store.play.people import Role
from server.store.tables.base import inbox, people
from server.usecases.mail.release import ReleaseRefusal, release, replay
from server.usecases.mail.sort_mail import Act, read_note
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, KC, STRANGER, TL, World

UNTHREADED = {"References": None, "In_Reply_To": None}
DESK = "/desk/mail"


def buttons(page: Page, row_id: int) -> list[tuple[str, str]]:
    """What may be pressed for one mail: the act and as whose."""
    forms = [form for form in page.forms if form.action == f"{DESK}/{row_id}"]
    return [(form.buttons[0][1], form.fields.get("owner", "")) for form in forms]


async def press(page: Page, one: Browser, row_id: int, what: Act, owner: str = "") -> Page:
    """Press a button that is on the page."""
    assert (what.value, owner) in buttons(page, row_id)
    (form,) = [
        form
        for form in page.forms
        if form.action == f"{DESK}/{row_id}"
        and (form.buttons[0][1], form.fields.get("owner", "")) == (what.value, owner)
    ]
    return await one.post(form.action, form.fields | {"act": what.value})


async def stranger(
    world: World, number: int, subject: str, sender: str, words: str = "Buy!"
) -> int:
    """A mail that is nobody's, straight into the inbox, and held."""
    raw = f"From: {sender}\r\nSubject: {subject}\r\nMessage-ID: <s{number}@x>\r\n\r\n{words}\r\n"
    now = world.core.now_us
    new = NewMail(
        received_us=now,
        first_us=now,
        peer="127.0.0.1",
        mail_from=sender.rpartition("<")[2].rstrip(">"),
        rcpt_to='["parti@skak.example"]',
        raw=raw.encode(),
        message_key=number.to_bytes(32, "big"),
    )
    kept = await inbox_rows.accept(world.core.store, new)
    await world.pump()
    return kept.id


async def sent_days(world: World) -> list[str]:
    rows = await world.events()
    return [row.event.sent.isoformat() for row in rows if isinstance(row.event, MoveSent)]


async def row_of(world: World, row_id: int) -> inbox_rows.InboxRow:
    return next(row for row in await world.inbox() if row.id == row_id)


@pytest.mark.both_engines
async def test_a_released_mail_is_its_owners_counts_from_its_arrival_and_names_who_pressed(
    world: World, anna: Player
) -> None:
    arrived = world.clock.today
    key = anna.newest.reply_to or ""
    assert await anna.send(anna.write("e4", From_=BO), key) == "held"
    row_id = (await world.newest_mail()).id
    world.clock.wait(days=2)
    owner = str((await world.person(ANNA)).id)
    async with browser(world) as tove:
        await tove.sign_in(TL)
        shown = await tove.get(DESK)
        assert "Frigiv som mail fra Anna Ager (K-26-01/1)" in shown.text
        done = await press(shown, tove, row_id, Act.RELEASE, owner)
        assert f"Mail nr. {row_id}: Trækket er sendt." in done.text
        again = await press(shown, tove, row_id, Act.RELEASE, owner)
        assert f"Mail nr. {row_id}: Trækket er sendt." in again.text
        recent = await tove.get(f"{DESK}?show=recent")
        assert "frigivet af T. Leder 4. november 2026 kl. " in recent.text
        assert "Svar til en anden spillers svaradresse" in recent.text
    assert await sent_days(world) == [arrived.isoformat()]
    row = await row_of(world, row_id)
    leader = await world.person(TL)
    assert (row.state, row.outcome, row.person_id) == (InboxState.DONE, "moved", int(owner))
    noted = read_note(row.note)
    assert (noted.act, noted.by) == (Act.RELEASE, leader.id)
    await world.pump()
    assert [letter.to for letter in world.host.letters].count(BO) >= 2
    assert "Var det ikke dig" in anna.letters[-1].said
    await world.assert_whole()


async def test_a_strangers_mail_that_names_a_game_is_released_as_either_players(lite):
    sender = "فاطمة الزهراء <fatima@example.com>"
    row_id = await stranger(lite, 1, "Mit træk [K-26-01/1]", sender, "1. e4")
    assert (await row_of(lite, row_id)).state == InboxState.HELD
    both = [str((await lite.person(who)).id) for who in (ANNA, BO)]
    async with browser(lite) as kc:
        await kc.sign_in(KC)
        shown = await kc.get(f"{DESK}?show=named")
        assert [b for b in buttons(shown, row_id) if b[0] == "release"] == [
            ("release", who) for who in both
        ]
        chosen = await kc.post(f"{DESK}/{row_id}", shown.form(f"/{row_id}").fields | {
            "act": "release", "owner": "",
        })  # fmt: skip
        assert "Vælg, hvem af de to spillere" in chosen.text
        assert await lite.kinds() == []
        await press(shown, kc, row_id, Act.RELEASE, both[0])
    assert (await lite.row()).ply == 1


async def test_a_mail_that_is_nobodys_has_no_release_and_pressing_tells_why(lite: World) -> None:
    row_id = await stranger(lite, 1, "Tilbud", "Jógvan í Stórustovu <jogvan@example.fo>")
    async with browser(lite) as kc:
        await kc.sign_in(KC)
        shown = await kc.get(DESK)
        assert buttons(shown, row_id) == [("again", ""), ("put_away", "")]
        fields = shown.form(f"/{row_id}").fields | {"act": "release"}
        refused = await kc.post(f"{DESK}/{row_id}", fields)
        assert "Serveren kan ikke se, hvis mail det er" in refused.text
        assert (await kc.post(f"{DESK}/999", fields)).status == 404
    assert (await row_of(lite, row_id)).state == InboxState.HELD


async def test_nobody_releases_a_mail_in_a_group_they_play_in(lite: World) -> None:
    anna = Player(lite)
    key = anna.newest.reply_to or ""
    assert await anna.send(anna.write("e4 og en hemmelighed", From_=BO), key) == "held"
    row_id = (await lite.newest_mail()).id
    async with browser(lite) as kaj:
        await kaj.sign_in(KC)
        assert "hemmelighed" in (await kaj.get(DESK)).text
    async with lite.core.store.write() as conn:
        mine = update(people).where(people.c.email == BO)
        await conn.execute(mine.values(role=Role.ADMIN.value, lang="da"))
    async with browser(lite) as bo:
        await bo.sign_in(BO)
        shown = await bo.get(DESK)
        assert buttons(shown, row_id) == [("again", ""), ("put_away", "")]
        assert "hemmelighed" not in shown.html, "he reads no mails of his opponents'"
        fields = shown.form(f"/{row_id}").fields | {"act": "release"}
        assert "Du spiller selv i gruppen" in (await bo.post(f"{DESK}/{row_id}", fields)).text
    assert await lite.kinds() == []


async def test_4000_strangers_hide_no_players_mail_and_a_search_finds_it(lite: World) -> None:
    anna = Player(lite)
    spam = b"From: Spam <spam@x.example>\r\nSubject: Billige piller\r\n\r\nKlik her\r\n"
    assert await anna.send(anna.write("e4", From_=BO), anna.newest.reply_to or "") == "held"
    true_id = (await lite.newest_mail()).id
    now = lite.core.now_us
    plain = {"received_us": now, "first_us": now, "peer": "", "rcpt_to": "[]", "due_us": now}
    plain |= {"state": "held", "outcome": "held", "note": "the sender is not registered"}
    many = [
        plain
        | {"raw": spam, "mail_from": f"s{n}@x.example", "message_key": n.to_bytes(32, "big")}
        | {"digest": n.to_bytes(32, "big")}
        for n in range(1, 4001)
    ]
    async with lite.core.store.write() as conn:
        await conn.execute(insert(inbox), many)
    polish = await stranger(lite, 5001, "Mój ruch", "Zażółć Gęślą <zg@example.pl>")
    async with browser(lite) as kc:
        await kc.sign_in(KC)
        shown = await kc.get(DESK)
        assert f"{DESK}/{true_id}" == next(
            form.action for form in shown.forms if form.action.startswith(f"{DESK}/")
        )
        assert "(4002)" in shown.text and "Side 1 af 201" in shown.text
        assert "Side 201 af 201" in (await kc.get(f"{DESK}?page=9999")).text
        players = await kc.get(f"{DESK}?show=players")
        assert "1 mail." in players.text and f"{DESK}/{true_id}" in players.html
        found = await kc.get(f"{DESK}?show=strangers&q=M%C3%93J+ruch")
        assert buttons(found, polish) and "1 mail." in found.text
        reason = await kc.get(f"{DESK}?q=en+anden+spillers")
        assert buttons(reason, true_id) and "1 mail." in reason.text
        assert "Ingen mails passer" in (await kc.get(f"{DESK}?q=%D8%B4%D8%B7%D8%B1")).text
        second = await kc.get(f"{DESK}?show=strangers&page=2")
        last = [form.action for form in second.forms if form.action[-1:].isdigit()][-1]
        kept = await press(second, kc, int(last.rpartition("/")[2]), Act.PUT_AWAY)
        assert "Side 2 af 201" in kept.text or "Side 2 af 200" in kept.text, "where he was"


async def test_a_mail_that_has_had_effect_is_not_handled_twice(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    moved = (await lite.newest_mail()).id
    before = await lite.kinds()
    assert await replay(lite.core, None, moved) is ReleaseRefusal.HAD_EFFECT
    assert await release(lite.core, None, moved) is ReleaseRefusal.FIRST
    assert await lite.kinds() == before
    assert await anna.write_to_server("Hvad skal jeg gøre nu?") == "games_unclear"
    unclear = (await lite.newest_mail()).id
    letters = len(anna.letters)
    assert await replay(lite.core, None, unclear) == "games_unclear"
    await lite.pump()
    assert len(anna.letters) == letters, "an answer is not sent twice"
    noted = read_note((await row_of(lite, unclear)).note)
    assert (noted.act, noted.by) == (Act.AGAIN, None)
    assert await replay(lite.core, None, 10**6) is ReleaseRefusal.UNKNOWN


async def test_a_stranger_who_is_registered_later_is_understood_when_handled_again(lite):
    row_id = await stranger(lite, 1, "status", "Søren Åkær <ny@example.dk>", "status")
    async with browser(lite) as tove:
        await tove.sign_in(TL)
        held = await press(await tove.get(DESK), tove, row_id, Act.AGAIN)
        assert "Holdt tilbage." in held.text
        assert (await row_of(lite, row_id)).note == "the sender is not registered"
        async with lite.core.store.write() as conn:
            own = update(people).where(people.c.email == BO)
            await conn.execute(own.values(email="ny@example.dk"))
        done = await press(await tove.get(DESK), tove, row_id, Act.AGAIN)
        assert "Besvaret med partierne" in done.text
        other = await stranger(lite, 2, "x", STRANGER)
        desk = await tove.get(DESK)
        tick = re.search(rf'name="(row-{other})" value="([^"]+)"', desk.html)
        assert tick is not None
        fields = desk.form("/away").fields | {tick[1]: unescape(tick[2])}
        seen = await tove.post(f"{DESK}/away", fields | {"step": "look"})
        assert "Intet er gjort endnu. 1 række" in seen.text and "0 mails." in seen.text
        assert (await row_of(lite, other)).state == InboxState.HELD
        gone = await tove.post(f"{DESK}/away", fields | {"step": "do"})
        assert "1 er gjort." in gone.text
        recent = (await tove.get(f"{DESK}?show=recent&q=lagt+v%C3%A6k")).text
    assert "lagt væk af T. Leder" in recent and "1 mail." in recent


async def test_a_failure_while_releasing_changes_nothing(lite: World, monkeypatch) -> None:
    anna = Player(lite)
    assert await anna.send(anna.write("e4", From_=BO), anna.newest.reply_to or "") == "held"
    row = await lite.newest_mail()

    async def broken(*_: object) -> str:
        raise ValueError("a fault of ours")

    monkeypatch.setattr("server.usecases.mail.release.carry_out", broken)
    assert await release(lite.core, None, row.id) is ReleaseRefusal.FAILED
    assert await row_of(lite, row.id) == row
    monkeypatch.undo()
    assert await release(lite.core, None, row.id) == "moved"


async def test_bouncing_addresses_and_dead_letters_are_shown_and_sent_again(lite: World) -> None:
    anna = Player(lite)
    assert await anna.reply("e4") == "moved"
    relay = lite.letters(BO)[-1]
    dsn = (
        f"From: MAILER-DAEMON@mx.example.net\r\nTo: {relay.sender}\r\nSubject: Undelivered\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nfailed\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.net\r\n\r\n"
        "Final-Recipient: rfc822; bo@example.net\r\nAction: failed\r\n"
        "Status: 5.1.1\r\n\r\n--b--\r\n"
    )
    for _ in range(2):
        dsn = dsn.replace("failed\r\n--b", "failed again\r\n--b")
        code, said = await lite.smtp(dsn.encode(), relay.sender, sender="")
        assert code == 250, said
        lite.clock.wait(minutes=1)
        dsn = dsn.replace("Undelivered", "Undelivered 2")
    await lite.pump()
    async with browser(lite) as kc:
        await kc.sign_in(KC)
        text = (await kc.get(DESK)).text
        assert "bo@example.net Bo Berg 2" in text
        lite.clock.go(lite.clock.today + timedelta(days=31))
        assert "Ingen mails er kommet tilbage" in (await kc.get(DESK)).text
