"""What people have chosen is kept by person and name, and goes with their contact data."""

from server.store.account import retention as retention_rows
from server.store.engine.store import Store
from server.store.play import people as person_rows
from tests.fakes.play import start_games


async def test_choices_are_kept_by_name_replaced_and_forgotten(store: Store) -> None:
    await start_games(store)
    async with store.write() as conn:
        await person_rows.keep_preferences(conn, 1, {"board": "green", "undo": "5"})
        await person_rows.keep_preferences(conn, 2, {"board": "blue"})
        await person_rows.keep_preferences(conn, 1, {"board": "brown"})
        await person_rows.keep_preferences(conn, 1, {})
    kept = await store.look(lambda conn: person_rows.preferences_of(conn, [1, 2, 3]))
    assert {who: dict(pairs) for who, pairs in kept.items()} == {
        1: {"board": "brown", "undo": "5"},
        2: {"board": "blue"},
        3: {},
    }
    async with store.write() as conn:
        await retention_rows.forget_contacts(conn, [1])
    kept = await store.look(lambda conn: person_rows.preferences_of(conn, [1, 2]))
    assert {who: dict(pairs) for who, pairs in kept.items()} == {1: {}, 2: {"board": "blue"}}
