"""Mail to postmaster and abuse is read by a person, and no program answers it (RFC 2142)."""

import pytest

from server.usecases.mail.sort_mail import MailHoldReason
from tests.fakes.machinery.player import Player
from tests.fakes.world import KC, STRANGER, World

BULK = b"Auto-Submitted: auto-generated\r\n"


@pytest.mark.parametrize("name", ["postmaster", "Postmaster", "abuse"])
@pytest.mark.parametrize("field", [b"", BULK], ids=["person", "program"])
async def test_mail_to_the_operator_is_held_for_him_and_its_sender_gets_no_answer(
    lite: World, name: str, field: bytes
) -> None:
    anna, before = Player(lite), len(lite.host.letters)
    to = f"{name}@skak.example"
    raw = anna.write("Min post kommer ikke frem", To=to, In_Reply_To=None, References=None)
    assert await anna.send(field + raw, to) == "held"
    (row,) = await lite.inbox()
    assert row.note == MailHoldReason.OPERATOR
    assert {letter.to for letter in lite.host.letters[before:]} <= {KC}


async def test_a_stranger_may_write_to_the_operator(lite: World) -> None:
    raw = b"From: x@example.com\r\nTo: abuse@skak.example\r\nSubject: spam\r\n\r\nSe her\r\n"
    code, said = await lite.smtp(raw, "abuse@skak.example", sender=STRANGER)
    assert code == 250, said
    await lite.pump()
    assert [row.note for row in await lite.inbox()] == [MailHoldReason.OPERATOR]


@pytest.mark.parametrize("name", ["postmaster", "Postmaster", "POSTMASTER"])
async def test_the_postmaster_needs_no_domain(lite: World, name: str) -> None:
    raw = b"From: x@example.com\r\nTo: postmaster\r\nSubject: relay\r\n\r\nSe her\r\n"
    code, said = await lite.smtp(raw, name, sender=STRANGER)
    assert code == 250, said
    await lite.pump()
    (row,) = await lite.inbox()
    assert (row.note, row.rcpt_to) == (MailHoldReason.OPERATOR, f'["{name}@skak.example"]')


async def test_no_other_name_goes_without_a_domain(lite: World) -> None:
    code, _ = await lite.smtp(b"Subject: x\r\n\r\nSe her\r\n", "parti", sender=STRANGER)
    assert code in (550, 553)
