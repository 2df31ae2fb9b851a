"""May he? One table of deed and role, run against the API and the pages.

Who has a right gets in by either door, and nobody else does. What an office counts for where its
holder plays, is a party or has a rival is in tests/server/web/cases/test_may_he.py.
"""

import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from kskak.cases.case import CaseRefusal, CastVote, CloseHearing
from kskak.cases.case_events import CaseKind, Deposit
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.store.play.people import NewOffice, Office
from server.usecases.cases import case_actions
from server.usecases.cases.appeals import appeal
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.decision_preparing import Order
from server.usecases.rights import rights
from server.web.site import setup
from tests.fakes.cases import ready_for_votes, union_fee
from tests.fakes.site import Site
from tests.server.api.conftest import World, begin, told_once
from tests.server.api.rights import filled, let_in
from tests.server.web.conftest import Browsers

ROLES = ("white", "black", "other", "tl", "tl_elsewhere", "deputy", "playing_tl",
         "kc", "board", "admin", "captain", "captain_other", "stranger")  # fmt: skip
LEADERS = {"tl", "deputy"}
PARTIES = {"white", "black"}
HEARD = PARTIES | {"captain"}
"""Who reads and speaks: the parties, and White's captain (§ 6.7.6)."""
TEXT = {"text": "Det er forkert."}
FILE = {"file": base64.b64encode(b"%PDF-1.7 x").decode()}
ORDER = {"paragraphs": ["6.4.1"], "reasons": "Fordi."}
GROUP = """
tournament = "K-skak-EMT 2026"
class = "K"
group = "{name}"
regulation = "email"
start = 2026-09-01
tl = "{tl}@example.org"
tl_name = "{tl}"
draw = false
"""
PLAYER = '[[players]]\nname = "{name}"\nemail = "{name}@example.org"\n'


@dataclass(frozen=True)
class Right:
    """A deed, the stage it is done at, and who may; its call and its page, where it has them.

    ``body`` None: the call is read; ``form`` None: the page is.
    """

    name: str
    path: str
    allowed: frozenset[str]
    body: dict | None
    stage: str
    page: str
    form: dict | None


def right(
    name: str,
    path: str,
    allowed: set[str],
    body: dict | None = None,
    stage: str = "opened",
    page: str = "",
    form: dict | None = None,
) -> Right:
    return Right(name, path, frozenset(allowed), body, stage, page, form)


CASE = "/desk/cases/{number}"
DRAFT = {"paragraphs": "§ 6.4.1", "reasons": "Fordi.", "step": "draft"}
UNTIL = "2026-09-20"
NEW_TL = {"email": "tredje@example.org", "office": "tl", "group": "K-26-07"}
RIGHTS = (
    right("watch", "/games/{game}", PARTIES | LEADERS | {"kc", "admin"}, page="/games/{game}"),
    right("watch_at_board", "/games/{game}/ledger", PARTIES | LEADERS | {"kc", "admin", "board"},
          stage="board", page="/games/{game}/statement"),
    right("file", "", PARTIES | LEADERS | {"kc", "admin"}, page="/games/{game}/case.zip"),
    right("see", "/cases/{case}", HEARD | LEADERS | {"kc", "admin"}, page=CASE),
    right("see_at_board", "/cases/{case}", HEARD | LEADERS | {"kc", "admin", "board"},
          stage="board", page=CASE),
    right("say", "/cases/{case}/statements", HEARD | LEADERS | {"kc"}, TEXT,
          page=f"{CASE}/say", form=TEXT),
    right("enclose", "/cases/{case}/papers", HEARD | LEADERS | {"kc"}, FILE),
    right("note", "", LEADERS | {"kc"}, page=f"{CASE}/note", form=TEXT),
    right("fetch", "/papers/{paper}", HEARD | LEADERS | {"kc", "admin"},
          page=f"{CASE}/papers/{{paper}}"),
    right("widen", "/cases/{case}/widen", LEADERS, {"parties": ["{other}"]},
          page=f"{CASE}/widen", form={"new_party": "{other}"}),
    right("hear", "/cases/{case}/hearing", LEADERS, {"action": "ask", "until": UNTIL},
          page=f"{CASE}/ask", form={"until": UNTIL}),
    right("close", "/cases/{case}/hearing", LEADERS, {"action": "close", "reason": "Hørt."},
          page=f"{CASE}/close", form={"text": "Hørt."}),
    right("suspend", "/cases/{case}/suspension", LEADERS,
          {"action": "suspend", "games": ["{game}"]}, page=f"{CASE}/suspend", form={}),
    right("lift", "/cases/{case}/suspension", LEADERS, {"action": "lift"},
          page=f"{CASE}/lift", form={}),
    right("settle", "/cases/{case}/close", LEADERS, {"action": "settle", "note": "Enige."},
          page=f"{CASE}/settle", form={"text": "Enige."}),
    right("withdraw", "/cases/{case}/close", {"white"}, {"action": "withdraw"},
          page=f"{CASE}/withdraw", form={}),
    right("draft", "/cases/{case}/draft", LEADERS | {"kc", "admin"}, ORDER),
    right("edit", "", LEADERS, page=f"{CASE}/edit", form=DRAFT),
    right("decide", "/cases/{case}/decisions", LEADERS, ORDER, stage="heard",
          page=f"{CASE}/decide", form=DRAFT),
    right("decide_at_kc", "/cases/{case}/decisions", {"kc"}, ORDER, stage="kc",
          page=f"{CASE}/decide", form=DRAFT),
    right("decide_at_board", "/cases/{case}/decisions", {"board"}, ORDER, stage="board",
          page=f"{CASE}/decide", form=DRAFT),
    right("vote", "/cases/{case}/vote", {"board"}, {}, stage="at_board",
          page=f"{CASE}/vote", form={}),
    right("deposit", "/cases/{case}/deposit", {"kc", "board"},
          {"action": "received", "person": "{white}", "on": "2026-01-01", "amount": 1},
          stage="board", page=f"{CASE}/deposit",
          form={"person": "{white}", "deposit_day": "2026-01-01", "deposit": "1", "act": "came"}),
    right("appeal", "/cases/{case}/appeal", PARTIES, TEXT, stage="decided",
          page=f"{CASE}/appeal", form=TEXT),
    right("take_back", "/cases/{case}/appeal", {"white"}, {"action": "take_back"}, stage="kc",
          page=f"{CASE}/unappeal", form={}),
    right("what_if", "/games/{game}/what-if", LEADERS | {"kc", "admin"}, {"supposed": []}),
    right("what_if_at_board", "/games/{game}/what-if", LEADERS | {"kc", "admin", "board"},
          {"supposed": []}, stage="board"),
    right("object", "/cases", PARTIES | LEADERS | {"kc"},
          {"game": "{game}", "kind": "days", "text": "Talt forkert."},
          page="/games/{game}/object", form={"kind": "days", "text": "Talt forkert."}),
    right("announce", "/groups/{group}/withdrawals", LEADERS | {"kc", "other"},
          {"player": "{other}", "text": "Stopper."}),
    right("rule_withdrawal", "/cases/{leaving}/withdrawal", LEADERS,
          {"has_reason": True, "reasons": "Syg."}, stage="leaving"),
    right("draft_withdrawal", "/cases/{leaving}/withdrawal/draft", LEADERS | {"kc", "admin"},
          {"has_reason": True, "reasons": "Syg."}, stage="leaving"),
    right("annul_start", "/groups/{group}/annul", LEADERS | {"kc"}, {"reason": "Fejl."}),
    right("long_games", "/long-games",
          LEADERS | {"tl_elsewhere", "playing_tl", "kc", "board", "admin"}),
    right("call_in", "/long-games", LEADERS, {"games": ["{game}"]}, stage="long"),
    right("appoint", "/offices", {"kc", "admin"}, {"person": "{other}", "office": "tl"},
          page="/desk/kc/offices", form=NEW_TL),
    right("appoint_board", "/offices", {"kc", "admin"},
          {"person": "{other}", "office": "substitute"},
          page="/desk/kc/offices", form=NEW_TL | {"office": "substitute", "group": ""}),
    right("special_leave", "/leave/special", LEADERS | {"kc"},
          {"tournament": "K-skak-EMT 2026", "player": "{other}",
           "from": "2026-10-01", "to": "2026-10-20"}),
    right("dismiss", "/offices/{office}/end", {"kc", "admin"}, {}),
    right("leaders_desk", "", LEADERS | {"tl_elsewhere", "playing_tl", "admin"}, page="/desk"),
    right("controllers_desk", "", {"kc", "admin"}, page="/desk/kc"),
    right("boards_desk", "", {"board", "admin"}, page="/desk/board"),
    right("held_mails", "", LEADERS | {"tl_elsewhere", "playing_tl", "kc", "admin"},
          page="/desk/mail"),
)  # fmt: skip


class Desk:
    """Everybody, one case, and the numbers that paths and bodies name."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ids: dict[str, int] = {}
        self.number = ""
        self.browsers: Browsers | None = None

    async def set_up(self) -> None:
        world = self.world
        for name, tl, players in (
            ("K-26-07", "leader", ("hvid", "sort", "tredje", "spillende")),
            ("K-26-08", "tl_elsewhere", ("x", "y")),
        ):
            head = GROUP.format(name=name, tl=tl)
            text = head + "".join(PLAYER.format(name=player) for player in players)
            await world.begin_group(text)
        group, games = await world.group("K-26-07"), await world.group_games("K-26-07")
        game = next(g for g in games if {g.white, g.black} == {"hvid", "sort"})
        names = {"white": game.white, "black": game.black, "other": "tredje", "tl": "leader"}
        for role, name in (names | {"playing_tl": "spillende"}).items():
            await self._admit(role, name)
        for role in ROLES[ROLES.index("tl_elsewhere") :]:
            if role not in self.world.people:
                await self._admit(role, role)
        clubs = {"white": "Nord", "captain": "nord ", "other": "Syd", "captain_other": "Syd"}
        for role, club in clubs.items():
            await self._joins(role, club)
        self.ids |= {"game": game.id, "group": group.id, "other": world.people["other"].id}
        self.ids["white"] = world.people["white"].id
        for role, office in (
            ("captain", Office.CAPTAIN),
            ("captain_other", Office.CAPTAIN),
            ("deputy", Office.DEPUTY),
            ("playing_tl", Office.TL),
        ):
            self.ids["office"] = await self._appoint(role, office, group.id)
        await self._appoint("board", Office.BOARD, None)
        for member in ("nils", "nora"):
            await self._admit(member, member)
            await self._appoint(member, Office.BOARD, None)
        await self._appoint("kc", Office.KC, None)
        await self._appoint("admin", Office.ADMIN, None)
        asked = (game.id, CaseKind.DAYS, "Talt forkert.")
        case = await case_actions.object_to(world.core, world.people["white"], *asked)
        assert isinstance(case, CaseRow)
        self.ids["case"], self.number = case.id, case.number
        async with world.core.store.read() as conn:
            self.ids["paper"] = (await paper_rows.list_case_papers(conn, case.id))[0].id

    async def _admit(self, role: str, name: str) -> None:
        await self.world.admit(name)
        self.world.people[role] = self.world.people[name]
        self.world.tokens[role] = self.world.tokens[name]

    async def _joins(self, role: str, club: str) -> None:
        async with self.world.core.store.write() as conn:
            await person_rows.change(conn, replace(self.world.people[role], club=club))

    async def _appoint(self, role: str, office: Office, group: int | None) -> int:
        core, person = self.world.core, self.world.people[role]
        async with core.store.write() as conn:
            new = NewOffice(person.id, office.value, group, 0, person.id)
            return await person_rows.add_office(conn, new)

    async def to(self, stage: str) -> None:
        """Bring the case to a stage: opened, heard, decided, kc, board; or another scene."""
        core, people, case = self.world.core, self.world.people, self.ids["case"]
        if stage == "long":
            self.world.clock.pass_days(600)
        if stage == "leaving":
            await self._leaving()
        stages = ("opened", "heard", "decided", "kc", "heard_kc", "at_board", "board")
        if stage not in stages:
            return
        order = Order(paragraphs=("6.4.1",), reasons="Fordi.")
        for reached in stages[1 : stages.index(stage) + 1]:
            match reached:
                case "heard":
                    done = await case_actions.act(core, people["tl"], case, CloseHearing("hørt"))
                case "decided":
                    done = await decide(core, people["tl"], case, order)
                case "kc":
                    done = await appeal(core, people["white"], case, "Nej.")
                    await case_actions.act(core, people["kc"], case, CloseHearing("hørt"))
                case "heard_kc":
                    done = await decide(core, people["kc"], case, order)
                case "board":
                    done = await self._vote()
                case _:
                    await union_fee(core, 500)
                    paid = Deposit(50000, core.today("Europe/Copenhagen"), "1")
                    done = await appeal(core, people["white"], case, "Nej.", paid)
                    await ready_for_votes(core, people["board"], case)
            assert not isinstance(done, CaseRefusal), (reached, done)

    async def _vote(self) -> object:
        """All three members of the Board vote."""
        people = self.world.people
        for member in ("board", "nils", "nora"):
            done = await case_actions.act(
                self.world.core, people[member], self.ids["case"], CastVote((), "")
            )
        return done

    async def _leaving(self) -> None:
        world = self.world
        asked = {"player": self.ids["other"], "text": "Stopper."}
        answer = await world.post("other", f"/api/v1/groups/{self.ids['group']}/withdrawals", asked)
        assert answer.status == 200, await answer.text()
        self.ids["leaving"] = (await answer.json())["id"]
        person = world.people["tl"]
        done = await case_actions.act(world.core, person, self.ids["leaving"], CloseHearing("hørt"))
        assert not isinstance(done, CaseRefusal)

    async def ask(self, role: str, wanted: Right) -> int:
        path = "/api/v1" + wanted.path.format(**self.ids)
        if wanted.body is None:
            return (await self.world.get(role, path)).status
        return (await self.world.post(role, path, self._filled(wanted.body))).status

    async def press(self, role: str, wanted: Right) -> int:
        """The same on the page."""
        if self.browsers is None:
            app = web.Application()
            setup(app, self.world.core)
            server = TestServer(app)
            await server.start_server()
            site = Site(self.world.core, self.world.clock, app)  # type: ignore[arg-type]
            self.browsers = Browsers(site, server, [])
        browser = await self.browsers.stranger()
        await browser.sign_in(self.world.people[role].email)
        path = wanted.page.format(**self.ids, number=self.number)
        if wanted.form is None:
            status = (await browser.http.get(path, allow_redirects=False)).status
            return 403 if status == 303 else status  # led to a desk of his own
        form = self._filled(wanted.form)
        assert isinstance(form, dict)
        return (await browser.post(path, {name: str(one) for name, one in form.items()})).status

    async def leave(self) -> None:
        for browser in self.browsers.all if self.browsers else ():
            await browser.http.close()
        if self.browsers:
            await self.browsers.server.close()

    def _filled(self, value: object) -> object:
        return filled(value, self.ids)


def at(stage: str) -> Callable[[World], Awaitable[tuple[dict[str, int], str]]]:
    """The case has come so far; the numbers that paths name."""

    async def tell(world: World) -> tuple[dict[str, int], str]:
        await begin(world)
        made = Desk(world)
        await made.set_up()
        await made.to(stage)
        return made.ids, made.number

    return tell


@pytest.fixture
async def desk(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    """Everybody at the stage of what is ``wanted``, where a test asks for that."""
    asked = getattr(request.node, "callspec", None)
    stage = asked.params["wanted"].stage if asked and "wanted" in asked.params else "opened"
    async with told_once(tmp_path, ("case", stage), at(stage)) as (world, (ids, number)):
        made = Desk(world)
        made.ids, made.number = dict(ids), number
        yield made
        await made.leave()


DOORS = [(one, "api") for one in RIGHTS if one.path] + [(one, "page") for one in RIGHTS if one.page]


@pytest.mark.parametrize(("wanted", "door"), DOORS, ids=lambda it: getattr(it, "name", it))
async def test_who_has_a_right_gets_in_and_nobody_else_does(desk, wanted, door):
    ask = desk.ask if door == "api" else desk.press
    found = await let_in(lambda role: ask(role, wanted), ROLES, wanted.allowed)
    assert {200, 303} & found or wanted.name == "annul_start", found


async def test_what_a_stranger_may_not_see_looks_like_what_is_not_there(desk: Desk) -> None:
    hidden = await desk.world.get("stranger", f"/api/v1/cases/{desk.ids['case']}")
    missing = await desk.world.get("stranger", "/api/v1/cases/999")
    assert (hidden.status, await hidden.json()) == (missing.status, await missing.json())


async def test_who_is_dismissed_has_no_right_any_more(desk: Desk) -> None:
    world, group = desk.world, desk.ids["group"]
    assert (await rights(world.core, world.people["playing_tl"])).led == {group}
    answer = await world.post("kc", f"/api/v1/offices/{desk.ids['office']}/end", {})
    assert answer.status == 200
    assert (await rights(world.core, world.people["playing_tl"])).led == frozenset()


async def test_the_desk_lists_its_own_cases_only(desk: Desk) -> None:
    async def numbers(role: str, query: str) -> list[str]:
        answer = await desk.world.get(role, f"/api/v1/cases{query}")
        return [case["number"] for case in (await answer.json())["cases"]]

    for role in ("tl", "deputy", "kc", "admin"):
        assert await numbers(role, "?desk=1&open=1") == ["2026/1"], role
    for role in ("tl_elsewhere", "playing_tl", "board", "stranger", "other", "white"):
        assert await numbers(role, "?desk=1") == [], role
    for role in ("white", "black", "captain"):
        assert await numbers(role, "") == ["2026/1"], role
    for role in ("other", "captain_other"):
        assert await numbers(role, "") == [], role
    await desk.to("board")
    assert await numbers("board", "?desk=1") == ["2026/1"]
    assert await numbers("kc", "?desk=1&open=0") == []
