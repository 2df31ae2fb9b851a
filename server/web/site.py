"""The pages' addresses, and how they are put on an app. Not for starting a server (server.app)."""

from aiohttp import web

from server.usecases.core import Core
from server.web import (
    assets,
    cards,
    casedeeds,
    casefile,
    casepage,
    confirming,
    deciding,
    desks,
    economy,
    ending,
    feeding,
    gamepage,
    granting,
    groupdesk,
    leaving,
    leavingdeed,
    lists,
    mailbox,
    maildesk,
    moving,
    objecting,
    ownpage,
    postal,
    preferences,
    results,
    signing,
    statement,
    thinking,
    yearplan,
)
from server.web.context import CORE
from server.web.frame import frame
from server.web.headers import add_headers
from server.web.throttle import Throttle

GAME = r"/games/{game:\d{1,18}}"
CASE = r"/desk/cases/{year:\d{4}}/{n:\d{1,9}}"

ROUTES = (
    web.get("/", lists.front),
    web.get("/signin", signing.ask_page),
    web.post("/signin", signing.ask),
    web.get("/login/{token}", signing.link_page),
    web.post("/login/{token}", signing.use_link),
    web.post("/signout", signing.sign_out),
    web.post("/language", preferences.choose_language),
    web.get("/about", preferences.about),
    web.get("/settings", ownpage.show),
    web.post("/settings", ownpage.do),
    web.get(GAME, gamepage.show),
    web.post(f"{GAME}/preview", moving.show_preview),
    web.post(f"{GAME}/change", moving.change),
    web.post(f"{GAME}/move", moving.send),
    web.get(f"{GAME}/end/{{kind}}", ending.question),
    web.post(f"{GAME}/end/{{kind}}", ending.do),
    web.get(f"{GAME}/object", objecting.question),
    web.post(f"{GAME}/object", objecting.do),
    web.get(f"{GAME}/case.zip", casefile.show),
    web.get("/pgn/{name:.+}.pgn", casefile.group),
    web.get(f"{GAME}/card", cards.show),
    web.post(f"{GAME}/card", cards.preview),
    web.post(f"{GAME}/card/record", cards.record),
    web.get(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/scan", cards.scan),
    web.post(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/seen", results.card_seen),
    web.post(f"{GAME}/receipt", postal.receipt),
    web.get("/results/{name:.+}", results.show),
    web.post("/results/{name:.+}", results.do),
    web.post(f"{GAME}/email", postal.email),
    web.get(f"{GAME}/statement", statement.show),
    web.get(f"{GAME}/statement.json", statement.as_json),
    web.get(f"{GAME}/statement.txt", statement.as_text),
    web.get("/groups/{name:.+}", lists.group),
    web.get(r"/players/{person:\d{1,18}}", lists.player),
    web.get("/leave", leaving.show),
    web.post("/leave", leaving.ask),
    web.get("/desk", desks.leader),
    web.get("/desk/kc", desks.controller),
    web.post("/desk/kc/offices", desks.appoint),
    web.post(r"/desk/kc/offices/{office:\d{1,18}}", desks.dismiss),
    web.get("/desk/kc/year", yearplan.show),
    web.post("/desk/kc/year", yearplan.change),
    web.get("/desk/kc/economy", economy.show),
    web.post("/desk/kc/economy", economy.enter),
    web.get("/desk/kc/economy.csv", economy.export),
    web.post("/desk/kc/economy/import", economy.take_file),
    web.post(r"/desk/kc/economy/{entry:\d{1,18}}", economy.take_back),
    web.post(r"/desk/kc/economy/prizes/{publication:\d{1,18}}", economy.send_prizes),
    web.get("/desk/board", desks.board),
    web.get("/desk/long", groupdesk.long),
    web.post("/desk/long", groupdesk.call_in),
    web.get("/desk/groups/{name:.+}", groupdesk.show),
    web.post("/desk/groups/{name:.+}/withdraw", groupdesk.withdraw),
    web.post("/desk/groups/{name:.+}/annul", groupdesk.annul),
    web.get(CASE, casepage.show),
    web.get(rf"{CASE}/mails/{{mail:\d{{1,18}}}}", casepage.mail),
    web.get(rf"{CASE}/papers/{{paper:\d{{1,18}}}}", casepage.paper),
    web.post(f"{CASE}/decide", deciding.decide),
    web.post(f"{CASE}/edit", deciding.edit),
    web.post(f"{CASE}/rule", leavingdeed.rule),
    web.post(f"{CASE}/{{deed}}", casedeeds.do),
    web.post("/leave/shorten", leaving.make_shorter),
    web.post("/leave/feed", leaving.feed),
    web.get("/calendar/{key:[A-Za-z0-9_-]{1,80}}.ics", feeding.calendar),
    web.get("/desk/leave", granting.show),
    web.post("/desk/leave", granting.do),
    web.get("/desk/mail", maildesk.show),
    web.post(r"/desk/mail/{row:\d{1,18}}", maildesk.do),
    web.get("/mailbox", mailbox.show),
    web.get(r"/mailbox/{mail:\d{1,18}}", mailbox.read),
    web.get(r"/mailbox/{mail:\d{1,18}}/raw", mailbox.raw),
    web.get("/c/{token}", confirming.question),
    web.post("/c/{token}", confirming.answer),
    web.get("/think/{key:[a-z2-7]{1,80}}", thinking.question),
    web.post("/think/{key:[a-z2-7]{1,80}}", thinking.give),
    web.get("/static/{digest:[0-9a-f]{12}}/{name:.+}", assets.serve),
)


def setup(app: web.Application, core: Core) -> None:
    """Put the pages on an app, with the headers and checks around them."""
    app[CORE] = core
    app[signing.THROTTLE] = Throttle()
    app.middlewares.append(frame)
    app.on_response_prepare.append(add_headers)
    app.add_routes(ROUTES)
