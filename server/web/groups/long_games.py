"""The games that have lasted 18 months: called in by ticks, a case for each (§ 6.2.7).

Not for deciding them (cases/adjudging.py).
"""

from collections.abc import Iterable

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from server.usecases.cases import adjudication
from server.usecases.cases.adjudication import LongGame
from server.usecases.core.offices import NotAllowed, Rights
from server.usecases.office.rehearsal import Refused
from server.web.cases.words import case_words
from server.web.desks.bulk import Deed, Row
from server.web.desks.overview import held
from server.web.frame.context import core
from server.web.frame.forms import Form
from server.web.frame.pages import page


async def show(request: web.Request) -> web.Response:
    """The games that may be called in, the longest first."""
    person, rights = await held(request)
    try:
        games = await adjudication.long_running(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    ticks = CALL_IN.ticks(_rows(games, rights))
    d = case_words(request)
    return page(request, "groups/desk_long.html", d=d, rights=rights, games=games, ticks=ticks)


def _rows(games: Iterable[LongGame], rights: Rights) -> list[Row]:
    """Those that the viewer may call in; not those that have been."""
    free = (one.game for one in games if one.case is None and rights.leads(one.game.group_id))
    return [Row(str(g.id), f"{g.name} {g.white} – {g.black}", f"{g.seq}") for g in free]


async def _rows_now(request: web.Request) -> list[Row]:
    person, rights = await held(request)
    try:
        return _rows(await adjudication.long_running(core(request), person), rights)
    except NotAllowed:
        raise web.HTTPNotFound from None


async def _call_in(request: web.Request, row: Row, _: Form) -> None:
    person, _rights = await held(request)
    for case in await adjudication.call_in(core(request), person, [int(row.key)]):
        if isinstance(case, CaseRefusal):
            raise Refused(case_words(request).refusal(case))


CALL_IN = Deed("long", "/desk/long/call", "/desk/long", show, _rows_now, _call_in)
