"""One press on a mail that waits: handled as its owner's, handled again, or put away.

The decision, its effect and who made it are one transaction; a second press finds it done. A
released mail counts from its arrival (REGULATION, "Authentication"). Not for lists of mails
(mail_lists.py) nor for an owner's own yes (answer_question.py).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kskak.regulation.quantities import Side
from server.store.engine.errors import StoreError
from server.store.mail import inbox as inbox_rows
from server.store.mail import mail_lists
from server.store.mail.batch_facts import MailFacts
from server.store.mail.inbox import InboxMark, InboxRow, InboxState
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.offices import Rights
from server.usecases.core.reply_keys import Position
from server.usecases.mail.appeal_mail import number_of
from server.usecases.mail.batch_facts import Known, know, look_up
from server.usecases.mail.deed_notes import Act, note_of
from server.usecases.mail.handle_mail import act_for, act_on, handle
from server.usecases.mail.sort_mail import Registered, game_named

_log = logging.getLogger(__name__)

WITHOUT_EFFECT = frozenset(
    {
        "not_understood", "ambiguous", "contradiction", "not_your_turn", "unsure", "wrong_number",
        "draw_unclear",
        "games_unclear", "automatic", "loop", "to_return_path", Act.PUT_AWAY.value,
    }
)  # fmt: skip
"""Outcomes of mails that were at most answered: these may be handled again."""


class Declined(StrEnum):
    """Why a press did nothing."""

    UNKNOWN = "unknown"
    FIRST = "first"
    WAITS = "waits"
    HAD_EFFECT = "had_effect"
    NO_OWNER = "no_owner"
    CHOOSE = "choose"
    OWN_GAME = "own_game"
    REMOVED = "removed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Owner:
    """As whose a mail may be handled; ``position`` and ``game``: in which game, if in any."""

    person: PersonRow
    position: Position | None = None
    game: GameRow | None = None


async def owners_of(core: Core, rows: Sequence[InboxRow]) -> dict[int, tuple[Owner, ...]]:
    """As whose each mail may be released, by inbox id: mostly one, two if only a game is named.

    The key's owner; else the sender; else either player of the game in the subject.
    """
    known = await know(core, [row for row in rows if row.raw])
    names = {row_id: game_named(one.opened.mail) for row_id, one in known.items()}
    async with core.store.read() as conn:
        ids = await mail_lists.games_named(conn, {name for name in names.values() if name})
    facts = await look_up(core, ids.values())
    return {
        row_id: _owners(one, facts, ids.get(names[row_id] or "")) for row_id, one in known.items()
    }


def _owners(one: Known, facts: MailFacts, game_id: int | None) -> tuple[Owner, ...]:
    if one.owner_id is not None:
        return (Owner(one.facts.people[one.owner_id], one.position, one.game),)
    game = None if game_id is None else facts.games[game_id]
    sender = one.facts.sender(one.opened.mail.from_addr)
    if sender is not None and (game is None or game.side_of(sender.id) is None):
        return (Owner(sender),)
    if game is None:
        return ()
    sides = [side for side in Side if sender is None or game.side_of(sender.id) is side]
    return tuple(
        Owner(facts.people[game.person_of(side)], Position(game.id, game.ply, side), game)
        for side in sides
    )


async def release(
    core: Core, rights: Rights | None, row_id: int, owner_id: int | None = None
) -> str | Declined:
    """Handle a held mail as its owner's; returns its outcome, or why nothing was done.

    ``rights``: whose the press is, None: the operator's; ``owner_id``: as whose, if several may be.
    """
    row = await _row(core, row_id)
    if isinstance(row, Declined):
        return row
    if row.state != InboxState.HELD:
        return Declined.FIRST
    owners = (await owners_of(core, [row])).get(row_id, ())
    chosen = [one for one in owners if owner_id in (None, one.person.id)]
    if len(chosen) != 1:
        return Declined.CHOOSE if owners else Declined.NO_OWNER
    if rights is not None and is_own(rights, chosen[0]):
        return Declined.OWN_GAME
    return await _press(core, rights, row, Act.RELEASE, chosen[0])


def is_own(rights: Rights, owner: Owner) -> bool:
    """Nobody acts as an official in a group they are barred from, nor for themselves (§ 6.1.1)."""
    is_barred = owner.game is not None and owner.game.group_id in rights.barred
    return is_barred or owner.person.id == rights.person_id


async def replay(core: Core, rights: Rights | None, row_id: int) -> str | Declined:
    """Handle a mail once more as if it came now; one that has had effect is left alone."""
    row = await _row(core, row_id)
    if isinstance(row, Declined):
        return row
    if row.state == InboxState.NEW:
        return Declined.WAITS
    if row.state == InboxState.DONE:
        async with core.store.read() as conn:
            has_effect = await mail_lists.has_effect(conn, row)
        if has_effect or row.outcome not in WITHOUT_EFFECT:
            return Declined.HAD_EFFECT
    return await _press(core, rights, row, Act.AGAIN, None)


async def put_away(core: Core, rights: Rights, row_id: int) -> str | Declined:
    """Keep a held or shunted mail without handling it."""
    async with core.store.write() as conn:
        row = await inbox_rows.find(conn, row_id)
        if row is None:
            return Declined.UNKNOWN
        note = note_of(row.note, Act.PUT_AWAY, rights.person_id, core.now_us)
        mark = InboxMark(row_id, InboxState.DONE, Act.PUT_AWAY.value, note, row.person_id)
        mark = replace(mark, game_id=row.game_id)
        return mark.outcome if await inbox_rows.decide_held(conn, mark) else Declined.FIRST


async def _row(core: Core, row_id: int) -> InboxRow | Declined:
    async with core.store.read() as conn:
        row = await inbox_rows.find(conn, row_id)
    if row is None:
        return Declined.UNKNOWN
    return row if row.raw else Declined.REMOVED


async def _press(
    core: Core, rights: Rights | None, row: InboxRow, act: Act, owner: Owner | None
) -> str | Declined:
    """Reopen, handle and record, all or nothing."""
    by = None if rights is None else rights.person_id
    also = WITHOUT_EFFECT if act is Act.AGAIN else frozenset()
    try:
        async with core.writer.together(f"mail {row.id}"):
            async with core.store.write() as conn:
                mark = InboxMark(row.id, InboxState.NEW, act.value, row.note)
                if not await inbox_rows.decide_held(conn, mark, also=also):
                    return Declined.FIRST
            done = handle(core, row) if owner is None else _handle_as(core, row, owner)
            outcome = await done
            async with core.store.write() as conn:
                await inbox_rows.note_done(conn, row.id, note_of(row.note, act, by, core.now_us))
    except StoreError:
        raise
    except Exception:
        _log.exception("mail %s could not be handled", row.id)
        return Declined.FAILED
    _log.info("mail %s: %s: %s", row.id, act.value, outcome)
    return outcome


async def _handle_as(core: Core, row: InboxRow, owner: Owner) -> str:
    """What the mail says, as if it had come from its owner in the right way."""
    known = (await know(core, [row]))[row.id]
    person_id, position, game = owner.person.id, owner.position, owner.game
    is_keyed = known.owner_id is not None
    if position is None or game is None:
        return await act_for(core, known.opened, Registered(person_id, None, False))
    if not is_keyed and await number_of(core, known.opened) is not None:
        return await act_for(core, known.opened, Registered(person_id, game.name, False))
    facts = known.facts if is_keyed else await look_up(core, [game.id])
    return await act_on(core, replace(known, facts=facts, position=position), position, person_id)
