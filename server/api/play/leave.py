"""POSTs about leave: book, shorten, and an official's special leave (§ 6.3.6, § 6.8.8).

Each applies to all games of a tournament or to none. Not for what leave costs
(kskak.reflection.leave) or who is notified (usecases/reflection).
"""

from collections.abc import Awaitable, Callable
from datetime import date

from aiohttp import web

from kskak.ledger.ledger_out import JsonObject
from server.api.frame import problems
from server.api.frame.ask_game import CHANNEL
from server.api.frame.body import LeaveBody, ShortenBody, SpecialLeaveBody, parse
from server.api.frame.endpoints import Call
from server.api.frame.json_answer import dumps
from server.api.frame.once import answered_once
from server.api.frame.problems import Kind, Problem, refused
from server.api.frame.serving import words_of
from server.usecases.reflection.leave import Booked, Leave, NotBooked, book
from server.usecases.reflection.shorter_leave import Shortening, shorten
from server.usecases.reflection.special_leave import NotTheirs, Special, grant

DONE = 200
Outcome = Booked | NotBooked
Days = tuple[date, date]


async def leave(call: Call) -> web.Response:
    """Book leave."""
    raw = await call.body()
    body = parse(LeaveBody, raw)
    person, core = call.signed_in.person, call.api.core
    asked = Leave(person.id, body.first, body.last, CHANNEL, core.clock.now(), body.tournament)
    return await _once(call, raw, (body.first, body.last), lambda: book(core, asked))


async def shorter(call: Call) -> web.Response:
    """Shorten leave; the opponents keep the announced stop."""
    raw = await call.body()
    body = parse(ShortenBody, raw)
    person, core = call.signed_in.person, call.api.core
    now, days = core.clock.now(), (body.first, body.last)
    asked = Shortening(person.id, body.until, CHANNEL, now, *days)
    return await _once(call, raw, (body.first, body.until), lambda: shorten(core, asked))


async def special(call: Call) -> web.Response:
    """Grant special leave; 404 for a player whom the caller does not lead."""
    raw = await call.body()
    body = parse(SpecialLeaveBody, raw)
    official, core = call.signed_in.person, call.api.core
    days, now = (body.first, body.last), core.clock.now()
    asked = Special(official, body.player, body.tournament, *days, CHANNEL, now)
    return await _once(call, raw, days, lambda: grant(core, asked))


async def _once(
    call: Call, raw: bytes, days: Days, do: Callable[[], Awaitable[Outcome]]
) -> web.Response:
    """Book and answer in one transaction; a repeat with the same key gets the same answer."""

    async def answered() -> tuple[int, str]:
        try:
            return _answer(call, days, await do())
        except NotTheirs:
            raise Problem(Kind.NOT_FOUND) from None

    return await answered_once(call, raw, answered)


def _answer(call: Call, days: Days, outcome: Outcome) -> tuple[int, str]:
    if isinstance(outcome, Booked):
        refused_in = [name for one in outcome.refused for name in one.groups]
        span: JsonObject = {"from": days[0].isoformat(), "to": days[1].isoformat()}
        span |= {"groups": list(outcome.groups), "games": outcome.games}
        return DONE, dumps(span | {"refused": list(refused_in)})
    if outcome.refusal is None:
        problem = Problem(Kind.NO_GAMES)
    else:
        problem = refused(outcome.refusal)
        problem.more["game"] = outcome.game
    call.api.meters.refused(CHANNEL, problem.kind)
    return problems.status_of(problem.kind), dumps(problems.document(problem, words_of(call)))
