"""What is new to a player, which games he passed over, his games by words: on both databases."""

from sqlalchemy import select, update

from server.store import group_results as result_rows
from server.store.account import retention as retention_rows
from server.store.engine.rows import DAY_US
from server.store.engine.store import Store
from server.store.play import game_lists
from server.store.play.game_lists import News
from server.store.tables.base import events, games, messages
from server.store.tables.people import looks
from tests.fakes.many import copies
from tests.fakes.play import NOW_US, start_games


async def _done(store: Store, game: int, seq: int, actor: int | None, text: str = "") -> None:
    row = {"game_id": game, "seq": seq, "at_us": NOW_US, "actor_id": actor, "channel": "web"}
    async with store.write() as conn:
        await conn.execute(events.insert().values(**row, body="{}", hash=bytes(32)))
        if text:
            said = {"game_id": game, "seq": seq, "author_id": actor, "text": text}
            await conn.execute(messages.insert().values(**said))


async def test_news_are_what_others_did_since_the_last_look_or_own_deed(store: Store) -> None:
    first, second = await start_games(store, 2)
    async with store.read() as conn:
        white, black = (
            await conn.execute(select(games.c.white_id, games.c.black_id).limit(1))
        ).one()

    async def news(person: int) -> dict[int, News]:
        return await store.look(lambda conn: game_lists.news(conn, person, [first, second]))

    await _done(store, first, 1, white, "Hej")
    await _done(store, second, 1, white)
    assert await news(white) == {}
    assert await news(black) == {first: News(1, 1), second: News(1, 0)}
    await store.transact(lambda conn: game_lists.note(conn, black, first, 1))
    assert await news(black) == {second: News(1, 0)}
    await _done(store, second, 2, black, "Svar")
    await _done(store, second, 3, None)
    assert await news(black) == {}, "the server's own events are nobody's news"
    assert await news(white) == {second: News(1, 1)}
    await store.transact(lambda conn: game_lists.note(conn, white, second, 3))
    await store.transact(lambda conn: game_lists.note(conn, white, second, 3))
    assert await store.look(lambda conn: game_lists.count_seen_events(conn, white, second)) == 3
    assert await news(white) == {}


async def test_a_game_is_passed_over_until_it_is_moved_in_or_called_up(store: Store) -> None:
    first, second = await start_games(store, 2)
    async with store.read() as conn:
        white = (await conn.execute(select(games.c.white_id).limit(1))).scalar_one()
    await store.transact(lambda conn: game_lists.note(conn, white, first, 4))
    await store.transact(lambda conn: game_lists.skip(conn, white, first, NOW_US))
    assert await store.look(lambda conn: game_lists.count_seen_events(conn, white, first)) == 4, (
        "seen as before"
    )
    assert await store.look(lambda conn: game_lists.list_skipped_games(conn, white, NOW_US)) == {
        first
    }
    assert (
        await store.look(lambda conn: game_lists.list_skipped_games(conn, white, NOW_US + 1))
        == set()
    )
    assert await store.look(lambda conn: game_lists.count_awaiting_games(conn, white, {first})) == 1
    assert await store.look(lambda conn: game_lists.count_awaiting_games(conn, white, ())) == 2
    async with store.write() as conn:
        await conn.execute(update(games).where(games.c.id == first).values(to_move_id=None))
    assert (
        await store.look(lambda conn: game_lists.list_skipped_games(conn, white, NOW_US)) == set()
    )
    await store.transact(lambda conn: game_lists.skip(conn, white, second, NOW_US))
    await store.transact(lambda conn: game_lists.unskip(conn, white))
    assert await store.look(lambda conn: game_lists.list_skipped_games(conn, white, 0)) == set()


async def test_running_games_stand_first_then_the_newest_whatever_the_words(store: Store) -> None:
    await start_games(store, 1)
    await store.transact(lambda conn: copies(conn, "K-26-01/1", range(1, 8), ("1-0",)))
    async with store.write() as conn:
        white = (await conn.execute(select(games.c.white_id).limit(1))).scalar_one()
        await conn.execute(
            update(games).where(games.c.name == "K-26-01/1-3").values(ended_us=NOW_US + DAY_US)
        )
    for wanted in (((), None), (("sort", "EMT"), None)):
        async with store.read() as conn:
            count, found = await game_lists.portion(conn, white, wanted, 0, 4)
            assert count == 8
            assert found == await game_lists.page(conn, white, wanted, 0, 4)
            assert await game_lists.portion(conn, white, wanted, 8, 4) == (8, ())
        names = [game.name for game in found]
        assert names == ["K-26-01/1", "K-26-01/1-3", "K-26-01/1-7", "K-26-01/1-6"]
        assert found[0].opponent_of(white)[1] == "Sort"
    async with store.read() as conn:
        assert (await game_lists.portion(conn, white, ((), True), 0, 1))[0] == 7
        assert await game_lists.portion(conn, white, (("hvid",), None), 0, 4) == (0, ())


async def test_looks_go_with_their_game_and_with_their_persons_contacts(store: Store) -> None:
    first, second = await start_games(store, 2)
    async with store.read() as conn:
        query = select(games.c.group_id, games.c.white_id, games.c.black_id).limit(1)
        group, white, black = (await conn.execute(query)).one()

    async def kept() -> list[tuple[int, int]]:
        async with store.read() as conn:
            query = select(looks.c.person_id, looks.c.game_id)
            rows = await conn.execute(query.order_by(looks.c.person_id, looks.c.game_id))
            return [(person, game) for person, game in rows]

    for person, game in ((white, first), (white, second), (black, first)):
        await store.transact(lambda conn, p=person, g=game: game_lists.skip(conn, p, g, NOW_US))
    async with store.write() as conn:
        await retention_rows.forget_contacts(conn, [white])
    assert await kept() == [(black, first)]
    await store.transact(lambda conn: result_rows.take_back(conn, group))
    assert await kept() == []


async def test_a_page_asks_whether_a_group_is_untouched_and_locks_nothing(store: Store) -> None:
    (game,) = await start_games(store, 1)
    async with store.read() as conn:
        group = (await conn.execute(select(games.c.group_id))).scalar_one()
        assert await conn.run_sync(result_rows.is_untouched, group)
    async with store.write() as conn:
        await conn.execute(update(games).where(games.c.id == game).values(ply=1))
        assert not await conn.run_sync(lambda c: result_rows.is_untouched(c, group, locks=True))
