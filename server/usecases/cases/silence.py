"""Files the letters of a silence in its case: warning, reminder, report (§ 6.3.4, § 6.8.3).

Filed once sent, so that the case holds what it rests on as it was read, without the keys with
which a reader could move. The decision drafted for the leader is filed with the report, as an
officials' note. Not for writing letters (reflection/silence_letters.py).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from kskak.cases.commands import SERVER
from kskak.cases.decisions import FactFound, GameOrder
from kskak.cases.events import CaseKind, PaperKind
from kskak.cases.refusals import CaseRefusal
from kskak.cases.withdrawal import Withdrawal
from kskak.game import events as ev
from kskak.game.events import MoveSent
from kskak.regulation.quantities import Result, Side
from mail.incoming.inbound import parse
from mail.text.words import Words
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_letters
from server.store.cases import papers as paper_rows
from server.store.cases.cases_and_events import CaseRow, UnknownCase
from server.store.cases.papers import NewPaper
from server.store.engine.types import DAY_US
from server.store.mail.outbox import OutboxRow
from server.store.play import people as person_rows
from server.usecases.cases import deciding, withdrawals
from server.usecases.cases.order import Order
from server.usecases.cases.transaction import Deed, carry_out, filing
from server.usecases.core.case_record import state_of
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.game_views import GameView, game_view


@dataclass(frozen=True, slots=True)
class SilentDraft:
    """The findings, a line each; the result, None if the position is adjudicated; the reasons."""

    facts: tuple[str, ...]
    result: Result | None
    reasons: str

    def order(self, game: int, paragraphs: tuple[str, ...], on: date) -> Order:
        """The order that it proposes."""
        lost = self.result and GameOrder(game, ev.ResultRuled(self.result, on, "", ""))
        return Order(
            paragraphs=paragraphs,
            reasons=self.reasons,
            facts=tuple(FactFound(paragraphs[0], text) for text in self.facts),
            games=(lost,) if lost else (),
        )


def silent_draft(
    game: GameView, person_id: int, half: Withdrawal | None, words: Words
) -> SilentDraft | None:
    """The draft against a silent player; None if the silence was not reported to the leader.

    ``half``: the half rule's outcome, as a silent player counts as withdrawn (§ 6.2.8).
    """
    side = game.side_of(person_id)
    told = [one for one in game.events if isinstance(one, ev.LeaderTold)]
    if side is None or half is None or not told or told[-1].by is side:
        return None
    name = game.player(side).name
    key = "loses_all" if half.loses_all else "keeps"
    why = words(f"desk.silent.{key}", finished=half.finished, games=half.games)
    return SilentDraft(
        facts=tuple(_facts(game, side, told[-1], words)),
        result=Result.won_by(side.other) if half.loses_all else None,
        reasons=words("desk.silent.reasons", name=name, half=why),
    )


def _facts(game: GameView, side: Side, told: ev.LeaderTold, words: Words) -> list[str]:
    """One line per day: the last move, the reminder, the report to the leader."""
    place = {"name": game.player(side).name, "other": game.player(side.other).name}
    moves = [_sent(one) for one in game.events if isinstance(one, ev.MoveSent)]
    reminders = [one.on for one in game.events if isinstance(one, ev.Reminded)]
    known = (("moved", moves[-1:]), ("reminded", reminders[-1:]), ("told", [told.on]))
    return [
        words(f"desk.silent.{key}", day=words.day(days[0]), **place)
        for key, days in known
        if days and days[0] is not None
    ]


def _sent(move: ev.MoveSent) -> date | None:
    """The day a move was sent; None for a card whose dates are illegible (§ 6.3.2)."""
    card = move.sent
    return card if isinstance(card, date) else card.postmark or card.stated


FILED = frozenset(
    {
        Kind.THINK_WARNING,
        Kind.CONTROL_WARNING,
        Kind.REMINDER,
        Kind.SILENCE_COPY,
        Kind.SILENCE_TOLD,
        Kind.SILENCE,
        Kind.OFFLINE,
    }
)
"""The letters that are filed."""
DRAFT = "@draft"
_CASES = (CaseKind.SILENCE.value, CaseKind.OFFLINE.value)
_LOOKED_BACK_US = 40 * DAY_US
_KEY = re.compile(r"(?<=[/+])[a-z2-7]{20,}")
"""A key in a link or an address: whoever has it may move or give notice."""


async def file_sent(core: Core, sent: Iterable[OutboxRow]) -> None:
    """File the letters of silence that have just gone, where there is a case to file them in."""
    games = {row.game_id for row in sent if row.kind in FILED and row.game_id is not None}
    for game in sorted(games):
        await file_letters(core, game)


async def file_recent(core: Core) -> None:
    """The daily check for letters that a crash left unfiled."""
    async with core.store.read() as conn:
        since = core.now_us - _LOOKED_BACK_US
        games = await case_letters.opened_since(conn, _CASES, since)
    for game in games:
        await file_letters(core, game)


async def file_letters(core: Core, game_id: int) -> int:
    """File what was sent about a game's latest silence or absence; returns how many papers."""
    async with core.store.read() as conn:
        case = await case_letters.newest_case(conn, game_id, _CASES)
    view = None if case is None else await game_view(core, game_id)
    if case is None or view is None:
        return 0
    async with core.store.read() as conn:
        letters = await case_letters.unfiled(conn, case, FILED, _silent_since(view, case))
        known = {paper.title for paper in await paper_rows.of_case(conn, case.id)}
    papers = [_paper(core, row) for row in letters]
    is_reported = any(row.kind == Kind.SILENCE for row in letters)
    if is_reported and DRAFT not in known:
        papers += await _draft(core, case, view)
    if not papers:
        return 0
    steps = tuple(filing(paper, SERVER) for paper in papers)
    await carry_out(core, Deed(case.id, steps, None, tuple(papers)))
    return len(papers)


def _silent_since(view: GameView, case: CaseRow) -> int:
    """The instant of the move that was unanswered when the case was opened."""
    moves = [row.at_us for row in view.rows if isinstance(row.event, MoveSent)]
    return max((at for at in moves if at <= case.opened_us), default=0)


def _paper(core: Core, row: OutboxRow) -> NewPaper:
    return NewPaper(
        kind=PaperKind.LETTER.value,
        title=f"@{row.kind}",
        body=_KEY.sub("…", parse(bytes(row.raw or b"")).text).encode(),
        at_us=row.sent_us or core.now_us,
        outbox_id=row.id,
    )


async def _draft(core: Core, case: CaseRow, view: GameView) -> list[NewPaper]:
    """The decision drafted for the leader, in their language; none if they may not decide."""
    async with core.store.read() as conn:
        leader = await person_rows.find(conn, case.tl_id)
    if leader is None:
        return []
    half = await withdrawals.of_silent(core, case)
    drafted = silent_draft(view, case.person_id or 0, half, Words.load(leader.lang))
    if drafted is None:
        return []
    order = drafted.order(view.game.id, await _paragraphs(core, case), core.today(case.zone))
    try:
        letter = await deciding.draft_letter(core, leader, case.id, order, leader.lang)
    except (NotAllowed, UnknownCase):
        return []
    if isinstance(letter, CaseRefusal):
        return []
    note, at = PaperKind.NOTE.value, core.now_us
    return [NewPaper(kind=note, title=DRAFT, body=letter.text.encode(), at_us=at)]


async def _paragraphs(core: Core, case: CaseRow) -> tuple[str, ...]:
    """The paragraphs that the case is about."""
    async with core.store.read() as conn:
        return state_of(await case_rows.events_of(conn, case.id)).opened.paragraphs
