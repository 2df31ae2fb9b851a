"""A player's stored data: his postal address, which only he can change (§ 6.2.1, § 6.8.5).

Also shows membership, birth date and ratings. Not for changing those (members.py).
"""

from aiohttp import web

from server.usecases.cases.sanctions import own_records
from server.usecases.postal import addresses
from server.usecases.postal.addresses import AddressTooLong
from server.usecases.register.views import member_view
from server.web.account.settings import sections
from server.web.cases.record_lines import record_lines
from server.web.frame.context import core, one_look, signed_in, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import form_of
from server.web.frame.pages import page
from server.web.register.words import RegisterWords


@one_look
async def show(request: web.Request) -> web.Response:
    """The form with the stored data."""
    me = signed_in(request)
    records = await own_records(core(request), me.id)
    return page(
        request,
        "register/own_address.html",
        records=record_lines(records, words(request).words),
        own=await member_view(core(request), me, me.id),
        r=RegisterWords(words(request).words, core(request).settings.clock.zone),
        text=await addresses.own(core(request), me),
        is_done="done" in request.query,
        longest=addresses.LONGEST,
        sections=sections(request),
    )


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Save the address, or say what is wrong with it."""
    person, form = signed_in(request), await form_of(request)
    text = form.text("address", 2 * addresses.LONGEST)
    try:
        await addresses.keep(core(request), person, text)
    except AddressTooLong:
        places = {"lines": addresses.MOST_LINES, "characters": addresses.LONGEST}
        raise Fault("address", words(request).t("settings.too_long", **places)) from None
    raise web.HTTPSeeOther("/settings?done=1")
