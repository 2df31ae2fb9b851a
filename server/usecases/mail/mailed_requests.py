"""What a mail may ask besides a move: an appeal, an objection, a paper for a case, leave."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from kskak.cases.case import REPORTED, REPORTS, CaseReason, CaseRefusal, CaseStage
from kskak.cases.case_events import ClaimedResult, DecisionAppealed, PaperKind
from kskak.regulation.days import local_day
from mail.grammar.intentions import read_claimed_result
from mail.grammar.keyword_lines import (
    Keyword,
    Word,
    case_number,
    is_appeal,
    is_objection,
    may_be_appeal,
    read_keyword,
)
from mail.grammar.move_lines import read_move_line
from mail.grammar.read_text import read_keywords
from mail.office_letters.case_letters import CaseDecision, CaseNotice, CaseWord, case_refusal_text
from mail.office_letters.start_letters import ObjectionLate
from mail.text.catalogue import Words
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseRow, UnknownCase
from server.store.cases.papers import NewPaper
from server.store.engine.rows import from_us, to_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.cases.appeals import appeal
from server.usecases.cases.case_actions import carry_out, object_to_takeover, report_over
from server.usecases.cases.case_transaction import CaseOutcome, filing
from server.usecases.cases.evidence import Access, access
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import CaseNews, notices
from server.usecases.letter_facts import Params
from server.usecases.mail.parsed_mail import OpenedMail, answered_letter, letters_of_own_address
from server.usecases.reflection.leave import Leave, NotBooked, book, mail_leave_outcome, shorten

# An objection by mail to a takeover (reading of § 6.4.5). Not for the case it opens.

OBJECTED = "objection"
LATE = "objection_late"


async def object_by_mail(
    core: Core, opened: OpenedMail, person_id: int, game_id: int | None
) -> str | None:
    """Handle a mail that objects; None for any other mail, and for a game begun here.

    Such a mail plays nothing, whatever moves it mentions: nobody is charged for an example.
    """
    if game_id is None or not is_objection(opened.words):
        return None
    async with core.store.read() as conn:
        game = await game_rows.load(conn, game_id)
        person = await person_rows.find_person(conn, person_id)
    if game is None or person is None or game.side_of(person.id) is None:
        return None
    done = await object_to_takeover(core, person, game, opened.words, (opened.row.id, opened.at))
    if not isinstance(done, CaseRefusal):
        return OBJECTED
    if done.reason is CaseReason.NOT_TAKEN_OVER:
        return None
    until = done.until.isoformat() if done.until else None
    params: dict[str, object] = {"reason": done.reason.value, "until": until}
    at, side = (game.seq, game.ply), game.side_of(person.id)
    today = core.today(game.zone).isoformat()  # one answer a day, so that two robots stop
    letter = poster_of(core).about_game(ObjectionLate, game, side, at, params, today)
    await core.store.change(outbox_rows.enqueue, [letter])
    return LATE


REPORTED_OVER = "reported_over"
_MOST_REPORTED = 200
"""Characters of a mail that says no more than how the game ended."""


async def report_by_mail(
    core: Core, opened: OpenedMail, person_id: int, game_id: int | None
) -> str | None:
    """Handle a mail by which a running game is over: «jeg vandt»; None for any other (§ 6.2.6).

    «remis» is an offer, unless somebody has reported the game over. A loss is a resignation, and
    asked about as such.
    """
    words = opened.words.strip()
    said = read_claimed_result(words) if len(words) <= _MOST_REPORTED else None
    if said in (None, ClaimedResult.LOST) or plays_too(opened):
        return None
    async with core.store.read() as conn:
        own = await game_rows.list_person_games(conn, person_id, running=True)
        games = [one for one in own if game_id in (None, one.id)]
        person = await person_rows.find_person(conn, person_id)
        if person is None or len(games) != 1:
            return None
        cases = await case_rows.list_game_cases(conn, games[0].id, closed_us=None)
    is_reported = any(one.question in (REPORTED, REPORTS) for one in cases)
    if said is ClaimedResult.DRAWN and not is_reported:
        return None
    mail = (opened.row.id, opened.at)
    done = await report_over(core, person, games[0], opened.words, mail)
    return None if isinstance(done, CaseRefusal) else REPORTED_OVER


# Filing a mail whose subject names a case's number in that case, as a paper (§ 6.4.1).

LONGEST = 20_000


async def file_mail(core: Core, opened: OpenedMail, person_id: int, number: str) -> bool:
    """File a mail in the case; False when there is no such case that the sender takes part in.

    The same mail is filed once, however often it is processed.
    """
    async with core.store.read() as conn:
        case = await case_rows.by_number(conn, number)
        person = await person_rows.find_person(conn, person_id)
        known = case is not None and await conn.run_sync(
            paper_rows.is_mail_filed, case.id, opened.row.id
        )
    if case is None or person is None:
        return False
    if known:
        return True
    try:
        found = await access(core, person, case.id)
    except UnknownCase:
        return False
    words = opened.words.strip()[:LONGEST]
    paper = NewPaper(
        kind=PaperKind.MAIL.value,
        title=opened.mail.subject,
        body=words.encode(),
        at_us=to_us(opened.at),
        person_id=person.id,
        inbox_id=opened.row.id,
    )
    notice = CaseNews(CaseWord.SAID, person.id, text=words)
    done = await carry_out(core, found, [filing(paper, found.actor)], [paper], notice)
    return isinstance(done, CaseOutcome)


# An appeal by mail: lodged as of its arrival, or asked about (§ 6.4.3).

APPEALED, ASKED, REFUSED = "appealed", "appeal_asked", "appeal_refused"
"""The outcomes of such a mail."""
_OPEN = (CaseStage.DECIDED, CaseStage.APPEALED, CaseStage.FINAL)


@dataclass(frozen=True, slots=True)
class _Mailed:
    """What one person mailed, and the day that counts for it in a case's zone."""

    core: Core
    opened: OpenedMail
    person_id: int

    def day(self, case: CaseRow) -> date:
        """The day of arrival: the date of the appeal (§ 6.4.3)."""
        return local_day(self.opened.at, case.zone)


async def find_case_number(core: Core, opened: OpenedMail) -> str | None:
    """The case that a mail's subject names, or whose letter it answers."""
    mail, named = opened.mail, case_number(opened.mail.subject)
    if named is not None:
        return named
    numbers = letters_of_own_address(core, opened)
    async with core.store.read() as conn:
        letters = [await outbox_rows.find(conn, number) for number in numbers]
        for message_id in (*mail.in_reply_to, *reversed(mail.references)):
            letters.append(await outbox_rows.by_message_id(conn, message_id))
        for letter in letters:
            case_id = None if letter is None else _case_of(letter)
            case = None if case_id is None else await case_rows.load(conn, case_id)
            if case is not None:
                return case.number
    return None


def _case_of(letter: OutboxRow) -> int | None:
    if letter.kind not in (CaseNotice.kind, CaseDecision.kind):
        return None
    found = Params(letter).get("case")
    return found if isinstance(found, int) else None


async def appeal_by_mail(
    core: Core, opened: OpenedMail, person_id: int, game_id: int | None = None
) -> str | None:
    """Handle a mail that appeals, or may; its outcome, or None if it does neither (§ 6.4.3).

    ``game_id``: the game whose letter it answers, where it names no case. An unmistakable word
    with one possible case is an appeal; with several, the sender is asked which.
    """
    mailed = _Mailed(core, opened, person_id)
    clear, maybe = is_appeal(opened.words), may_be_appeal(opened.words)
    if not (clear or maybe or _says_yes(mailed)):
        return None
    number = await find_case_number(core, opened)
    if number is None and not clear:
        return None
    found = await _appealable(mailed, number, game_id)
    if not found:
        return None
    if number is not None and not clear:
        return await _answered(mailed, found[0], maybe=maybe)
    if len(found) == 1:
        return await _lodge(mailed, found[0], mailed.day(found[0].case), opened.words)
    for one in found:
        await _ask(mailed, one)
    return ASKED


async def _appealable(mailed: _Mailed, number: str | None, game_id: int | None) -> Sequence[Access]:
    """The decided cases the sender is a party to: the one named, or those still open."""
    core = mailed.core
    async with core.store.read() as conn:
        person = await person_rows.find_person(conn, mailed.person_id)
        if number is not None:
            named = await case_rows.by_number(conn, number)
            rows = [] if named is None else [named]
        else:
            listed = await case_rows.list_cases(conn, is_open=True, limit=100_000)
            rows = [row for row in listed if row.state in _OPEN]
            rows = [row for row in rows if row.game_id == game_id] or rows
    found: list[Access] = []
    for row in rows if person is not None else ():
        assert person is not None
        try:
            one = await access(core, person, row.id)
        except UnknownCase:
            continue
        own = (a for a in one.state.appeals if isinstance(a, DecisionAppealed))
        has_appealed = any(a.by == mailed.person_id for a in own)
        if one.is_party and one.state.stage in _OPEN and not has_appealed:
            found.append(one)
    return found


async def _answered(mailed: _Mailed, found: Access, *, maybe: bool) -> str | None:
    """Handle a «ja» to the question; or ask about a mail that mentions an appeal.

    A «ja» that answers another letter of the case, or none, is asked what it is meant for.
    """
    if _says_yes(mailed):
        first = await _find_first_request(mailed, found)
        if first is not None and await _is_to_question(mailed, found):
            return await _lodge(mailed, found, first[0], first[1])
        if first is not None:
            await _ask(mailed, found)
            return ASKED
    if not maybe or not _is_in_time(found, mailed.person_id, mailed.day(found.case)):
        return None
    await _ask(mailed, found)
    return ASKED


async def _is_to_question(mailed: _Mailed, found: Access) -> bool:
    """Whether the mail answers a letter that asked its writer about an appeal in that case."""
    letter = await answered_letter(mailed.core, mailed.opened, mailed.person_id)
    if letter is None or _case_of(letter) != found.case.id:
        return False
    return Params(letter).get("word") == CaseWord.APPEAL_ASKED


def _says_yes(mailed: _Mailed) -> bool:
    """Whether the first line of the mail is a «ja»."""
    said = [line for line in mailed.opened.words.split("\n") if line.strip()]
    word = read_keyword(said[0], mailed.opened.at.date()) if said else None
    return word is not None and word.word is Word.YES


def _is_in_time(found: Access, person_id: int, day: date) -> bool:
    """Whether the person could still appeal that day: if not, there is nothing to ask (§ 6.4.3)."""
    latest, until = found.state.latest, found.state.appeal_until(person_id)
    is_last = latest is None or latest.instance.above is None
    return not is_last and (until is None or day <= until)


async def _find_first_request(mailed: _Mailed, found: Access) -> tuple[date, str] | None:
    """Day and words of the sender's first mail since the decision that may be an appeal."""
    latest = found.state.latest
    papers = await mailed.core.store.query(paper_rows.list_case_papers, found.case.id)
    for paper in papers:
        day = local_day(from_us(paper.at_us), found.case.zone)
        is_his = paper.kind == PaperKind.MAIL and paper.person_id == mailed.person_id
        if latest is None or not is_his or day < latest.on or paper.body is None:
            continue
        said = paper.body.decode()
        if is_appeal(said) or may_be_appeal(said):
            return day, said
    return None


async def _lodge(mailed: _Mailed, found: Access, on: date, text: str) -> str:
    """Lodge the appeal, dated by its arrival; if refused, file the mail and answer why."""
    core, case = mailed.core, found.case
    done = await appeal(core, found.person, case.id, text, on=on)
    if isinstance(done, CaseOutcome):
        await _write(mailed, found, CaseNews(CaseWord.APPEAL_TAKEN, None, until=on))
        return APPEALED
    await file_mail(core, mailed.opened, mailed.person_id, case.number)
    said = case_refusal_text(done, Words.load(found.person.lang))
    await _write(mailed, found, CaseNews(CaseWord.APPEAL_NOT_TAKEN, None, said, on))
    return REFUSED


async def _ask(mailed: _Mailed, found: Access) -> None:
    """File the mail, and ask whether it is an appeal; its date is kept (§ 6.4.3)."""
    await file_mail(mailed.core, mailed.opened, mailed.person_id, found.case.number)
    notice = CaseNews(CaseWord.APPEAL_ASKED, None, until=mailed.day(found.case))
    await _write(mailed, found, notice)


async def _write(mailed: _Mailed, found: Access, notice: CaseNews) -> None:
    """Write a letter to the sender alone, once for each mail."""
    core = mailed.core
    async with core.store.write() as conn:
        case = await case_rows.load(conn, found.case.id)
        assert case is not None
        letters = notices(poster_of(core), case, notice, [mailed.person_id])
        await outbox_rows.enqueue(conn, list(letters))


# Leave, status, mails and help in a mail: words that concern the player, not a position.

LEAVE_KEYWORDS = (Word.LEAVE, Word.LEAVE_END)
ABOUT_PLAYER = (*LEAVE_KEYWORDS, Word.STATUS, Word.HELP, Word.MAILS)
FAR_AHEAD = timedelta(days=183)
"""Leave that ends later than this is asked about: a year is easily mistyped."""


def keywords_in(opened: OpenedMail, zone: str) -> tuple[Keyword, ...]:
    """The keywords of a mail, each alone on its line."""
    today = local_day(opened.at, zone)
    return read_keywords(opened.words, today=today)


def find_general_keyword(opened: OpenedMail, zone: str) -> Keyword | None:
    """A keyword that concerns no position: leave, status, mails, help."""
    return next((k for k in keywords_in(opened, zone) if k.word in ABOUT_PLAYER), None)


def plays_too(opened: OpenedMail) -> bool:
    """Whether a mail with such a keyword has a move line as well."""
    return any(read_move_line(line) is not None for line in opened.words.split("\n"))


def is_far_ahead(word: Keyword, opened: OpenedMail, zone: str) -> bool:
    """Whether leave asked for lies so far ahead that it may be a slip of the pen."""
    if word.word not in LEAVE_KEYWORDS or word.end is None:
        return False
    return word.end > local_day(opened.at, zone) + FAR_AHEAD


@dataclass(frozen=True, slots=True)
class LeaveMail:
    """Whose mail asks for leave, the instant that counts, and what names the mail."""

    person_id: int
    at: datetime
    unique: str


async def book_leave(core: Core, mail: LeaveMail, word: Keyword) -> bool:
    """Book or shorten leave, or tell why not; False when there is no game or leave for it."""
    assert word.end is not None
    person_id, at = mail.person_id, mail.at
    if word.start is None:
        asked = Leave(person_id, word.end, word.end, "mail", at)
        outcome = await shorten(core, person_id, word.end, "mail", at)
        is_about_none = isinstance(outcome, NotBooked) and outcome.game is None
    else:
        asked = Leave(person_id, word.start, word.end, "mail", at)
        outcome = await book(core, asked)
        is_about_none = isinstance(outcome, NotBooked) and outcome.refusal is None
    if isinstance(outcome, NotBooked) and not is_about_none:
        await mail_leave_outcome(core, asked, outcome, mail.unique)
    return not is_about_none
