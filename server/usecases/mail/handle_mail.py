"""One mail from the inbox to its outcome.

Sorted by sender and what it answers; then carried out by its own unit, answered with the
player's games, held, or kept without an answer. Whatever happens, the mail has one outcome and
is never lost. Not for storing it (parsed_mail.py).
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from kskak.game.game_commands import Refusal
from kskak.regulation.days import local_day
from mail.game_letters.no_move_letters import HeldConfirm, NotMade
from mail.grammar.keyword_lines import Keyword, Word, is_appeal, says_only
from mail.incoming import mime, robots
from mail.incoming.parse_mail import dmarc_verdict
from mail.office_letters.start_letters import GameListFacts
from server.store.engine.rows import to_us
from server.store.mail import inbox as inbox_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.batch import MailFacts, lock_games
from server.store.mail.inbox import InboxMark, InboxRow, InboxState
from server.store.play import games as game_rows
from server.store.play import requests as request_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.requests import ConfirmationRow
from server.usecases.account.signin import send_moves_again
from server.usecases.cases.case_letter_facts import heard_from
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import limit_repeated_answers, may_list
from server.usecases.games.outbox_letters import (
    PlayerQuestion,
    QuestionKind,
    ReplyPosition,
    new_key,
)
from server.usecases.mail.answer_question import MailUnit, Reply, answer
from server.usecases.mail.bounces import note_report
from server.usecases.mail.mail_table import MailMeaning, Who, cell_of, understand
from server.usecases.mail.mailed_challenges import challenge_by_mail
from server.usecases.mail.mailed_requests import (
    LEAVE_KEYWORDS,
    LeaveMail,
    appeal_by_mail,
    book_leave,
    file_mail,
    find_case_number,
    find_general_keyword,
    is_far_ahead,
    keywords_in,
    object_by_mail,
    plays_too,
    report_by_mail,
)
from server.usecases.mail.parsed_mail import (
    MailContext,
    OpenedMail,
    answered_letter,
    find_asked_question,
    is_trusted,
    know,
    load_facts,
    may_mean_other,
    own_mail,
    own_subject,
    player_mail,
    recipients_of,
)
from server.usecases.mail.sort_mail import (
    Act,
    MailDoubt,
    MailHoldReason,
    MailKnown,
    SortedMail,
    position_at,
    sort,
)
from server.usecases.play.game_requests import parse_player_text
from server.usecases.preferences import read

# A mail with a right key that cannot be read: an official looks at it, the key's owner is told.


async def hold_unread(
    core: Core, row: InboxRow, why: str, position: ReplyPosition | None = None
) -> str:
    """Hold it for an official for the reason ``why``, and tell the owner of its key.

    ``position``: what it is about; None: what its envelope says.
    """
    position = position or position_at(recipients_of(row), own_mail(core))
    facts = await load_facts(core, () if position is None else [position.game_id])
    game = None if position is None else facts.games.get(position.game_id)
    mark = InboxMark(row.id, InboxState.HELD, "held", why)
    async with core.store.write() as conn:
        if position is None or game is None:
            await inbox_rows.mark(conn, mark)
            return "held"
        await conn.run_sync(lock_games, [game.id])
        params: dict[str, object] = {"why": "unreadable", "unread": []}
        at = (game.seq, position.ply)
        letter = poster_of(core).about_game(
            NotMade, game, position.side, at, params, f"unreadable.{row.id}"
        )
        if await inbox_rows.mark(conn, mark):
            await outbox_rows.enqueue(conn, await conn.run_sync(limit_repeated_answers, [letter]))
    return "held"


# One mail from the inbox to its outcome.

LONGEST_QUOTED = 600
"""Characters of a held mail that its owner is shown when it plays no move."""


async def handle(core: Core, row: InboxRow, known: MailContext | None = None) -> str:
    """Give a mail its outcome and return its name. Raises only when the store fails.

    ``known``: what was read with its batch; None: it is read now.
    """
    if known is None:
        known = (await know(core, [row])).get(row.id)
    if known is None:
        return await hold_unread(core, row, f"limit: {mime.check(row.raw).limit.value}")
    return await carry_out(core, known, _sort(core, known))


def _sort(core: Core, known: MailContext) -> SortedMail:
    own, opened = own_mail(core), known.opened
    kind = opened.kind
    if kind == robots.NOTICE_BY_TEXT and _is_a_persons(core, known):
        kind = robots.MailClass(robots.MailKind.HUMAN)
    authserv = core.settings.mail.in_.authserv_id
    trusted = is_trusted(core, opened.row.peer)
    dmarc = dmarc_verdict(opened.row.raw, authserv, peer_trusted=trusted)
    found = MailKnown(known.position, known.owner_id, known.sender_id)
    return sort(kind, opened.mail, opened.recipients, own, found, dmarc)


def _is_a_persons(core: Core, known: MailContext) -> bool:
    """Whether a text like a vacation notice has a command; leave by a key is asked about."""
    words = {k.word for k in keywords_in(known.opened, core.settings.clock.zone)}
    is_unasked = known.position is not None and words <= set(LEAVE_KEYWORDS)
    return plays_too(known.opened) or (bool(words) and not is_unasked)


async def carry_out(core: Core, known: MailContext, whose: SortedMail) -> str:
    """What the table says of the mail: ``whose`` it is, what is recognised in it."""
    opened, person_id = known.opened, whose.person_id
    if whose.bounce is not None and whose.who is not Who.NOTICE:
        return await note_report(core, opened.row, whose.bounce)
    if whose.who in (Who.KEYED, Who.ADDRESS) and person_id is not None:
        await heard_from(core, person_id) if whose.who is Who.ADDRESS else None
        handled = await _paper(core, known, whose)
        if handled is not None:
            return handled
    if whose.who is Who.ADDRESS:
        known, whose = await _find_game(core, known, whose)
    what = _recognise(core, known, whose)
    cell = cell_of(whose.who, what)
    outside = _OUTSIDE.get(cell.how)
    if outside is not None:
        return await outside(core, known, whose)
    if whose.position is None:
        return await _games(core, opened, _person(whose), "unclear")
    return await _about_position(core, known, whose)


def _person(whose: SortedMail) -> int:
    assert whose.person_id is not None
    return whose.person_id


async def _paper(core: Core, known: MailContext, whose: SortedMail) -> str | None:
    """An appeal, an objection, or a word in a case, which plays nothing (§ 6.4.3, § 6.4.5)."""
    opened, person_id = known.opened, _person(whose)
    about = None if whose.position is None else whose.position.game_id
    if about is None and whose.game is not None:
        game = await core.store.query(game_rows.by_name, whose.game)
        about = None if game is None else game.id
    handled = None
    if whose.who is Who.ADDRESS:
        handled = await challenge_by_mail(core, opened, person_id)
    if handled is None and (whose.who is Who.ADDRESS or is_appeal(opened.words)):
        handled = await appeal_by_mail(core, opened, person_id, about)
    if handled is None and whose.who is Who.ADDRESS:
        number = await find_case_number(core, opened)
        is_filed = number is not None and await file_mail(core, opened, person_id, number)
        handled = "case" if is_filed else None
    handled = handled or await object_by_mail(core, opened, person_id, about)
    handled = handled or await report_by_mail(core, opened, person_id, about)
    if handled is None:
        return None
    await heard_from(core, person_id)
    return await _close(core, opened.row, InboxState.DONE, handled)


async def _find_game(
    core: Core, known: MailContext, whose: SortedMail
) -> tuple[MailContext, SortedMail]:
    """The game that a mail without a key is about: the one its subject names, else the only one
    that its sender has running; for what is about the player himself, the first of them."""
    person_id = _person(whose)
    named = None if whose.game is None else await core.store.query(game_rows.by_name, whose.game)
    running = await core.store.query(game_rows.list_person_games, person_id, running=True)
    games = [named] if named is not None else sorted(running, key=lambda row: row.id)
    games = [one for one in games if one.side_of(person_id) is not None]
    if not games:
        return known, whose
    game = games[0]
    side = game.side_of(person_id)
    assert side is not None
    position = ReplyPosition(game.id, game.ply, side)
    placed = replace(known, facts=await load_facts(core, [game.id]), position=position)
    about = replace(whose, position=position)
    is_clear = len(games) == 1 or _recognise(core, placed, about) in _OF_PLAYER
    return (placed, about) if is_clear else (known, whose)


_OF_PLAYER = (
    MailMeaning.LEAVE_WORD,
    MailMeaning.LEAVE,
    MailMeaning.LATER_START,
    MailMeaning.NEW_ADDRESS,
    MailMeaning.QUESTION,
)
"""What is not about one game more than another."""


def _recognise(core: Core, known: MailContext, whose: SortedMail) -> MailMeaning:
    """What the mail says, in the game it is about if there is one."""
    opened, position = known.opened, whose.position
    word = find_general_keyword(opened, core.settings.clock.zone)
    is_alone = word is not None and not plays_too(opened)
    if word is not None and (is_alone or word.word in LEAVE_KEYWORDS):
        return MailMeaning.LEAVE_WORD if word.word in LEAVE_KEYWORDS else MailMeaning.HELP
    if position is None:
        return MailMeaning.NOTHING
    game = known.facts.games[position.game_id]
    reads, state = _reads(known.facts, known.facts.people[_person(whose)]), game.state()
    today = local_day(opened.at, game.zone)
    reading = parse_player_text(state, position.side, opened.words, lang=reads, today=today)
    is_now = position.ply == state.position.ply
    subject = own_subject(opened)
    what, _ = understand(state, position.side, opened.words, reading, today, subject)
    return what if is_now or what not in (MailMeaning.MOVE, MailMeaning.SERIES) else MailMeaning.TRY


async def _close(core: Core, row: InboxRow, state: InboxState, why: str) -> str:
    """Write the outcome of a mail that touches no game."""
    outcome = why if state is InboxState.DONE else "held"
    note = None if state is InboxState.DONE else why
    await core.store.change(inbox_rows.mark, InboxMark(row.id, state, outcome, note))
    return outcome


async def _leave(core: Core, known: MailContext, whose: SortedMail) -> str:
    """Leave by its word: booked, or asked about where it may be a slip or a program's."""
    opened, person_id, zone = known.opened, _person(whose), core.settings.clock.zone
    word = find_general_keyword(opened, zone)
    assert word is not None
    if is_far_ahead(word, opened, zone):
        return await _hold(core, opened, replace(whose, why=MailDoubt.FAR_AHEAD), known.facts)
    answers = opened.mail.in_reply_to or opened.mail.references or whose.why == Act.RELEASE
    if not answers:
        return await _hold(core, opened, replace(whose, why=MailDoubt.UNASKED), known.facts)
    if not plays_too(opened):
        return await _about_player(core, opened, person_id, word)
    await book_leave(core, LeaveMail(person_id, opened.at, str(opened.row.id)), word)
    return await _about_position(core, known, whose)


async def _help(core: Core, known: MailContext, whose: SortedMail) -> str:
    word = find_general_keyword(known.opened, core.settings.clock.zone) or Keyword(Word.HELP)
    return await _about_player(core, known.opened, _person(whose), word)


async def _yours(core: Core, known: MailContext, whose: SortedMail) -> str:
    """Asked at the registered address whether the mail is his; leave of nobody who plays is his."""
    word = find_general_keyword(known.opened, core.settings.clock.zone)
    if whose.position is None and word is not None:
        return await _about_player(core, known.opened, _person(whose), word)
    return await _hold(core, known.opened, whose, known.facts)


def _pending(
    core: Core, known: MailContext, position: ReplyPosition, owner_id: int
) -> tuple[ConfirmationRow, ...]:
    """What the writer was asked about the position and may still answer."""
    return tuple(
        q
        for q in known.facts.questions.get(position.game_id, ())
        if q.used_us is None and q.person_id == owner_id and q.ply == position.ply
        if q.expires_us > core.now_us
    )


async def _about_position(core: Core, known: MailContext, whose: SortedMail) -> str:
    """A mail that plays, offers, asks or answers: with the questions that it may be about."""
    opened, facts, position, owner_id = known.opened, known.facts, whose.position, _person(whose)
    assert position is not None
    word = find_general_keyword(opened, core.settings.clock.zone)
    if word is not None and word.word is Word.MAILS:
        await send_moves_again(core, owner_id)
    pending = _pending(core, known, position, owner_id)
    backs = facts.set_backs.get(position.game_id, ())
    letter = await answered_letter(core, opened, owner_id) if pending or backs else None
    written_us = None if letter is None else letter.created_us
    is_past = game_rows.is_past(backs, position.ply, written_us)
    question, named = find_asked_question(letter, pending)
    state = facts.games[position.game_id].state()
    is_older = question is not None and position.ply != state.position.ply
    kinds = (QuestionKind.HELD, QuestionKind.WISH, *(QuestionKind.RESIGN,) * is_older)
    if question is not None and question.kind in kinds:
        offered_by = state.draw_offer
        is_clear = not may_mean_other(question, pending, offered_by, position.side)
        said = await _of_held(core, opened, question, is_clear=is_clear)
        if said is not None:
            await heard_from(core, owner_id)
            return said
    person = facts.people[owner_id]
    mail = player_mail(opened, person, position, reads=_reads(facts, person))
    mail = replace(mail, open=question, named=named, pending=pending, is_past=is_past)
    who = Who.KEYED if whose.who is Who.LIST else whose.who
    mail = replace(mail, read_at=facts.games[position.game_id].seq, who=who)
    done = await core.writer.submit(MailUnit(mail, poster_of(core)))
    if isinstance(done, str) and done != "moved":
        await heard_from(core, owner_id)  # a move closes such a case by itself
    return done if isinstance(done, str) else "already"


async def _of_held(
    core: Core, opened: OpenedMail, question: ConfirmationRow, *, is_clear: bool
) -> str | None:
    """«ja» to a question as by its link, and «nej» to «is this mail from you?»; None for anything
    else."""
    keywords = keywords_in(opened, core.settings.clock.zone)
    is_yes, is_no = says_only(keywords, Word.YES) and is_clear, says_only(keywords, Word.NO)
    is_no = is_no and question.kind == QuestionKind.HELD
    if plays_too(opened) or not (is_yes or is_no):
        return None
    settled = await answer(core, question, Reply.YES if is_yes else Reply.NO)
    if settled is None:
        return None
    outcome = settled.reason.value if isinstance(settled, Refusal) else settled
    outcome = outcome if is_yes else "answered_no"
    return await _close(core, opened.row, InboxState.DONE, outcome)


async def _hold(core: Core, opened: OpenedMail, whose: SortedMail, facts: MailFacts) -> str:
    """Nearly right: kept until the owner confirms it from the registered address."""
    position, owner_id, doubt = whose.position, _person(whose), MailDoubt(whose.why)
    assert position is not None
    game, person, row = facts.games[position.game_id], facts.people[owner_id], opened.row
    plies = _moves_in(opened, game, position, _reads(facts, person))
    key = new_key()
    asking = PlayerQuestion(
        QuestionKind.HELD, key, owner_id, position, to_us(opened.at), core.now_us, row.id
    )
    params: dict[str, object] = {"why": doubt.value, "key": key, "plies": plies}
    if not plies:
        params["words"] = opened.words[:LONGEST_QUOTED]
    params["arrived"] = local_day(opened.at, game.zone).isoformat()
    at = (game.seq, position.ply)
    letter = poster_of(core).about_game(
        HeldConfirm, game, position.side, at, params, f"mail.{row.id}"
    )
    mark = InboxMark(row.id, InboxState.DONE, "confirm", doubt.value, owner_id, game.id)
    async with core.store.write() as conn:
        await conn.run_sync(lock_games, [game.id])
        may_ask = bool(await conn.run_sync(limit_repeated_answers, [letter]))
        if may_ask and await inbox_rows.mark(conn, mark):
            await request_rows.add(conn, asking.row())
            await outbox_rows.enqueue(conn, [letter])
    if may_ask:
        return "confirm"
    if whose.who is Who.NOTICE:  # whoever wrote it has been asked today
        return await _close(core, row, InboxState.DONE, "automatic")
    return await _close(core, row, InboxState.HELD, MailHoldReason.ASKED_OFTEN)


def _reads(facts: MailFacts, person: PersonRow) -> str:
    """The language whose piece letters a player's moves are read in first."""
    return read(facts.chosen[person.id]).reads.letters_of(person.lang)


def _moves_in(opened: OpenedMail, game: GameRow, position: ReplyPosition, reads: str) -> list[str]:
    """What the mail would play now, for the letter that asks; nothing is played."""
    state = game.state()
    if position.ply != state.position.ply:
        return []
    today = local_day(opened.at, game.zone)
    reading = parse_player_text(state, position.side, opened.words, lang=reads, today=today)
    return [move.uci() for move in reading.moves]


async def _about_player(core: Core, opened: OpenedMail, person_id: int, word: Keyword) -> str:
    """Leave, status, mails, help: about the player, not about a position."""
    if word.word is Word.MAILS:
        await send_moves_again(core, person_id)
    if word.word not in LEAVE_KEYWORDS:
        return await _games(core, opened, person_id, word.word.value)
    if not await book_leave(core, LeaveMail(person_id, opened.at, str(opened.row.id)), word):
        return await _games(core, opened, person_id, "status")
    return await _close(core, opened.row, InboxState.DONE, "leave")


async def _games(core: Core, opened: OpenedMail, person_id: int, asked: str) -> str:
    """Answer with the player's games and fresh reply addresses, up to a daily limit."""
    unique, outcome = f"mail.{opened.row.id}", f"games_{asked}"
    letter = poster_of(core).to_person(GameListFacts, person_id, unique, {"asked": asked})
    mark = InboxMark(opened.row.id, InboxState.DONE, outcome, person_id=person_id)
    day = core.today(core.settings.clock.zone).isoformat()
    async with core.store.write() as conn:
        if await inbox_rows.mark(conn, mark) and await may_list(
            conn, person_id, day, core.now_us, asked=asked != "unclear"
        ):
            await outbox_rows.enqueue(conn, [letter])
    return outcome


_OUTSIDE: dict[str, Callable[[Core, MailContext, SortedMail], Awaitable[str]]] = {
    "leave": _leave,
    "help": _help,
    "yours": _yours,
    "games": lambda core, known, whose: _games(core, known.opened, _person(whose), "unclear"),
    "official": lambda core, known, whose: _close(
        core, known.opened.row, InboxState.HELD, whose.why
    ),
    "silent": lambda core, known, whose: _close(
        core, known.opened.row, InboxState.DONE, "automatic" if whose.position else whose.why
    ),
    "unread": lambda core, known, whose: hold_unread(
        core, known.opened.row, f"suspect: {known.opened.kind.reason}", whose.position
    ),
}
"""What the table's cells name, of those that touch no locked game; the others: answer_question."""
