"""The facts of a game's letters, from the ledger up to the event they are about.

And alarms to administrators.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import chess

from kskak.game.game_commands import Reason, Refusal
from kskak.game.game_events import Event, MoveSent
from kskak.play.events_in_force import dispatches
from kskak.play.game_state import GameState
from kskak.regulation.days import local_day
from kskak.regulation.editions import Side
from kskak.statement.account import Account, GameAccount
from mail.office_letters.service_letters import Alarm, OperatorAlert
from mail.text import letter_facts as facts
from server.settings import UNNAMED
from server.store import groups as group_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import Office, PersonRow, Role, holders
from server.usecases.context import Core, poster_of, today_of
from server.usecases.games.due_work import read_account
from server.usecases.games.game_units import row_at
from server.usecases.games.outbox_letters import LetterKind
from server.usecases.preferences import Pace, read

# The facts of a game's letters, from the ledger up to the event they are about.


class NoLetter(ValueError):
    """The row names something that does not exist: the letter can't be written."""


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

    @cached_property
    def known(self) -> GameAccount:
        """The events and their account. Raises EntryFault for events that can't have happened."""
        # The same for both players' letters about a move, and often for the page that sent it.
        return read_account(self.row.terms, self.history, self.today)

    def play(self) -> None:
        """Play the game out, if it is not. Raises EntryFault."""
        _ = self.known

    @property
    def account(self) -> Account:
        """The account after the event."""
        return self.known.account

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, the event last."""
        return self.known.events

    @property
    def state(self) -> GameState:
        """The state after the event."""
        return self.account.state

    @property
    def event(self) -> Event:
        """The event the letter is about."""
        return self.events[-1]

    @property
    def side(self) -> Side:
        """The reader's side."""
        if self.reader is None:
            raise NoLetter("the leader plays no side")
        return self.reader

    def dispatch(self) -> facts.Dispatch | None:
        """The dispatch the letter is about, if its event is one."""
        return self.last_dispatch() if isinstance(self.event, MoveSent) else None

    def last_dispatch(self) -> facts.Dispatch | None:
        """The last dispatch of the game so far; None before the first move."""
        sent = dispatches(self.events)
        if not sent:
            return None
        last = self.events[max(sent.values())]
        assert isinstance(last, MoveSent)
        return facts.find_last_dispatch(self.account, last)

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


def leader(row: PersonRow) -> facts.OfficialContact:
    """A tournament leader as named in letters (§ 6.1.1)."""
    return facts.OfficialContact(row.name, row.email)


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
        leader=leader(people[row.tl_id]),
        zone=row.zone,
        url=core.url(f"/games/{row.id}"),
    )


async def game_facts(core: Core, letter: OutboxRow) -> GameFacts:
    """Everything a letter about a game needs. Raises NoLetter."""
    assert letter.game_id is not None and letter.seq is not None
    async with core.store.read() as conn:
        row = await game_rows.load(conn, letter.game_id)
        if row is None:
            raise NoLetter("no such game")
        if letter.seq < row.seq:
            row = row_at(row, await game_rows.history(conn, row.id), letter.seq)
        group = await group_rows.find(conn, row.group_id)
        history = await game_rows.bodies(conn, row.id, letter.seq)
        message = await game_rows.message(conn, row.id, letter.seq)
        people = await person_rows.by_ids(conn, (row.tl_id, row.white_id, row.black_id))
        other = None
        if letter.kind == LetterKind.CONFIRMATION:
            other = row.black_id if letter.person_id == row.white_id else row.white_id
        kept = (
            () if other is None else await conn.run_sync(person_rows.read_person_preferences, other)
        )
    assert group is not None
    reader = None if letter.person_id is None else row.side_of(letter.person_id)
    return GameFacts(
        row=row,
        game=game_of(core, row, group, people),
        history=history,
        message=message,
        reader=reader,
        today=local_day(from_us(letter.created_us), row.zone),
        pace=read(kept).letters,
    )


# The facts that an outbox row itself carries, read back from its JSON.

Params = Mapping[str, object]


def params_of(letter: OutboxRow) -> Params:
    """The row's own facts."""
    value = json.loads(letter.params)
    if not isinstance(value, dict):
        raise NoLetter("params")
    return value


def texts(params: Params, name: str) -> list[str]:
    """A list of texts in the row's facts; empty when it is not there."""
    value = params.get(name)
    return [str(item) for item in value] if isinstance(value, list) else []


def text(params: Params, name: str) -> str:
    """A text in the row's facts."""
    value = params.get(name)
    if not isinstance(value, str):
        raise NoLetter(name)
    return value


def number(params: Params, name: str) -> int:
    """A number in the row's facts."""
    value = params.get(name)
    if not isinstance(value, int):
        raise NoLetter(name)
    return value


def day(params: Params, name: str) -> date:
    """A day in the row's facts."""
    return date.fromisoformat(text(params, name))


def refusal_of(params: Params) -> Refusal:
    """A refusal as it was recorded."""
    days = params.get("days")
    earliest = params.get("earliest")
    return Refusal(
        Reason(text(params, "why")),
        date.fromisoformat(earliest) if isinstance(earliest, str) else None,
        days if isinstance(days, int) else None,
    )


def read_digest_events(letter: OutboxRow) -> dict[int, list[int]]:
    """The games of a daily letter, each with the events it reports, in order. Raises NoLetter."""
    found: dict[int, list[int]] = {}
    told = params_of(letter).get("told")
    for pair in told if isinstance(told, list) else ():
        if not (isinstance(pair, list) and all(isinstance(number, int) for number in pair)):
            raise NoLetter("told")
        found.setdefault(pair[0], []).append(pair[1])
    return found


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
    told = await administrators(core, conn) | set(also)
    letters = [
        poster_of(core).to_person(LetterKind.ALARM, who, unique, params) for who in sorted(told)
    ]
    await outbox_rows.enqueue(conn, letters)


async def administrators(core: Core, conn: AsyncConnection) -> set[int]:
    """Those who run the server, by role or office."""
    told = {person.id for person in await person_rows.everybody(conn, Role.ADMIN)}
    return told | {held.person_id for held in await holders(conn, Office.ADMIN, core.now_us)}


async def send_report(
    core: Core, conn: AsyncConnection, alarm: Alarm, counts: Mapping[str, int], detail: str
) -> None:
    """Tell every administrator once a day how many there were of what."""
    unique, count = f"{alarm.value}.{today_of(core)}", sum(counts.values())
    params: dict[str, object] = {"alarm": alarm.value, "detail": detail, "count": count}
    params["counts"] = dict(counts)
    told = sorted(await administrators(core, conn))
    letters = [poster_of(core).to_person(LetterKind.ALARM, who, unique, params) for who in told]
    await outbox_rows.enqueue(conn, letters)


async def _letter(core: Core, reader: PersonRow, params: Params, row: OutboxRow) -> OperatorAlert:
    alarm, detail = Alarm(text(params, "alarm")), text(params, "detail")
    count, counts = params.get("count", 1), params.get("counts", {})
    said = counts.items() if isinstance(counts, dict) else ()
    return OperatorAlert(
        official(core),
        alarm,
        count if isinstance(count, int) else 1,
        (detail,),
        tuple((str(name), n) for name, n in said if isinstance(n, int)),
    )


ALARMS = {LetterKind.ALARM: _letter}
