"""Reading mails, with what the database knows about them: many at once, off the event loop.

One lookup for a whole batch: a lookup per mail cost more than everything else. Not for what
follows from it (sort_mail.py, handle_mail.py).
"""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mail.incoming.inbound import Defect
from server.store.mail.batch_facts import MailFacts, mail_facts
from server.store.mail.inbox import InboxRow
from server.store.mail.outbox import answered
from server.store.play.games import GameRow
from server.usecases.core.context import Core
from server.usecases.core.reply_keys import Position
from server.usecases.mail.opened_mail import (
    Opened,
    may_hold_letter,
    open_mails,
    own_mail,
    without_letters,
)
from server.usecases.mail.sort_mail import position_of


@dataclass(frozen=True, slots=True)
class Known:
    """A mail, the position it answers, and the facts of its batch."""

    opened: Opened
    position: Position | None
    facts: MailFacts

    @property
    def game(self) -> GameRow | None:
        """The game it is about, if it exists."""
        return None if self.position is None else self.facts.games.get(self.position.game_id)

    @property
    def owner_id(self) -> int | None:
        """Who plays the position's side."""
        game, position = self.game, self.position
        return None if game is None or position is None else game.person_of(position.side)

    @property
    def sender_id(self) -> int | None:
        """Whose address the mail comes from."""
        sender = self.facts.sender(self.opened.mail.from_addr)
        return None if sender is None else sender.id


async def know(core: Core, rows: Sequence[InboxRow]) -> dict[int, Known]:
    """Read mails and look up what they are about, by inbox id.

    Those that exceed a limit are left out: no parser has seen them.
    """
    read = await asyncio.to_thread(_read, core, rows)
    game_ids = {position.game_id for _, position in read if position is not None}
    emails = {opened.mail.from_addr for opened, _ in read if opened.mail.from_addr}
    facts = await look_up(core, game_ids, emails)
    read = [(await _own(core, opened, position, facts), position) for opened, position in read]
    return {opened.row.id: Known(opened, position, facts) for opened, position in read}


async def _own(core: Core, opened: Opened, position: Position | None, facts: MailFacts) -> Opened:
    """The mail without what it brings back of our own letter, marked as a quote or not."""
    game = None if position is None else facts.games.get(position.game_id)
    if game is None or position is None:
        return await without_answered(core, opened, None, None)
    return await without_answered(core, opened, game.id, game.person_of(position.side))


async def without_answered(
    core: Core, opened: Opened, game_id: int | None, person_id: int | None
) -> Opened:
    """The mail without the words of the letter it answers, by its fields, else by its key."""
    ids = (*opened.mail.in_reply_to, *opened.mail.references)
    if not may_hold_letter(opened) or not (ids or game_id):
        return opened
    letters = await core.store.look(lambda conn: answered(conn, ids, game_id, person_id))
    return await asyncio.to_thread(without_letters, core, opened, letters) if letters else opened


async def look_up(core: Core, game_ids: Collection[int], emails: Collection[str] = ()) -> MailFacts:
    """What the database knows about games and senders now."""
    return await core.store.look(lambda conn: mail_facts(conn, game_ids, emails))


def _read(core: Core, rows: Sequence[InboxRow]) -> list[tuple[Opened, Position | None]]:
    own = own_mail(core)
    within = [one for one in open_mails(core, rows) if Defect.LIMIT not in one.mail.defects]
    return [(one, position_of(one.mail, one.recipients, own)) for one in within]
