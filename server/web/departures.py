"""A member has died, a club is no more: what hangs on it is shown, then one deed ends it (§ 6.2.8).

Not for the register's other pages (register.py).
"""

from aiohttp import web

from kskak.regulation.editions import Channel
from server.usecases.register.register_desk import club_list
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.season import departures
from server.web.frame.context import PageRoutes, core, signed_in
from server.web.frame.forms import FormFault, form_of, stands_on
from server.web.frame.pages import page
from server.web.register import clubs, frame_values, load_register_words, show

routes = PageRoutes()


@routes.post(r"/desk/members/{person:\d{1,18}}/death")
@stands_on(show)
async def die(request: web.Request) -> web.Response:
    """Record that a member has died, once it is confirmed that what he holds ends (§ 6.2.8)."""
    await frame_values(request)
    form, person_id = await form_of(request), int(request.match_info["person"])
    day, r = form.day("died"), load_register_words(request)
    if day is None or not form.is_ticked("sure"):
        raise FormFault("died", r("death.sure" if day else "death.day"))
    try:
        at, by = core(request), signed_in(request)
        why = r("death.title")
        await departures.record_death(at, by, person_id, day, Channel.WEB.value, why)
    except NoSuch:
        raise FormFault("died", r("death.day")) from None
    raise web.HTTPSeeOther(f"/desk/members/{person_id}?saved=1")


@routes.post("/desk/members/clubs/end")
@stands_on(clubs)
async def end_club(request: web.Request) -> web.Response:
    """Show what hangs on a club that ends (``act`` look), then end it (§ 6.7.3)."""
    values, form = await frame_values(request), await form_of(request)
    r = load_register_words(request)
    club, into, day = form.number("ends"), form.number("into"), form.day("ended")
    if club is None or club == into or day is None:
        raise FormFault("ended", r("club.wrong"))
    at, by = core(request), signed_in(request)
    try:
        if form.typed("act") == "look":
            found = await departures.find_teams(at, by, club)
            others = {one.id: one for one, _ in await club_list(at, by)}
            return page(
                request,
                "register/club_ends.html",
                status=200,
                found=found,
                into=others.get(into or 0),
                day=day,
                **values,
            )
        await departures.end_club(at, by, club, into, day, Channel.WEB.value)
    except NotAllowed:
        raise web.HTTPNotFound from None
    except NoSuch:
        raise FormFault("ended", r("club.wrong")) from None
    raise web.HTTPSeeOther("/desk/members/clubs?saved=1")
