"""Files and notes added to a case: evidence, scanned papers, an official's own notes (§ 6.3.3.5).

Files are accepted while the case is open, up to a size per person, and the others are notified.
Not for which kinds of files are accepted (postal/scans.py) nor for statements (deeds.py).
"""

from dataclasses import dataclass

from kskak.cases.events import PaperKind
from kskak.cases.refusals import CaseReason, CaseRefusal
from server.store.cases import papers as paper_rows
from server.store.cases.cases_and_events import UnknownCase
from server.store.cases.papers import TEXT, NewPaper, PaperRow
from server.store.play.people import PersonRow
from server.usecases.cases.access import Access, access
from server.usecases.cases.deeds import Outcome, deed_of
from server.usecases.cases.transaction import carry_out, filing
from server.usecases.cases.views import may_read
from server.usecases.core.case_record import CaseWord, Notice
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed

MOST_OF_ONE = 50 * 1024 * 1024
"""Octets that one person may add to one case: ten of the largest files."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file put into a case: evidence, a scan, or an official's own note."""

    kind: PaperKind
    title: str
    body: bytes
    media_type: str = TEXT


async def enclose(core: Core, person: PersonRow, case_id: int, new: Enclosure) -> Outcome:
    """Add a file to the case (§ 6.3.3.5). Raises UnknownCase; NotAllowed for a non-official's note.

    Refused in a closed case, and if the person's files would take up too much space.
    """
    found = await access(core, person, case_id)
    if new.kind is PaperKind.NOTE and not found.is_official:
        raise NotAllowed
    if not await _has_room(core, found, new):
        return CaseRefusal(CaseReason.FULL)
    paper = NewPaper(
        kind=new.kind.value,
        title=new.title,
        body=new.body,
        at_us=core.now_us,
        person_id=person.id,
        media_type=new.media_type,
    )
    notice = None if new.kind is PaperKind.NOTE else Notice(CaseWord.ENCLOSED, person.id, new.title)
    steps = (filing(paper, found.actor),)
    return await carry_out(core, deed_of(core, found, steps, (paper,), notice))


async def _has_room(core: Core, found: Access, new: Enclosure) -> bool:
    async with core.store.read() as conn:
        size = await paper_rows.size_of(conn, found.case.id, found.person.id)
    return size + len(new.body) <= MOST_OF_ONE


async def paper_for(core: Core, person: PersonRow, paper_id: int) -> PaperRow:
    """A paper with its body. Raises UnknownCase if there is no such paper that they may read."""
    async with core.store.read() as conn:
        paper = await paper_rows.find(conn, paper_id)
    if paper is None:
        raise UnknownCase(paper_id)
    found = await access(core, person, paper.case_id)
    if paper.body is None or not may_read(found, paper):
        raise UnknownCase(paper_id)
    return paper
