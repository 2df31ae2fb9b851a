"""A leave is told to each leader once, with its games; to each opponent in his game (§ 6.3.6)."""

from collections import Counter
from datetime import date

import pytest

from kskak.game.game_commands import Resign
from kskak.regulation.editions import Side
from server.store.mail.outbox import OutboxRow
from server.store.play import people as person_rows
from server.usecases.letter_facts import NoLetter
from server.usecases.reflection.leave import Leave, LeaveBookingOutcome, book, grant
from tests.fakes.site import Site, officials

FIRST, LAST = date(2026, 10, 5), date(2026, 10, 20)


async def text_of(site: Site, row: OutboxRow) -> str:
    message = await site.composed(row)
    plain = message.get_body(("plain",))
    assert plain is not None
    return str(plain.get_content())


async def names(site: Site, rows: list[OutboxRow]) -> Counter[str]:
    """Who is written to, and how often."""
    async with site.core.store.read() as conn:
        people = await person_rows.by_ids(conn, [row.person_id or 0 for row in rows])
    return Counter(people[row.person_id or 0].email.partition("@")[0] for row in rows)


@pytest.mark.parametrize("channel", ["web", "mail"])
async def test_one_leave_is_one_letter_to_each_leader_and_one_to_each_opponent_in_his_game(
    site: Site, channel: str
):
    """§ 6.3.6.1: Anna plays Bent and Søren in Tove's group, and Bent in Ole's."""
    await officials(site)
    anna = (await site.person("anna@example.org")).id
    leave = Leave(anna, FIRST, LAST, channel, site.clock.now())
    booked = await book(site.core, leave)
    assert isinstance(booked, LeaveBookingOutcome) and booked.games == 3
    told = await site.written("leave_told")
    assert await names(site, told) == {"tove": 1, "ole": 1}
    assert await names(site, await site.written("leave_notice")) == {"bent": 2, "soren": 1}
    (of_tove,) = [
        row for row in told if row.person_id == (await site.person("tove@example.org")).id
    ]
    text = await text_of(site, of_tove)
    mine = [name for name in ("K-26-01/1", "K-26-01/2", "K-26-01/3") if name in text]
    assert len(mine) == 2 and "K-26-99" not in text and "Anna Andersen" in text
    assert isinstance(await book(site.core, leave), LeaveBookingOutcome), (
        "the same again after a crash"
    )
    assert len(await site.written("leave_told")) == 2


async def test_leave_made_shorter_given_up_and_booked_again_is_told_each_time(site, anna):
    days = {"first": FIRST.isoformat(), "last": LAST.isoformat()}
    assert (await anna.post("/leave", days)).status == 303
    shorter = days | {"until": "2026-10-04"}
    assert (await anna.post("/leave/shorten", shorter)).status == 303
    assert await names(site, await site.written("leave_shorter")) == {"bent": 1, "soren": 1}
    assert (await anna.post("/leave", days)).status == 303
    told = await site.written("leave_told")
    assert await names(site, told) == {"tove": 3}
    assert "holder alligevel ikke ferie" in await text_of(site, told[1])
    assert "står stille" in await text_of(site, told[2])


async def test_special_leave_is_one_letter_to_the_leader_as_well(site: Site):
    """§ 6.3.6.4, § 6.8.8."""
    tove, anna = await site.person("tove@example.org"), await site.person("anna@example.org")
    special = Leave(anna.id, FIRST, LAST, "web", site.clock.now(), "K-skak-EMT 2026")
    assert isinstance(await grant(site.core, tove, special), LeaveBookingOutcome)
    assert await names(site, await site.written("leave_told")) == {"tove": 1}
    assert await names(site, await site.written("leave_notice")) == {"bent": 1, "soren": 1}


async def test_a_leader_whose_games_are_over_gets_no_empty_letter(site: Site):
    anna = (await site.person("anna@example.org")).id
    await book(site.core, Leave(anna, FIRST, LAST, "web", site.clock.now()))
    for number in (1, 2, 3):
        await site.ask(await site.game(f"K-26-01/{number}"), Side.WHITE, lambda _, by: Resign(by))
    (row,) = await site.written("leave_told")
    with pytest.raises(NoLetter):
        await site.composed(row)
