"""Programs of Lichess's world play here by another address: berserk itself, as it is published.

Two of its clients on a real server play a game: account, list, streams, moves, chat, a draw that is
offered, declined and agreed, an export; and the same by its calls for bots.
"""

import asyncio
import html
import json
import re
import shlex
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from queue import Queue
from typing import Any, TypeVar

import berserk
import chess.pgn
import pytest
import requests
import suds.client
import zeep
from berserk.exceptions import ResponseError

from kskak.cases.case import CaseReason
from kskak.game.game_commands import Reason
from server.api.board import BOARD
from server.api.frame.problems import ApiProblemKind, status_of, type_of
from server.app import run_server
from server.settings import Settings
from server.store.account import sign_in as access
from server.usecases.account import signin
from server.usecases.context import Core
from server.usecases.groups import leader_letter
from server.web.help import API_EXAMPLES
from tests.fakes.federation import Scene
from tests.fakes.machinery.built import sqlite_file
from tests.fakes.machinery.gsoap import PROGRAMS, gsoap
from tests.fakes.site import TurnedClock

T = TypeVar("T")
WAIT_S = 30
GROUP = """
tournament = "K-skak-EMT 2026"
class = "K"
group = "K-26-01"
regulation = "email"
start = 2026-09-01
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
[[players]]
name = "H. Vid"
email = "white@example.org"
[[players]]
name = "S. Ort"
email = "black@example.org"
"""


@dataclass
class Stand(Scene):
    """A real server with a game of two, each of whom has a program."""

    core: Core
    clock: TurnedClock
    origin: str
    game: str = ""
    group_id: int = 0

    async def token(self, who: str, *scopes: str) -> str:
        terms = signin.terms_for(self.core, scopes, 0)
        person = await self.person(f"{who}@example.org")
        return await signin.make_token(self.core, person.id, "berserk", terms)

    async def client(self, who: str, *scopes: str) -> berserk.Client:
        """berserk, with nothing changed but the address."""
        token = await self.token(who, *(scopes or ("play",)))
        return berserk.Client(berserk.TokenSession(token), base_url=self.origin)


@pytest.fixture
async def stand(tmp_path: Path) -> AsyncIterator[Stand]:
    said = {
        "database": {"url": sqlite_file(tmp_path)},
        "web": {"port": 0},
        "mail": {"in": {"smtp_port": 0}},
    }
    clock = TurnedClock()
    async with run_server(Settings.model_validate(said), clock) as server:
        stand = Stand(server.core, clock, f"http://127.0.0.1:{server.web_port}")
        (row,) = await stand.begin_group(GROUP)
        stand.game, stand.group_id = str(row.id), row.group_id
        yield stand


async def by(do: Callable[..., T], *given: object) -> T:
    """A call of berserk's, which waits for its answer."""
    return await asyncio.to_thread(do, *given)


class Heard:
    """What a stream of berserk's says, read in a thread of its own as a program does."""

    def __init__(self, stream: Iterable[dict[str, Any]]) -> None:
        self.lines: Queue[dict[str, Any] | None] = Queue()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: Iterable[dict[str, Any]]) -> None:
        try:
            for line in stream:
                self.lines.put(line)
        except (ResponseError, requests.RequestException):
            pass
        self.lines.put(None)

    async def next(self) -> Any:
        return await asyncio.to_thread(self.lines.get, timeout=WAIT_S)


async def refused(do: Callable[..., object], *given: object) -> tuple[int, str]:
    """The status and type of a problem that berserk was answered with."""
    with pytest.raises(ResponseError) as error:
        await by(do, *given)
    response = error.value.response
    assert response.headers["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["type"]


@pytest.mark.parametrize("kind", ["board", "bots"])
async def test_berserk_plays_a_game_after_changing_the_address(stand: Stand, kind: str) -> None:
    white, black = await stand.client("white"), await stand.client("black")
    game, a, b = stand.game, getattr(white, kind), getattr(black, kind)
    me = await by(white.account.get)
    assert me["username"] == "H. Vid" and isinstance(me["createdAt"], datetime)
    [listed] = await by(white.games.get_ongoing)
    assert (listed["gameId"], listed["color"], listed["isMyTurn"]) == (game, "white", True)
    assert (listed["opponent"]["username"], listed["speed"]) == ("S. Ort", "correspondence")
    events, told = Heard(b.stream_incoming_events()), Heard(b.stream_game_state(game))
    begun, whole = await events.next(), await told.next()
    assert (begun["type"], begun["game"]["gameId"]) == ("gameStart", game)
    assert (whole["type"], whole["initialFen"], whole["clock"]) == ("gameFull", "startpos", None)
    assert (whole["white"]["id"], whole["white"]["name"]) == (me["id"], me["username"])
    assert (whole["state"]["moves"], whole["state"]["status"]) == ("", "started")
    await by(a.make_move, game, "e2e4")
    said = await told.next()
    assert (said["type"], said["moves"], said["wdraw"]) == ("gameState", "e2e4", False)
    assert said["wtime"] == timedelta(days=40), "until the control"
    assert await refused(a.make_move, game, "d2d4") == (409, "/problems/not-your-turn")
    assert await refused(b.make_move, game, "e8e4") == (422, "/problems/illegal")
    assert await refused(b.make_move, game, "xx") == (422, "/problems/not-understood")
    await by(a.post_message, game, "Held og lykke!")
    said = await told.next()
    assert (said["type"], said["username"], said["text"]) == (
        "chatLine",
        "H. Vid",
        "Held og lykke!",
    )
    stand.clock.turn(3)
    await by(b.make_move, game, "e7e5")
    said = await told.next()
    assert (said["moves"], said["btime"]) == ("e2e4 e7e5", timedelta(days=38))
    await by(white.board.offer_draw, game)
    assert (await by(white.games.get_ongoing))[0]["isMyTurn"], "it goes with the next move"
    await by(a.make_move, game, "g1f3")
    assert (await told.next())["wdraw"]
    await by(black.board.decline_draw, game)
    assert not (await told.next())["wdraw"]
    await by(b.make_move, game, "b8c6")
    assert not (await told.next())["bdraw"]
    await by(white.board.offer_draw, game)
    for do, move, offers in ((a, "f1c4", True), (b, "f8c5", False)):
        await by(do.make_move, game, move)
        assert (await told.next())["wdraw"] is offers
    for do, move in ((a, "e1h1"), (b, "g8f6")):  # castling, as some programs write it
        await by(do.make_move, game, move)
        said = await told.next()
    assert said["moves"].split()[-2:] == ["e1g1", "g8f6"]
    assert await refused(black.board.claim_victory, game) == (409, "/problems/no-overstep")
    await by(a.resign_game, game)
    over = await told.next()
    assert (over["status"], over["winner"]) == ("resign", "black")
    ended = await events.next()
    assert (ended["type"], ended["game"]["winner"]) == ("gameFinish", "black")
    assert await refused(b.make_move, game, "d2d3") == (409, "/problems/game-over")
    assert (await by(black.board.get_game_chat, game)) == [
        {"user": "H. Vid", "text": "Held og lykke!"}
    ]
    text = await by(lambda: black.games.export(game, as_pgn=True))
    read = chess.pgn.read_game(StringIO(text))
    assert read is not None and read.headers["Result"] == "0-1" and not read.errors
    assert [move.uci() for move in read.mainline_moves()][-2:] == ["e1g1", "g8f6"]
    kept = await by(lambda: black.games.export(game, as_pgn=False))
    assert (kept["status"], kept["moves"][:8], kept["winner"]) == ("resign", "e4 e5 Nf", "black")
    [mine] = await by(lambda: list(white.games.export_by_player(me["id"], as_pgn=True)))
    assert chess.pgn.read_game(StringIO(mine)) is not None


async def test_a_draw_is_agreed_and_a_form_says_what_json_says(stand: Stand) -> None:
    head = {"Authorization": f"Bearer {await stand.token('white', 'play')}"}
    white, black = await stand.client("white"), await stand.client("black")
    at = f"{stand.origin}/api/board/game/{stand.game}"

    def post(path: str, **data: str) -> int:
        return requests.post(f"{at}/{path}", data=data, headers=head, timeout=WAIT_S).status_code

    assert await by(lambda: post("move/e2e4?offeringDraw=true")) == 200
    assert await refused(black.board.accept_draw, stand.game) == (409, "/problems/draw-too-early")
    await by(black.board.make_move, stand.game, "e7e5")
    assert await by(lambda: post("move/g1f3?offeringDraw=true")) == 200
    assert await by(lambda: post("chat", room="player", text="Skal vi?")) == 200
    assert await by(lambda: post("chat", room="spectator", text="Hej")) == 422
    await by(black.board.accept_draw, stand.game)
    kept = await by(lambda: white.games.export(stand.game, as_pgn=False))
    assert kept["status"] == "draw" and "winner" not in kept
    mine = f"{stand.origin}/api/games/user/{kept['players']['white']['user']['id']}"
    running = f"{stand.origin}/api/account/playing"
    for most, games in (
        ("9" * 5000, 1),
        ("0", 0),
        ("-1", 1),
        ("1", 1),
    ):  # more digits than int reads
        asked = await by(
            lambda most=most: requests.get(f"{mine}?max={most}", headers=head, timeout=WAIT_S)
        )
        assert (asked.status_code, asked.text.count("[Event ")) == (200, games), most
        asked = await by(
            lambda most=most: requests.get(f"{running}?nb={most}", headers=head, timeout=WAIT_S)
        )
        assert asked.status_code == 200


async def test_a_stream_ends_with_its_token_and_shows_no_game_of_others(stand, monkeypatch):
    monkeypatch.setattr("server.api.board.BEAT_S", 0.2)
    monkeypatch.setattr("server.api.board.PROOF_S", 0.1)
    monkeypatch.setattr("server.api.frame.endpoints.REMEMBERED", 0.0)
    await stand.admit("stranger")
    token = await stand.token("white", "play")
    white = berserk.Client(berserk.TokenSession(token), base_url=stand.origin)
    stranger = await stand.client("stranger")
    assert await refused(lambda: list(stranger.board.stream_game_state(stand.game))) == (
        404, "/problems/not-found",
    )  # fmt: skip
    assert await refused(stranger.board.make_move, stand.game, "e2e4") == (
        404, "/problems/not-found",
    )  # fmt: skip
    head = {"Authorization": f"Bearer {await stand.token('stranger', 'play')}"}
    for path in (f"api/board/game/{stand.game}/chat", f"api/bot/game/{stand.game}/chat",
                 f"api/bot/game/stream/{stand.game}", f"game/export/{stand.game}"):  # fmt: skip
        at = f"{stand.origin}/{path}"
        assert (
            await by(lambda at=at: requests.get(at, headers=head, timeout=WAIT_S))
        ).status_code == 404
    told = Heard(white.board.stream_game_state(stand.game))
    assert (await told.next())["type"] == "gameFull"
    async with stand.core.store.write() as conn:
        owner = await stand.person("white@example.org")
        assert await access.revoke_token(conn, owner.id, access.digest(token))
    assert await told.next() is None, "it has ended"
    reader = await stand.client("white", "lead")
    assert await refused(reader.board.make_move, stand.game, "e2e4") == (403, "/problems/scope")


async def test_a_leader_shuts_programs_out_of_his_tournament(stand, monkeypatch):
    """Ruling 120: the player sends each move himself; by the pages and by mail he still can."""
    monkeypatch.setattr("server.api.frame.endpoints.REMEMBERED", 0.0)
    white, head = await stand.client("white"), await stand.token("tl", "lead")
    at = f"{stand.origin}/api/v1/groups/{stand.group_id}/programs"

    def let(token: str, may: bool) -> requests.Response:
        told = {"Authorization": f"Bearer {token}"}
        return requests.post(at, json={"programs": may}, headers=told, timeout=WAIT_S)

    assert (await by(let, await stand.token("white", "lead"), False)).status_code == 403
    done = await by(let, head, False)
    assert done.json() == {"groups": ["K-26-01"], "programs": False}
    assert await refused(white.board.make_move, stand.game, "e2e4") == (
        403,
        "/problems/no-programs",
    )
    told = {"Authorization": f"Bearer {await stand.token('white', 'play')}"}
    where = f"{stand.origin}/api/v1/games/{stand.game}/moves"
    ours = await by(lambda: requests.post(where, json={"text": "e4"}, headers=told, timeout=WAIT_S))
    assert (ours.status_code, ours.json()["type"]) == (403, "/problems/no-programs")
    assert "Kendelse 120" in ours.json()["detail"]
    assert (await by(white.games.get_ongoing))[0]["hasMoved"] is False, "reading goes on"
    await by(let, head, True)
    await by(white.board.make_move, stand.game, "e2e4")
    async with stand.core.store.read() as conn:
        leader = await stand.person("tl@example.org")
        shown = await leader_letter.following_of(conn, stand.group_id)
    assert shown.has_programs and leader.name == "T. Leder"


async def test_the_examples_of_the_board_calls_have_what_is_answered(stand: Stand) -> None:
    """Every field of the answers, in openapi.json, and no others; a game of 4 days a move."""
    head = {"Authorization": f"Bearer {await stand.token('white', 'play')}"}

    def ask(path: str) -> requests.Response:
        asked = requests.get(f"{stand.origin}{path}", headers=head, timeout=WAIT_S, stream=True)
        assert asked.status_code == 200, path
        return asked

    seen = 0
    for one in BOARD:
        path, example = one.path, one.example
        if not path.startswith(("/api/account", "/api/stream", "/api/board/game/stream")):
            continue
        with await by(ask, path.replace("{id}", stand.game)) as answer:
            line = await by(lambda: next(answer.iter_lines(chunk_size=1)))
        if isinstance(example, str):
            example = json.loads(example.partition("\n")[0])
        assert _form(example) == _form(json.loads(line)), path
        assert example.get("daysPerTurn") == json.loads(line).get("daysPerTurn")
        seen += 1
    assert seen == 4


def _form(value: object) -> object:
    """The names in it."""
    if isinstance(value, list):
        return [_form(value[0])]
    if not isinstance(value, dict):
        return None
    return {name: _form(one) for name, one in value.items() if name != "rating"}


# Xfcc by the SOAP libraries of this world, each made from the server's own WSDL.


def _zeep(origin: str, _: Path) -> Callable[..., Any]:
    client = zeep.Client(f"{origin}/xfcc/XfccBasic.asmx?wsdl")
    binding = next(iter(client.wsdl.bindings))
    service = client.create_service(binding, f"{origin}/xfcc/XfccBasic.asmx")
    return lambda name, **given: service[name](**given)


def _suds(origin: str, _: Path) -> Callable[..., Any]:
    at = f"{origin}/xfcc/XfccBasic.asmx"
    client = suds.client.Client(f"{at}?wsdl", location=at, cache=None)
    return lambda name, **given: getattr(client.service, name)(**given)


_WITH_GSOAP = pytest.mark.skipif(None in PROGRAMS, reason="gSOAP or g++ is not installed")


@pytest.mark.parametrize("made", [_zeep, _suds, pytest.param(gsoap, marks=_WITH_GSOAP)])
async def test_soap_libraries_play_by_the_wsdl(stand: Stand, made: Any, tmp_path: Path) -> None:
    """List, move, a pending adjudication and leave; each answer is of the schema that it has."""
    call = await by(made, stand.origin, tmp_path)
    white, black = [await stand.person(f"{who}@example.org") for who in ("white", "black")]
    keys = {
        one.id: {
            "username": signin.xfcc_user(one.id),
            "password": await signin.make_xfcc_key(stand.core, one),
        }
        for one in (white, black)
    }

    async def listed(who: int) -> Any:
        found = await by(lambda: call("GetMyGames", **keys[who]))
        return (found if isinstance(found, list) else found.XfccGame)[0]

    async def move(who: int, number: int, text: str) -> str:
        wish = {"resign": False, "acceptDraw": False, "offerDraw": False, "claimDraw": False}
        wish |= {"gameId": (await listed(who)).id, "movecount": number, "myMove": text}
        return str(await by(lambda: call("MakeAMove", myMessage="", **wish, **keys[who])))

    game = await listed(white.id)
    assert (game.white, game.myTurn, game.result) == ("H. Vid", True, "Ongoing")
    assert await move(white.id, 1, "e4") == "Success"
    assert await move(black.id, 1, "e5") == "Success"
    token = {"Authorization": f"Bearer {await stand.token('black', 'play')}"}
    days = {"from": "2026-09-15", "to": "2026-09-21"}
    booked = await by(
        lambda: requests.post(
            f"{stand.origin}/api/v1/leave", json=days, headers=token, timeout=WAIT_S
        )
    )
    assert booked.status_code == 200, booked.text
    stand.clock.turn(15)
    assert "ferie til og med den 21. september" in (await listed(white.id)).serverInfo
    assert (await listed(black.id)).serverInfo.startswith("Du har ferie")
    stand.clock.turn(75)
    late = {"Authorization": f"Bearer {await stand.token('black', 'play')}"}
    at = f"{stand.origin}/api/v1/games/{stand.game}/claim"
    claimed = await by(lambda: requests.post(at, headers=late, timeout=WAIT_S))
    assert claimed.status_code == 200, claimed.text
    assert (await listed(white.id)).result == "AdjudicationPending"
    assert await move(black.id, 2, "d5") == "NotYourTurn"


# What is told to those who write programs: the page of examples, and the pages of problems.


def _asked(line: str, named: dict[str, str]) -> dict[str, Any]:
    """A line of curl as ``requests`` takes it."""
    for name, value in named.items():
        line = line.replace(name, value)
    assert "$" not in line, line
    words, asked = shlex.split(line)[1:], {"method": "GET", "headers": {}, "timeout": WAIT_S}
    while words:
        match words.pop(0):
            case "-H":
                name, _, value = words.pop(0).partition(": ")
                asked["headers"][name] = value
            case "-d":
                asked |= {"method": "POST", "data": words.pop(0)}
            case "-N":
                asked["stream"] = True
            case url:
                asked["url"] = url
    return asked


def _run(text: str, named: dict[str, str]) -> requests.Response:
    return requests.request(**_asked(html.unescape(text), named))


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_the_examples_of_the_api_page_run_as_they_stand(stand: Stand, lang: str) -> None:
    shown = await by(
        lambda: requests.get(f"{stand.origin}/api", headers={"Accept-Language": lang}, timeout=30)
    )
    assert f'lang="{lang}"' in shown.text
    examples = re.findall(r'data-example="(\w+)">(.*?)</pre>', shown.text, re.DOTALL)
    assert [name for name, _ in examples] == list(API_EXAMPLES)
    named = {
        stand.core.settings.web.site: stand.origin,
        "$TOKEN": await stand.token("white", "play"), "$GAME": stand.game, "$ETAG": '\\"x\\"',
        "$FIRST": "2026-10-01", "$LAST": "2026-10-07",
    }  # fmt: skip
    for name, text in examples:
        answer = await by(_run, text, named)
        assert answer.status_code == 200, (name, answer.text)
        if name == "ledger":
            named |= {'\\"x\\"': answer.headers["ETag"].replace('"', '\\"')}
            assert (await by(_run, text, named)).status_code == 304
        answer.close()
    assert (await stand.game_of(int(stand.game))).ply == 1
    [(_, code)] = re.findall(r'aria-label="(berserk)">(.*?)</pre>', shown.text, re.DOTALL)
    compile(html.unescape(code), "example", "exec")


@pytest.mark.parametrize("lang", ["da", "en"])
async def test_each_problem_has_a_page_that_explains_it(stand: Stand, lang: str) -> None:
    """One for each of the table that answers are made of, and no others."""

    def read(path: str) -> requests.Response:
        told = {"Accept-Language": lang}
        return requests.get(f"{stand.origin}{path}", headers=told, timeout=WAIT_S)

    kinds = [*ApiProblemKind, *Reason, *CaseReason]
    table = (await by(read, "/problems")).text
    assert set(re.findall(r'href="(/problems/[\w-]+)"', table)) == set(map(type_of, kinds))
    for kind in kinds:
        page = await by(read, type_of(kind))
        facts = re.findall(r"<dd>(.*?)</dd>", page.text)
        assert page.status_code == 200, kind
        assert facts[0] == f"<code>{type_of(kind)}</code>" and facts[1] == str(status_of(kind))
        assert all(len(one) > 8 and "{" not in one for one in facts[2:4]), (kind, facts)
    assert (await by(read, "/problems/nothing")).status_code == 404
