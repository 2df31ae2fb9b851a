"""What people do in a case apart from deciding it: open, speak, ask, suspend, close (§ 6.4.1).

Each is one transaction with its letters; a refusal names its paragraph. Not for decisions
(case_decisions.py), appeals (appeals.py) nor pages (case_views.py).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from sqlalchemy import Connection

from kskak.cases import case as case_commands
from kskak.cases.case import (
    REPORTED,
    SERVER,
    Actor,
    AskParties,
    CaseReason,
    CaseRefusal,
    CaseStage,
    CaseState,
    WidenCase,
)
from kskak.cases.case_events import CaseKind, Instance, PaperKind, PartiesAsked
from kskak.cases.decide_case import ask_of_reports, may_act
from kskak.game.game_events import TakenOver
from kskak.regulation.days import local_day, may_object
from kskak.regulation.editions import Regulation, rules_of
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
from server.store.play import notes_and_messages as note_rows
from server.store.play.games import EventRow, GameRow, read_events
from server.store.play.people import PersonRow
from server.usecases.cases.case_letter_facts import heard_from
from server.usecases.cases.case_transaction import (
    CaseOutcome,
    CaseRefusedError,
    Step,
    act_in,
    filing,
    notify,
    run_transaction,
)
from server.usecases.cases.case_views import case_list, may_read
from server.usecases.cases.evidence import Access, access
from server.usecases.context import Core, poster_of
from server.usecases.games.case_opening import (
    CaseNews,
    CaseOpening,
    evidence,
    notices,
    open_in,
    warn_of_no_hearers,
)
from server.usecases.rights import NoSuch, NotAllowed, deposit_due, rights

# What a player says of his own game, which opens a case or goes into the open one (§ 6.4.1).

LONGEST = 20_000
Mailed = tuple[int, datetime]
"""A mail's row of the inbox and the instant that counts for it; the same mail is filed once."""


def takeover_of(rows: tuple[EventRow, ...]) -> TakenOver | None:
    """The takeover of a game, if it was taken over."""
    for row, event in zip(rows, read_events(rows), strict=True):
        if row.channel == CHANNEL and isinstance(event, TakenOver):
            return event
    return None


async def object_to_takeover(
    core: Core, person: PersonRow, game: GameRow, text: str, mail: Mailed | None = None
) -> CaseRow | CaseRefusal:
    """Object to what was taken over of a game (reading of § 6.4.5, § 6.4.1).

    Raises UnknownGame if the person is not a player.
    """
    at = core.clock.now() if mail is None else mail[1]
    async with core.store.read() as conn:
        taken = takeover_of(await game_rows.history(conn, game.id))
    if taken is None:
        return CaseRefusal(CaseReason.NOT_TAKEN_OVER)
    if not taken.may_be_objected_to(local_day(at, game.zone)):
        return CaseRefusal(CaseReason.TAKEOVER_LATE, until=taken.objections_until)
    return await _raise_in_game(core, person, opening_of(CaseKind.TAKEOVER, [game]), text, mail)


async def report_over(
    core: Core, person: PersonRow, game: GameRow, text: str, mail: Mailed | None = None
) -> CaseRow | CaseRefusal:
    """Report a game over that runs here, as «jeg vandt» (§ 6.2.6, § 6.8.9).

    The opponent is asked; where the two differ, both are. Raises UnknownGame as above.
    """
    opening = opening_of(CaseKind.RESULT, [game])
    cited = (rules_of(Regulation(game.regulation)).paragraphs.reporting,)
    reported = replace(opening, question=REPORTED, paragraphs=cited)
    return await _raise_in_game(core, person, reported, text, mail)


async def report_message(
    core: Core, person: PersonRow, game: GameRow, mark: str, text: str
) -> CaseRow | CaseRefusal:
    """Report a message of the opponent's: it is hidden, and the leader reads it with its thread.

    ``mark``: which (``ThreadMessageView``); ``text``: the message and the thread, as a statement in
    the case about conduct (§ 6.2.3, § 6.4.2). Raises UnknownGame as above.
    """
    opening, now_us = opening_of(CaseKind.CONDUCT, [game]), core.now_us
    return await _raise_in_game(
        core, person, opening, text, None,
        lambda conn: note_rows.hide(conn, game.id, mark, now_us),
    )  # fmt: skip


async def _raise_in_game(
    core: Core,
    person: PersonRow,
    opening: CaseOpening,
    text: str,
    mail: Mailed | None,
    also: Callable[[Connection], None] = lambda conn: None,
) -> CaseRow | CaseRefusal:
    """Open the case between the players of a game, or add to the one of its kind that is open."""
    (game,), now = opening.games, core.clock.now()
    if person.id not in opening.parties:
        raise UnknownGame(game)
    inbox_id, at = mail or (None, now)
    paper = statement(person.id, text.strip()[:LONGEST], to_us(at), inbox_id=inbox_id)

    def work(conn: Connection) -> CaseRow | CaseRefusal:
        batch_rows.lock_games(conn, [game])  # both may object at once: one case
        also(conn)
        known = case_rows.open_case(conn, game_id=game, kind=opening.kind.value)
        if known is not None:
            return _file(conn, core, known.id, paper, now)
        return _open(conn, core, opening, Actor(person.id), paper)

    return await core.writer.transact(work)


def _file(
    conn: Connection, core: Core, case_id: int, paper: NewPaper, now: datetime
) -> CaseRow | CaseRefusal:
    case = case_rows.lock(conn, case_id)
    if paper.inbox_id is not None and paper_rows.is_mail_filed(conn, case.id, paper.inbox_id):
        return case
    try:
        steps = (filing(paper, Actor(paper.person_id)),)
        done = act_in(conn, core, case, steps, now, paper.person_id)
    except CaseRefusedError as refused:
        return refused.refusal
    paper_rows.add_paper(conn, case.id, paper)
    notice = CaseNews(CaseWord.SAID, paper.person_id, text=paper.body.decode())
    batch_rows.write_outbox(conn, tuple(_tell(conn, core, done, notice)))
    return done.case


def _tell(conn: Connection, core: Core, done: CaseOutcome, notice: CaseNews) -> Iterator[NewOutbox]:
    """What was done, to the others; to both who report one game in two ways, that they are asked
    (§ 6.2.6)."""
    asked = [one for one in done.events if isinstance(one, PartiesAsked)]
    if asked and notice.word is CaseWord.SAID:
        notice = CaseNews(CaseWord.HEARING, None, until=asked[-1].until)
    yield from notify(conn, core, done.case, done.state, notice)


Outcome = CaseOutcome | CaseRefusal


def statement(
    person_id: int | None, text: str, at_us: int, title: str = "", inbox_id: int | None = None
) -> NewPaper:
    """What somebody says, by the mail ``inbox_id`` or else, as a paper."""
    kind = (PaperKind.STATEMENT if inbox_id is None else PaperKind.MAIL).value
    return NewPaper(
        kind=kind,
        title=title,
        body=text.encode(),
        at_us=at_us,
        person_id=person_id,
        inbox_id=inbox_id,
    )


async def open_case(
    core: Core, person: PersonRow, opening: CaseOpening, text: str = ""
) -> CaseRow | CaseRefusal:
    """Open a case: by a party's objection or protest, or by an official (§ 6.4.1).

    The controller's own about conduct is his to decide, as «såvel TL som KC» may (§ 6.4.2).
    ``text`` is a statement. Raises NotAllowed for others, NoSuch for a wrong game or party.
    """
    held = await rights(core, person)
    is_official = person.id not in opening.parties and held.speaks_for(opening.group_id)
    if person.id not in opening.parties and not is_official:
        raise NotAllowed
    if is_official and held.is_kc and opening.kind is CaseKind.CONDUCT:
        opening = replace(opening, instance=Instance.CONTROLLER)
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
    paper = statement(person.id, text.strip(), core.now_us) if text.strip() else None
    actor = held.actor(opening.group_id)
    return await core.writer.transact(lambda conn: _open(conn, core, opening, actor, paper))


def _open(
    conn: Connection, core: Core, opening: CaseOpening, actor: Actor, paper: NewPaper | None
) -> CaseRow | CaseRefusal:
    """Open it in a transaction, with its games' accounts and what was said, and tell of it."""
    now = core.clock.now()
    games = case_rows.games_in(conn, opening.games)
    papers = [*(evidence(conn, game, now, None) for game in games), *filter(None, (paper,))]
    opened = open_in(conn, opening, now, actor, papers)
    if isinstance(opened, CaseRefusal):
        return opened
    text = paper.body.decode() if paper is not None else ""
    notice = CaseNews(CaseWord.OPENED, actor.person, text=text)
    if opening.question == REPORTED:  # its letter has the last day to answer
        asked = ask_of_reports(opened[1], local_day(now, opening.zone))
        done = act_in(conn, core, opened[0], [(asked, SERVER)], now, actor.person)
        opened = done.case, done.state
    unheard = warn_of_no_hearers(conn, *opened, poster_of(core))
    batch_rows.write_outbox(conn, (*notify(conn, core, *opened, notice, is_new=True), *unheard))
    return opened[0]


def open_and_hear(
    conn: Connection,
    core: Core,
    asked: tuple[CaseOpening, Actor, datetime],
    papers: Sequence[NewPaper],
    days: int,
    *stops: int,
) -> CaseRow:
    """Open a case, ask its parties to speak within so many days and let time stand still in the
    games ``stops``; one letter tells of all (§ 6.4.1).

    Both follow from the opening, so the server orders them. Raises CaseRefusedError.
    """
    opening, actor, now = asked
    opened = open_in(conn, opening, now, actor, papers)
    if isinstance(opened, CaseRefusal):
        raise CaseRefusedError(opened)
    asking = AskParties(local_day(now, opening.zone) + timedelta(days=days))
    orders = (asking, case_commands.SuspendGames(stops)) if stops else (asking,)
    steps = [(one, SERVER) for one in orders]
    done = act_in(conn, core, opened[0], steps, now, actor.person)
    news = CaseNews(CaseWord.OPENED, actor.person)
    batch_rows.write_outbox(conn, notify(conn, core, done.case, done.state, news, is_new=True))
    return done.case


async def _late_objection(core: Core, opening: CaseOpening) -> CaseRefusal | None:
    """The refusal of an objection to a result published more than 14 days ago (§ 6.4.5)."""
    day = await core.store.query(publication_rows.objections_until, opening.group_id, opening.games)
    until = None if day is None else date.fromisoformat(day)
    if until is None or may_object(until, core.today(opening.zone)):
        return None
    return CaseRefusal(CaseReason.OBJECTION_LATE, until)


_PARAGRAPHS = {
    CaseKind.WITHDRAWAL: ("6.2.8",),
    CaseKind.ADJUDICATION: ("6.2.7",),
    CaseKind.CONDUCT: ("6.4.2",),
    CaseKind.RESULT: ("6.4.5",),
    CaseKind.OFFLINE: ("6.8.1",),
    CaseKind.TAKEOVER: ("6.4.1", "6.4.5"),
    CaseKind.QUESTION: ("1.3.9",),
    CaseKind.OTHER: ("6.4.1",),
}


def opening_of(
    kind: CaseKind, games: Sequence[GameRow], about: int | None = None, *parties: int
) -> CaseOpening:
    """A case about games of a group, with the question and the paragraphs of its kind.

    Between the players of a game, unless ``parties`` are named: then the others are concerned.
    ``about``: the person it concerns. Of what both rule sets have, the game's own is cited.
    """
    first = games[0]
    named = rules_of(Regulation(first.regulation)).paragraphs
    of_game = {
        CaseKind.OVERSTEP: named.overstep,
        CaseKind.DAYS: (named.reckoning,),
        CaseKind.FAULTY: (named.faulty,),
        CaseKind.SILENCE: (named.silence,),
        CaseKind.LEAVE: (named.leave,),
    }
    parties = parties or (first.white_id, first.black_id)
    others = {row.white_id for row in games} | {row.black_id for row in games}
    return CaseOpening(
        kind=kind,
        group_id=first.group_id,
        zone=first.zone,
        parties=parties,
        question=f"@{kind.value}",
        paragraphs=of_game.get(kind) or _PARAGRAPHS[kind],
        games=tuple(row.id for row in games),
        concerned=tuple(sorted(others - set(parties))),
        about=about,
    )


async def object_to(
    core: Core, person: PersonRow, game_id: int, kind: CaseKind, text: str
) -> CaseRow | CaseRefusal:
    """A player's objection in his own game: to the days, a charge, a result; or an official's.

    § 6.4.1, § 6.4.5. Raises UnknownGame if there is no such game that they may speak about.
    """
    game = await core.store.query(game_rows.load, game_id)
    if game is None:
        raise UnknownGame(game_id)
    if kind is CaseKind.TAKEOVER:
        return await object_to_takeover(core, person, game, text)
    if kind is CaseKind.RESULT and game.result is None and game.side_of(person.id) is not None:
        return await report_over(core, person, game, text)
    if kind is CaseKind.QUESTION:
        return await ask_board(core, person, game.group_id, text)
    try:
        return await open_case(core, person, opening_of(kind, [game]), text)
    except NotAllowed:
        raise UnknownGame(game_id) from None


async def complain(
    core: Core, person: PersonRow, group_id: int, about: int, kind: CaseKind, text: str
) -> CaseRow | CaseRefusal:
    """A complaint about a person in a group, covering all his games there (§ 6.4.2).

    By another player of the group, or an official's own case. Raises NotAllowed for somebody with
    no part in the group,
    NoSuch if the person has no game.
    """
    held = await rights(core, person)
    is_official = held.speaks_for(group_id)
    if not is_official and (group_id not in held.plays or person.id == about):
        raise NotAllowed
    games = await games_of(core, group_id, about)
    if not games:
        raise NoSuch("person")
    parties = (about,) if is_official else (person.id, about)
    opening = opening_of(kind, games, about, *parties)
    return await open_case(core, person, opening, text)


async def ask_board(
    core: Core, person: PersonRow, group_id: int, question: str
) -> CaseRow | CaseRefusal:
    """Put a question in general terms to the Board, of anybody in the group (§ 1.3.9).

    Refused for a party to a case that is going on: the Board doesn't answer on a dispute before it
    comes to it. Raises NotAllowed for a stranger to the group.
    """
    held = await rights(core, person)
    if group_id not in held.plays | held.captain and not held.oversees(group_id):
        raise NotAllowed
    own = await case_list(core, person, is_open=True)
    if any(row.state != CaseStage.DECIDED and row.kind != CaseKind.QUESTION for row in own):
        return CaseRefusal(CaseReason.CURRENT_DISPUTE)
    async with core.store.read() as conn:
        group = await group_rows.find(conn, group_id)
    if group is None:
        raise NoSuch("group")
    opening = CaseOpening(
        kind=CaseKind.QUESTION,
        group_id=group_id,
        zone=group.zone,
        parties=(person.id,),
        question=question.strip(),
        paragraphs=_PARAGRAPHS[CaseKind.QUESTION],
        instance=Instance.BOARD,
    )
    actor = held.actor(group_id)
    return await core.writer.transact(lambda conn: _open(conn, core, opening, actor, None))


async def games_of(core: Core, group_id: int, person_id: int) -> list[GameRow]:
    """A person's games in a group."""
    rows = await core.store.query(game_rows.list_group_games, group_id)
    return [row for row in rows if person_id in (row.white_id, row.black_id)]


async def carry_out(
    core: Core,
    found: Access,
    steps: Iterable[Step],
    papers: Sequence[NewPaper] = (),
    notice: CaseNews | None = None,
) -> Outcome:
    """Steps as one deed; ``notice`` goes to all others in the case if anything happened."""

    def then(conn: Connection, done: CaseOutcome) -> tuple[NewOutbox, ...]:
        if notice is None or not done.events:
            return ()
        own = notice.word is CaseWord.APPEAL_WITHDRAWN and found.person.id in {
            held.person for held in done.state.deposits
        }
        mine = notices(poster_of(core), done.case, notice, [found.person.id] if own else ())
        return (*mine, *_tell(conn, core, done, notice))

    return await run_transaction(core, found.case.id, steps, found.person.id, papers, then)


_TOLD: dict[type[case_commands.CaseCommand], CaseWord] = {
    case_commands.AskParties: CaseWord.HEARING,
    case_commands.SuspendGames: CaseWord.SUSPENDED,
    case_commands.LiftSuspension: CaseWord.LIFTED,
    case_commands.SettleCase: CaseWord.SETTLED,
    case_commands.WithdrawCase: CaseWord.WITHDRAWN,
    case_commands.WithdrawAppeal: CaseWord.APPEAL_WITHDRAWN,
    case_commands.ExcuseMember: CaseWord.MEMBER_EXCUSED,
}
"""What the others are told of a command; of any other nobody is."""


async def act(
    core: Core, person: PersonRow, case_id: int, command: case_commands.CaseCommand
) -> Outcome:
    """One command in a case that needs nothing else: the hearing, time, its end, a vote, deposits.

    A deposit is measured by what was due on the day of the appeal. Raises UnknownCase.
    """
    found = await access(core, person, case_id)
    if isinstance(command, case_commands.ReceiveDeposit):
        held = [one for one in found.state.deposits if one.person == command.person]
        known = held[-1].fee if held else None
        fee = await deposit_due(core, held[-1].on) if held and known is None else known
        command = replace(command, fee=fee)
    word, notice = _TOLD.get(type(command)), None
    if isinstance(command, case_commands.AskParties) and command.is_claim:
        word = CaseWord.CLAIM_ASKED
    if word is not None:
        until = command.until if isinstance(command, case_commands.AskParties) else None
        note = command.note if isinstance(command, case_commands.SettleCase) else ""
        if isinstance(command, case_commands.ExcuseMember):
            note = command.reason
        notice = CaseNews(word, person.id, note, until)
    return await carry_out(core, found, [(command, found.actor)], notice=notice)


async def speak(core: Core, person: PersonRow, case_id: int, text: str, title: str = "") -> Outcome:
    """A statement by a party or an official, sent to the others (§ 6.4.1).

    Raises UnknownCase; ValueError for an empty text.
    """
    if not text.strip():
        raise ValueError("text")
    found = await access(core, person, case_id)
    paper = statement(person.id, text.strip(), core.now_us, title)
    notice = CaseNews(CaseWord.SAID, person.id, text=text.strip())
    done = await carry_out(core, found, [filing(paper, found.actor)], [paper], notice)
    await heard_from(core, person.id)
    return done


# Files and notes added to a case: evidence, scanned papers, an official's own notes (§ 6.3.3.5).

MOST_OF_ONE = 50 * 1024 * 1024
"""Octets that one person may add to one case: ten of the largest files."""


async def enclose(
    core: Core,
    person: PersonRow,
    case_id: int,
    kind: PaperKind,
    body: bytes,
    title: str = "",
    media_type: str = TEXT,
) -> Outcome:
    """Add a file to the case: evidence, a scan, or an official's own note (§ 6.3.3.5).

    Refused in a closed case, and if the person's files would take up too much space. Raises
    UnknownCase; NotAllowed for a non-official's note.
    """
    found = await access(core, person, case_id)
    if kind is PaperKind.NOTE and not found.is_official:
        raise NotAllowed
    size = await core.store.query(paper_rows.size_of, found.case.id, person.id)
    if size + len(body) > MOST_OF_ONE:
        return CaseRefusal(CaseReason.FULL)
    paper = NewPaper(
        kind=kind.value,
        title=title,
        body=body,
        at_us=core.now_us,
        person_id=person.id,
        media_type=media_type,
    )
    notice = None if kind is PaperKind.NOTE else CaseNews(CaseWord.ENCLOSED, person.id, title)
    return await carry_out(core, found, [filing(paper, found.actor)], [paper], notice)


async def paper_for(core: Core, person: PersonRow, paper_id: int) -> PaperRow:
    """A paper with its body. Raises UnknownCase if there is no such paper that they may read."""
    paper = await core.store.query(paper_rows.find_paper, paper_id)
    if paper is None:
        raise UnknownCase(paper_id)
    found = await access(core, person, paper.case_id)
    if paper.body is None or not may_read(found, paper):
        raise UnknownCase(paper_id)
    return paper


# Adds further games and persons of a group to a case, for whoever leads it (§ 6.4.1).


async def list_further_games(
    core: Core, group_id: int, state: CaseState
) -> tuple[list[GameRow], list[SeatRow]]:
    """What whoever leads the case could add: games and players that are not in it yet."""
    async with core.store.read() as conn:
        games = await game_rows.list_group_games(conn, group_id)
        seats = await group_rows.seats_of(conn, group_id)
    return (
        [game for game in games if game.id not in state.opened.games],
        [seat for seat in seats if seat.person_id not in state.opened.parties],
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
    new = [row for row in rows if row.id not in found.state.opened.games]
    papers = await core.writer.transact(lambda conn: _accounts(conn, core, new))
    notice = CaseNews(CaseWord.WIDENED, person.id)
    steps = ((command, found.actor), *(filing(paper, found.actor) for paper in papers))
    return await carry_out(core, found, steps, papers, notice)


def _accounts(conn: Connection, core: Core, games: list[GameRow]) -> tuple[NewPaper, ...]:
    batch_rows.lock_games(conn, [game.id for game in games])
    return tuple(evidence(conn, game, core.clock.now(), None) for game in games)
