"""A player's changed e-mail address: who is told of it (§ 6.8.5).

Whoever changes it, opponents and leaders of the player's running games by e-mail are told at once,
as with a postal address (usecases/postal/addresses.py); the old address gets a warning, in case
the player did not want it. Links for signing in that were sent to the old address open nothing any
more; sessions, tokens and passkeys end where whoever changes it says so, and an official's always.
Not for who may change whose address (members_in.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from kskak.regulation.quantities import Regulation
from server.store.account import ways_in
from server.store.engine.connection import AsyncConnection
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import offices as office_rows
from server.store.play import running_games
from server.store.play.games import GameRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind, Poster
from server.usecases.register.facts import has_mail


@dataclass(frozen=True, slots=True)
class Moved:
    """A person whose e-mail address has changed; either one may be undeliverable."""

    person_id: int
    old: str
    new: str


async def tell(
    conn: AsyncConnection, core: Core, moved: Sequence[Moved], *, ends_access: bool = False
) -> None:
    """Write the letters about changed addresses, in the transaction that changes them.

    ``ends_access``: those concerned are signed out everywhere.
    """
    if not moved:
        return
    concerned = {one.person_id for one in moved}
    officials = concerned & await office_rows.in_office(conn, core.now_us)
    await ways_in.end_links(conn, concerned)
    await ways_in.end_all(conn, concerned if ends_access else officials)
    poster = poster_of(core)
    known = {one.person_id for one in moved if has_mail(one.new)}
    running = await running_games.running_of(conn, known)
    letters = [_warning(poster, one) for one in moved if has_mail(one.old)]
    for person_id in sorted(known):
        played = (game for game in running if game.side_of(person_id) is not None)
        letters += _news(poster, person_id, played)
    await outbox_rows.enqueue(conn, letters)


def _warning(poster: Poster, one: Moved) -> NewOutbox:
    """A warning to the old address, which does not reveal the new one."""
    unique = f"{one.person_id}.{poster.now_us}"
    letter = poster.to_person(Kind.READDRESSED, one.person_id, unique, {})
    return replace(letter, to_addr=one.old)


def _news(poster: Poster, person_id: int, played: Iterable[GameRow]) -> list[NewOutbox]:
    """One letter to each opponent and to each leader; the address is looked up when it is sent."""
    told: dict[int, NewOutbox] = {}
    for game in played:
        mine = game.side_of(person_id)
        by_mail = game.regulation == Regulation.EMAIL or game.state().means.is_agreed
        if mine is None or not by_mail:
            continue
        at, params = (game.seq, game.ply), {"by": mine.value, "is_email": True}
        for side, reader in ((mine.other, game.person_of(mine.other)), (None, game.tl_id)):
            unique = f"email.{poster.now_us}"
            letter = poster.about_game(Kind.ADDRESS, game, side, at, dict(params), unique)
            if reader != person_id:
                told.setdefault(reader, letter)
    return list(told.values())
