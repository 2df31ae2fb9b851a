"""Held mails and dead letters: officials see and decide, nobody else; the mailbox is local."""

import html

import pytest
from sqlalchemy import update

from mail.compose import LETTERS
from mail.incoming.mime import Defect, Limit
from mail.office_letters.service_letters import Unwritten
from mail.text.catalogue import Words
from server.store.engine.rows import HOUR_US
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.inbox import InboxState, NewMail
from server.store.mail.outbox import OutboxState
from server.store.play.people import Role
from server.store.tables.base import games, inbox, people
from server.usecases.mail.handle_mail import handle
from server.usecases.mail.sort_mail import MailHoldReason, why_text
from server.web.frame.page_texts import PageWords
from tests.fakes.machinery.each import each, rows
from tests.server.web.conftest import Browser

FOREIGN = b"From: Fremmed <x@fremmed.dk>\r\nTo: parti@kskak.localhost\r\nSubject: hej\r\n\r\ne4\r\n"


async def held_mail(core) -> int:
    new = NewMail(
        received_us=core.now_us,
        first_us=core.now_us,
        peer="127.0.0.1",
        mail_from="x@fremmed.dk",
        rcpt_to='["parti@kskak.localhost"]',
        raw=FOREIGN,
        message_key=b"k" * 32,
    )
    kept = await inbox_rows.accept(core.store, new)
    async with core.store.read() as conn:
        row = await inbox_rows.find(conn, kept.id)
    assert await handle(core, row) == "held"
    return kept.id


async def state_of(core, row_id: int) -> str:
    async with core.store.read() as conn:
        return (await inbox_rows.find(conn, row_id)).state


async def test_an_official_sees_a_held_mail_and_puts_it_away(site, browsers):
    row_id = await held_mail(site.core)
    leader = await browsers.of("tove")
    status, text = await leader.get("/desk/mail")
    assert status == 200
    assert "x@fremmed.dk" in text and "Afsenderens adresse er ikke registreret" in text
    await leader.post(f"/desk/mail/{row_id}", {"act": "put_away"})
    assert await state_of(site.core, row_id) == InboxState.DONE
    assert "x@fremmed.dk" not in (await leader.get("/desk/mail"))[1]


@rows(
    "note danish english",
    ("the sender is not registered", "er ikke registreret", "is not registered"),
    ("another player's key", "en anden spillers svaradresse", "another player"),
    ("limit: bare_newline", "ikke afsluttet rigtigt", "do not end as they must"),
    ("suspect: precedence bulk", "masseudsendelse", "in bulk"),
    ("list: list-id", "postliste (list-id)", "mailing list (list-id)"),
    ("written by hand in 2019", "written by hand in 2019", "written by hand in 2019"),
)
async def test_a_reason_is_in_the_readers_language(site, browsers, note, danish, english):
    """Rows of before have the same notes."""
    row_id = await held_mail(site.core)
    async with site.core.store.write() as conn:
        await conn.execute(update(inbox).where(inbox.c.id == row_id).values(note=note))
    leader = await browsers.of("tove")
    for lang, said in (("da", danish), ("en", english)):
        async with site.core.store.write() as conn:
            await conn.execute(update(people).values(lang=lang))
        _, text = await leader.get("/desk/mail")
        assert said in html.unescape(text)


def test_every_reason_and_letter_has_its_words_in_both_languages():
    # Every reason that a mail may have is in both catalogues.
    limits = [f"limit: {limit.value}" for limit in Limit if limit is not Limit.OK]
    suspects = [f"suspect: {defect.value}" for defect in Defect if defect.holds]
    for lang in ("da", "en"):
        words = Words.load(lang)
        notes = [*MailHoldReason, *limits, *suspects, "suspect: precedence bulk", "list: list-id"]
        assert [note for note in notes if why_text(note, words) == note] == []
    # Every kind of letter has a name of its own in both languages.
    kinds = LETTERS.keys() - {Unwritten.kind}
    for lang in ("da", "en"):
        said = PageWords.of(lang)
        names = [said.letter_kind(kind) for kind in kinds]
        assert len({*names, said.letter_kind("of a later program")}) == len(kinds) + 1
        assert not [name for name in names if "_" in name]


async def test_letters_that_wait_or_could_not_leave_are_named_in_the_readers_language(
    site, browsers
):
    stranger, leader = await browsers.stranger(), await browsers.of("tove")
    _, text = await stranger.get("/mailbox")
    assert "venter på at blive skrevet (startbrev)" in text and "(start)" not in text
    letter = (await outbox_rows.claim(site.core.store, site.core.now_us, 1))[0]
    await outbox_rows.mark_letter_failed(
        site.core.store, letter, "550 no", site.core.now_us, is_final=True
    )
    for lang, said in (
        ("da", f"Nr. {letter.id}: startbrev"),
        ("en", f"No. {letter.id}: start letter"),
    ):
        async with site.core.store.write() as conn:
            await conn.execute(update(people).values(lang=lang))
        assert f"<td>{said}</td>" in (await leader.get("/desk/mail"))[1]


@pytest.mark.parametrize("name", ["anna", "soren"])
async def test_a_player_sees_no_desk_and_decides_nothing(site, browsers, name):
    row_id = await held_mail(site.core)
    player = await browsers.of(name)
    assert (await player.get("/desk/mail"))[0] == 404
    assert (await player.post(f"/desk/mail/{row_id}", {"act": "put_away"})).status == 404
    assert await state_of(site.core, row_id) == InboxState.HELD


async def test_a_dead_letter_is_sent_again(site, browsers):
    core = site.core
    letter = (await outbox_rows.claim(core.store, core.now_us, 1))[0]
    await outbox_rows.mark_letter_failed(core.store, letter, "550 no", core.now_us, is_final=True)
    leader = await browsers.of("tove")
    assert "550 no" in (await leader.get("/desk/mail"))[1]
    await leader.post(f"/desk/mail/{letter.id}", {"act": "send"})
    async with core.store.read() as conn:
        assert (await outbox_rows.find(conn, letter.id)).state == OutboxState.QUEUED


@each(
    "added",
    [{"X-Forwarded-For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}, {"X-Real-IP": "192.0.2.7"},
     {"Via": "1.1 proxy"}, {"Host": "spil.example.org"}],
)  # fmt: skip
async def test_the_mailbox_is_not_shown_through_a_proxy(added, stranger: Browser):
    assert (await stranger.get("/mailbox"))[0] == 200
    assert (await stranger.get("/mailbox", headers=added))[0] == 404


async def test_with_a_public_address_the_mailbox_is_an_administrators_alone(browsers, site):
    """A proxy that says nothing of itself looks like the machine's own user."""
    public = site.core.settings.web.model_copy(update={"public_url": "http://spil.example.org"})
    settings = site.core.settings.model_copy(update={"web": public})
    object.__setattr__(site.core, "settings", settings)
    stranger, leader = await browsers.stranger(), await browsers.of("tove")
    for path in ("/mailbox", "/mailbox/1", "/mailbox/1/raw"):
        assert (await stranger.get(path))[0] == (await leader.get(path))[0] == 404
    assert "/mailbox" not in (await stranger.get("/help"))[1]
    async with site.core.store.write() as conn:
        tove = people.c.email == "tove@example.org"
        await conn.execute(update(people).where(tove).values(role=Role.ADMIN.value))
    status, text = await leader.get("/mailbox")
    assert status == 200
    assert 'href="/mailbox"' in text


@pytest.mark.parametrize("role", ["admin", "kc"])
async def test_the_administrator_is_told_that_the_machines_clock_is_behind(site, browsers, role):
    """He alone can set it right."""
    async with site.core.store.write() as conn:
        now = site.core.now_us
        await conn.execute(update(games).values(last_us=now + 26 * HOUR_US))
        await conn.execute(
            update(people).where(people.c.email == "tove@example.org").values(role=role)
        )
    _, text = await (await browsers.of("tove")).get("/desk/mail")
    assert ("ur står op til 26 timer før" in html.unescape(text)) is (role == "admin")
