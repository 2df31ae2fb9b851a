"""What holds for every season, on the season's page: the Board's deposit and the regulation.

Not for the lists of a season (season.py).
"""

import re

from aiohttp import web

from server.settings.checks import ADDRESS
from server.usecases.core.union_values import UnionValues, keep_union_values
from server.web.entries.season import HERE, controller, show
from server.web.frame.context import core, words
from server.web.frame.form_faults import Fault, stands_on
from server.web.frame.forms import form_of

MOST_KRONER = 100_000
LONGEST = 500


@stands_on(show)
async def keep(request: web.Request) -> web.Response:
    """Keep what the controller says. Raises Fault."""
    await controller(request)
    form, said = await form_of(request), words(request).words
    kroner, url = form.number("deposit") if form.typed("deposit") else 0, form.text("book", LONGEST)
    if kroner is None or kroner > MOST_KRONER:
        raise Fault("deposit", said("season.union.bad_deposit", most=MOST_KRONER))
    if not re.match(ADDRESS, url):
        raise Fault("book", said("season.union.bad_book"))
    await keep_union_values(core(request), UnionValues(kroner, url))
    raise web.HTTPSeeOther(f"{HERE}?done=union#union")
