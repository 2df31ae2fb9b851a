"""May he? Every office, playing or not, against every deed of an official, on page and in the API.

The case stands before the Board, so that the Board has its view too. What a party, or a player of
the group, may see as such is not an official's view: no notes, no desk, no try-out, no whole file.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert

from kskak.cases.case import Actor, CaseRefusal, CastVote, CloseHearing
from kskak.cases.case_events import CaseKind, Deposit, Instance, PaperKind
from kskak.game.game_commands import Resign
from server.api.frame.endpoints import Meters
from server.api.site import add_api
from server.store import entries as entry_rows
from server.store.cases.cases import CaseRow
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.games import GameRow
from server.store.play.people import Office, PersonRow
from server.store.tables.people import clubs
from server.usecases import rights as offices
from server.usecases.cases import case_actions
from server.usecases.cases.appeals import appeal
from server.usecases.cases.case_actions import enclose
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.decision_preparing import Order
from server.usecases.cases.evidence import access
from server.usecases.games.case_opening import CaseOpening, open_in
from tests.fakes.cases import ready_for_votes, union_fee
from tests.fakes.site import Site, close_site, group_text, officials, open_site
from tests.server.web.conftest import Browser

OFFICES = ("admin", "kc", "tl", "deputy", "board", "captain", "clubadmin", "player", "stranger")
PLAYING = ("not", "party", "plays", "rival")
SEES = {"admin", "kc", "tl", "deputy", "board"}
"""Who has an official's view of the case and its game, if nothing bars him from it."""
GROUP, NOTE, NUMBER = "T-1", "Kladde til navnet", "2026/1"
PLAYER = '[[players]]\nname = "{0}"\nemail = "{0}@example.org"\n'


@pytest.fixture
async def site(tmp_path: Path):
    opened = await open_site(tmp_path)
    add_api(opened.app, opened.core, Meters(), cookie="kskak", address=lambda r: r.remote or "")
    yield opened
    await close_site(opened)


@dataclass
class Scene:
    """The case with its game; who plays where is the test's."""

    site: Site
    game: GameRow
    case: int


async def _scene(site: Site, playing: str) -> Scene:
    await officials(site)
    await begin_group(site, GROUP, OFFICES if playing == "plays" else ())
    await begin_group(site, "T-2", OFFICES if playing in ("plays", "rival") else ())
    group = await site.group(GROUP)
    (nora,) = await _people(site, ("nora",))
    async with site.core.store.write() as conn:  # three members: «board» has her seat
        (row,) = await person_rows.list_offices(conn, site.core.now_us, person_id=nora.id)
        await person_rows.end(conn, row.id, site.core.now_us)
    held = {office.value: office for office in Office}
    for name in (*OFFICES, *(held.keys() - set(OFFICES))):
        is_wide = held.get(name) in (Office.KC, Office.BOARD, Office.SUBSTITUTE, Office.ADMIN)
        await site.admit(name, held.get(name), None if is_wide else group.id)
    admin = await site.person("clubadmin")
    async with site.core.store.write() as conn:
        made = insert(clubs).values(name="Nordre Skakklub").returning(clubs.c.id)
        club = (await conn.execute(made)).scalar_one()
        await entry_rows.add_club_administrator(conn, club, admin.id, 1, site.core.now_us)
    games = await site.group_games(group.id)
    pair = {(await site.person(f"{one}@example.org")).id for one in ("anna", "bent")}
    game = next(one for one in games if {one.white_id, one.black_id} == pair)
    parties = await _people(site, ("anna", "bent", *(OFFICES if playing == "party" else ())))
    return Scene(site, game, await case_at_board(site, game, parties))


async def begin_group(
    site: Site, name: str, more: Iterable[str], regulation: str = "email"
) -> None:
    """Tove's group of Anna, Bent and more."""
    text = group_text(name, regulation) + "".join(PLAYER.format(one) for one in more)
    await site.begin_group(text)


async def _people(site: Site, names: Iterable[str]) -> list[PersonRow]:
    return [await site.person(f"{name}@example.org") for name in names]


async def case_at_board(site: Site, game: GameRow, parties: list[PersonRow]) -> int:
    """Opened by the leader, with his note in it, and appealed as far as the Board."""
    core = site.core
    tove, anna, kaj = await _people(site, ("tove", "anna", "kaj"))
    opening = CaseOpening(
        kind=CaseKind.DAYS,
        group_id=game.group_id,
        zone=game.zone,
        parties=tuple(one.id for one in parties),
        question="@days",
        paragraphs=("6.3.1",),
        games=(game.id,),
    )
    leader = Actor(tove.id, frozenset({Instance.LEADER}))

    def begin(conn: Connection) -> CaseRow:
        opened = open_in(conn, opening, core.clock.now(), leader, [])
        assert not isinstance(opened, CaseRefusal)
        return opened[0]

    case = await core.writer.transact(begin)
    assert case.number == NUMBER
    order = Order(paragraphs=("6.4.1",), reasons="Fordi.")
    await union_fee(core, 500)
    paid = Deposit(50000, core.today("Europe/Copenhagen"), "1")
    steps: list[Callable[[], object]] = [
        lambda: enclose(core, tove, case.id, PaperKind.NOTE, b"Tavst.", NOTE),
        lambda: case_actions.act(core, tove, case.id, CloseHearing("Hørt.")),
        lambda: decide(core, tove, case.id, order),
        lambda: appeal(core, anna, case.id, "Nej."),
        lambda: case_actions.act(core, kaj, case.id, CloseHearing("Hørt.")),
        lambda: decide(core, kaj, case.id, order),
        lambda: appeal(core, anna, case.id, "Nej.", paid),
    ]
    for step in steps:
        done = await step()  # type: ignore[misc]
        assert not isinstance(done, CaseRefusal), done
    (nina,) = await _people(site, ("nina",))
    await ready_for_votes(core, nina, case.id)
    for seat in (await access(core, nina, case.id)).panel:
        async with core.store.read() as conn:
            member = await person_rows.find_person(conn, seat.member)
        assert member is not None
        await case_actions.act(core, member, case.id, CastVote((), ""))
    return case.id


async def _deeds(scene: Scene, browser: Browser, token: str, name: str) -> dict[str, bool]:
    """What an official's view would let him do, by deed and door: whether it did."""
    game, api = f"/games/{scene.game.id}", "/api/v1"
    headers = {"Authorization": f"Bearer {token}"}

    async def page(path: str, holds: str = "") -> bool:
        answer = await browser.http.get(path, allow_redirects=False)
        return answer.status == 200 and holds.encode() in await answer.read()

    async def noted(path: str) -> bool:
        """Whether the note is in the zip."""
        data = await (await browser.http.get(path)).read()
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            return any("note" in name for name in file.namelist())

    async def call(path: str, holds: str = "", body: object = None) -> bool:
        method = "GET" if body is None else "POST"
        answer = await browser.http.request(method, api + path, json=body, headers=headers)
        told = json.dumps(await answer.json(), ensure_ascii=False)
        return answer.status == 200 and holds in told

    async def pressed(deed: str, form: dict[str, str]) -> bool:
        """Whether the case's form was not refused for who sent it."""
        status = (await browser.post(f"{case}/{deed}", form)).status
        assert status in (200, 303, 403, 404), (deed, status)
        return status in (200, 303)

    assert (await browser.get("/about"))[0] == 200
    desk = {"kc": "/desk/kc", "board": "/desk/board"}.get(name, "/desk")
    case = f"/desk/cases/{NUMBER}"
    has_file = await page(f"{game}/case.zip")
    return {
        "watch_page": await page(game),
        "watch_api": await call(f"{game}/ledger"),
        "list_api": await call("/games?all=1", f'"name": "{scene.game.name}"'),
        "file_page": has_file,
        "file_notes": has_file and await noted(f"{game}/case.zip"),
        "case_page": await page(case),
        "case_api": await call(f"/cases/{scene.case}"),
        "notes_page": await page(case, NOTE),
        "notes_api": await call(f"/cases/{scene.case}", NOTE),
        "desk_page": await page(desk, NUMBER),
        "desk_api": await call("/cases?desk=1", NUMBER),
        "what_if_api": await call(f"{game}/what-if", body={"supposed": []}),
        "draft_api": await call(f"/cases/{scene.case}/draft", body={
            "paragraphs": ["6.4.1"], "reasons": "Fordi."}),
        "say_api": await call(f"/cases/{scene.case}/statements", body={"text": f"{name} siger"}),
        "say_page": await pressed("say", {"text": f"{name} mener"}),
        "note_page": await pressed("note", {"text": "Til os selv"}),
        "decide_page": await pressed("decide", {
            "paragraphs": "§ 6.4.1", "reasons": "Fordi.", "step": "draft"}),
    }  # fmt: skip


def _expected(office: str, playing: str) -> dict[str, bool]:
    """The table, in words: an official who has no part in it sees all; others only as a party.

    A party of the case who plays nowhere near it keeps his view of the game, but the Board has
    that from the case alone. An administrator reads and does nothing; the case is the Board's to
    decide.
    """
    official = office in SEES and playing == "not"
    party = playing == "party"
    watches = official or (party and office in SEES - {"board"})
    game = ("watch_page", "watch_api", "list_api", "file_page", "what_if_api")
    case = ("file_notes", "notes_page", "notes_api", "desk_page", "desk_api", "draft_api")
    seen = dict.fromkeys(("case_page", "case_api"), official or party)
    acts = official and office != "admin"
    said = dict.fromkeys(("say_api", "say_page"), acts or party)
    does = {"note_page": acts, "decide_page": official and office == "board"}
    return dict.fromkeys(game, watches) | dict.fromkeys(case, official) | seen | said | does


@pytest.mark.parametrize("playing", PLAYING)
async def test_an_office_counts_for_nothing_where_its_holder_has_a_part(site, browsers, playing):
    """§ 6.1.1, § 6.4.3: office × playing × deed, against the pages and the API."""
    scene = await _scene(site, playing)
    for office in OFFICES:
        browser = await browsers.of(office)
        token = await site.token_of((await site.person(f"{office}@example.org")).id)
        done = await _deeds(scene, browser, token, office)
        assert done == _expected(office, playing), (office, playing)


@pytest.mark.parametrize("office", ["admin", "board", "kc"])
async def test_a_rivals_game_bars_only_while_it_and_ones_own_run(site: Site, office: str):
    """§ 6.1.1: with the game between them over, the official has his view again."""
    scene = await _scene(site, "rival")
    (person,) = await _people(site, (office,))
    group = scene.game.group_id
    held = await offices.rights(site.core, person)
    assert group in held.barred and group not in held.plays
    assert held.actor(group).is_barred and not held.may_watch(scene.game.id, group)
    async with site.core.store.read() as conn:
        own = [
            one for one in await game_rows.list_person_games(conn, person.id) if one.result is None
        ]
    for game in own:
        await _resigned(site, game, person)
    held = await offices.rights(site.core, person)
    assert group not in held.barred and held.may_watch(scene.game.id, group)


async def _resigned(site: Site, game: GameRow, person: PersonRow) -> None:
    side = game.side_of(person.id)
    assert side is not None
    await site.ask(game, side, lambda _, by: Resign(by))


async def test_all_in_office_are_told_of_an_appointment_and_its_end(site: Site):
    """§ 6.1.1: an administrator who makes himself controller and Board member is seen to do so."""
    await _scene(site, "not")
    (admin,) = await _people(site, ("admin",))
    for office in (Office.KC, Office.SUBSTITUTE):
        made = await offices.appoint(site.core, admin, admin.id, office)
        told = await _told(site, made.id, is_end=False)
        in_office = ("admin", "kc", "tl", "deputy", "board", "tove", "kaj", "nina", "nils", "ole",
                     "substitute")  # fmt: skip
        assert told == {one.id for one in await _people(site, in_office)}
        assert (await offices.appoint(site.core, admin, admin.id, office)).id == made.id
        assert await _told(site, made.id, is_end=False) == told
        await offices.dismiss(site.core, admin, made.id)
        assert await _told(site, made.id, is_end=True) == told


async def _told(site: Site, office: int, *, is_end: bool) -> set[int]:
    found = await site.written("office")
    mine = [one for one in found if json.loads(one.params)["office"] == office]
    told = [one.person_id for one in mine if json.loads(one.params)["is_end"] is is_end]
    assert len(told) == len(set(told))
    return {one for one in told if one is not None}
