"""Who reads what: sixteen roles against every address with a game, group, case or person in it,
and the page of challenges.

The game runs, by post; its case stands before the Board. What is told there alone, the officials'
notes and the moves, may be in no answer to others, whatever its address. Who is barred as a player
or a rival is in test_may_he.py too, with what an official does.
"""

import base64
import hashlib
import io
import re
import zipfile
from collections.abc import Collection
from itertools import chain
from pathlib import Path

import pytest
from sqlalchemy import insert

from server.api.frame.endpoints import Meters
from server.api.site import ENDPOINTS, add_api
from server.store import entries as entry_rows
from server.store.play.people import Office
from server.store.tables.base import inbox
from server.store.tables.people import clubs
from server.web.site import ROUTES
from tests.fakes.postal import PNG
from tests.fakes.site import Site, close_site, officials, open_site
from tests.server.web.cases.test_may_he import GROUP, NOTE, begin_group, case_at_board
from tests.server.web.conftest import Browsers

OFFICIALS = ("tl", "kc", "board", "admin")
PLAYING = tuple(f"{one}_plays" for one in OFFICIALS)
ROLES = ("visitor", "anna", "bent", "member", "elsewhere", "captain", "clubadmin",
         "tl_elsewhere", *OFFICIALS, *PLAYING)  # fmt: skip
NAMES = {"tl": "tove", "tl_elsewhere": "ole", "kc": "kaj", "board": "nina"}
"""Who the cast of the other tests are; Anna and Bent are the game's players."""
CLUB = "Nordre Skakklub"
NOTED_DOWN = "Tavst."
"""What the note says."""
TO_BENT = "Hilsen til Bent alene"
CHALLENGED = "Kongegambit, Bent?"
"""What stands in Anna's challenge to him."""
CARD = {"by": "white", "text": "Na3", "postmark": "2026-09-01", "note": TO_BENT}
PRIVATE = re.compile(rf"{TO_BENT}|(?<![\w+/=-])[NS]a3(?![\w+/=-])")
"""The game's move in either language, where it is no part of a random key."""

ALL = frozenset(ROLES)
PLAYERS = {"anna", "bent"}
INSIDE = PLAYERS | {*OFFICIALS}
"""Who sees the running game in full: its players, and officials who do not play in its group."""
HEARD = INSIDE | {"captain"}
"""Who reads its case: White's captain too (§ 6.7.6)."""
LEADERS = {"tl", "tl_elsewhere", "tl_plays"}
REGISTER = LEADERS | {"kc", "admin", "kc_plays", "admin_plays"}
"""Who has the register of members: all leaders, controllers, administrators; not the Board."""
GAME, CASE, API = "/games/{game}", "/desk/cases/{year}/{n}", "/api/v1"
NOTED = {CASE, f"{CASE}/papers/{{paper}}", f"{GAME}/case.zip", f"{API}/cases/{{id}}",
         f"{API}/papers/{{id}}"}  # fmt: skip
"""Where an official finds his notes."""
READS: dict[str, tuple[Collection[str], int]] = {
    **dict.fromkeys(
        (GAME, f"{GAME}.pgn", f"{GAME}/board.png", f"{GAME}/object", f"{GAME}/case.zip",
         f"{GAME}/card", f"{GAME}/cards/{{seq}}/scan", f"{GAME}/statement",
         f"{GAME}/statement.json", f"{GAME}/statement.txt"),
        (INSIDE, 403),
    ),
    **dict.fromkeys(
        (f"{GAME}/private", f"{GAME}/analysis.pgn", f"{GAME}/end/{{kind}}",
         f"{GAME}/leave-group"),
        (PLAYERS, 403),
    ),
    **dict.fromkeys((f"{GAME}/paper", f"{GAME}/paper.pdf", f"{GAME}/openings"), ((), 403)),
    f"{GAME}/{{step}}": ((), 303),
    "/friends": (ALL - {"visitor"}, 303),
    "/embed/{kind}/{game}": ((), 404),
    **dict.fromkeys(
        ("/groups/{name}", "/groups/{name}/atom.xml", "/pgn/{name}.pgn", "/results/{name}",
         "/ratings/{name}", "/players/{person}", "/clubs/{club}"),
        (ALL, 404),
    ),
    "/groups/{name}/start.pdf": (
        PLAYERS | {"member", "tl", "kc", "admin", *PLAYING}, 403
    ),
    "/desk/groups/{name}": ({"tl", "kc"}, 404),
    "/desk/players/{person}": (REGISTER, 404),
    "/desk/members/{person}": (REGISTER | {"board"}, 404),
    CASE: (HEARD, 404),
    f"{CASE}/mails/{{mail}}": ({*OFFICIALS}, 404),
    f"{CASE}/papers/{{paper}}": ({*OFFICIALS}, 404),
    **dict.fromkeys(
        (f"{API}{GAME}".replace("{game}", "{id}") + more
         for more in ("", "/addresses", "/ledger", "/clock", "/pgn")),
        (INSIDE, 404),
    ),
    **dict.fromkeys(
        (f"{API}/groups/{{id}}", f"{API}/groups/{{id}}/pgn", f"{API}/groups/{{id}}/rating",
         f"{API}/players/{{id}}/ratings"),
        (ALL, 404),
    ),
    **dict.fromkeys((f"{API}/games/{{id}}/messages", f"{API}/games/{{id}}/notes"), (PLAYERS, 404)),
    f"{API}/cases/{{id}}": (HEARD, 404),
    f"{API}/papers/{{id}}": ({*OFFICIALS}, 404),
    f"{API}/people/{{id}}/classes": (REGISTER | {"anna"}, 404),
    f"{API}/members/{{id}}": (REGISTER | {"anna", "board"}, 403),
    f"{API}/clubs/{{id}}/team-entries": ({"clubadmin", "kc", "kc_plays"}, 404),
}  # fmt: skip
"""By address, who gets it, and how all others but a visitor are refused. The visitor is led to
sign in, and by the API told to. Nobody gets what a running game does not have (paper, embedding),
has not yet (openings) or only leads on (a form's own address)."""
LED_BACK = {f"{GAME}/paper": 303, f"{GAME}/paper.pdf": 303, f"{GAME}/openings": 404}
"""What those who see the game get there."""
OTHERWISE = (
    r"/(login|join|c|think|calendar|unsubscribe)/\{.*",  # a secret key of one person's
    # everybody's
    r"/(static|icons|settings|cup|titles|bulletins|tournaments|league|archive|help|regulation)/.*",
    r"/(problems/.*|ratings\.\{ending\})",
    r"/api/(board|bot|games)/.*|/game/export/.*",  # as programs ask: test_programs.py
    r"/api/v1/(cups/\{id\}|groups/\{id\}/league)",  # test_cups.py, test_league.py
    r"/desk/(cups|league|league-plans|kc)/.*",  # test_league_pages.py, desks/test_pages.py
    # the area's own tests
    r"/desk/(entries/\{entry\}|cards/\{photo\}|members/\{what\}(\{empty\})?.\{ending\})",
    r"/mailbox/.*",  # desks/test_mailbox.py: only while no mail leaves the machine
)
"""Addresses with no game, group, case or person of this scene in them."""
_FIELD = re.compile(r"\{(\w+):(?:[^{}]|\{[^{}]*\})+\}")


def _addresses() -> set[str]:
    """Every page and call that is read and has a name or number in its address."""
    all_of = chain(ROUTES, ENDPOINTS)
    found = {_FIELD.sub(r"{\1}", one.path) for one in all_of if one.method == "GET"}
    return {one for one in found if "{" in one or one == "/friends"}


def test_every_address_stands_in_the_table() -> None:
    others = {one for one in _addresses() if any(re.fullmatch(way, one) for way in OTHERWISE)}
    assert READS.keys() | others == _addresses()
    assert not READS.keys() & others


def _email(role: str) -> str:
    return f"{NAMES.get(role, role)}@example.org"


@pytest.fixture
async def site(tmp_path: Path):
    opened = await open_site(tmp_path)
    add_api(opened.app, opened.core, Meters(), cookie="kskak", address=lambda r: r.remote or "")
    yield opened
    await close_site(opened)


async def _scene(site: Site, browsers: Browsers) -> dict[str, int | str]:
    """Everybody in place, a postal game with a card, its case at the Board; what paths name."""
    await officials(site)
    await begin_group(site, GROUP, ("member", *PLAYING), "postal")
    await begin_group(site, "T-2", ("elsewhere",))
    group, games = await site.group(GROUP), await site.group_games(GROUP)
    for role in ROLES[1:]:
        await site.admit(role, email=_email(role), club=CLUB if role == "captain" else None)
    for role, office, where in (
        *((f"{one}_plays", Office(one), None) for one in OFFICIALS[1:]),
        ("admin", Office.ADMIN, None),
        ("tl_plays", Office.TL, group.id),
        ("captain", Office.CAPTAIN, group.id),
    ):
        await site.admit(role, office, where, email=_email(role))
    clubadmin = await site.person(_email("clubadmin"))
    async with site.core.store.write() as conn:
        made = insert(clubs).values(name=CLUB).returning(clubs.c.id)
        club = (await conn.execute(made)).scalar_one()
        await entry_rows.add_club_administrator(conn, club, clubadmin.id, 1, site.core.now_us)
    anna, bent, tove = [await site.person(_email(one)) for one in ("anna", "bent", "tl")]
    game = next(one for one in games if {one.white_id, one.black_id} == {anna.id, bent.id})
    await _card(site, browsers, game.id)
    case = await case_at_board(site, game, [anna, bent])
    asked = {"to": str(bent.id), "rules": "email", "colour": "any", "fen": "", "word": CHALLENGED}
    assert (await (await browsers.of("anna")).post("/friends", asked)).status == 303
    return {
        "games": game.id, "groups": group.id, "cases": case, "papers": 1, "people": anna.id,
        "members": anna.id, "players": anna.id, "clubs": club, "game": game.id, "name": GROUP,
        "person": anna.id, "club": club, "year": 2026, "n": 1, "seq": 1, "paper": 1, "mail": 1,
        "step": "preview", "kind": "resign",
    }  # fmt: skip


async def _card(site: Site, browsers: Browsers, game: int) -> None:
    """Anna's move by post, with the card's picture and a word to Bent, and a mail of hers."""
    anna = await site.person(_email("anna"))
    head = {"Authorization": f"Bearer {await site.token_of(anna.id)}"}
    card = CARD | {"scan": base64.b64encode(PNG).decode()}
    stranger = await browsers.stranger()
    given = await stranger.http.post(f"{API}/games/{game}/cards", json=card, headers=head)
    assert given.status == 200, await given.text()
    digest, now = hashlib.sha256(b"mail").digest(), site.core.now_us
    mail = {
        "received_us": now, "first_us": now, "peer": "127.0.0.1", "mail_from": anna.email,
        "rcpt_to": "[]", "raw": b"Subject: Sa3\r\n\r\nSa3\r\n", "digest": digest,
        "message_key": digest, "state": "done", "outcome": "chat", "person_id": anna.id,
        "game_id": game, "due_us": now,
    }  # fmt: skip
    async with site.core.store.write() as conn:
        await conn.execute(insert(inbox).values(mail))


def _filled(address: str, ids: dict[str, int | str]) -> str:
    """The address in this scene; a number of the API is of what stands before it."""
    if address.startswith(API):
        return address.replace("{id}", str(ids[address.split("/")[3]]))
    if address.startswith("/embed"):
        return f"/embed/games/{ids['game']}"
    return address.format(**ids)


def _whole(data: bytes) -> str:
    """What stands in an answer, and in the files of a zip."""
    if not data.startswith(b"PK"):
        return data.decode(errors="replace")
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return "".join(file.read(one).decode(errors="replace") for one in file.namelist())


def _expected(address: str, role: str) -> int:
    readers, shut = READS[address]
    if role in readers or address == f"{GAME}/{{step}}":
        return 200 if role in readers else shut
    if (
        role.endswith("_plays")
        and shut == 404
        and address.startswith(("/desk/groups/", "/desk/cases/"))
    ):
        return 403  # he is told that he plays there himself
    if role in INSIDE and address in LED_BACK:
        return LED_BACK[address]
    if role == "visitor" and not address.startswith("/embed"):
        return 401 if address.startswith(API) else 303
    return shut


async def test_sixteen_roles_read_what_is_theirs(site: Site, browsers: Browsers) -> None:
    """§ 6.1.1, § 6.2.3, § 6.4.1: role × address, whether it opens and what is in it."""
    ids = await _scene(site, browsers)
    for role in ROLES:
        browser, head = await browsers.stranger(), {}
        if role != "visitor":
            await browser.sign_in(_email(role))
            token = await site.token_of((await site.person(_email(role))).id)
            head = {"Authorization": f"Bearer {token}"}
        for address in READS:
            path = _filled(address, ids)
            own = head if address.startswith(API) else {}
            answer = await browser.http.get(path, headers=own, allow_redirects=False)
            text, at = _whole(await answer.read()), (role, path)
            assert answer.status == _expected(address, role), at
            if answer.status == 303 and role == "visitor" and "{step}" not in address:
                assert answer.headers["Location"].startswith("/signin"), at
            noted = NOTE in text or NOTED_DOWN in text
            assert noted is (role in OFFICIALS and address in NOTED), at
            if role not in HEARD:
                assert not PRIVATE.search(text), at
            assert (CHALLENGED in text) is (role in PLAYERS and address == "/friends"), at
