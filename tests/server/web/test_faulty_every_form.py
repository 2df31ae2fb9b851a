"""Issue 5: every form of the pages is in the tables of faulty posts, or says here why not."""

import re
from collections.abc import Iterator

from aiohttp import web

from server.web.site import ROUTES
from tests.fakes.faulty import Faulty
from tests.server.web.faulty_officials import of_case, of_controller, of_league
from tests.server.web.faulty_players import of_cards, of_entries, of_players
from tests.server.web.faulty_published import (
    of_bulletin,
    of_passkeys,
    of_plans,
    of_results,
    of_team_desk,
    of_team_entries,
)

ELSEWHERE: dict[str, str] = {}

def posts() -> dict[str, re.Pattern[str]]:
    """The addresses that forms are sent to, each with what it matches."""
    app = web.Application()
    app.add_routes(ROUTES)
    found = {}
    for route in app.router.routes():
        if route.method == "POST" and route.resource is not None:
            info = route.resource.get_info()
            path = info.get("path")
            found[route.resource.canonical] = info.get("pattern") or re.compile(re.escape(path))
    return found


def rows() -> Iterator[Faulty]:
    """All tables, of things that are nobody's: only where each row is sent is looked at."""
    yield from (*of_players("/games/1"), *of_entries(), *of_cards(1))
    yield from (*of_controller(1), *of_case("/desk/cases/2026/1", 1, 1), *of_league(1, 1))
    yield from (*of_results("K", 1, 1), *of_bulletin(1), *of_plans(1, 1), *of_passkeys(1))
    yield from (*of_team_desk(1, 1, 1, [1]), *of_team_entries(1, 1, [1, 2, 3, 4]))


def test_every_form_of_the_pages_is_in_the_tables_or_says_why_not():
    sent = {row.action for row in rows() if not row.is_foreign}
    asked = {path for path, shape in posts().items() if any(map(shape.fullmatch, sent))}
    missing = posts().keys() - asked - ELSEWHERE.keys()
    assert not missing, "\n".join(sorted(missing))
    assert not ELSEWHERE.keys() & asked, "in a table now"
    assert ELSEWHERE.keys() <= posts().keys(), "no such form"
