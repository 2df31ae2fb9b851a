"""The facts of a game's letters, from the ledger up to the event they are about.

And alarms to administrators.
"""

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TypeVar

import chess

from kskak.cases.case_events import CaseKind
from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import Event, MoveSent
from kskak.play.events_in_force import list_events_in_force
from kskak.play.game_state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.editions import Side
from kskak.statement.account import Account
from mail.game_letters.letter_parts import Letter
from mail.game_letters.move_letters import ClaimFiled, Confirmation, Relay
from mail.office_letters.service_letters import Alarm, OperatorAlert
from mail.text import letter_facts as facts
from server.settings import UNNAMED
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import Office, PersonRow, Role
from server.store.tables.base import FRIENDLY
from server.usecases.context import Core, poster_of, today_of
from server.usecases.games.game_units import read_account, row_at
from server.usecases.preferences import Pace, read

_E = TypeVar("_E", bound=Event)


class NoLetter(ValueError):
    """The row names something that does not exist: the letter can't be written."""


class ReaderDied(NoLetter):
    """The letter is kept and not sent: its reader has died (§ 6.2.8)."""


@dataclass(frozen=True)
class GameFacts:
    """A game as it stood after the letter's event, each player on his side then.

    ``reader`` is the side, None for the leader.

    Played out when first asked, so that a game can be read in one place and played in another.
    """

    row: GameRow
    game: facts.LetterGame
    history: tuple[str, ...]
    message: str | None
    reader: Side | None
    today: date
    pace: Pace = Pace.MOVES
    """Of a confirmation: what the opponent chose to be sent of moves."""
    case: str | None = None
    """Of a claim: the number of the case that it opened."""
    results: tuple[tuple[str, str, str], ...] = ()
    """Of a move passed on: games of the group that ended since the last one to this reader."""

    @cached_property
    def account(self) -> Account:
        """The account after the event. Raises EntryFault for events that can't have happened."""
        # The same for both players' letters about a move, and often for the page that sent it.
        return read_account(self.row.terms, self.history, self.today)

    def play(self) -> None:
        """Play the game out, if it is not. Raises EntryFault."""
        _ = self.account

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, the event last."""
        return self.account.events

    @property
    def state(self) -> GameState:
        """The state after the event."""
        return self.account.state

    @property
    def event(self) -> Event:
        """The event the letter is about."""
        return self.events[-1]

    def event_as(self, kind: type[_E]) -> _E:
        """The same, of a kind; NoLetter for another."""
        if not isinstance(self.event, kind):
            raise NoLetter(f"the event is no {kind.__name__}")
        return self.event

    @property
    def side(self) -> Side:
        """The reader's side."""
        if self.reader is None:
            raise NoLetter("the leader plays no side")
        return self.reader

    @property
    def to_reader(self) -> tuple[facts.LetterGame, Account, Side | None]:
        """What every letter about the game begins with."""
        return self.game, self.account, self.reader

    @property
    def to_player(self) -> tuple[facts.LetterGame, Account, Side]:
        """The same for a player. Raises NoLetter for the leader."""
        return self.game, self.account, self.side

    def dispatch(self) -> facts.Dispatch | None:
        """The dispatch the letter is about, if its event is one."""
        return self.last_dispatch() if isinstance(self.event, MoveSent) else None

    def sent(self) -> facts.Dispatch:
        """The same for an event that is one. Raises NoLetter."""
        return facts.find_last_dispatch(self.account, self.event_as(MoveSent))

    def last_dispatch(self) -> facts.Dispatch | None:
        """The last dispatch of the game so far; None before the first move."""
        stand = reversed(list_events_in_force(self.events))
        last = next((one.event for one in stand if isinstance(one.event, MoveSent)), None)
        return None if last is None else facts.find_last_dispatch(self.account, last)

    def texts(self, ucis: list[str]) -> tuple[facts.MoveText, ...]:
        """Moves from the current position in every notation, up to the first illegal one."""
        lawful: list[chess.Move] = []
        board = self.state.board.copy(stack=False)
        for uci in ucis:
            move = chess.Move.from_uci(uci)
            if not board.is_legal(move):
                break
            lawful.append(move)
            board.push(move)
        return facts.move_texts(self.state.board, tuple(lawful))

    def choices(self, ucis: list[str]) -> tuple[facts.MoveText, ...]:
        """Alternative moves, each of which could be meant in the current position."""
        moves = [chess.Move.from_uci(uci) for uci in ucis]
        board = self.state.board
        return tuple(facts.move_texts(board, (m,))[0] for m in moves if board.is_legal(m))


def official(core: Core) -> facts.OfficialContact:
    """Whoever runs the server; the name is empty until one is set: letters then say the role."""
    name = core.settings.official.name
    return facts.OfficialContact("" if name == UNNAMED else name, core.settings.responsible_email)


def person(row: PersonRow) -> facts.Person:
    """A player as opponents see them (§ 6.8.2)."""
    return facts.Person(row.name, row.email)


def leader(row: PersonRow, group_class: str = "") -> facts.OfficialContact:
    """A tournament leader as named in letters (§ 6.1.1); who hears a dispute in a friendly game."""
    return facts.OfficialContact(row.name, row.email, group_class == FRIENDLY)


def game_of(
    core: Core, row: GameRow, group: GroupRow, people: dict[int, PersonRow]
) -> facts.LetterGame:
    """A game as every letter names it."""
    return facts.LetterGame(
        name=row.name,
        group=group.name,
        tournament=group.tournament,
        white=person(people[row.white_id]),
        black=person(people[row.black_id]),
        leader=leader(people[row.tl_id], group.class_),
        zone=row.zone,
        url=core.url(f"/games/{row.id}"),
    )


async def letter_game(core: Core, conn: AsyncConnection, row: GameRow) -> facts.LetterGame:
    """The same, read."""
    group = await group_rows.the_group(conn, row.group_id)
    people = await person_rows.by_ids(conn, (row.tl_id, row.white_id, row.black_id))
    return game_of(core, row, group, people)


async def game_facts(core: Core, letter: OutboxRow) -> GameFacts:
    """Everything a letter about a game needs. Raises NoLetter."""
    assert letter.game_id is not None and letter.seq is not None
    async with core.store.read() as conn:
        row = await game_rows.load(conn, letter.game_id)
        if row is None:
            raise NoLetter("no such game")
        if letter.seq < row.seq:
            row = row_at(row, await game_rows.history(conn, row.id), letter.seq)
        game = await letter_game(core, conn, row)
        history = await game_rows.bodies(conn, row.id, letter.seq)
        message = await game_rows.message(conn, row.id, letter.seq)
        other = None
        if letter.kind == Confirmation.kind:
            other = row.black_id if letter.person_id == row.white_id else row.white_id
        kept = (
            () if other is None else await conn.run_sync(person_rows.read_person_preferences, other)
        )
        results: tuple[tuple[str, str, str], ...] = ()
        if letter.kind == Relay.kind and letter.person_id is not None:
            results = await game_rows.list_new_results(
                conn, row, letter.person_id, Relay.kind, letter.created_us
            )
        is_claim = letter.kind == ClaimFiled.kind
        cases = await case_rows.list_game_cases(conn, row.id) if is_claim else ()
        cases = tuple(one for one in cases if CaseKind.OVERSTEP in one.kinds)
    reader = None if letter.person_id is None else row.side_of(letter.person_id)
    return GameFacts(
        row=row,
        game=game,
        history=history,
        message=message,
        reader=reader,
        today=local_day(from_us(letter.created_us), row.zone),
        pace=read(kept).letters,
        case=cases[-1].number if cases else None,
        results=results,
    )


# The facts that an outbox row itself carries, read back from its JSON.


class Params(dict[str, object]):
    """What an outbox row itself tells of its letter, by name; ``row``: the row."""

    def __init__(self, row: OutboxRow) -> None:
        value = json.loads(row.params)
        if not isinstance(value, dict):
            raise NoLetter("params")
        super().__init__(value)
        self.row = row


def texts(params: Mapping[str, object], name: str) -> list[str]:
    """A list of texts in the row's facts; empty when it is not there."""
    value = params.get(name)
    return [str(item) for item in value] if isinstance(value, list) else []


def text(params: Mapping[str, object], name: str) -> str:
    """A text in the row's facts."""
    value = params.get(name)
    if not isinstance(value, str):
        raise NoLetter(name)
    return value


def number(params: Mapping[str, object], name: str) -> int:
    """A number in the row's facts."""
    value = params.get(name)
    if not isinstance(value, int):
        raise NoLetter(name)
    return value


def day(params: Mapping[str, object], name: str) -> date:
    """A day in the row's facts."""
    return date.fromisoformat(text(params, name))


def refusal_of(params: Mapping[str, object]) -> Refusal:
    """A refusal as it was recorded."""
    days = params.get("days")
    named = {name: params.get(name) for name in ("earliest", "given")}
    return Refusal(
        Reason(text(params, "why")),
        days=days if isinstance(days, int) else None,
        **{name: date.fromisoformat(day) for name, day in named.items() if isinstance(day, str)},
    )


def read_digest_events(letter: OutboxRow) -> dict[int, list[int]]:
    """The games of a daily letter, each with the events it reports, in order. Raises NoLetter."""
    found: dict[int, list[int]] = {}
    pairs = Params(letter).get("told")
    for pair in pairs if isinstance(pairs, list) else ():
        if not (isinstance(pair, list) and all(isinstance(number, int) for number in pair)):
            raise NoLetter("told")
        found.setdefault(pair[0], []).append(pair[1])
    return found


# What reads the facts of each kind of letter when it is sent, registered where it is caused.

_L = TypeVar("_L", bound=Letter)
_Load = Callable[[Core, PersonRow, Params], Awaitable[_L]]
_GameLoad = Callable[[Core, GameFacts, Params], _L]
LOADERS: dict[str, _Load[Letter]] = {}
"""Of letters to a person, by their names in the outbox."""
GAME_LOADERS: dict[str, _GameLoad[Letter]] = {}
"""Of letters about a game."""


def loads(kind: type[_L]) -> Callable[[_Load[_L]], _Load[_L]]:
    """Register what makes a letter of this kind, for its reader and from what its row tells.

    It raises NoLetter when what the row names is gone.
    """

    def register(load: _Load[_L]) -> _Load[_L]:
        LOADERS[kind.kind] = load
        return load

    return register


def loads_game(kind: type[_L]) -> Callable[[_GameLoad[_L]], _GameLoad[_L]]:
    """The same for a letter about a game, of which all is read."""

    def register(load: _GameLoad[_L]) -> _GameLoad[_L]:
        GAME_LOADERS[kind.kind] = load
        return load

    return register


# Alarms for whoever runs the server: a letter to every administrator at once, one a day for each.


async def raise_alarm(core: Core, alarm: Alarm, about: str, detail: str) -> None:
    """Tell every administrator, once a day for the same ``about``, with the first ``detail``."""
    unique = f"{alarm.value}.{about}.{today_of(core)}"
    async with core.store.write() as conn:
        await send_alarm(core, conn, alarm, unique, detail)


async def send_alarm(
    core: Core,
    conn: AsyncConnection,
    alarm: Alarm,
    unique: str,
    detail: str,
    *,
    count: int = 1,
    also: Iterable[int] = (),
) -> None:
    """Tell every administrator, and ``also`` these persons, in the caller's transaction."""
    params: dict[str, object] = {"alarm": alarm.value, "detail": detail[:500], "count": count}
    readers = await administrators(core, conn) | set(also)
    letters = [
        poster_of(core).to_person(OperatorAlert, who, unique, params) for who in sorted(readers)
    ]
    await outbox_rows.enqueue(conn, letters)


async def administrators(core: Core, conn: AsyncConnection) -> set[int]:
    """Those who run the server, by role or office."""
    found = {person.id for person in await person_rows.everybody(conn, Role.ADMIN)}
    rows = await person_rows.list_offices(conn, core.now_us, office=Office.ADMIN)
    return found | {row.person_id for row in rows}


async def send_report(
    core: Core, conn: AsyncConnection, alarm: Alarm, counts: Mapping[str, int], detail: str
) -> None:
    """Tell every administrator once a day how many there were of what."""
    unique, count = f"{alarm.value}.{today_of(core)}", sum(counts.values())
    params: dict[str, object] = {"alarm": alarm.value, "detail": detail, "count": count}
    params["counts"] = dict(counts)
    readers = sorted(await administrators(core, conn))
    letters = [poster_of(core).to_person(OperatorAlert, who, unique, params) for who in readers]
    await outbox_rows.enqueue(conn, letters)


@loads(OperatorAlert)
async def _alert(core: Core, reader: PersonRow, params: Params) -> OperatorAlert:
    count, counts = params.get("count", 1), params.get("counts", {})
    said = counts.items() if isinstance(counts, dict) else ()
    return OperatorAlert(
        reader.name,
        official(core),
        Alarm(text(params, "alarm")),
        count if isinstance(count, int) else 1,
        (text(params, "detail"),),
        tuple((str(name), n) for name, n in said if isinstance(n, int)),
    )
