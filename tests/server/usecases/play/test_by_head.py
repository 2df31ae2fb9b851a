"""What a state says is read once for each last hash of a ledger, and anew after the next event."""

from sqlalchemy import update

from kskak.play.game_state import GameState
from server.store.engine.store import Store
from server.store.play import games as game_rows
from server.store.tables.base import games
from server.usecases.play.game_views import ByHead
from tests.fakes.play import start_games


async def test_a_state_is_made_once_and_again_when_its_ledger_has_grown(store: Store) -> None:
    first, second = await start_games(store, 2)
    made: list[str] = []

    def told(state: GameState) -> str:
        made.append(state.terms.game)
        return state.terms.game

    kept = ByHead(told)

    async def asked(*ids: int) -> dict[int, str]:
        async with store.read() as conn:
            heads = {row.id: row.head for row in await game_rows.load_many(conn, ids)}
            return await kept.of(conn, heads)

    assert await asked(first) == {first: "K-26-01/1"}
    assert await asked(first, second) == {first: "K-26-01/1", second: "K-26-01/2"}
    assert await asked() == {}
    async with store.write() as conn:
        await conn.execute(update(games).where(games.c.id == first).values(head=b"next"))
    await asked(first, second)
    assert made == ["K-26-01/1", "K-26-01/2", "K-26-01/1"]
