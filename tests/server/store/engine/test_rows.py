"""The small query modules: people, groups, games, deadlines, ways in, the rest."""

import asyncio
from dataclasses import replace

import pytest

from kskak.regulation.editions import Side
from server.store import groups as group_rows
from server.store.account import sign_in as access
from server.store.engine.connection import StoreConflict
from server.store.engine.rows import DAY_US, HOUR_US, from_us, to_us
from server.store.engine.store import Store
from server.store.mail import due_work as due_rows
from server.store.mail import outages as outage_rows
from server.store.mail.due_work import NewDeadline
from server.store.play import game_lists
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import requests as request_rows
from server.store.play.people import NewPerson, Role
from server.store.play.requests import ConfirmationRow
from tests.fakes.play import NOW_US, find_game_due_work, start_games, terms


async def test_people_are_found_whatever_the_case_of_their_address(store: Store) -> None:
    async with store.write() as conn:
        new = NewPerson(
            name="Åse", email=" Aase@Example.ORG", created_us=NOW_US, birth="1950-01-02"
        )
        person_id = await person_rows.add_person(conn, new)
        found = await person_rows.by_email(conn, "AASE@example.org")
        assert found is not None
        assert (found.id, found.email, found.role) == (person_id, "aase@example.org", Role.PLAYER)
        await person_rows.change(conn, replace(found, role=Role.TL, lang="en"))
        assert [p.name for p in await person_rows.everybody(conn, Role.TL)] == ["Åse"]
        assert await person_rows.by_ids(conn, [person_id, 99]) == {
            person_id: replace(found, role="tl", lang="en")
        }
    with pytest.raises(StoreConflict):
        async with store.write() as conn:
            await person_rows.add_person(conn, replace(new, email="AASE@EXAMPLE.org"))


async def test_a_group_its_seats_and_its_crosstable(store: Store) -> None:
    ids = await start_games(store, 2)
    async with store.read() as conn:
        group = await group_rows.by_name(conn, "K-26-01")
        assert group is not None
        assert (group.class_, group.laws, group.is_drawn) == ("K", 2018, True)
        seats = await group_rows.seats_of(conn, group.id)
        assert [(s.number, s.name) for s in seats] == [(1, "Hvid"), (2, "Sort")]
        cross = (await game_lists.in_tables(conn, [group.id]))[group.id]
        assert [(c.id, c.result, c.white_id) for c in cross] == [
            (game_id, None, seats[0].person_id) for game_id in ids
        ]
        assert await group_rows.list_person_groups(conn, seats[1].person_id) == (group,)
        assert await group_rows.everything(conn) == (group,)


async def test_a_game_brings_its_terms_names_and_first_state(store: Store) -> None:
    one, two = await start_games(store, 2)
    async with store.read() as conn:
        row = await game_rows.load(conn, one)
        assert row is not None
        assert row.terms == terms("K-26-01/1")
        assert row.state().to_move is Side.WHITE
        assert row.side_of(row.black_id) is Side.BLACK
        assert row.side_of(99) is None
        assert row.person_of(Side.WHITE) == row.white_id
        assert await game_rows.load(conn, 7) is None
        assert [g.id for g in await game_rows.load_many(conn, [two, one, 7])] == [one, two]
        assert await game_rows.by_name(conn, "K-26-01/1") == row
        assert len(await game_rows.list_person_games(conn, row.black_id, running=True)) == 2
        assert [g.id async for g in game_rows.all_rows(conn, page=1)] == [one, two]
        assert [g.id for g in await game_rows.list_group_games(conn, row.group_id)] == [one, two]


async def test_a_deadline_is_claimed_by_one_and_keeps_its_time_of_record(store: Store) -> None:
    one, two = await start_games(store, 2)
    late = NOW_US + 3 * HOUR_US
    async with store.write() as conn:
        await due_rows.replace(conn, one, 0, (NewDeadline("flag", NOW_US),))
        await due_rows.replace(conn, two, 0, (NewDeadline("flag", NOW_US + DAY_US),))
        await due_rows.replace(conn, two, 0, (NewDeadline("silence", late),))
    assert await due_rows.claim(store, NOW_US - 1) == ()
    (row,) = await due_rows.claim(store, late - 1)
    assert (row.game_id, row.due_us) == (one, NOW_US)
    assert [r.kind for r in await due_rows.claim(store, late)] == ["silence"]
    (again,) = await due_rows.claim(store, late - 1 + due_rows.LEASE_US)
    assert (again.due_us, again.attempts) == (NOW_US, 1)
    async with store.write() as conn:
        await due_rows.push(conn, again, "poisoned", late)
        kept = await find_game_due_work(conn, one)
        assert kept is not None
        assert kept.last_error == "poisoned"
        assert (kept.due_us, kept.wake_us) == (NOW_US, late + due_rows.BACK_OFF_US)
        await due_rows.replace(conn, one, 1, (NewDeadline("flag", NOW_US),))
        assert not await due_rows.finish_due_work(conn, again, ()), "set anew by a later event"
        anew = await find_game_due_work(conn, one)
        assert anew is not None
        assert anew.last_error is None, "what is set anew has not failed"


async def test_what_was_done_is_followed_by_what_comes_next(store: Store) -> None:
    (one,) = await start_games(store)
    async with store.write() as conn:
        await due_rows.replace(conn, one, 4, (NewDeadline("warning", NOW_US),))
    (row,) = await due_rows.claim(store, NOW_US)
    then = NewDeadline("silence", NOW_US + DAY_US, told_us=NOW_US + 9 * DAY_US)
    async with store.write() as conn:
        assert await due_rows.finish_due_work(conn, row, (then,))
        assert not await due_rows.finish_due_work(conn, row, ()), "it is done already"
    (after,) = await due_rows.claim(store, NOW_US + DAY_US)
    assert (after.kind, after.due_us, after.seq, after.attempts) == ("silence", then.due_us, 4, 0)
    async with store.write() as conn:
        assert await due_rows.finish_due_work(conn, after, ())
        assert await find_game_due_work(conn, one) is None


async def test_two_pollers_share_the_deadlines(store: Store) -> None:
    ids = await start_games(store, 20)
    async with store.write() as conn:
        for game_id in ids:
            await due_rows.replace(conn, game_id, 0, (NewDeadline("flag", NOW_US),))
    beside = await Store.open(store.url.render_as_string(hide_password=False))
    claims = await asyncio.gather(
        *(due_rows.claim(where, NOW_US, 7) for where in (store, beside) * 3)
    )
    claimed = [row.game_id for rows in claims for row in rows]
    assert sorted(claimed) == ids
    await beside.close()


async def test_a_sign_in_link_works_once_and_in_time(store: Store) -> None:
    await start_games(store)
    async with store.write() as conn:
        await access.add_link(conn, "s1", 1, NOW_US + HOUR_US, "/games/1")
        await access.add_link(conn, "s2", 1, NOW_US)
        assert await access.use_link(conn, "s2", NOW_US) is None
        assert await access.find_link(conn, "s1", NOW_US) == 1
        assert await access.use_link(conn, "s1", NOW_US) == (1, "/games/1")
        assert await access.find_link(conn, "s1", NOW_US) is None
        assert await access.use_link(conn, "s1", NOW_US) is None
        assert await access.use_link(conn, "unknown", NOW_US) is None


async def test_sessions_and_tokens_are_found_by_their_secret_and_end(store: Store) -> None:
    await start_games(store)
    new = {"person_id": 1, "csrf": "csrf", "expires_us": NOW_US + DAY_US}
    async with store.write() as conn:
        await access.add_session(conn, "c1", NOW_US, **new)
        await access.add_session(conn, "c2", NOW_US, **new)
        signed_in = await conn.run_sync(access.find_session, "c1", NOW_US)
        assert signed_in is not None
        found, person, *_ = signed_in
        assert person.id == found.person_id
        assert (found.person_id, found.seen_us, found.csrf) == (1, NOW_US, "csrf")
        await conn.run_sync(access.touch_session, found, NOW_US + 5, NOW_US + 2 * DAY_US)
        assert await conn.run_sync(access.find_session, "c2", NOW_US + DAY_US) is None
        assert await conn.run_sync(access.find_session, "c1", NOW_US + DAY_US) is not None
        await access.end_session(conn, "c1")
        assert await conn.run_sync(access.find_session, "c1", NOW_US) is None
        assert await access.end_others(conn, 1, b"elsewhere") == 1
        await access.add_token(conn, "t", 2, "bot", NOW_US)
        asked = [access.digest("t"), access.digest("nobody's")]
        owners = await conn.run_sync(access.owners_of_tokens, asked, NOW_US)
        assert [(token, owner.person.id) for token, owner in owners.items()] == [(asked[0], 2)]
        (token,) = await access.tokens_of(conn, 2)
        assert token.digest != b"t"
        assert not await access.revoke_token(conn, 1, token.digest), "another's"
        assert await access.revoke_token(conn, 2, token.digest)
        assert await conn.run_sync(access.owner_of_token, access.digest("t"), NOW_US) is None


async def test_a_confirmation_is_answered_once_and_in_time(store: Store) -> None:
    (game_id,) = await start_games(store)
    question = ConfirmationRow(
        digest=access.digest("q"),
        person_id=1,
        game_id=game_id,
        ply=3,
        kind="resign",
        sent_us=NOW_US,
        expires_us=NOW_US + DAY_US,
    )
    async with store.write() as conn:
        await request_rows.add(conn, question)
        assert await request_rows.use(conn, question.digest, NOW_US + DAY_US) is None
        used = await request_rows.use(conn, question.digest, NOW_US)
        assert used is not None
        assert (used.kind, used.sent_us, used.used_us) == ("resign", NOW_US, NOW_US)
        assert await request_rows.use(conn, question.digest, NOW_US) is None


async def test_a_duty_is_taken_once_a_day_and_never_for_a_day_gone_by(store: Store) -> None:
    async with store.write() as conn:
        assert await due_rows.take(conn, "sweep", "2026-09-01", NOW_US)
        assert not await due_rows.take(conn, "sweep", "2026-09-01", NOW_US)
        assert await due_rows.take(conn, "sweep", "2026-09-02", NOW_US)
        assert not await due_rows.take(conn, "sweep", "2026-09-01", NOW_US)
        assert await due_rows.last(conn, "sweep") == "2026-09-02"


async def test_outages_that_touch_a_stretch_of_time(store: Store) -> None:
    async with store.write() as conn:
        await outage_rows.add(conn, NOW_US, NOW_US + HOUR_US, "disk")
        await outage_rows.add(conn, NOW_US, None, "the same again")
        await outage_rows.add(conn, NOW_US + DAY_US, None, "net")
        assert [o.reason for o in await outage_rows.between(conn, 0, NOW_US)] == []
        assert [o.reason for o in await outage_rows.between(conn, NOW_US, NOW_US + 9)] == ["disk"]
        (lasting,) = await outage_rows.take_open(conn, "net")
        await outage_rows.add(conn, lasting.from_us, NOW_US + 2 * DAY_US, lasting.reason)
        later = await outage_rows.between(conn, NOW_US + HOUR_US, NOW_US + 9 * DAY_US)
        assert [(o.reason, o.to_us) for o in later] == [("net", NOW_US + 2 * DAY_US)]


def test_instants_keep_every_microsecond_and_refuse_a_naive_moment() -> None:
    assert to_us(from_us(NOW_US + 1)) == NOW_US + 1
    with pytest.raises(ValueError, match="aware"):
        to_us(from_us(NOW_US).replace(tzinfo=None))
