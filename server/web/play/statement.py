"""A game's account as a page, as JSON and as the table of § 6.8.2.

Every number comes from the account. Not for counting.
"""

from aiohttp import web

from kskak.ledger.ledger_out import clock_json
from kskak.regulation.quantities import Side
from kskak.statement.iccf_table import iccf_table
from kskak.statement.timeline import timeline
from server.web.board.move_list import plies
from server.web.cases.words import case_words
from server.web.frame.context import one_look, words
from server.web.frame.pages import page
from server.web.frame.time_left import time_bar
from server.web.play.game_page import seen_game
from server.web.reflection.day_calendar import calendar_of


@one_look
async def show(request: web.Request) -> web.Response:
    """Every dispatch, with what was charged, what was not, and why."""
    view = await seen_game(request)
    account = view.account
    rules = account.terms.rules
    return page(
        request,
        "play/statement.html",
        d=case_words(request),
        view=view,
        account=account,
        state=account.state,
        plies=plies(account),
        bars=(time_bar(account, Side.WHITE), time_bar(account, Side.BLACK)),
        rules_days=rules.control_limit(rules.moves_per_control),
        rules_moves=rules.moves_per_control,
        calendar=calendar_of(timeline(account), words(request)),
        table=iccf_table(account),
    )


async def as_json(request: web.Request) -> web.Response:
    """kskak-clock/1, as of today."""
    view = await seen_game(request)
    return web.json_response(clock_json(view.account))


async def as_text(request: web.Request) -> web.Response:
    """The table alone."""
    view = await seen_game(request)
    return web.Response(text=iccf_table(view.account), content_type="text/plain", charset="utf-8")
