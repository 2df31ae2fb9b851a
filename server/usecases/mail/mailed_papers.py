"""Filing a mail whose subject names a case's number in that case, as a paper (§ 6.4.1).

From a party or an official of the case: what one writes, the others get to read. Mail from
anyone else concerns no case. Not for whose mail it is (sort_mail.py).
"""

from sqlalchemy import Connection

from kskak.cases.events import PaperKind
from mail.grammar.keywords import case_number
from mail.incoming.inbound import ParsedMail
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_papers
from server.store.cases.cases_and_events import UnknownCase
from server.store.cases.papers import NewPaper
from server.store.engine.types import to_us
from server.store.play import people as person_rows
from server.usecases.cases.access import access
from server.usecases.cases.deeds import deed_of
from server.usecases.cases.transaction import Done, carry_out, filing
from server.usecases.core.case_record import CaseWord, Notice
from server.usecases.core.context import Core
from server.usecases.mail.opened_mail import Opened

LONGEST = 20_000


def number_in(mail: ParsedMail) -> str | None:
    """The case that a mail's subject names."""
    return case_number(mail.subject)


async def file_mail(core: Core, opened: Opened, person_id: int, number: str) -> bool:
    """File a mail in the case; False when there is no such case that the sender takes part in.

    The same mail is filed once, however often it is processed.
    """
    async with core.store.read() as conn:
        case = await case_rows.by_number(conn, number)
        person = await person_rows.find(conn, person_id)
        known = case is not None and await conn.run_sync(_is_filed, case.id, opened.row.id)
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
    notice = Notice(CaseWord.SAID, person.id, text=words)
    steps = (filing(paper, found.actor),)
    done = await carry_out(core, deed_of(core, found, steps, (paper,), notice))
    return isinstance(done, Done)


def _is_filed(conn: Connection, case_id: int, inbox_id: int) -> bool:
    return case_papers.is_filed(conn, case_id, inbox_id)
