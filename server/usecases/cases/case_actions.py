"""What people do in a case apart from deciding it: open, speak, ask, suspend, close (§ 6.4.1).

Each is one transaction with its letters; a refusal names its paragraph. Not for decisions
(case_decisions.py), appeals (appeals.py) nor pages (case_views.py).
"""

from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection

from kskak.cases import case as case_commands
from kskak.cases.case import Actor, CaseReason, CaseRefusal, CaseState, FilePaper, WidenCase
from kskak.cases.case_events import CaseKind, PaperKind
from kskak.cases.decide_case import apply_case_events, decide_case, may_act
from kskak.game.game_events import TakenOver
from kskak.regulation.days import local_day, may_object
from kskak.regulation.editions import Regulation
from mail.game_letters.no_move_letters import PARAGRAPHS as TROUBLE_PARAGRAPHS
from mail.office_letters.case_letters import CaseWord
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases import publications as publication_rows
from server.store.cases.cases import CaseRow, UnknownCase
from server.store.cases.papers import TEXT, NewPaper, PaperRow
from server.store.engine.connection import UnknownGame
from server.store.engine.rows import to_us
from server.store.groups import CHANNEL, SeatRow
from server.store.mail import batch as batch_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import games as game_rows
from server.store.play.games import EventRow, GameRow, read_events
from server.store.play.people import PersonRow
from server.usecases.cases.case_letter_facts import heard_from
from server.usecases.cases.case_transaction import (
    CaseCommandStep,
    CaseOutcome,
    CaseTransaction,
    filing,
    notices_to_others,
    run_transaction,
)
from server.usecases.cases.case_views import may_read
from server.usecases.cases.evidence import Access, access
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import CaseOpening, evidence, open_in
from server.usecases.games.case_record import (
    CaseNews,
    append_to,
    captains_in,
    notices,
    officials_in,
    state_of,
)
from server.usecases.rights import NoSuch, NotAllowed, rights

# A player's objection to what was taken over of a game (reading of § 6.4.5, § 6.4.1).

PARAGRAPHS = ("6.4.1", "6.4.5")
LONGEST = 20_000


def takeover_of(rows: tuple[EventRow, ...]) -> TakenOver | None:
    """The takeover of a game, if it was taken over."""
    for row, event in zip(rows, read_events(rows), strict=True):
        if row.channel == CHANNEL and isinstance(event, TakenOver):
            return event
    return None


async def object_to_takeover(
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
    batch_rows.lock_games(conn, [game.id])  # both may object at once: one case
    known = case_rows.open_of_game(conn, game.id, CaseKind.TAKEOVER.value)
    if known is not None:
        return _file(conn, core, known.id, paper, now)
    opening = CaseOpening(
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
    _notify_parties(conn, core, (case, state), CaseWord.OPENED, paper)
    return case


def _file(
    conn: Connection, core: Core, case_id: int, paper: NewPaper, now: datetime
) -> CaseRow | CaseRefusal:
    case = case_rows.lock(conn, case_id)
    if paper.inbox_id is not None and paper_rows.is_mail_filed(conn, case.id, paper.inbox_id):
        return case
    state = state_of(case_rows.history(conn, case.id))
    filing = FilePaper(PaperKind(paper.kind), paper.digest.hex())
    filed = decide_case(state, filing, local_day(now, case.zone), Actor(paper.person_id))
    if isinstance(filed, CaseRefusal):
        return filed
    append_to(conn, case, apply_case_events(state, filed), filed, (to_us(now), paper.person_id))
    paper_rows.add_paper(conn, case.id, paper)
    case = case_rows.lock(conn, case.id)
    _notify_parties(conn, core, (case, apply_case_events(state, filed)), CaseWord.SAID, paper)
    return case


def _notify_parties(
    conn: Connection, core: Core, at: tuple[CaseRow, CaseState], word: CaseWord, paper: NewPaper
) -> None:
    """Tell players, captains and leader; the objector only of the opening, as confirmation."""
    case, state = at
    parties = state.opened.parties
    captains = captains_in(conn, case.group_id, parties, core.now_us)
    told = [*parties, *officials_in(conn, case, state, core.now_us), *captains]
    if word is not CaseWord.OPENED:
        told = [who for who in told if who != paper.person_id]
    notice = CaseNews(word, paper.person_id, text=paper.body.decode())
    batch_rows.write_outbox(conn, notices(poster_of(core), case, notice, told))


# What people do in a case apart from deciding it: open, speak, ask, suspend, close (§ 6.4.1).

Outcome = CaseOutcome | CaseRefusal


def statement(person_id: int | None, text: str, at_us: int, title: str = "") -> NewPaper:
    """What somebody says, as a paper."""
    kind = PaperKind.STATEMENT.value
    return NewPaper(kind=kind, title=title, body=text.encode(), at_us=at_us, person_id=person_id)


async def open_case(
    core: Core, person: PersonRow, opening: CaseOpening, text: str = ""
) -> CaseRow | CaseRefusal:
    """Open a case: by a party's objection or protest, or by an official (§ 6.4.1).

    ``text`` is a statement. Raises NotAllowed for others, NoSuch for a wrong game or party.
    """
    held = await rights(core, person)
    if person.id not in opening.parties and not held.speaks_for(opening.group_id):
        raise NotAllowed
    now, now_us = core.clock.now(), core.now_us
    if opening.kind is CaseKind.RESULT and not held.speaks_for(opening.group_id):
        late = await _late_objection(core, opening)
        if late is not None:
            return late
    async with core.store.read() as conn:
        games = await game_rows.load_many(conn, opening.games)
        seated = {seat.person_id for seat in await group_rows.seats_of(conn, opening.group_id)}
    if len(games) != len(set(opening.games)) or any(g.group_id != opening.group_id for g in games):
        raise NoSuch("games")
    if not {*opening.parties, *opening.concerned} <= seated:
        raise NoSuch("parties")

    def work(conn: Connection) -> CaseRow | CaseRefusal:
        papers = [evidence(conn, game, now, None) for game in games]
        if text.strip():
            papers.append(statement(person.id, text.strip(), now_us))
        opened = open_in(conn, opening, now, held.actor(opening.group_id), papers)
        if isinstance(opened, CaseRefusal):
            return opened
        case, state = opened
        announce_case(
            conn, core, case, state, CaseNews(CaseWord.OPENED, person.id, text=text.strip())
        )
        return case

    return await core.writer.transact(work)


async def _late_objection(core: Core, opening: CaseOpening) -> CaseRefusal | None:
    """The refusal of an objection to a result published more than 14 days ago (§ 6.4.5)."""
    async with core.store.read() as conn:
        day = await publication_rows.objections_until(conn, opening.group_id, opening.games)
    until = None if day is None else date.fromisoformat(day)
    if until is None or may_object(until, core.today(opening.zone)):
        return None
    return CaseRefusal(CaseReason.OBJECTION_LATE, until)


def announce_case(
    conn: Connection, core: Core, case: CaseRow, state: CaseState, notice: CaseNews
) -> None:
    """The letters of a new case: to the parties, their captains, and its officials (§ 6.4.1)."""
    parties = state.opened.parties
    captains = captains_in(conn, case.group_id, parties, core.now_us)
    told = [*parties, *officials_in(conn, case, state, core.now_us), *captains]
    batch_rows.write_outbox(conn, notices(poster_of(core), case, notice, told))


@dataclass(frozen=True, slots=True)
class Objection:
    """What a player protests against in a game: the days, a charge, a result (§ 6.4.1, § 6.4.5)."""

    game_id: int
    kind: CaseKind
    text: str


_PARAGRAPHS = {
    CaseKind.OVERSTEP: ("6.3.3",),
    CaseKind.DAYS: ("6.3.1",),
    CaseKind.FAULTY: ("6.3.5.1", "6.8.6"),
    CaseKind.SILENCE: ("6.3.4", "6.8.3"),
    CaseKind.WITHDRAWAL: ("6.2.8",),
    CaseKind.ADJUDICATION: ("6.2.7",),
    CaseKind.CONDUCT: ("6.4.2",),
    CaseKind.LEAVE: ("6.3.6",),
    CaseKind.RESULT: ("6.4.5",),
    CaseKind.OFFLINE: ("6.8.1",),
    CaseKind.TAKEOVER: PARAGRAPHS,
    CaseKind.OTHER: ("6.4.1",),
}


def paragraphs_of(kind: CaseKind) -> tuple[str, ...]:
    """The paragraphs a case of a kind is about by default (§ 6.4.1)."""
    return _PARAGRAPHS[kind]


def paragraphs_in(game: GameRow, kind: CaseKind) -> tuple[str, ...]:
    """The same for a case about one game: for a disputed overstep, the game's rule set decides."""
    if kind is CaseKind.OVERSTEP:
        return TROUBLE_PARAGRAPHS[Regulation(game.regulation)]
    return paragraphs_of(kind)


async def object_to(core: Core, person: PersonRow, objection: Objection) -> CaseRow | CaseRefusal:
    """A player's objection in their own game, or an official's (§ 6.4.1).

    Raises UnknownGame if there is no such game that they may speak about.
    """
    async with core.store.read() as conn:
        game = await game_rows.load(conn, objection.game_id)
    if game is None:
        raise UnknownGame(objection.game_id)
    if objection.kind is CaseKind.TAKEOVER:
        return await object_to_takeover(core, person, game, objection.text)
    opening = CaseOpening(
        kind=objection.kind,
        group_id=game.group_id,
        zone=game.zone,
        parties=(game.white_id, game.black_id),
        question=f"@{objection.kind.value}",
        paragraphs=paragraphs_in(game, objection.kind),
        games=(game.id,),
    )
    try:
        return await open_case(core, person, opening, objection.text)
    except NotAllowed:
        raise UnknownGame(objection.game_id) from None


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint about a person in a group, covering all that person's games there (§ 6.4.2)."""

    group_id: int
    about: int
    kind: CaseKind
    text: str


async def complain(core: Core, person: PersonRow, complaint: Complaint) -> CaseRow | CaseRefusal:
    """A complaint by another player of the group, or an official's own case (§ 6.4.2).

    The person's opponents are concerned: it may affect their games. Raises NotAllowed for
    somebody with no part in the group, NoSuch if the person has no game.
    """
    group_id, about = complaint.group_id, complaint.about
    held = await rights(core, person)
    is_official = held.speaks_for(group_id)
    if not is_official and (group_id not in held.plays or person.id == about):
        raise NotAllowed
    async with core.store.read() as conn:
        rows = await game_rows.list_group_games(conn, group_id)
    games = [row for row in rows if about in (row.white_id, row.black_id)]
    if not games:
        raise NoSuch("person")
    parties = (about,) if is_official else (person.id, about)
    others = {row.white_id for row in games} | {row.black_id for row in games}
    opening = CaseOpening(
        kind=complaint.kind,
        group_id=group_id,
        zone=games[0].zone,
        parties=parties,
        question=f"@{complaint.kind.value}",
        paragraphs=paragraphs_of(complaint.kind),
        games=tuple(row.id for row in games),
        concerned=tuple(sorted(others - set(parties))),
        about=about,
    )
    return await open_case(core, person, opening, complaint.text)


async def _do(
    core: Core,
    found: Access,
    command: case_commands.CaseCommand,
    notice: CaseNews | None = None,
    papers: tuple[NewPaper, ...] = (),
) -> Outcome:
    """One command with its papers; the others in the case are notified."""
    actor = found.actor
    steps = (
        CaseCommandStep(lambda _, __: command, actor),
        *(filing(paper, actor) for paper in papers),
    )
    return await run_transaction(core, build_transaction(core, found, steps, papers, notice))


def build_transaction(
    core: Core,
    found: Access,
    steps: tuple[CaseCommandStep, ...],
    papers: tuple[NewPaper, ...] = (),
    notice: CaseNews | None = None,
) -> CaseTransaction:
    """Steps as one deed; ``notice`` goes to all others in the case if anything happened."""
    poster = poster_of(core)

    def letters(conn: Connection, done: CaseOutcome) -> tuple[NewOutbox, ...]:
        if notice is None or not done.events:
            return ()
        return notices_to_others(conn, poster, done, notice)

    return CaseTransaction(found.case.id, steps, found.person.id, papers, letters)


async def speak(core: Core, person: PersonRow, case_id: int, text: str, title: str = "") -> Outcome:
    """A statement by a party or an official, sent to the others (§ 6.4.1).

    Raises UnknownCase; ValueError for an empty text.
    """
    if not text.strip():
        raise ValueError("text")
    found = await access(core, person, case_id)
    paper = statement(person.id, text.strip(), core.now_us, title)
    notice = CaseNews(CaseWord.SAID, person.id, text=text.strip())
    steps = (filing(paper, found.actor),)
    done = await run_transaction(core, build_transaction(core, found, steps, (paper,), notice))
    await heard_from(core, person.id)
    return done


async def ask_parties(
    core: Core, person: PersonRow, case_id: int, until: date, asked: tuple[int, ...] = ()
) -> Outcome:
    """Ask the parties for statements by a day, that day included (§ 6.4.1)."""
    found = await access(core, person, case_id)
    notice = CaseNews(CaseWord.HEARING, person.id, until=until)
    return await _do(core, found, case_commands.AskParties(until, asked), notice)


async def close_hearing(core: Core, person: PersonRow, case_id: int, reason: str = "") -> Outcome:
    """End the hearing: all have spoken, their time is up, or for the reason given."""
    found = await access(core, person, case_id)
    return await _do(core, found, case_commands.CloseHearing(reason))


async def suspend(core: Core, person: PersonRow, case_id: int, games: tuple[int, ...]) -> Outcome:
    """Stop time in games of the case while it is pending (§ 6.4.1)."""
    found = await access(core, person, case_id)
    return await _do(
        core, found, case_commands.SuspendGames(games), CaseNews(CaseWord.SUSPENDED, person.id)
    )


async def lift(core: Core, person: PersonRow, case_id: int) -> Outcome:
    """Let time run again from today (§ 6.4.1)."""
    found = await access(core, person, case_id)
    return await _do(
        core, found, case_commands.LiftSuspension(), CaseNews(CaseWord.LIFTED, person.id)
    )


async def close_case(core: Core, person: PersonRow, case_id: int, note: str) -> Outcome:
    """Close the case without a decision, with a note saying why (§ 6.4.1)."""
    found = await access(core, person, case_id)
    return await _do(
        core, found, case_commands.SettleCase(note), CaseNews(CaseWord.SETTLED, person.id, note)
    )


async def withdraw(core: Core, person: PersonRow, case_id: int) -> Outcome:
    """Withdraw the case, as its claimant; one opened by the server, as whoever leads it."""
    found = await access(core, person, case_id)
    return await _do(
        core, found, case_commands.WithdrawCase(), CaseNews(CaseWord.WITHDRAWN, person.id)
    )


# Files and notes added to a case: evidence, scanned papers, an official's own notes (§ 6.3.3.5).

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
    notice = (
        None if new.kind is PaperKind.NOTE else CaseNews(CaseWord.ENCLOSED, person.id, new.title)
    )
    steps = (filing(paper, found.actor),)
    return await run_transaction(core, build_transaction(core, found, steps, (paper,), notice))


async def _has_room(core: Core, found: Access, new: Enclosure) -> bool:
    async with core.store.read() as conn:
        size = await paper_rows.size_of(conn, found.case.id, found.person.id)
    return size + len(new.body) <= MOST_OF_ONE


async def paper_for(core: Core, person: PersonRow, paper_id: int) -> PaperRow:
    """A paper with its body. Raises UnknownCase if there is no such paper that they may read."""
    async with core.store.read() as conn:
        paper = await paper_rows.find_paper(conn, paper_id)
    if paper is None:
        raise UnknownCase(paper_id)
    found = await access(core, person, paper.case_id)
    if paper.body is None or not may_read(found, paper):
        raise UnknownCase(paper_id)
    return paper


# Adds further games and persons of a group to a case, for whoever leads it (§ 6.4.1).


@dataclass(frozen=True, slots=True)
class WideningOptions:
    """What could be added: games and players of the group that are not in the case yet."""

    games: tuple[GameRow, ...]
    players: tuple[SeatRow, ...]


async def wider(core: Core, group_id: int, state: CaseState) -> WideningOptions:
    """What whoever leads the case can choose from."""
    opened = state.opened
    async with core.store.read() as conn:
        games = await game_rows.list_group_games(conn, group_id)
        seats = await group_rows.seats_of(conn, group_id)
    return WideningOptions(
        tuple(game for game in games if game.id not in opened.games),
        tuple(seat for seat in seats if seat.person_id not in opened.parties),
    )


async def widen(
    core: Core, person: PersonRow, case_id: int, games: tuple[int, ...], parties: tuple[int, ...]
) -> Outcome:
    """Add games and persons. Raises UnknownCase; NoSuch for any that are not of the group."""
    found = await access(core, person, case_id)
    bar = may_act(found.state, found.actor)
    if bar is not None:
        return bar
    async with core.store.read() as conn:
        rows = await game_rows.load_many(conn, games)
        seats = await group_rows.seats_of(conn, found.case.group_id)
    if len(rows) != len(set(games)) or any(r.group_id != found.case.group_id for r in rows):
        raise NoSuch("games")
    if not set(parties) <= {seat.person_id for seat in seats}:
        raise NoSuch("parties")
    concerned = found.state.may_appeal
    players = (p for row in rows for p in (row.white_id, row.black_id) if p not in concerned)
    command = WidenCase(tuple(games), tuple(dict.fromkeys((*parties, *players))))
    return await _carry_out_command(core, found, command, rows)


async def _carry_out_command(
    core: Core, found: Access, command: WidenCase, rows: tuple[GameRow, ...]
) -> CaseOutcome | CaseRefusal:
    new = [row for row in rows if row.id not in found.state.opened.games]
    papers = await core.writer.transact(lambda conn: _accounts(conn, core, new))
    steps = (
        CaseCommandStep(lambda _, __: command, found.actor),
        *(filing(paper, found.actor) for paper in papers),
    )
    notice = CaseNews(CaseWord.WIDENED, found.person.id)
    return await run_transaction(core, build_transaction(core, found, steps, papers, notice))


def _accounts(conn: Connection, core: Core, games: list[GameRow]) -> tuple[NewPaper, ...]:
    batch_rows.lock_games(conn, [game.id for game in games])
    return tuple(evidence(conn, game, core.clock.now(), None) for game in games)
