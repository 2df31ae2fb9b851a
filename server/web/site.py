"""The pages' addresses, and how they are put on an app. Not for starting a server (server.app)."""

from aiohttp import web

from server.usecases.core import Core
from server.web import (
    assets,
    confirming,
    ending,
    feeding,
    gamepage,
    granting,
    leaving,
    lists,
    mailbox,
    maildesk,
    moving,
    preferences,
    signing,
    statement,
    thinking,
)
from server.web.context import CORE
from server.web.frame import frame
from server.web.headers import add_headers
from server.web.throttle import Throttle

GAME = r"/games/{game:\d{1,18}}"

ROUTES = (
    web.get("/", lists.front),
    web.get("/signin", signing.ask_page),
    web.post("/signin", signing.ask),
    web.get("/login/{token}", signing.link_page),
    web.post("/login/{token}", signing.use_link),
    web.post("/signout", signing.sign_out),
    web.post("/language", preferences.choose_language),
    web.get("/about", preferences.about),
    web.get(GAME, gamepage.show),
    web.post(f"{GAME}/preview", moving.show_preview),
    web.post(f"{GAME}/change", moving.change),
    web.post(f"{GAME}/move", moving.send),
    web.get(f"{GAME}/end/{{kind}}", ending.question),
    web.post(f"{GAME}/end/{{kind}}", ending.do),
    web.get(f"{GAME}/statement", statement.show),
    web.get(f"{GAME}/statement.json", statement.as_json),
    web.get(f"{GAME}/statement.txt", statement.as_text),
    web.get("/groups/{name:.+}", lists.group),
    web.get(r"/players/{person:\d{1,18}}", lists.player),
    web.get("/leave", leaving.show),
    web.post("/leave", leaving.ask),
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
