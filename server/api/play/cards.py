"""POSTs to postal games: a card, its receipt, consent to e-mail (§ 6.2.1, § 6.3.2).

Not for what a card costs (kskak) or its page (web).
"""

import base64
import binascii
from dataclasses import replace

from aiohttp import web

from kskak.game import commands as cmd
from kskak.game.events import GameSetBack
from kskak.game.refusals import Refusal
from kskak.regulation.quantities import Side
from mail.text.words import Words
from server.api.frame import problems
from server.api.frame.ask_game import CHANNEL, ask_once, problem_of
from server.api.frame.body import CardBody, EmailBody, ReceiptBody, bad_fields, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import done, dumps, text_response
from server.api.frame.keys import REPLAYED, key_of
from server.api.frame.problems import Kind, Problem
from server.api.frame.serving import words_of
from server.store.engine.errors import UnknownGame
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.usecases.core.context import Core
from server.usecases.core.game_work import KeyReused, Replayed
from server.usecases.core.offices import rights
from server.usecases.play.ask import Answer, NotYours
from server.usecases.play.game_views import GameView, game_view
from server.usecases.play.reading import TextProblem
from server.usecases.postal.card_preview import corrected_view, preview_card
from server.usecases.postal.cards import CardKind, Entry, Recording, is_final, record_card
from server.usecases.postal.scans import MOST_BYTES, Scan, ScanFault, read_scan

MOST_BODY = MOST_BYTES * 4 // 3 + 65_536
"""Octets of a body with a Base64-encoded picture."""


async def scan_of(text: str, pointer: str) -> Scan:
    """A Base64-encoded file. Raises Problem if it is invalid or of a type not accepted."""
    try:
        found = await read_scan(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        raise bad_fields([(pointer, "not_allowed")]) from None
    if isinstance(found, ScanFault):
        raise bad_fields([(pointer, "not_allowed")])
    return found


async def _entry(body: CardBody, ply: int) -> Entry:
    return Entry(
        kind=CardKind(body.kind),
        by=Side(body.by),
        ply=ply if body.ply is None else body.ply,
        text=body.text,
        postmark=body.postmark,
        receipt=body.receipt,
        stated=body.stated,
        received=body.received,
        arrived=body.arrived,
        offers_draw=body.draw_offer,
        note=body.note,
        scan=None if body.scan is None else await scan_of(body.scan, "/scan"),
    )


async def card(call: Call) -> web.Response:
    """POST /games/{id}/cards: by a party or an official; a faulty entry costs nothing."""
    raw = await call.body(MOST_BODY)
    body = parse(CardBody, raw)
    person, words, core = call.signed_in.person, words_of(call), call.api.core
    async with core.store.read() as conn:
        game = await game_rows.load(conn, call.game_id)
        right = None if body.right_game is None else await game_rows.load(conn, body.right_game)
    if game is None or (right is None) is not (body.right_game is None):
        raise Problem(Kind.NOT_FOUND)
    entry, key = await _ply_of(core, body, right or game), key_of(call.request, person.id, raw)
    if body.preview:
        return text_response(*await _previewed(call, body, right or game, entry))

    def respond(answer: Answer) -> tuple[int, str]:
        return _told(answer, entry.by, words)

    asked = Recording(
        call.game_id,
        person,
        entry,
        CHANNEL,
        key,
        respond if key is not None else None,
        body.corrects,
        right,
    )
    try:
        answer = await record_card(core, asked, game)
    except (NotYours, UnknownGame):
        raise Problem(Kind.NOT_FOUND) from None
    except KeyReused:
        raise Problem(Kind.KEY_REUSED) from None
    if isinstance(answer, Replayed):
        return text_response(answer.status, answer.body, {REPLAYED: "true"})
    return text_response(*respond(answer))


async def _ply_of(core: Core, body: CardBody, game: GameRow) -> Entry:
    """The entry, for the position without the card that it corrects unless a ply is told."""
    wrong = body.corrects if body.right_game is None else None
    view = None if wrong is None else await game_view(core, game.id)
    without = (
        None if view is None or wrong is None else corrected_view(view, wrong, None, is_final=False)
    )
    ply = without.account.state.position.ply if isinstance(without, GameView) else game.ply
    async with core.store.read() as conn:
        is_gone = await game_rows.is_of_the_past(conn, game.id, body.ply, body.seq)
    entry = await _entry(body, ply)
    return replace(entry, ply=-1) if is_gone and body.corrects is None else entry


async def _previewed(call: Call, body: CardBody, game: GameRow, entry: Entry) -> tuple[int, str]:
    """What a card comes to, as ``card`` would answer; nothing is written."""
    person, core = call.signed_in.person, call.api.core
    view, held = await game_view(core, game.id), await rights(core, person)
    side, speaks = game.side_of(person.id), held.speaks_for(game.group_id)
    if view is None or not (speaks or side is not None):
        raise Problem(Kind.NOT_FOUND)
    found: GameView | Refusal = view
    if body.corrects is not None and body.right_game is None:
        author, final = None if speaks else side, await is_final(core, game)
        found = corrected_view(view, body.corrects, author, is_final=final)
    made = preview_card(found, entry, side, person.lang) if isinstance(found, GameView) else found
    state = found.account.state if isinstance(found, GameView) else view.account.state
    answer = Answer(game, state, state, (), game.seq)
    match made:
        case Refusal():
            answer = replace(answer, refusal=made)
        case TextProblem():
            answer = replace(answer, problem=made)
        case _:
            answer = replace(answer, state=made.after, events=made.events)
    return _told(answer, entry.by, words_of(call))


def _told(answer: Answer, by: Side, words: Words) -> tuple[int, str]:
    """Status and body of an answer, including a refusal."""
    problem = problem_of(answer)
    if problem is not None:
        return problems.status_of(problem.kind), dumps(problems.document(problem, words))
    # A card that takes another's place comes after the entry that makes that one void.
    is_instead = bool(answer.events) and isinstance(answer.events[0], GameSetBack)
    return 200, dumps(done(answer, by) | {"card": answer.game.seq + 1 + is_instead})


async def receipt(call: Call) -> web.Response:
    """POST /games/{id}/receipt: the player to move has received the opponent's card."""
    raw = await call.body()
    body = parse(ReceiptBody, raw)
    return await ask_once(call, raw, lambda _, side: cmd.RecordReceipt(side, body.on))


async def email(call: Call) -> web.Response:
    """POST /games/{id}/email: a player's consent or refusal to moves by e-mail."""
    raw = await call.body()
    body = parse(EmailBody, raw)
    return await ask_once(call, raw, lambda _, side: cmd.AnswerEmail(side, body.agrees))
