"""A case with everything its page shows: account, papers, mails, history (§ 6.4.1).

Reading only. Officials see the mails as they came; a party sees when each went and came, and
his own mails. Not for what is done in a case (cases.py, rulings.py).
"""

from dataclasses import dataclass
from datetime import date

from kskak.case_events import CaseEvent
from kskak.case_journal import load_case_event
from kskak.case_refusals import CaseRefusal
from kskak.case_state import ENDS, CaseState
from kskak.verdicts import may_act
from server.store import case_papers, evidence
from server.store import cases as case_rows
from server.store import games as game_rows
from server.store import inbox as inbox_rows
from server.store import people as person_rows
from server.store.case_papers import PaperRow
from server.store.cases import CaseRow
from server.store.evidence import MailIn, MailOut
from server.store.games import GameRow
from server.store.people import PersonRow
from server.usecases.case_access import Access, access
from server.usecases.core import Core
from server.usecases.views import GameView, game_view


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the case's history."""

    seq: int
    at_us: int
    actor_id: int | None
    event: CaseEvent


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case as one person sees it. ``view`` is the game that is looked at, if there is one."""

    found: Access
    today: date
    entries: tuple[Entry, ...]
    papers: tuple[PaperRow, ...]
    games: tuple[GameRow, ...]
    view: GameView | None
    mails_in: tuple[MailIn, ...]
    mails_out: tuple[MailOut, ...]
    people: dict[int, PersonRow]

    @property
    def case(self) -> CaseRow:
        """The case's row."""
        return self.found.case

    @property
    def state(self) -> CaseState:
        """The case as it stands."""
        return self.found.state

    @property
    def is_official(self) -> bool:
        """Whether the reader sees it for his office."""
        return self.found.is_official

    @property
    def is_open(self) -> bool:
        """Whether anything can still happen in it."""
        return self.state.stage not in ENDS

    @property
    def bar(self) -> CaseRefusal | None:
        """Why the reader may not lead the case now; None when he may (§ 6.4.1)."""
        return may_act(self.state, self.found.actor)

    def name(self, person_id: int | None) -> str:
        """A person's name; "" for the server."""
        return self.people[person_id].name if person_id in self.people else ""


async def case_view(
    core: Core, viewer: PersonRow, number: str, game_id: int | None = None
) -> CaseView | None:
    """A case by its number; None where there is none. Raises UnknownCase for a stranger's."""
    async with core.store.read() as conn:
        row = await case_rows.by_number(conn, number)
    if row is None:
        return None
    found = await access(core, viewer, row.id)
    ids = found.state.opened.games
    async with core.store.read() as conn:
        entries = tuple(
            Entry(one.seq, one.at_us, one.actor_id, load_case_event(one.body))
            for one in await case_rows.events_of(conn, row.id)
        )
        papers = await case_papers.of_case(conn, row.id)
        games = await game_rows.load_many(conn, ids)
        mails_in = await evidence.mails_in(conn, ids)
        mails_out = await evidence.mails_out(conn, ids)
        known = _named(found, entries, papers, mails_out)
        people = await person_rows.by_ids(conn, known)
    looked_at = game_id if game_id in ids else next(iter(ids), None)
    view = None if looked_at is None else await game_view(core, looked_at)
    mine = found.is_official
    return CaseView(
        found=found,
        today=core.today(row.zone),
        entries=entries,
        papers=tuple(p for p in papers if mine or p.kind != "note"),
        games=games,
        view=view,
        mails_in=mails_in,
        mails_out=mails_out,
        people=people,
    )


def _named(
    found: Access,
    entries: tuple[Entry, ...],
    papers: tuple[PaperRow, ...],
    mails: tuple[MailOut, ...],
) -> set[int]:
    opened = found.state.opened
    ids: set[int | None] = {*opened.parties, *opened.concerned, found.case.tl_id, found.person.id}
    ids |= {entry.actor_id for entry in entries} | {paper.person_id for paper in papers}
    ids |= {mail.person_id for mail in mails}
    return {person for person in ids if person is not None}


async def raw_mail(core: Core, view: CaseView, mail_id: int) -> bytes | None:
    """A mail of the case as it came; None where it is none that the reader may see.

    A party sees his own only: a mail's address holds its sender's key (REGULATION).
    """
    known = {mail.id: mail for mail in view.mails_in}
    mail = known.get(mail_id)
    if mail is None or not (view.is_official or mail.person_id == view.found.person.id):
        return None
    async with core.store.read() as conn:
        row = await inbox_rows.find(conn, mail_id)
    return None if row is None else bytes(row.raw)


async def paper_of(core: Core, view: CaseView, paper_id: int) -> PaperRow | None:
    """A paper of the case that the reader may see."""
    return next((paper for paper in view.papers if paper.id == paper_id), None)
