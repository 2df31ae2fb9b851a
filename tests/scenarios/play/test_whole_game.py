"""A whole game: Anna by mail in three notations and every program's layout, Bo by web forms.

Easter falls into it, with leave booked by mail; two series are half accepted; one mail holds an
illegal move; Bo oversteps, Anna's mailed answer waits, and she claims by the link. In the end the
account equals ``kskak clock`` on the exported ledger, and a second, independent reading of it.
"""

import json
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import aiohttp
import chess

from kskak.board.shapes import danish, numeric
from kskak.game.game_events import MoveSent
from kskak.regulation.editions import Result, Side
from tests.fakes.layouts import DAYS, ENCODINGS, LAYOUTS
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World, command, world_of
from tests.oracle.oracle import clock

START, EASTER = date(2027, 1, 15), date(2027, 3, 28)
# Capablanca - Tartakower, New York 1924, as far as it is played here.
LINE = (
    "d4 e6 Nf3 f5 c4 Nf6 Bg5 Be7 Nc3 O-O e3 b6 Bd3 Bb7 O-O Qe8 Qe2 Ne4 Bxe7 Nxc3 bxc3 Qxe7 a4 "
    "Bxf3 Qxf3 Nc6 Rfb1 Rae8 Qh3 Rf6 f4 Na5 Qf3 d6 Re1 Qd7 e4 fxe4 Qxe4 g6 g3 Kf8 Kg2 Rf7 h4 d5 "
    "cxd5 exd5 Qxe8+ Qxe8 Rxe8+ Kxe8 h5 Rf6 hxg6 hxg6 Rh1 Kf8 Rh7 Rc6 g4 Nc4 g5 Ne3+ Kf3 Nf5 Bxf5"
)
MOVES = LINE.split()
LATE = 65
"""Bo's 33rd move: the one he oversteps on."""


@dataclass
class Story:
    """The game as it goes, beside the server's own idea of it."""

    world: World
    web: Browser
    board: chess.Board = field(default_factory=chess.Board)
    dispatches: int = 0

    def __post_init__(self) -> None:
        ways = product(ENCODINGS, LAYOUTS, DAYS)
        self.programs = [(encoding, layout, lang) for encoding, layout, lang in ways][::3]

    @property
    def ply(self) -> int:
        return len(self.board.move_stack)

    @property
    def anna(self) -> Player:
        """Anna with the program of this move."""
        encoding, layout, lang = self.programs[self.ply % len(self.programs)]
        return Player(self.world, ANNA, layout, lang, encoding)

    def push(self, *sans: str) -> None:
        for san in sans:
            self.board.push_san(san)

    def by_mail(self, san: str) -> str:
        """Anna's line: digits with the last pair repeated, Danish letters, or long English."""
        move, number = self.board.parse_san(san), self.board.fullmove_number
        match number % 3:
            case 0:
                pair = [numeric(played) for played in self.board.move_stack[-2:]]
                return f"{number - 1}. {' '.join(pair)} {number}. {numeric(move)}"
            case 1:
                return f"{number}. {danish(self.board, move)}"
            case _:
                return f"{number}.{self.board.lan(move)}"

    def by_web(self, san: str) -> str:
        """Bo types what he likes: English letters, digits, or squares."""
        move = self.board.parse_san(san)
        return (san, numeric(move), move.uci())[self.board.fullmove_number % 3]

    async def pass_time(self) -> None:
        """A minute, or some days; often across midnight."""
        clock = self.world.clock
        days = (0, 2, 3, 1, 3, 1)[self.ply % 6]
        hour, minute = ((7, 0), (23, 59), (12, 0), (0, 1))[self.ply % 4]
        if days:
            clock.go(clock.today + timedelta(days=days), hour, minute)
        else:
            clock.wait(minutes=1)
        await self.world.pump()

    async def move(self) -> None:
        """The next move of the game, by whoever is to play it."""
        await self.pass_time()
        san = MOVES[self.ply]
        if self.board.turn == chess.WHITE:
            assert await self.anna.reply(self.by_mail(san)) == "moved", (
                self.ply,
                self.by_mail(san),
            )
        else:
            sent = await self.web.move(self.by_web(san))
            assert "sent=1" in sent.html or sent.status == 200
        self.push(san)
        await self.check()

    async def check(self) -> None:
        """After each dispatch: the same position, one relay and one confirmation more."""
        self.dispatches += 1
        row = await self.world.row()
        assert row.ply == self.ply
        assert row.state().board.fen() == self.board.fen()
        assert len(await self.world.outbox("relay")) == self.dispatches
        assert len(await self.world.outbox("confirmation")) == self.dispatches

    async def until(self, ply: int) -> None:
        while self.ply < ply:
            await self.move()


async def _opening_with_a_series_of_annas(story: Story) -> None:
    """Anna proposes 12… Bxf3 13. Qxf3 d6 14. Rfb1; Bo follows half of it on the web."""
    await story.until(22)
    await story.pass_time()
    said = "12. a4 0Lxf3 13. Dxf3 d6 14. Tfb1\n\nEn lille serie til dig."
    assert await story.anna.reply(said) == "moved"
    story.push("a4")
    await story.check()
    relay = story.world.letters(BO)[-1]
    assert "En lille serie til dig." in relay.said
    assert "Rfb1" in relay.said
    await story.pass_time()
    shown = await story.web.preview("Nc6", accept=2)
    assert shown.status == 200
    sent = await story.web.submit(shown, "/move")
    assert sent.status == 200
    await story.world.pump()
    story.push("Bxf3", "Qxf3", "Nc6")
    await story.check()
    state = (await story.world.row()).state()
    assert state.proposal == ()


async def _leave_over_easter(story: Story) -> None:
    """Booked by answering a letter, told to Bo and the leader."""
    world, clock = story.world, story.world.clock
    clock.go(EASTER - timedelta(days=17), 9)
    first, last = EASTER - timedelta(days=9), EASTER + timedelta(days=9)
    said = f"ferie {first.day}/{first.month} {last.day}/{last.month}"
    tl, bo = len(world.letters(TL)), len(world.letters(BO))
    anna = len(world.letters(ANNA))
    assert await Player(world).reply(said) == "leave"
    assert len(world.letters(TL)) == tl + 1
    assert len(world.letters(BO)) == bo + 1
    booked = [letter.said for letter in world.letters(ANNA, anna)]
    (told,) = [said for said in booked if "Din ferie er meldt" in said]
    assert "24 dage tilbage" in told, "35 less 19, the eight of the obligatory leave given back"
    await story.move()
    sent = clock.today
    clock.go(last + timedelta(days=2), 20)
    await story.move()
    (row,) = (await world.account())["moves"][-1:]
    whole = (clock.today - sent).days - 1
    assert row["days"] == whole - 19, "time stood still for both while Anna was away"


async def _series_of_bos(story: Story) -> None:
    """Bo proposes 17. Qf3 d6 18. Rd1 Qd7; Anna follows its first half, then deviates."""
    await story.until(31)
    await story.pass_time()
    await story.web.move("16... Na5 017. Qf3 d6 18. Rd1 Qd7")
    story.push("Na5")
    await story.check()
    await story.pass_time()
    assert await story.anna.reply("17. Df3") == "moved"
    story.push("Qf3", "d6")
    await story.check()
    assert (await story.world.row()).state().mover is Side.WHITE
    await story.move()


async def _an_illegal_move(story: Story) -> None:
    """§ 6.8.6: three days, told at once with how to object; the next mail plays."""
    world = story.world
    await story.until(40)
    used = await world.total(Side.WHITE)
    assert await story.anna.reply("21. Sf7") == "illegal"
    assert await world.total(Side.WHITE) == used + 3
    told = world.letters(ANNA)[-1].said
    for part in ("ikke et lovligt træk", "3 dage", "§ 6.8.6", "tl@example.org", "slette dagene"):
        assert part in told
    assert (await world.row()).ply == 40
    await story.move()


async def _bo_oversteps(story: Story) -> None:
    """Found by the deadline job at its own day; three letters, however often it is looked at."""
    world = story.world
    await story.until(LATE)
    running = (await world.row()).state().running()
    assert running is not None and running.by is Side.BLACK and running.flag_on is not None
    world.clock.go(running.flag_on - timedelta(days=1), 23, 59)
    await world.pump()
    assert "OverstepFound" not in await world.kinds()
    world.clock.go(running.flag_on, 0, 1)
    for _ in range(3):
        await world.pump()
        world.clock.wait(hours=7)
    told = {row.person_id for row in await world.outbox("overstep")}
    assert len(told) == len(await world.outbox("overstep")) == 3, "each of them once"
    assert (await world.kinds()).count("OverstepFound") == 1
    assert (await world.row()).result is None, "never acted on without a person"
    assert any("Du kan gøre krav" in letter.said for letter in world.letters(ANNA)[-3:])


async def _anna_claims(story: Story) -> Page:
    """Bo's late move is relayed; Anna's answer waits for her word; the link's button claims."""
    world = story.world
    assert (await story.web.get(f"/games/{world.game}")).path == "/signin", "90 days have passed"
    await story.web.sign_in_by_mail()
    await story.move()
    relays = len(await world.outbox("relay"))
    assert await story.anna.reply("34. Lxf5") == "late_asked"
    await world.pump()
    assert (await world.row()).ply == story.ply
    assert len(await world.outbox("relay")) == relays, "her move waits, unrelayed"
    asked = world.letters(ANNA)[-1]
    for part in ("overskredet", "Lxf5", "§ 6.3.3.4"):
        assert part in asked.said
    async with browser(world) as one:
        shown = await one.get(asked.link("/c/"))
        assert (await world.row()).result is None
        done = await one.submit(shown, "", answer="claim")
    await world.pump()
    return done


async def _accounts_agree(story: Story, folder: Path) -> None:
    """The API's account, ``kskak clock`` on the API's ledger, and the second reading."""
    world = story.world
    head = {"Authorization": f"Bearer {await world.token(ANNA)}"}
    base = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}"
    async with aiohttp.ClientSession(headers=head) as http:
        async with http.get(f"{base}/ledger") as answer:
            ledger = await answer.json()
        async with http.get(f"{base}/clock?on={world.clock.today}") as answer:
            shown = await answer.json()
    file = folder / "game.json"
    file.write_text(json.dumps(ledger), encoding="utf-8")
    status, out = await command("clock", str(file), "--on", str(world.clock.today), "--json")
    assert status == 0
    assert json.loads(out) == shown == await world.account()
    again = clock(ledger, str(world.clock.today))
    for row in shown["moves"]:
        row.pop("exempt", None)
    assert {key: shown[key] for key in again} == again
    status, out = await command("clock", str(file), "--table")
    assert status == 0
    assert out.splitlines()[0].startswith("Modt. Sendt Tid")


async def test_a_whole_game_by_mail_and_web(database_url: str, tmp_path: Path) -> None:
    async with world_of(database_url, str(tmp_path), start=START) as world:
        await world.begin()
        async with browser(world) as web:
            await web.sign_in_by_mail()
            story = Story(world, web)
            await _opening_with_a_series_of_annas(story)
            await _leave_over_easter(story)
            await _series_of_bos(story)
            await _an_illegal_move(story)
            await _bo_oversteps(story)
            await _anna_claims(story)
            assert (await world.row()).result is None, "it rests until it is decided or admitted"
            assert await Player(world, BO, lang="en").reply("admit") == "admitted"
            row = await world.row()
            assert row.result == Result.WHITE_WINS
            assert story.board.fullmove_number >= 33
            for who in (ANNA, BO, TL):
                assert any("1-0" in letter.said for letter in world.letters(who)[-2:]), who
            tl = (await world.person(TL)).id
            told = {row.kind for row in await world.outbox() if row.person_id == tl}
            assert {"leave_told", "overstep", "claim", "game_over"} <= told
            sent = [r for r in await world.events() if isinstance(r.event, MoveSent)]
            relays = await world.outbox("relay")
            assert len({one.message_id for one in relays}) == len(relays) == len(sent)
            assert {r.channel for r in sent} == {"mail", "web"}
            await _accounts_agree(story, tmp_path)
            await world.assert_whole()
            shown = await web.get(f"/games/{world.game}")
            assert shown.status == 200
            assert not any(form.action.endswith("/preview") for form in shown.forms)
