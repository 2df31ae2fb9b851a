"""A silence or absence in its case: its drafted reasons, its letters filed (§ 6.3.4, § 6.8.1).

The letters (warning, reminder, report) are filed once sent, so that the case holds what it rests on
as it was read, without the keys with which a reader could move. Not for writing letters
(reflection/silence_letters.py) nor for the ruling (withdrawals.py).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from kskak.cases.commands import SERVER, SettleCase
from kskak.cases.events import CaseKind, PaperKind
from kskak.game import events as ev
from kskak.game.events import MoveSent
from kskak.play.standing_events import in_force, standing
from kskak.reflection.leave import open_pause
from kskak.regulation.quantities import PauseReason
from mail.incoming.inbound import parse
from mail.text.words import Words
from server.store.cases import cases_and_events as case_rows
from server.store.cases import papers as case_letters
from server.store.cases.cases_and_events import CaseRow
from server.store.cases.papers import NewPaper
from server.store.engine.types import DAY_US
from server.store.mail.outbox import OutboxRow
from server.usecases.cases.transaction import Deed, Done, Step, carry_out, filing
from server.usecases.core.case_closing import RETURNED, tell_returned
from server.usecases.core.case_record import games_of
from server.usecases.core.context import Core, poster_of
from server.usecases.core.outbox_letters import Kind
from server.usecases.play.game_views import GameView, game_view


@dataclass(frozen=True, slots=True)
class SilentGame:
    """A game in which a player is silent: against whom, and the days of what has been done.

    ``since``: the other's last move, None where he has yet to begin a game that ``start``ed;
    ``away``: since when he has been out of reach (§ 6.8.1).
    """

    game: str
    other: str
    start: date
    since: date | None
    reminded: date | None
    told: date | None
    away: date | None


def silent_in(view: GameView, person_id: int) -> SilentGame | None:
    """How a player is silent or absent in a game; None if the leader was not told that he is."""
    side, state = view.side_of(person_id), view.account.state
    if side is None or state.result is not None or state.mover is not side:
        return None
    events = [one.event for one in standing(view.events)]
    told = [e.on for e in events if isinstance(e, ev.LeaderTold) and e.by is not side]
    pause = open_pause(state.bookings, PauseReason.BOUNCE)
    is_silent = bool(state.turn.said.leader_told)
    if not is_silent and pause is None:
        return None
    moves = [_sent(e) for e in events if isinstance(e, ev.MoveSent)]
    reminders = [e.on for e in events if isinstance(e, ev.Reminded)]
    return SilentGame(
        game=view.game.name,
        other=view.player(side.other).name,
        start=date.fromisoformat(view.game.start),
        since=moves[-1] if moves else None,
        reminded=reminders[-1] if is_silent and reminders else None,
        told=told[-1] if is_silent and told else None,
        away=None if pause is None else pause.booked.first,
    )


def silent_among(views: Iterable[GameView], person_id: int) -> dict[int, SilentGame]:
    """The games in which a player is silent or absent, by id."""
    found = {view.game.id: silent_in(view, person_id) for view in views}
    return {game: silent for game, silent in found.items() if silent is not None}


def drafted_reasons(games: Iterable[SilentGame], name: str, words: Words) -> str:
    """Why a silent or absent player counts as having left, a line for each game; "" without one.

    The letter itself says what the half rule makes of it (§ 6.2.8).
    """
    found = sorted(games, key=lambda one: (len(one.game), one.game))
    if not found:
        return ""
    lines = [" ".join((f"{one.game}:", *_facts(one, name, words))) for one in found]
    kind = "absent" if all(one.away for one in found) else "reasons"
    return "\n".join((*lines, words(f"desk.silent.{kind}", name=name)))


def _facts(one: SilentGame, name: str, words: Words) -> Iterator[str]:
    """A sentence per day: the last move, the reminder, the report to the leader."""
    first = {"moved": one.since} if one.since else {"began": one.start}
    days = first | {"reminded": one.reminded, "told": one.told, "away": one.away}
    for key, day in days.items():
        if day is not None:
            yield words(f"desk.silent.{key}", day=words.day(day), name=name, other=one.other)


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
        rows = await case_letters.opened_since(conn, _CASES, since)
    for game in dict.fromkeys(game for row in rows for game in games_of(row)):
        await file_letters(core, game)


async def file_letters(core: Core, game_id: int) -> int:
    """File what was sent about a game's latest silence or absence; returns how many papers."""
    async with core.store.read() as conn:
        case = await case_letters.newest_case(conn, game_id, _CASES)
    view = None if case is None else await game_view(core, game_id)
    if case is None or view is None:
        return 0
    async with core.store.read() as conn:
        since = _silent_since(view, case)
        letters = await case_letters.unfiled(conn, case, game_id, FILED, since)
    papers = [_paper(core, row, view.game.name) for row in letters]
    if not papers:
        return 0
    steps = tuple(filing(paper, SERVER) for paper in papers)
    await carry_out(core, Deed(case.id, steps, None, tuple(papers)))
    return len(papers)


def _silent_since(view: GameView, case: CaseRow) -> int:
    """The instant of the move that was unanswered when the game came into the case."""
    known = [(view.rows[place].at_us, event) for place, event in in_force(view.events)]
    told = [at_us for at_us, event in known if isinstance(event, ev.LeaderTold)]
    came = max([case.opened_us, *told[-1:]])
    moves = [at_us for at_us, event in known if isinstance(event, MoveSent)]
    return max((at for at in moves if at <= came), default=0)


def _paper(core: Core, row: OutboxRow, game: str) -> NewPaper:
    return NewPaper(
        kind=PaperKind.LETTER.value,
        title=f"@{row.kind} {game}",
        body=_KEY.sub("…", parse(bytes(row.raw or b"")).text).encode(),
        at_us=row.sent_us or core.now_us,
        outbox_id=row.id,
    )


async def heard_from(core: Core, person_id: int) -> int:
    """Close the open cases about a person's absence; returns how many. Safe to repeat.

    A case whose game the leader has suspended is in the leader's hands and stays open.
    """
    async with core.store.read() as conn:
        rows = await case_rows.open_about(conn, person_id, CaseKind.OFFLINE.value)
    return sum([await _close(core, row) for row in rows if not row.is_suspended])


async def _close(core: Core, row: CaseRow) -> bool:
    def follow(conn: Connection, done: Done) -> None:
        if done.events:
            tell_returned(conn, poster_of(core), done.case, done.state)

    step = Step(lambda _, __: SettleCase(RETURNED), SERVER)
    done = await carry_out(core, Deed(row.id, (step,), None, follow=follow))
    return isinstance(done, Done)
