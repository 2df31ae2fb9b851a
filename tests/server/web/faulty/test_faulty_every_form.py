"""Issue 5: every form of the pages is in the tables of faulty posts, or says here why not."""

import re
from collections.abc import Iterator
from pathlib import Path

from aiohttp import web

import server.web
from server.web.site import ROUTES
from tests.fakes.faulty import Faulty
from tests.server.web.faulty.test_faulty_deeds import (
    of_books,
    of_entry,
    of_pasted,
    of_reserve,
    of_season,
    of_shorter_leave,
    of_union,
)
from tests.server.web.faulty.test_faulty_desks import of_case, of_controller, of_league
from tests.server.web.faulty.test_faulty_forms import of_cards, of_entries, of_players, of_receipt
from tests.server.web.faulty.test_faulty_published import (
    of_bulletin,
    of_passkeys,
    of_plans,
    of_results,
    of_team_desk,
    of_team_entries,
)

TESTS = Path(__file__).parents[3]
WEB = Path(server.web.__file__).parent
BUTTON = "a button: nothing is typed"
ELSEWHERE: dict[str, str] = {
    "/bulletins": BUTTON,
    "/c/{token}": BUTTON,
    "/captain/pauses/{reserve}/end": BUTTON,
    "/desk/cards": "a row a card, each with its own verdict: test_many_cards.py",
    "/desk/damaged": BUTTON,
    "/desk/entries/fees": "ticked rows and a day: test_bulk.py",
    "/desk/entries/let_in": "a reason: test_first_year.py",
    "/desk/entries/unpaid": BUTTON,
    "/desk/team-entries/unpaid": BUTTON,
    "/desk/prizes": BUTTON,
    "/desk/silences": BUTTON,
    "/desk/outages/{outage}": "a proposal needs an outage: test_outages.py",
    "/desk/team-entries/fees": "as the players' fees: test_bulk.py",
    "/desk/cases/{year}/{n}/edit": "back to the form as it was: test_desk_case.py",
    "/desk/cases/{year}/{n}/rule": "the letter of a withdrawal: test_desk_groups.py",
    "/desk/cups/{cup}/draw": "a cup's round needs a cup: test_cup_pages.py",
    "/desk/groups/{name}/live": BUTTON,
    "/desk/groups/{name}/swap": "a round not begun: scenarios/groups/test_seat_swap.py",
    "/desk/groups/{name}/playoff": "a level first place: test_cup_pages.py",
    "/desk/groups/{name}/shared-title": "a level first place: test_cup_pages.py",
    "/desk/join/{request}/admit": "somebody who waits: test_joining.py",
    "/desk/join/{request}/decline": "somebody who waits: test_joining.py",
    "/desk/kc/economy/prizes": BUTTON,
    "/desk/kc/economy/prizes/{publication}": "a group with prizes: test_desk_doors.py",
    "/desk/kc/offices/{office}": BUTTON,
    "/desk/league-plans/{plan}/grants": "a reason, as for one: test_first_year.py",
    "/desk/league-plans/{plan}/start": "a word for a captain of two: test_team_entries.py",
    "/desk/league/{name}/lots": BUTTON,
    "/desk/long/call": BUTTON,
    "/desk/mail/away": BUTTON,
    "/desk/mail/{row}": BUTTON,
    "/desk/members/clubs/end": "a club with members: test_club_ends.py",
    "/desk/members/{person}/death": "a member who has died: test_death.py",
    "/desk/work": "a tick, nothing is typed: test_week_of_work.py",
    "/desk/members/files": "files with reports: test_register.py",
    "/desk/members/{person}/ratings/remove": "a member with ratings: test_ratings.py",
    "/desk/players/{person}/remove": BUTTON,
    "/desk/ratings": BUTTON,
    "/enter/{entry}/withdraw": BUTTON,
    "/games/{game}/card/record": "the card that was shown is sent: test_postal.py",
    "/games/{game}/cards/{seq}/seen": BUTTON,
    "/friends/{challenge}": BUTTON,
    "/friends/follow": BUTTON,
    "/games/{game}/share": BUTTON,
    "/games/{game}/paper": "a finished game: test_paper.py",
    "/games/{game}/change": "the preview's own fields: test_moving.py",
    "/games/{game}/delayed": BUTTON,
    "/games/{game}/email": BUTTON,
    "/games/{game}/hold": "the preview's own fields: test_delaying.py",
    "/games/{game}/move": "the preview's own fields: test_moving.py",
    "/games/{game}/unreached": BUTTON,
    "/join/{token}": BUTTON,
    "/language": BUTTON,
    "/leave/feed": BUTTON,
    "/login/{token}": BUTTON,
    "/settings/access/fresh": BUTTON,
    "/settings/access/passkeys/options": "for the script: no page",
    "/settings/access/sessions": BUTTON,
    "/settings/access/xfcc": BUTTON,
    "/settings/data/copy": BUTTON,
    "/settings/notifications": "the browser's own words: test_push.py",
    "/settings/notifications/{browser}/off": BUTTON,
    "/signin/passkey/options": "for the script: no page",
    "/signout": BUTTON,
    "/team-entry/{entry}/withdraw": BUTTON,
    "/think/{key}": BUTTON,
    "/titles/{title}/remove": BUTTON,
    "/unsubscribe/{series}/{token}": BUTTON,
}
"""Forms in no table, with where else a faulty one is tried or why there is none."""


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
    yield from (*of_players("/games/1"), *of_entries(), *of_cards(1), *of_receipt(1))
    yield from (*of_controller(1), *of_case("/desk/cases/2026/1", 1, 1), *of_league(1, 1))
    yield from (*of_results("K", 1, 1), *of_bulletin(1), *of_plans(1, 1), *of_passkeys(1))
    yield from (*of_entry(1, 1), *of_books(1), *of_reserve(1), *of_shorter_leave("", ""))
    yield from (*of_season(), *of_pasted(), *of_union())
    yield from (*of_team_desk(1, 1, 1, [1]), *of_team_entries(1, 1, [1, 2, 3, 4]))


def test_every_form_of_the_pages_is_in_the_tables_or_says_why_not():
    sent = {row.action for row in rows() if not row.is_foreign}
    asked = {path for path, shape in posts().items() if any(map(shape.fullmatch, sent))}
    missing = posts().keys() - asked - ELSEWHERE.keys()
    assert not missing, "\n".join(sorted(missing))
    assert not ELSEWHERE.keys() & asked, "in a table now"
    assert ELSEWHERE.keys() <= posts().keys(), "no such form"


def test_a_form_said_to_be_tried_elsewhere_is_sent_by_that_test():
    tests: dict[str, str] = {}
    for file in TESTS.rglob("test_*.py"):
        tests[file.name] = tests.get(file.name, "") + file.read_text(encoding="utf-8")
    for path, reason in ELSEWHERE.items():
        named = re.search(r"test_\w+\.py", reason)
        last = re.sub(r"\{\w+\}", "", path).rstrip("/").rpartition("/")[2]
        assert named is None or last in tests[named[0]], (path, reason)


def test_a_button_says_so_because_its_template_has_nothing_to_type():
    pages = "".join(path.read_text(encoding="utf-8") for path in WEB.glob("templates/*/*.html"))
    shapes = {re.sub(r"\{[^}]*\}", "*", path) for path, why in ELSEWHERE.items() if why is BUTTON}
    for form in re.findall(r"<form\b.*?</form>", pages, re.DOTALL):
        action = re.search(r'action="([^"]*)"', form.partition(">")[0] + ">")
        shape = re.sub(r"\{\{[^}]*\}\}", "*", action[1]) if action else ""
        if shape in shapes:
            assert "<textarea" not in form and 'type="text"' not in form, shape
