"""MakeAMove: a move, resigning, a draw accepted or claimed, through the same use cases as the web.

Flags (resign, then accept, then claim) take precedence over moves, because programs repeat the
game's last move with them. A move that this player already made is answered as the first time.
Resigning takes effect at once, not confirmed as by mail: the key proves who asks, the flag can't
be misread, the programs ask themselves, and the protocol has no second step for saying yes.
A refusal under the rules becomes one of the protocol's words; the reason, in the reader's
language, comes with the next list of games. Not for reading the call (soap.py).
"""

import re
from dataclasses import dataclass

import chess

from kskak.game import commands as cmd
from kskak.game.events import DrawClaimFailed
from kskak.game.refusals import Reason, Refusal
from kskak.play.recent import RecentPly
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.game_letters.not_made import refusal_text
from mail.grammar.understood import ProblemKind
from mail.text.words import Words
from server.store.account import xfcc_notes
from server.store.engine.errors import UnknownGame
from server.store.play import games as game_rows
from server.store.play import messages as messages_with_moves
from server.store.play import quiet_thread as quiet_thread_rows
from server.store.play import xfcc_numbers
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.reply_limits import same_words
from server.usecases.play import quiet_thread
from server.usecases.play.ask import Answer, Asked, NotYours, ask
from server.usecases.play.reading import TextProblem, command_from_text
from server.xfcc.listing import knows_not, last_said
from server.xfcc.results import Made, refused, unread
from server.xfcc.soap import Called

CHANNEL = "xfcc"
LONGEST_MESSAGE, LONGEST_MOVE = 4000, 12
_MARKS = re.compile(r"\s*e\.?p\.?$|[+#!?]+$")
_SCIDS_OWN = ("- Draw -", "- Resign -")
"""What Scid appends to a message that it repeats."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A call that names a game, as received."""

    game: int
    number: int | None
    move: str
    message: str
    resigns: bool
    accepts: bool
    claims: bool
    offers: bool

    @staticmethod
    def of(called: Called) -> "Wish":
        """From the fields; a game id that is not a number becomes 0, which is no game."""
        return Wish(
            game=called.number("gameId") or 0,
            number=called.number("movecount"),
            move=_MARKS.sub("", called.text("myMove")[:LONGEST_MOVE]),
            message=called.text("myMessage")[:LONGEST_MESSAGE],
            resigns=called.is_set("resign"),
            accepts=called.is_set("acceptDraw"),
            claims=called.is_set("claimDraw"),
            offers=called.is_set("offerDraw"),
        )

    @property
    def is_message(self) -> bool:
        """Whether it asks for no action in the game."""
        return not (self.move or self.resigns or self.accepts or self.claims or self.offers)

    def repeats(self, ply: RecentPly) -> bool:
        """Whether the move and its number are those of a ply already played."""
        written = {_MARKS.sub("", ply.san), ply.move.uci()}
        return self.number == ply.number and self.move in written


class _Done(Exception):
    """The move was already made: it is answered as it was then."""


class _Wrong(Exception):
    """The protocol's answer to a call that leaves nothing for the rules to refuse."""

    def __init__(self, made: Made) -> None:
        super().__init__(made.value)
        self.made = made


@dataclass(frozen=True, slots=True)
class _Building:
    """Builds the command from the game as it stands once it is locked."""

    wish: Wish
    core: Core
    zone: str

    def __call__(self, state: GameState, side: Side) -> cmd.Command | Refusal | TextProblem:
        """Raises _Done and _Wrong."""
        wish = self.wish
        if wish.resigns:
            return cmd.Resign(side)
        if wish.accepts:
            return cmd.AcceptDraw(side)
        last = next(iter(state.recent.last(1)), None)
        if wish.claims and (not wish.move or (last is not None and wish.repeats(last))):
            return cmd.ClaimDraw(side, state.position.ply)
        if not wish.move:
            return self._without_move(side)
        if any(ply.by is side and wish.repeats(ply) for ply in state.recent.plies):
            raise _Done
        if state.result is not None:
            return Refusal(Reason.GAME_OVER)
        if state.rests:
            return Refusal(Reason.AT_REST)
        if state.to_move is not side:
            return Refusal(Reason.NOT_YOUR_TURN)
        if wish.number != state.board.fullmove_number:
            raise _Wrong(Made.INVALID_NUMBER)
        return self._move(state, side)

    def _without_move(self, side: Side) -> cmd.Command:
        if self.wish.offers:
            return cmd.OfferDraw(side)
        raise _Wrong(Made.UNAVAILABLE)

    def _move(self, state: GameState, side: Side) -> cmd.Command | Refusal | TextProblem:
        """Programs write English letters whatever language their user speaks."""
        ply, wish = state.position.ply, self.wish
        today = self.core.today(self.zone)
        read = command_from_text(
            state, side, wish.move, ply=ply, offers_draw=wish.offers, today=today, lang="en"
        )
        if isinstance(read, TextProblem) or not wish.claims:
            return read
        (move,) = read.plies[-1:] or (chess.Move.null(),)
        return cmd.ClaimDraw(side, ply, move)


async def make_a_move(core: Core, person: PersonRow, called: Called) -> Made:
    """Do what a call asks for, and return the outcome."""
    wish = Wish.of(called)
    async with core.store.read() as conn:
        game_id = await xfcc_numbers.game_of(conn, wish.game)
        row = None if game_id is None else await game_rows.load(conn, game_id)
        if row is None:
            return Made.INVALID_GAME
        side = row.side_of(person.id)
        if side is None:
            return Made.NOT_YOUR_GAME
        events = await game_rows.history(conn, row.id)
        told_us = (await xfcc_notes.told_us(conn, person.id)).get(row.id, 0)
        messages = await messages_with_moves.of_game(conn, row.id)
        thread = await conn.run_sync(quiet_thread_rows.of_game, row.id)
    heard = last_said(events, messages, thread, row.person_of(side.other))
    message = "" if _is_echo(wish.message, heard) else wish.message
    if message and wish.is_message:
        return await _written(core, row, person, message)
    if knows_not(events, person.id, told_us):
        await _tell_set_back(core, person, row)
        return Made.INVALID_NUMBER
    build = _Building(wish, core, row.zone)
    try:
        answer = await ask(core, Asked(row.id, person.id, CHANNEL, build, message))
    except _Done:
        return Made.SUCCESS
    except _Wrong as error:
        return error.made
    except (NotYours, UnknownGame):
        return Made.NOT_YOUR_GAME
    assert isinstance(answer, Answer), "no key was given"
    return await _told(core, person, answer)


async def _tell_set_back(core: Core, person: PersonRow, game: GameRow) -> None:
    """The move may be meant for the position before: told once, with the next list."""
    said = Words.load(person.lang)("xfcc.info.set_back")
    async with core.store.write() as conn:
        await xfcc_notes.note(conn, person.id, game.id, said, core.now_us)


def _is_echo(message: str, heard: str) -> bool:
    """Programs send the last comment of the game, which may be the opponent's own message."""
    said = message
    for mark in _SCIDS_OWN:
        said = said.removesuffix(mark).strip()
    return " ".join(said.split()) == " ".join(heard.split())


async def _written(core: Core, game: GameRow, person: PersonRow, message: str) -> Made:
    """A message without a move goes into the game's thread; the same words once a day."""
    key = f"xfcc-{same_words(message, core.today(game.zone).isoformat())}"
    fault = await quiet_thread.write(core, game, person.id, message, key)
    return Made.SUCCESS if fault is None else Made.UNAVAILABLE


async def _told(core: Core, person: PersonRow, answer: Answer) -> Made:
    """The protocol's word; the reason is kept for the next list of games."""
    words, made, said = Words.load(person.lang), Made.SUCCESS, ""
    if answer.refusal is not None:
        made = refused(answer.refusal.reason, answer.state)
        said = refusal_text(answer.refusal, words)
    elif answer.problem is not None:
        made = unread(answer.problem.problem.kind)
        is_doubtful = answer.problem.problem.kind is ProblemKind.AMBIGUOUS
        said = words("xfcc.info.ambiguous" if is_doubtful else "xfcc.info.no_move")
    elif any(isinstance(event, DrawClaimFailed) for event in answer.events):
        said = words("xfcc.info.claim_failed")
    async with core.store.write() as conn:
        await xfcc_notes.note(conn, person.id, answer.game.id, said, core.now_us)
    return made
