"""A player's objection to what was taken over of a game (reading of § 6.4.5, § 6.4.1).

By mail, page or API, it opens a case before the leader or is added to the open one; after 14 days
none is accepted. The game goes on meanwhile, unless the leader suspends it. Not for the statements
themselves (starts/takeover_letters_out.py).
"""

from datetime import datetime

from sqlalchemy import Connection

from kskak.cases.commands import Actor, FilePaper
from kskak.cases.decide import after, decide_case
from kskak.cases.events import CaseKind, PaperKind
from kskak.cases.refusals import CaseReason, CaseRefusal
from kskak.cases.state import CaseState
from kskak.game.events import TakenOver
from kskak.regulation.days import local_day
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_papers
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.errors import UnknownGame
from server.store.engine.types import to_us
from server.store.groups.takeovers import CHANNEL
from server.store.mail import batch as ledger
from server.store.play import games as game_rows
from server.store.play.games import EventRow, GameRow, events_of
from server.store.play.people import PersonRow
from server.usecases.core.case_opening import Opening, evidence, open_in
from server.usecases.core.case_record import (
    CaseWord,
    Notice,
    append_to,
    notices,
    officials_in,
    state_of,
)
from server.usecases.core.context import Core, poster_of
from server.usecases.core.team_captains import captains_in

PARAGRAPHS = ("6.4.1", "6.4.5")
LONGEST = 20_000


def takeover_of(rows: tuple[EventRow, ...]) -> TakenOver | None:
    """The takeover of a game, if it was taken over."""
    for row, event in zip(rows, events_of(rows), strict=True):
        if row.channel == CHANNEL and isinstance(event, TakenOver):
            return event
    return None


async def object_to(
    core: Core,
    person: PersonRow,
    game: GameRow,
    text: str,
    mail: tuple[int, datetime] | None = None,
) -> CaseRow | CaseRefusal:
    """Open the case, or add to the open one. Raises UnknownGame if the person is not a player.

    ``mail``: its inbox row and the instant that counts for it; the same mail is filed once.
    """
    if game.side_of(person.id) is None:
        raise UnknownGame(game.id)
    inbox_id, at = mail if mail is not None else (None, core.clock.now())
    async with core.store.read() as conn:
        taken = takeover_of(await game_rows.history(conn, game.id))
    if taken is None:
        return CaseRefusal(CaseReason.NOT_TAKEN_OVER)
    if not taken.may_be_objected_to(local_day(at, game.zone)):
        return CaseRefusal(CaseReason.TAKEOVER_LATE, until=taken.objections_until)
    paper = NewPaper(
        kind=(PaperKind.STATEMENT if inbox_id is None else PaperKind.MAIL).value,
        title="",
        body=text.strip()[:LONGEST].encode(),
        at_us=to_us(at),
        person_id=person.id,
        inbox_id=inbox_id,
    )
    now = core.clock.now()
    return await core.writer.transact(lambda conn: _write(conn, core, game, paper, now))


def _write(
    conn: Connection, core: Core, game: GameRow, paper: NewPaper, now: datetime
) -> CaseRow | CaseRefusal:
    """The case and its letters, in one transaction."""
    ledger.lock_games(conn, [game.id])  # both may object at once: one case
    known = case_rows.open_of_game(conn, game.id, CaseKind.TAKEOVER.value)
    if known is not None:
        return _file(conn, core, known.id, paper, now)
    opening = Opening(
        kind=CaseKind.TAKEOVER,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=f"@{CaseKind.TAKEOVER.value}",
        paragraphs=PARAGRAPHS,
        games=(game.id,),
    )
    papers = [evidence(conn, game, now, None), paper]
    opened = open_in(conn, opening, now, Actor(paper.person_id), papers)
    if isinstance(opened, CaseRefusal):
        return opened
    case, state = opened
    _tell(conn, core, (case, state), CaseWord.OPENED, paper)
    return case


def _file(
    conn: Connection, core: Core, case_id: int, paper: NewPaper, now: datetime
) -> CaseRow | CaseRefusal:
    case = case_rows.lock(conn, case_id)
    if paper.inbox_id is not None and case_papers.is_filed(conn, case.id, paper.inbox_id):
        return case
    state = state_of(case_rows.history(conn, case.id))
    filing = FilePaper(PaperKind(paper.kind), paper.digest.hex())
    filed = decide_case(state, filing, local_day(now, case.zone), Actor(paper.person_id))
    if isinstance(filed, CaseRefusal):
        return filed
    append_to(conn, case, after(state, filed), filed, (to_us(now), paper.person_id))
    case_papers.add(conn, case.id, paper)
    case = case_rows.lock(conn, case.id)
    _tell(conn, core, (case, after(state, filed)), CaseWord.SAID, paper)
    return case


def _tell(
    conn: Connection, core: Core, at: tuple[CaseRow, CaseState], word: CaseWord, paper: NewPaper
) -> None:
    """Tell players, captains and leader; the objector only of the opening, as confirmation."""
    case, state = at
    parties = state.opened.parties
    captains = captains_in(conn, case.group_id, parties, core.now_us)
    told = [*parties, *officials_in(conn, case, state, core.now_us), *captains]
    if word is not CaseWord.OPENED:
        told = [who for who in told if who != paper.person_id]
    notice = Notice(word, paper.person_id, text=paper.body.decode())
    ledger.write_outbox(conn, notices(poster_of(core), case, notice, told))
