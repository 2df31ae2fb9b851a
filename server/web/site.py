"""The pages' routes, and adding them to an app. Not for starting a server (server.app)."""

from aiohttp import web

from server.usecases.context import Core
from server.usecases.play.open_pages import Hub
from server.web import archive as archive_pages
from server.web import cup as cup_pages
from server.web import departures, sharing
from server.web import help as help_pages
from server.web import rating as rating_pages
from server.web import register as register_pages
from server.web import regulation as regulation_pages
from server.web.account import settings as settings_pages
from server.web.account import sign_in
from server.web.cases import case_page
from server.web.cases import decision_pages as deciding
from server.web.desks import books, desk_pages
from server.web.entries import entry_desk
from server.web.entries import season as season_pages
from server.web.frame import assets, middleware, pages
from server.web.frame import event_stream as events
from server.web.frame.context import CORE, Throttle
from server.web.frame.middleware import add_headers, frame
from server.web.groups import group_pages, published
from server.web.league import league_pages
from server.web.league import team_entries as team_entry_pages
from server.web.play import friends, game_documents, game_page, my_games, player_actions
from server.web.postal import cards as card_pages
from server.web.reflection import leave as leave_pages

MODULES = (
    my_games,
    sign_in,
    assets,
    settings_pages,
    desk_pages,
    help_pages,
    departures,
    regulation_pages,
    register_pages,
    events,
    pages,
    game_page,
    game_documents,
    player_actions,
    friends,
    deciding,
    card_pages,
    published,
    sharing,
    cup_pages,
    group_pages,
    rating_pages,
    league_pages,
    team_entry_pages,
    archive_pages,
    leave_pages,
    entry_desk,
    books,
    season_pages,
    case_page,
)
"""In this order: a module's addresses are declared where they are answered, and of two that match
the one declared first answers."""
ROUTES = tuple(route for module in MODULES for route in module.routes)


def setup(app: web.Application, core: Core, hub: Hub | None = None) -> None:
    """Add the pages to an app, with the headers and checks around them.

    ``hub`` notifies open pages of changes; without one they are not notified.
    """
    app[CORE] = core
    app[events.HUB] = hub or Hub()
    app.on_shutdown.append(events.end_streams)
    app[sign_in.THROTTLE] = Throttle()
    app[help_pages.FIGURES] = {}
    app[middleware.STRANGERS] = Throttle(middleware.MOST_OF_STRANGER)
    app[register_pages.THROTTLE] = Throttle(register_pages.MOST_JOINING)
    app.middlewares.append(frame)
    app.on_response_prepare.append(add_headers)
    app.add_routes(ROUTES)
