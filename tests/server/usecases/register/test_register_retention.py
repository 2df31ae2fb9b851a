"""What the register keeps and for how long; a group's entries begin a history of ratings."""

import pytest

from server.store import members as member_rows
from server.store.account import retention as retention_rows
from server.usecases.account import signin
from server.usecases.desks import readiness
from server.usecases.groups.group_file import read_group_file
from server.usecases.starts.start_group import start_group, start_in
from tests.fakes.register import Register

MEMBERS = (
    "Nr;Navn;Født;Mail;Udmeldt\n"
    "1;Bo Bak;1960-01-01;bo@example.org;\n"
    "2;Ib Iversen;1961-01-01;ib@example.org;2025-11-19\n"
    "3;Kim Kok;1962-01-01;kim@example.org;2025-11-21\n"
)
GROUP = """
tournament = "EMT 2026"
class = "K"
group = "K-26-01"
regulation = "email"
start = 2026-12-01
tl = "tl@example.org"
[[players]]
name = "Anna"
email = "anna@example.org"
rating = 1650
k_rating = 1500
[[players]]
name = "Bent"
email = "bent@example.org"
"""


@pytest.mark.both_engines
async def test_a_former_members_data_goes_after_12_months_and_a_members_stays(register: Register):
    """REGULATION, "Personal data": on 20 November 2026, who left before 20 November 2025."""
    assert (await register.take(MEMBERS)).is_done
    removed = await readiness.daily(register.core)
    assert removed.people == 1
    people = await register.everybody()
    ib = people["Ib Iversen"]
    assert ib.email.endswith("@removed.invalid")
    assert (ib.number, ib.birth, ib.kind) == (None, None, None)
    for name in ("Bo Bak", "Kim Kok"):
        assert people[name].email.endswith("@example.org") and people[name].number
    async with register.core.store.read() as conn:
        assert await member_rows.changes_of(conn, ib.id) == ()
        assert await member_rows.changes_of(conn, people["Bo Bak"].id) != ()


async def test_who_joins_a_group_while_it_is_looked_keeps_his_data(register, monkeypatch):
    """It is found while nobody waits, and looked at again when it is removed."""
    assert (await register.take(MEMBERS)).is_done
    look = retention_rows.idle_people

    async def meanwhile(conn, *, among=None, **idle):
        found = await look(conn, **idle, among=among)
        if among is None:
            late.append(found)
        return found

    late: list[list[int]] = []
    monkeypatch.setattr(retention_rows, "idle_people", meanwhile)
    forget = retention_rows.forget_entry_statements

    async def starts(conn, before_us):
        await forget(conn, before_us)
        text = GROUP.replace("anna@example.org", "ib@example.org").replace("Anna", "Ib Iversen")
        await start_in(register.core, conn, read_group_file(text))

    monkeypatch.setattr(retention_rows, "forget_entry_statements", starts)
    await readiness.daily(register.core)
    ib = (await register.everybody())["Ib Iversen"]
    assert late == [[ib.id]], "he was found"
    assert ib.email == "ib@example.org", "and kept, as he plays now"


def test_what_is_removed_goes_in_small_portions():
    raw = retention_rows.Raw(mails=tuple(range(5)), scans=(7, 8))
    parts = list(raw.portions(2))
    assert [part.mails for part in parts] == [(0, 1), (2, 3), (4,)]
    assert [part.scans for part in parts] == [(7, 8), (), ()]
    assert list(retention_rows.Raw().portions(2)) == []


async def test_the_ratings_of_an_entry_begin_the_players_history(register: Register):
    """§ 6.4.4: the group file states them."""
    await start_group(register.core, read_group_file(GROUP))
    anna = (await register.everybody())["Anna"]
    async with register.core.store.read() as conn:
        history = (await member_rows.ratings_of(conn, anna.id))[0]
    assert [(one.kind, one.value, one.on_day, one.source) for one in history] == [
        ("k", 1500, "2026-11-20", "K-26-01"),
        ("otb", 1650, "2026-11-20", "K-26-01"),
    ]


async def test_signing_in_by_a_mailed_link_proves_the_address(register: Register):
    bo = await register.person("Bo Bak")
    link = await signin.make_link(register.core, bo)
    assert (await register.everybody())["Bo Bak"].email_proved_us is None
    await signin.use_link(register.core, link.rpartition("/")[2])
    assert (await register.everybody())["Bo Bak"].email_proved_us == register.core.now_us
