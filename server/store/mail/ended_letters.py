"""Rows of letters about games that are long over: they end, but for what still points to them.

A game's letters are caused by its events, in their transaction, and by duties that ask of running
games and of cards of the last 60 days: no row is needed so that one is not written twice. What
stays: the first letter to each person, which later ones of the game follow in his mail program; all
of a game that was in a case, whose file lists them; letters that never left; the newest row, whose
number would be given again. Of letters about no game those end that answered something or told of a
day (``PASSING``); the others stay, for what is told once a year goes by their rows. Not for when a
game is long over (usecases/desks/retention.py).
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Text, and_, cast, delete, exists, func, or_, select

from server.store.engine.connection import AsyncConnection
from server.store.mail.outbox import OutboxState
from server.store.tables.base import games, outbox
from server.store.tables.cases import cases

_ENDED = (OutboxState.SENT.value, OutboxState.KEPT.value)


PASSING = ("sign_in", "games", "digest", "alarm", "join", "account", "not_sent", "leave_refused")
"""Kinds of letters that nothing asks about later, whether they were sent or not."""


def may_end() -> ColumnElement[bool]:
    """Whether nothing points to a letter, once it or its game is long over."""
    newest = outbox.alias("newest")
    is_newest = outbox.c.id == select(func.max(newest.c.id)).scalar_subquery()
    is_passing = and_(outbox.c.game_id.is_(None), outbox.c.kind.in_(PASSING))
    is_passing &= outbox.c.state != OutboxState.QUEUED.value
    return and_(or_(is_passing, _of_game()), ~is_newest)


def _of_game() -> ColumnElement[bool]:
    first = outbox.alias("first")
    follows = exists().where(
        first.c.game_id == outbox.c.game_id,
        first.c.person_id == outbox.c.person_id,
        first.c.sent_us.is_not(None),
        first.c.id < outbox.c.id,
    )
    number = cast(outbox.c.game_id, Text)
    is_in = or_(
        cases.c.game_id.is_(None),
        cases.c.game_id == outbox.c.game_id,
        cases.c.snapshot.like("%" + number + "%"),  # those added later; too many are no harm
    )
    in_case = exists().where(
        games.c.id == outbox.c.game_id, cases.c.group_id == games.c.group_id, is_in
    )
    return and_(outbox.c.state.in_(_ENDED), follows, ~in_case)


async def end(conn: AsyncConnection, ids: Sequence[int]) -> None:
    """Remove those of some letters to which nothing points; their games are long over."""
    await conn.execute(delete(outbox).where(outbox.c.id.in_(ids), may_end()))
