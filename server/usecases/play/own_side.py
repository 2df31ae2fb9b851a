"""What a player has beside a game, read at one moment for its page: private analysis and notes,
the thread, and a waiting move.

It is for the viewing player alone; anyone who plays neither side gets none. Not for others' views.
"""

from dataclasses import dataclass

from sqlalchemy import Connection

from server.store.play import delayed_moves, private_analysis, quiet_thread
from server.store.play.delayed_moves import DelayedMove
from server.store.play.private_analysis import OwnText
from server.store.play.quiet_thread import Mark, QuietMessage
from server.usecases.core.context import Core
from server.usecases.play import delayed_moves as delaying
from server.usecases.play.delayed_moves import Waiting
from server.usecases.play.game_views import GameView
from server.usecases.play.quiet_thread import Said, note_seen, said_of


@dataclass(frozen=True, slots=True)
class Beside:
    """One player's own. ``is_quiet``: the player wants no letters from the thread.

    ``newest``: the thread's last message if any of it is new to the player; None: nothing is.
    """

    tree: OwnText
    note: OwnText
    said: tuple[Said, ...]
    is_quiet: bool
    waiting: Waiting | None
    newest: int | None
    last: int = 0
    heard: int = 0
    """``last``: the thread's last message; ``heard``: the other player's last; 0: none."""


@dataclass(frozen=True, slots=True)
class _Read:
    """The rows read at one moment."""

    tree: OwnText
    note: OwnText
    thread: tuple[QuietMessage, ...]
    mark: Mark
    waiting: DelayedMove | None


async def beside(core: Core, view: GameView, person_id: int) -> Beside | None:
    """What a player has beside a game; None for anyone who plays neither side. Read-only."""
    if view.side_of(person_id) is None:
        return None
    game = view.game.id

    def work(conn: Connection) -> _Read:
        """All of it in one trip to the database."""
        return _Read(
            private_analysis.tree_of(conn, game, person_id),
            private_analysis.note_of(conn, game, person_id),
            quiet_thread.of_game(conn, game),
            quiet_thread.mark_of(conn, game, person_id),
            delayed_moves.find(conn, game, person_id),
        )

    read = await core.store.look(work)
    thread, mark, row = read.thread, read.mark, read.waiting
    return Beside(
        tree=read.tree,
        note=read.note,
        said=said_of(view, thread, mark, person_id),
        is_quiet=mark.is_quiet,
        waiting=None if row is None else delaying.shown(row, view.game),
        last=thread[-1].id if thread else 0,
        heard=max((one.id for one in thread if one.author_id != person_id), default=0),
        newest=thread[-1].id if _has_unread(thread, mark.seen_id, person_id) else None,
    )


def _has_unread(thread: tuple[QuietMessage, ...], seen_id: int, person_id: int) -> bool:
    return any(one.id > seen_id and one.author_id != person_id for one in thread)


async def has_seen(core: Core, game_id: int, person_id: int, shown: Beside) -> None:
    """Record that a player has seen the thread: none of it is new the next time."""
    if shown.newest is not None:
        await note_seen(core, game_id, person_id, shown.newest)
