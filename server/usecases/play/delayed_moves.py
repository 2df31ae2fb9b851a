"""A move that waits a few minutes before it is sent, and can be taken back until then (§ 6.2.4).

A dispatch can't be taken back; until the move is sent there is none. A waiting move is neither an
event nor an answer; it is sent in the same way as an immediate one, under its form's key.

It counts as sent when it is sent (§ 6.3.2, § 6.8.6), so it never waits beyond the day: it is sent
on the day on which it was entered. A flag falls between two days, so none falls meanwhile either.
Its time of record is when it was due, not when the job got to it: if the server was down, the
player loses nothing by that (§ 6.2.4). Not for pages nor for the job.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

import chess

from kskak.game.game_commands import Command, Reason, Refusal, SendMoves
from kskak.play.game_state import GameState
from kskak.regulation.days import ONE_DAY, local_day
from kskak.regulation.editions import Side
from mail.game_letters.no_move_letters import NotSent
from mail.text.letter_facts import MoveText, move_texts
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import MINUTE_US, from_us, to_us
from server.store.mail import outbox as outbox_rows
from server.store.play import games as game_rows
from server.store.play import requests as request_rows
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.requests import DelayedMove, DueMove
from server.usecases.context import Core, poster_of
from server.usecases.games.due_work import start_of_day
from server.usecases.games.game_units import KeyReused
from server.usecases.letter_facts import NoLetter, Params, letter_game, loads, text
from server.usecases.play.game_requests import (
    SENT,
    FieldReader,
    GameRequestOutcome,
    NotYours,
    TextProblem,
    ask,
    build_form_key,
    build_form_request,
    read_request_outcome,
)

# A waiting move that can no longer be sent: its player gets a letter, once (§ 6.2.4).


async def write_dropped_letter(
    core: Core, conn: AsyncConnection, row: DelayedMove, why: Reason
) -> None:
    """Write the letter's row within the drop's transaction."""
    params: dict[str, object] = {
        "game": row.game_id,
        "fen": row.fen,
        "moves": row.moves,
        "why": why.value,
    }
    unique = f"{row.game_id}.{row.key}.{row.entered_us}"
    letter = poster_of(core).to_person(NotSent, row.person_id, unique, params)
    await outbox_rows.enqueue(conn, [letter])


@loads(NotSent)
async def _not_sent(core: Core, reader: PersonRow, params: Params) -> NotSent:
    """The letter. Raises NoLetter. The message is kept with the move until the player saw both."""
    game_id = params.get("game")
    if not isinstance(game_id, int):
        raise NoLetter("no such game")
    number = game_id
    kept = await core.store.look(
        lambda conn: request_rows.find_delayed_move(conn, number, reader.id)
    )
    async with core.store.read() as conn:
        game = await game_rows.load(conn, number)
        if game is None:
            raise NoLetter("no such game")
        told = await letter_game(core, conn, game)
    uci = text(params, "moves")
    is_same = kept is not None and kept.dropped is not None and kept.moves == uci
    moves = tuple(chess.Move.from_uci(one) for one in uci.split())
    return NotSent(
        reader=reader.name,
        game=told,
        side=game.side_of(reader.id),
        regulation=game.terms.regulation,
        moves=move_texts(chess.Board(text(params, "fen")), moves),
        message=kept.message if kept is not None and is_same else "",
        why=Refusal(Reason(text(params, "why"))),
        is_over=game.result is not None,
        is_to_move=game.to_move_id == reader.id,
        url=core.url(f"/games/{game.id}#delayed"),
    )


# A move that waits a few minutes before it is sent, and can be taken back until then (§ 6.2.4).

MINUTES = (1, 5, 10)
"""How long a move may wait."""
BEFORE_MIDNIGHT_US = MINUTE_US
"""How long before the end of the day a move is sent at the latest."""
LEAST_US = MINUTE_US
"""A shorter wait leaves no time to think again: the move is sent at once or not at all."""


def due_at(now: datetime, minutes: int, zone: str) -> datetime | None:
    """When a move entered now is sent; None when the day is too short for it to wait."""
    day_ends = start_of_day(local_day(now, zone) + ONE_DAY, zone)
    latest = day_ends - timedelta(microseconds=BEFORE_MIDNIGHT_US)
    due = min(now + timedelta(minutes=minutes), latest)
    return None if to_us(due) - to_us(now) < LEAST_US else due


async def delay(
    core: Core,
    game: GameRow,
    reader: FieldReader,
    command: SendMoves,
    said: tuple[str, str],
    minutes: int,
) -> datetime | None:
    """Let a move wait, replacing any other that waits; return when it will be sent.

    ``reader``: what stands in the form's field, and ``command``: the moves it was read as;
    ``said``: the message with it and the form's key. None: the day is too short, and nothing
    waits. Submitting the form again changes nothing.
    """
    now = core.clock.now()
    due = due_at(now, minutes, game.zone)
    if due is None:
        return None
    message, key = said
    new = DelayedMove(
        game_id=game.id,
        person_id=game.person_of(command.by),
        ply=reader.ply,
        fen=game.state().board.fen(),
        moves=" ".join(move.uci() for move in command.plies),
        text=reader.text,
        message=message,
        offers_draw=reader.offers_draw,
        lang=reader.reads,
        key=key,
        entered_us=to_us(now),
        due_us=to_us(due),
    )
    await core.store.change(request_rows.put_delayed_move, new)
    return due


class DelayedMoveOutcome(StrEnum):
    """What became of a waiting move; GONE: it no longer waits."""

    SENT = "sent"
    DROPPED = "dropped"
    GONE = "gone"


async def send(core: Core, which: DueMove, *, key: str | None = None) -> DelayedMoveOutcome:
    """Send a waiting move: as of its due time, or now if its player asks for it with its ``key``.

    In one transaction with its row: if it is sent and taken back at once, one of the two finds it
    gone, and a process killed midway has done nothing. A move that the game refuses is dropped,
    and its player is notified.
    """
    async with core.writer.together() as conn:
        row = await request_rows.take(conn, which.game_id, which.person_id)
        is_asked = row is not None and (
            row.due_us <= core.now_us if key is None else row.key == key
        )
        if row is None or not is_asked:
            return DelayedMoveOutcome.GONE
        why = await _ask(core, row)
        if why is not None:
            await request_rows.drop(conn, row.game_id, row.person_id, why.value)
            if key is None:  # whoever pressed the button sees it on the page
                await write_dropped_letter(core, conn, row, why)
            return DelayedMoveOutcome.DROPPED
        await request_rows.remove(conn, row.game_id, row.person_id)
        return DelayedMoveOutcome.SENT


def build_form_path(game_id: int) -> str:
    """Where a move's form is posted: part of its key."""
    return f"/games/{game_id}/move"


async def _ask(core: Core, row: DelayedMove) -> Reason | None:
    """Send it like every move from the web; None when it is sent, else why not."""
    kept = build_form_key(row.person_id, build_form_path(row.game_id), row.key)
    at = from_us(min(row.due_us, core.now_us))
    game = await core.store.query(game_rows.load, row.game_id)
    today = local_day(at, "UTC" if game is None else game.zone)

    def build(state: GameState, side: Side) -> Command | Refusal | TextProblem:
        """Exactly what its player was shown, or nothing: the words may mean another move now."""
        if state.result is not None:
            return Refusal(Reason.GAME_OVER)
        if state.rests:
            return Refusal(Reason.AT_REST)
        if state.position.ply != row.ply or state.board.fen() != row.fen:
            return Refusal(Reason.STALE)
        read = FieldReader(row.text, row.ply, row.offers_draw, today, row.lang)(state, side)
        is_same = isinstance(read, SendMoves) and read.plies == _moves(row.moves)
        return read if is_same else Refusal(Reason.STALE)

    try:
        answer = read_request_outcome(
            await ask(core, build_form_request(row.game_id, kept, build, row.message, at))
        )
    except (NotYours, KeyReused):
        return Reason.STALE
    if isinstance(answer, GameRequestOutcome):
        return None if answer.refusal is None else answer.refusal.reason
    return None if answer is None else answer.reason


async def take_back(core: Core, game_id: int, person_id: int, key: str) -> DelayedMove | None:
    """Take back a waiting move, or remove a dropped one; None when it is already gone."""
    async with core.store.write() as conn:
        row = await conn.run_sync(request_rows.find_delayed_move, game_id, person_id)
        is_mine = await request_rows.remove(conn, game_id, person_id, key)
    return row if is_mine else None


async def forget(core: Core, game_id: int, person_id: int) -> None:
    """The player has sent a move in this game another way: nothing waits any more."""
    await core.store.change(request_rows.remove, game_id, person_id)


async def was_sent(core: Core, game_id: int, person_id: int, key: str) -> bool:
    """Whether the form with this key was submitted and carried out."""
    known = await core.store.query(
        request_rows.find_stored_answer, build_form_key(person_id, build_form_path(game_id), key)
    )
    return known is not None and known.response.status == SENT


@dataclass(frozen=True, slots=True)
class DelayedMoveView:
    """A waiting move as a page shows it; ``due`` in the tournament's zone.

    ``why``: why it is not sent; None: it will be. ``proposes``: the series with it (§ 6.2.5).
    """

    row: DelayedMove
    game: GameRow
    moves: tuple[MoveText, ...]
    due: datetime
    why: Reason | None
    proposes: tuple[MoveText, ...] = ()


def build_delayed_view(row: DelayedMove, game: GameRow) -> DelayedMoveView:
    """A waiting move with its game; one whose position is gone counts as dropped at once."""
    why = None if row.dropped is None else Reason(row.dropped)
    if why is None and game.result is not None:
        why = Reason.GAME_OVER
    elif why is None and game.ply != row.ply:
        why = Reason.STALE
    due = from_us(row.due_us).astimezone(ZoneInfo(game.zone))
    moves = move_texts(chess.Board(row.fen), _moves(row.moves))
    return DelayedMoveView(row, game, moves, due, why, () if why else _series(row, game))


def _series(row: DelayedMove, game: GameRow) -> tuple[MoveText, ...]:
    """The series that a waiting move will propose, read as it will be when it is sent."""
    side, state = game.side_of(row.person_id), game.state()
    if side is None:
        return ()
    today = local_day(from_us(row.due_us), game.zone)
    read = FieldReader(row.text, row.ply, row.offers_draw, today, row.lang)(state, side)
    if not isinstance(read, SendMoves) or not read.proposes:
        return ()
    board = chess.Board(row.fen)
    for move in read.plies:
        board.push(move)
    return move_texts(board, read.proposes)


async def waiting_in(core: Core, game: GameRow, person_id: int) -> DelayedMoveView | None:
    """A player's waiting move in one game; None if there is none or it was dropped."""
    row = await core.store.look(
        lambda conn: request_rows.find_delayed_move(conn, game.id, person_id)
    )
    found = None if row is None else build_delayed_view(row, game)
    return found if found is not None and found.why is None else None


async def waiting_of(core: Core, person_id: int) -> tuple[DelayedMoveView, ...]:
    """All of a person's waiting moves, for the list of games: two queries at most."""
    found = await core.store.look(
        lambda conn: request_rows.list_person_delayed_moves(conn, person_id)
    )
    if not found:
        return ()
    games = await core.store.query(game_rows.load_many, [row.game_id for row in found])
    by_id = {game.id: game for game in games}
    return tuple(build_delayed_view(row, by_id[row.game_id]) for row in found)


def _moves(text: str) -> tuple[chess.Move, ...]:
    return tuple(chess.Move.from_uci(uci) for uci in text.split())
