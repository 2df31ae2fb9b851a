"""What players say about a finished game on its sheet, each by his own wish.

Not for private notes (private_analysis.py).
"""

from sqlalchemy import Connection, delete, select

from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import insert_of
from server.store.tables.player import sheet_words


def said_of(conn: Connection, game_id: int) -> dict[int, str]:
    """What is said of a game, by person."""
    query = select(sheet_words.c.person_id, sheet_words.c.text)
    rows = conn.execute(query.where(sheet_words.c.game_id == game_id))
    return {int(person): str(text) for person, text in rows}


async def say(conn: AsyncConnection, game_id: int, person_id: int, text: str, now_us: int) -> None:
    """Keep what a player says in place of what he said; an empty text: nothing."""
    his = (sheet_words.c.game_id == game_id, sheet_words.c.person_id == person_id)
    if not text:
        await conn.execute(delete(sheet_words).where(*his))
        return
    row = {"game_id": game_id, "person_id": person_id, "text": text, "changed_us": now_us}
    made = insert_of(conn.dialect.name, sheet_words).values(row)
    new = {name: made.excluded[name] for name in ("text", "changed_us")}
    await conn.execute(
        made.on_conflict_do_update(index_elements=["game_id", "person_id"], set_=new)
    )
