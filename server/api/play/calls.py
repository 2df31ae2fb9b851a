"""POSTs to a game: moves, draw, resign, claim. Each is one command, executed once.

A refused call changes nothing and costs no day: the web and the API refuse before sending
(REGULATION, "Invalid moves"). Not for what a command does (kskak.play.decide, usecases.play).
"""

from aiohttp import web

from kskak.board.notation import MoveUnread, read_move
from kskak.cases.events import CaseKind
from kskak.game import commands as cmd
from kskak.game.refusals import Reason, Refusal
from kskak.ledger.ledger_out import JsonObject, JsonValue
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.game_letters.claims import PARAGRAPHS, dispute_text
from mail.grammar.keywords import Word
from mail.grammar.understood import Problem as TextFault
from mail.grammar.understood import ProblemKind
from server.api.frame.ask_game import Built, ask_once
from server.api.frame.body import (
    EMPTY,
    ClaimBody,
    DrawBody,
    LongThinkBody,
    MovesBody,
    ResignBody,
    bad_fields,
    parse,
)
from server.api.frame.endpoints import Call
from server.api.frame.serving import words_of
from server.api.frame.texts import unread_move
from server.store.play import games as game_rows
from server.usecases.play.ask import Answer
from server.usecases.play.reading import (
    TextProblem,
    bare_move,
    languages_of,
    read_words,
    send_moves,
)


async def moves(call: Call) -> web.Response:
    """POST /games/{id}/moves: a dispatch, in the grammar used in mails.

    Stricter than mail in one respect: if any part was not understood, nothing is sent, because
    the caller is there to be asked.
    """
    raw = await call.body()
    body = parse(MovesBody, raw)
    lang = call.signed_in.person.lang
    async with call.api.core.store.read() as conn:
        is_gone = await game_rows.is_of_the_past(conn, call.game_id, body.ply, body.seq)

    def build(state: GameState, side: Side) -> Built:
        missed = _missed(state, side, -1 if is_gone else body.ply)
        if missed is not None:
            return Refusal(missed)
        bare = bare_move(state, body.text, lang)
        if bare is not None:
            return cmd.SendMoves(side, state.position.ply, (bare,), (), body.draw_offer)
        reading = read_words(state, side, body.text, lang=lang, today=call.api.today())
        if reading.problem is not None:
            return TextProblem(reading.problem, reading)
        is_more = any(keyword.word is not Word.DRAW_OFFER for keyword in reading.keywords)
        if reading.rest or is_more or not reading.moves:
            unclear = reading.rest[0] if reading.rest else body.text.strip()
            return TextProblem(TextFault(ProblemKind.NOT_UNDERSTOOD, unclear), reading)
        return send_moves(reading, side, state.position.ply, offers_draw=body.draw_offer)

    return await ask_once(call, raw, build, body.message or "")


def _missed(state: GameState, side: Side, ply: int | None) -> Reason | None:
    """Why the text is not even parsed: in another position it would mean something else."""
    if state.result is not None:
        return Reason.GAME_OVER
    if state.rests:
        return Reason.AT_REST
    if ply is not None and ply != state.position.ply:
        return Reason.STALE
    return None if state.to_move is side else Reason.NOT_YOUR_TURN


async def draw(call: Call) -> web.Response:
    """POST /games/{id}/draw: answer an offer, or claim a draw (FIDE 9.1-9.3)."""
    raw = await call.body()
    body = parse(DrawBody, raw)
    if body.intended is not None and body.action != "claim":
        raise bad_fields([("/intended", "not_allowed")])
    languages = languages_of(call.signed_in.person.lang)

    def build(state: GameState, side: Side) -> Built:
        match body.action:
            case "accept":
                return cmd.AcceptDraw(side)
            case "decline":
                return cmd.DeclineDraw(side)
        if body.intended is None or state.to_move is not side:
            return cmd.ClaimDraw(side, state.position.ply)
        read = read_move(state.board, body.intended, languages)
        if isinstance(read, MoveUnread):
            raise unread_move(read)
        return cmd.ClaimDraw(side, state.position.ply, read.move)

    return await ask_once(call, raw, build)


async def resign(call: Call) -> web.Response:
    """POST /games/{id}/resign (§ 6.2.6)."""
    raw = await call.body()
    parse(ResignBody, raw or EMPTY)
    return await ask_once(call, raw, lambda _, side: cmd.Resign(side))


async def long_think(call: Call) -> web.Response:
    """POST /games/{id}/long-think: notice of more than 14 days on the move (§ 6.3.4)."""
    raw = await call.body()
    parse(LongThinkBody, raw or EMPTY)
    return await ask_once(call, raw, lambda _, side: cmd.NotifyLongThink(side))


async def claim(call: Call) -> web.Response:
    """POST /games/{id}/claim: claim or waive the opponent's overstep; admit one's own.

    § 6.3.3.4, § 6.3.3.5, § 6.8.7. A refused claim says how to raise a case (§ 6.4.1).
    """
    raw = await call.body()
    body = parse(ClaimBody, raw or EMPTY)

    def build(_: GameState, side: Side) -> Built:
        match body.action:
            case "claim":
                return cmd.ClaimOverstep(side)
            case "waive":
                return cmd.WaiveOverstep(side)
            case "admit":
                return cmd.AdmitOverstep(side)

    def way_on(answer: Answer) -> JsonObject:
        is_claim = body.action == "claim" and not answer.state.rests
        refusal = answer.refusal
        is_claim &= refusal is None or refusal.reason is not Reason.OUTAGE_UNSETTLED
        return _raise_case(call, answer) if is_claim else {}

    return await ask_once(call, raw, build, way_on=way_on)


def _raise_case(call: Call, answer: Answer) -> JsonObject:
    """The case that a refused claim can become, ready to be posted (§ 6.4.1, Kendelse 107)."""
    game, side = answer.game, answer.game.side_of(call.signed_in.person.id)
    if side is None:
        return {}
    late = side.other
    name = game.white if late is Side.WHITE else game.black
    text = dispute_text(answer.state, late, name, words_of(call))
    body: JsonObject = {"game": game.id, "kind": CaseKind.OVERSTEP.value, "text": text}
    about: list[JsonValue] = list(PARAGRAPHS[answer.state.terms.regulation])
    way: JsonObject = {"href": "/api/v1/cases", "paragraphs": about}
    return {"raise_case": way | {"body": body}}
