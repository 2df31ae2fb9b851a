"""Public pages of players and clubs, and their lists. Not for own games (play/my_games.py).

A club's page shows only what lists and results already publish (usecases/people/club_pages.py).
"""

from aiohttp import web

from server.usecases.archive.views import of_person
from server.usecases.cases.sanctions import own_records
from server.usecases.core.offices import Rights, rights
from server.usecases.people.club_pages import all_clubs, club_view
from server.usecases.people.player_list import player_list
from server.usecases.people.player_pages import player_view
from server.usecases.play.who_sees import may_see
from server.web.archive.words import ArchiveWords
from server.web.board.rating_curve import curve_of
from server.web.cases.record_lines import record_lines
from server.web.cup.words import cup_words
from server.web.frame.context import core, one_look, viewer, words
from server.web.frame.form_faults import beside, too_long
from server.web.frame.forms import TooLong
from server.web.frame.pages import page
from server.web.groups.words import PublicWords
from server.web.league.words import LeagueWords
from server.web.play.my_games import LONGEST, number_of
from server.web.rating.pages import rating_words


def public_words(request: web.Request) -> PublicWords:
    """The public pages' texts in the reader's language."""
    return PublicWords(words(request).words)


@one_look
async def player(request: web.Request) -> web.Response:
    """A player: club, ratings with curve, results, games including the archive's; no address.

    404 for those not named on any public page, except to officials and the player himself.
    """
    person_id = int(request.match_info["person"])
    view = await player_view(core(request), person_id, number_of(request, "page"))
    if view is None:
        raise web.HTTPNotFound
    person = viewer(request)
    asks = person is not None and (bool(view.running) or not view.is_named)
    held = await rights(core(request), person) if person is not None and asks else None
    if not view.is_named and not _may_look_up(held, person_id):
        raise web.HTTPNotFound
    today = core(request).today(core(request).settings.clock.zone)
    is_own = person is not None and person.id == person_id
    records = await own_records(core(request), person_id) if is_own else ()
    return page(
        request,
        "register/player.html",
        records=record_lines(records, words(request).words),
        c=cup_words(request),
        p=public_words(request),
        view=view,
        person=view.person,
        seen=frozenset(game.id for game in view.running if may_see(held, game, view.live)),
        r=rating_words(request),
        points=view.history.points,
        curve=curve_of(view.history.curve, today),
        past=await of_person(core(request), person_id),
        a=ArchiveWords(words(request).words),
    )


def _may_look_up(held: Rights | None, person_id: int) -> bool:
    """Those only in the register can be looked up by officials and by themselves."""
    return held is not None and (held.is_official or held.person_id == person_id)


@one_look
async def players(request: web.Request) -> web.Response:
    """Current and past players by name, or those matching a search; a page at a time."""
    text = " ".join(request.query.get("q", "").split())
    is_long = len(text) > LONGEST
    if is_long:
        beside(request, "q", too_long(request, TooLong("q", len(text), LONGEST)))
    asked = "" if is_long else text
    found = await player_list(core(request), asked, number_of(request, "page"))
    return page(
        request,
        "register/players.html",
        p=public_words(request),
        found=found,
        asked=asked,
        typed=text,
    )


@one_look
async def clubs(request: web.Request) -> web.Response:
    """Every club that has players."""
    found = await all_clubs(core(request))
    return page(request, "register/clubs.html", p=public_words(request), clubs=found)


@one_look
async def club(request: web.Request) -> web.Response:
    """A club: its players with ratings, its teams with their results."""
    view = await club_view(core(request), int(request.match_info["club"]))
    if view is None:
        raise web.HTTPNotFound
    lw = LeagueWords(words(request).words)
    return page(request, "register/club.html", p=public_words(request), lw=lw, view=view)
