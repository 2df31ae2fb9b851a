"""An appeal by mail: lodged as of its arrival, or asked about (§ 6.4.3).

«anker afgørelsen» in a mail whose subject names the case, or that answers a letter about it or
about a game with one such case. A mail that merely mentions an appeal is filed as a statement and
asked about once; a «ja» to that counts from the day the first mail arrived. Not for the appeal
itself (cases/appealing.py) nor for other mail in a case (mailed_papers.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cases.events import Appealed, PaperKind
from kskak.cases.state import CaseStage, CaseState
from kskak.regulation.days import local_day
from mail.grammar.keywords import Word, is_appeal, may_be_appeal, read_keyword
from mail.office_letters.cases import case_refusal_text
from mail.text.words import Words
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_papers
from server.store.cases.cases_and_events import CaseRow, UnknownCase
from server.store.engine.types import from_us
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import people as person_rows
from server.usecases.cases.access import Access, access
from server.usecases.cases.appealing import Lodging, appeal
from server.usecases.cases.transaction import Done
from server.usecases.core.case_record import CaseWord, Notice, notices
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_params import params_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.mail.answered_letter import answered_letter, letters_of_own_address
from server.usecases.mail.mailed_papers import file_mail, number_in
from server.usecases.mail.opened_mail import Opened

APPEALED, ASKED, REFUSED = "appealed", "appeal_asked", "appeal_refused"
"""The outcomes of such a mail."""
_OPEN = (CaseStage.DECIDED, CaseStage.APPEALED, CaseStage.FINAL)


@dataclass(frozen=True, slots=True)
class _Mailed:
    """What one person mailed, and the day that counts for it in a case's zone."""

    core: Core
    opened: Opened
    person_id: int

    def day(self, case: CaseRow) -> date:
        """The day of arrival: the date of the appeal (§ 6.4.3)."""
        return local_day(self.opened.at, case.zone)


async def number_of(core: Core, opened: Opened) -> str | None:
    """The case that a mail's subject names, or whose letter it answers."""
    mail, named = opened.mail, number_in(opened.mail)
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
    if letter.kind not in (Kind.CASE, Kind.DECISION):
        return None
    found = params_of(letter).get("case")
    return found if isinstance(found, int) else None


async def appeal_by_mail(
    core: Core, opened: Opened, person_id: int, game_id: int | None = None
) -> str | None:
    """Handle a mail that appeals, or may; its outcome, or None if it does neither (§ 6.4.3).

    ``game_id``: the game whose letter it answers, where it names no case. An unmistakable word
    with one possible case is an appeal; with several, the sender is asked which.
    """
    mailed = _Mailed(core, opened, person_id)
    clear, maybe = is_appeal(opened.words), may_be_appeal(opened.words)
    if not (clear or maybe or _says_yes(mailed)):
        return None
    number = await number_of(core, opened)
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
        person = await person_rows.find(conn, mailed.person_id)
        if number is not None:
            named = await case_rows.by_number(conn, number)
            rows = [] if named is None else [named]
        else:
            listed = await case_rows.listed(conn, is_open=True, limit=100_000)
            rows = [row for row in listed if row.state in _OPEN]
            rows = [row for row in rows if row.game_id == game_id] or rows
    found: list[Access] = []
    for row in rows if person is not None else ():
        assert person is not None
        try:
            one = await access(core, person, row.id)
        except UnknownCase:
            continue
        is_open = one.state.stage in _OPEN and not _has_appealed(one.state, mailed.person_id)
        if one.is_party and is_open:
            found.append(one)
    return found


async def _answered(mailed: _Mailed, found: Access, *, maybe: bool) -> str | None:
    """Handle a «ja» to the question; or ask about a mail that mentions an appeal.

    A «ja» that answers another letter of the case, or none, is asked what it is meant for.
    """
    if _says_yes(mailed):
        first = await _first_asked(mailed, found)
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
    return params_of(letter).get("word") == CaseWord.APPEAL_ASKED


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


async def _first_asked(mailed: _Mailed, found: Access) -> tuple[date, str] | None:
    """Day and words of the sender's first mail since the decision that may be an appeal."""
    latest = found.state.latest
    async with mailed.core.store.read() as conn:
        papers = await case_papers.of_case(conn, found.case.id)
    for paper in papers:
        day = local_day(from_us(paper.at_us), found.case.zone)
        is_his = paper.kind == PaperKind.MAIL and paper.person_id == mailed.person_id
        if latest is None or not is_his or day < latest.on or paper.body is None:
            continue
        said = paper.body.decode()
        if is_appeal(said) or may_be_appeal(said):
            return day, said
    return None


def _has_appealed(state: CaseState, person_id: int) -> bool:
    return any(isinstance(one, Appealed) and one.by == person_id for one in state.appeals)


async def _lodge(mailed: _Mailed, found: Access, on: date, text: str) -> str:
    """Lodge the appeal, dated by its arrival; if refused, file the mail and answer why."""
    core, case = mailed.core, found.case
    done = await appeal(core, found.person, case.id, text, lodging=Lodging(on=on))
    if isinstance(done, Done):
        await _write(mailed, found, Notice(CaseWord.APPEAL_TAKEN, None, until=on))
        return APPEALED
    await file_mail(core, mailed.opened, mailed.person_id, case.number)
    said = case_refusal_text(done, Words.load(found.person.lang))
    await _write(mailed, found, Notice(CaseWord.APPEAL_NOT_TAKEN, None, said, on))
    return REFUSED


async def _ask(mailed: _Mailed, found: Access) -> None:
    """File the mail, and ask whether it is an appeal; its date is kept (§ 6.4.3)."""
    await file_mail(mailed.core, mailed.opened, mailed.person_id, found.case.number)
    notice = Notice(CaseWord.APPEAL_ASKED, None, until=mailed.day(found.case))
    await _write(mailed, found, notice)


async def _write(mailed: _Mailed, found: Access, notice: Notice) -> None:
    """Write a letter to the sender alone, once for each mail."""
    core = mailed.core
    async with core.store.write() as conn:
        case = await case_rows.load(conn, found.case.id)
        assert case is not None
        letters = notices(poster_of(core), case, notice, [mailed.person_id])
        await outbox_rows.enqueue(conn, list(letters))
