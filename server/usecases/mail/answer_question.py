"""Answering a question by the link in the mail: GET shows it, POST answers it.

Resign, accept a draw, «was this your mail?», «claim, or not?». Each question is answered once
and only by the person asked; a second answer does nothing. Not for a «ja» by mail, which goes
through the mail unit unless it is to «was this your mail?».
"""

import json
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from kskak.game import commands as cmd
from kskak.game.commands import Command
from kskak.game.refusals import Refusal
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.grammar.keywords import Word
from server.store.account.ways_in import digest
from server.store.engine.types import from_us
from server.store.mail import inbox as inbox_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play import questions as question_rows
from server.store.play.questions import ConfirmationRow
from server.usecases.account.choices import of_person
from server.usecases.core.context import Core, poster_of
from server.usecases.core.game_work import UsedConfirmation
from server.usecases.core.questions import Question, new_key
from server.usecases.core.reply_keys import Position
from server.usecases.mail.batch_facts import without_answered
from server.usecases.mail.mail_unit import MailUnit, Outcome, PlayerMail
from server.usecases.mail.mailed_leave import LEAVE_WORDS, book_leave, plays_too, standing_alone
from server.usecases.mail.opened_mail import open_mail
from server.usecases.mail.takeover_objections import object_by_mail
from server.usecases.play.ask import Answer, Asked, ask
from server.usecases.play.game_views import GameView, game_view


class Reply(StrEnum):
    """The possible answers: ``claim`` and ``waive`` only to a late question."""

    YES = "yes"
    NO = "no"
    CLAIM = "claim"
    WAIVE = "waive"


@dataclass(frozen=True, slots=True)
class Pending:
    """A question that can be answered: what it is and the game it is about.

    ``words`` is what the held or late mail says.
    """

    row: ConfirmationRow
    question: Question
    view: GameView
    side: Side
    words: str
    arrived: datetime


@dataclass(frozen=True, slots=True)
class Settled:
    """What an answer did: one word, or the refusal."""

    word: str
    refusal: Refusal | None = None


async def peek(core: Core, key: str) -> Pending | None:
    """A question by its key; None when unknown, answered or too old. Changes nothing."""
    async with core.store.read() as conn:
        row = await question_rows.find(conn, digest(key))
    return None if row is None else await _pending(core, row)


async def _pending(core: Core, row: ConfirmationRow) -> Pending | None:
    if row.used_us is not None or row.expires_us <= core.now_us:
        return None
    view = await game_view(core, row.game_id)
    side = None if view is None else view.side_of(row.person_id)
    if view is None or side is None:
        return None
    words = str(json.loads(row.params).get("words", ""))
    if row.inbox_id is not None and not words:
        async with core.store.read() as conn:
            mail = await inbox_rows.find(conn, row.inbox_id)
        if mail is not None:
            opened = await without_answered(core, open_mail(core, mail), row.game_id, row.person_id)
            words = opened.words
    return Pending(row, Question(row.kind), view, side, words, from_us(row.sent_us))


async def settle(core: Core, key: str, reply: Reply) -> Settled | None:
    """Answer a question once. None when it can't be answered (any more)."""
    async with core.store.read() as conn:
        row = await question_rows.find(conn, digest(key))
    return None if row is None else await answer(core, row, reply)


async def answer(core: Core, row: ConfirmationRow, reply: Reply) -> Settled | None:
    """The same, of a question that was looked up."""
    pending = await _pending(core, row)
    if pending is None:
        return None
    if reply is not Reply.NO:
        return await _do(core, pending, reply)
    return Settled("no") if await _use(core, pending) else None


async def _use(core: Core, pending: Pending) -> bool:
    """Mark a question as answered on its own, when nothing is written in the game with it."""
    async with core.store.write() as conn:
        used = await question_rows.use(conn, pending.row.digest, core.now_us)
    return used is not None


async def _do(core: Core, pending: Pending, reply: Reply) -> Settled:
    match pending.question:
        case Question.RESIGN:
            return await _command(core, pending, cmd.Resign(pending.side))
        case Question.DRAW_YES:
            return await _command(core, pending, cmd.AcceptDraw(pending.side))
        case Question.HELD:
            return await _mail(core, pending)
        case Question.MEANT:
            return await _play(core, pending)
        case Question.LATE:
            if reply is Reply.CLAIM:
                return await _command(core, pending, cmd.ClaimOverstep(pending.side))
            if not pending.view.account.state.is_overstep_waived:
                waiver = cmd.WaiveOverstep(pending.side)
                waived = await _command(core, pending, waiver, uses=False)
                if waived.refusal is not None:
                    await _use(core, pending)
                    return waived
            return await _play(core, pending)


async def _command(core: Core, pending: Pending, command: Command, *, uses: bool = True) -> Settled:
    """A player's command, dated by the mail it came in (§ 6.8.2), if it came by mail.

    Its effect and the answer to the question are written together: a crash in between would lose
    what the player asked for. ``uses`` False: the question stays open for further work.
    """

    def build(_: GameState, __: Side) -> Command:
        return command

    row = pending.row
    used = UsedConfirmation(row.digest, core.now_us) if uses else None
    asked = Asked(row.game_id, row.person_id, "mail", build, at=pending.arrived, used=used)
    answer = await ask(core, asked)
    assert isinstance(answer, Answer)
    return Settled(pending.question.value, answer.refusal)


async def _mail(core: Core, pending: Pending) -> Settled:
    """Do what the held mail says, counted from its arrival (REGULATION, "Authentication")."""
    row = pending.row
    assert row.inbox_id is not None
    async with core.store.read() as conn:
        kept = await inbox_rows.find(conn, row.inbox_id)
        person = await person_rows.find(conn, row.person_id)
    assert kept is not None and person is not None
    opened = await without_answered(core, open_mail(core, kept), row.game_id, person.id)
    objected = await object_by_mail(core, opened, person.id, row.game_id)
    if objected is not None:
        await _use(core, pending)
        return Settled(objected)
    word = standing_alone(opened, core.settings.clock.zone)
    if word is not None and word.word in LEAVE_WORDS:
        await book_leave(core, opened, person.id, word)
        if not plays_too(opened):
            await _use(core, pending)
            return Settled(Word.LEAVE.value)
    return await _play(core, pending)


async def _play(core: Core, pending: Pending) -> Settled:
    """Play what a kept mail says, or was meant to say, as of the day it came (§ 6.8.2)."""
    row = pending.row
    async with core.store.read() as conn:
        person = await person_rows.find(conn, row.person_id)
        backs = await game_rows.set_backs(conn, row.game_id)
    assert person is not None
    name = row.digest.hex()[:20] if row.inbox_id is None else row.inbox_id
    mail = PlayerMail(
        inbox_id=None,
        unique=f"mail.{name}",
        person_id=person.id,
        lang=(await of_person(core, person.id)).reads.letters_of(person.lang),
        words=pending.words,
        at=pending.arrived,
        position=Position(row.game_id, row.ply, pending.side),
        key=new_key(),
        answers=UsedConfirmation(row.digest, core.now_us),
        is_past=game_rows.is_past(backs, row.ply, row.sent_us),
    )
    done = await core.writer.submit(MailUnit(mail, poster_of(core)))
    return Settled(done.word if isinstance(done, Outcome) else "already")
