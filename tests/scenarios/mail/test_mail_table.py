"""The table of what a mail is handled as: walked cell by cell, and the manual's."""

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from server.usecases.mail.mail_table import (
    OTHERS_TABLE,
    OWN_TABLE,
    GameStanding,
    MailFate,
    MailMeaning,
    Who,
    cell_of,
)
from tests.fakes.machinery.draws import turns
from tests.fakes.machinery.player import Player
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import ANNA, BO, COMMANDS, World, world_of

pytestmark = [pytest.mark.thinned, pytest.mark.timeout(600)]
SAID: dict[MailMeaning, str] = {
    MailMeaning.MOVE: "c4",
    MailMeaning.SERIES: "1. c4 0e5 2. d4",
    MailMeaning.SEVERAL: "c4\nd4",
    MailMeaning.UNCLEAR: "mon ikke jeg rykker springeren til f3",
    MailMeaning.TRY: "Ke7",
    MailMeaning.ANSWER: "ja",
    MailMeaning.RESIGN: "Jeg opgiver, du er for god til mig",
    MailMeaning.DRAW_WORD: "remis?",
    MailMeaning.DRAW: "Skal vi ikke tage remis nu",
    MailMeaning.CLAIM_WORD: "tid",
    MailMeaning.CLAIM: "Min modstander har overskredet tiden",
    MailMeaning.CASE: "rejs sag",
    MailMeaning.THINK_WORD: "jeg tænker længe",
    MailMeaning.THINK: "Jeg har brug for mere tid",
    MailMeaning.LEAVE_WORD: "ferie {day} {day}",
    MailMeaning.LEAVE: "Vi rejser væk på ferie fra {day} til {day} med familien",
    MailMeaning.LATER_START: "Kan jeg få lov at udsætte starten? Jeg skal opereres",
    MailMeaning.NEW_ADDRESS: "Jeg er flyttet til Nygade 3",
    MailMeaning.QUESTION: "Hvordan går det?",
    MailMeaning.HELP: "status",
    MailMeaning.PAPER: "indsigelse",
    MailMeaning.NOTHING: "Sikke et vejr vi har for tiden",
}
"""What a mail says, so that it is recognised as this."""
FREE = {MailMeaning.PAPER, MailMeaning.FOLLOWS}
"""Needs a case or a takeover to be lodged in, or a series: held by tests/scenarios/cases and
test_series_without_zero.py."""
REFUSED = {MailMeaning.CLAIM_WORD, MailMeaning.CLAIM, MailMeaning.CASE}
"""Done or asked unless the rules refuse it, as there is no overstep here: told why then. So is the
resignation of a player who has a claim."""


@pytest.fixture
async def table(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    async with world_of(sqlite_url, str(tmp_path)) as made:
        yield made


ORDER = sorted(set(MailMeaning) - FREE, key=lambda what: (what is not MailMeaning.ANSWER, what))
"""The same in every run; a bare «ja» first, as it is asked about where other questions are open."""
_BY_DAY = 8


def _walked(turn: int) -> Sequence[MailMeaning]:
    """What is tried in one standing or of one sender: all at night, by day eight by turns."""
    return sorted(turns(ORDER, turn, _BY_DAY), key=ORDER.index)


async def _acts(world: World) -> int:
    """What has happened in the games; a charge is told, not done."""
    return sum(one != "FaultySent" for one in await world.kinds())


async def _fate(world: World, raw: bytes, to: str, email: str = ANNA) -> MailFate:
    """Send it: as its player and the officials see what becomes of it."""
    before, acts = len(world.letters(ANNA)), await _acts(world)
    await world.smtp(raw, to, sender=email)
    await world.pump()
    row, told = await world.newest_mail(), world.letters(ANNA)[before:]
    if row.state == "held":
        return MailFate.HELD
    assert row.outcome, "a mail has one outcome"
    if await _acts(world) > acts or row.outcome in DONE:
        return MailFate.DONE
    if not told:
        return MailFate.KEPT
    return MailFate.ASKED if any("/c/" in one.said for one in told) else MailFate.TOLD


DONE = {"games_status", "leave", "asked_which", "not_asked", "offer_noted", "case_raised", "drawn"}


def _expected(what: MailMeaning, fate: MailFate) -> set[MailFate]:
    """The cell's fate; a rule may refuse what is done or asked, and tells why."""
    if what in REFUSED and fate in (MailFate.DONE, MailFate.ASKED):
        return {fate, MailFate.TOLD}
    if what is MailMeaning.SEVERAL and fate is MailFate.ASKED:
        return {MailFate.ASKED, MailFate.TOLD}  # asked by a list of moves, without a button
    return (
        {MailFate.DONE, MailFate.TOLD}
        if what is MailMeaning.ANSWER and fate is MailFate.DONE
        else {fate}
    )


async def _begun(world: World, turn: GameStanding, name: str) -> tuple[int, Letter]:
    """A new game of Anna's on its way to stand so for her, and the letter that she answers."""
    await world.begin(name)
    anna, bo = Player(world, layout=None), Player(world, BO, layout=None)
    first = anna.newest
    if turn is GameStanding.OWN:
        return world.game, first
    assert await anna.reply("b3") == "moved"
    if turn is GameStanding.THEIRS:
        return world.game, anna.newest
    if turn is GameStanding.OVER:
        assert await bo.reply("resign") == "asked_back"
        assert await bo.reply("yes") == "resigned"
    elif turn is not GameStanding.REST:
        assert await bo.reply("b6") == "moved"
    return world.game, first


@pytest.mark.parametrize(("nth", "turn"), list(enumerate(GameStanding)))
async def test_every_cell_of_a_players_own_mail(table: World, nth: int, turn: GameStanding) -> None:
    wrong, anna, walked = [], Player(table, layout=None), _walked(nth)
    games = [await _begun(table, turn, f"K-26-{at:02}") for at in range(2, 2 + len(walked))]
    if turn is GameStanding.REST:
        table.clock.wait(days=60)
        await table.pump()
    for number, (what, (game, letter)) in enumerate(zip(walked, games, strict=True), 2):
        table.game = game
        if turn is GameStanding.REST:
            assert await anna.reply("tid", letter) == "claimed"
        day = (table.clock.today + timedelta(days=12 + number)).isoformat()
        is_late = (what, turn) == (MailMeaning.SERIES, GameStanding.THEIRS)
        said = "Hvis 1... e5 så 2. d4" if is_late else SAID[what]
        raw = anna.write(said.format(day=day), letter)
        fate = await _fate(table, raw, letter.reply_to or "")
        wanted = _expected(what, cell_of(Who.KEYED, what, turn).fate)
        wanted |= (
            {MailFate.TOLD} if (what, turn) == (MailMeaning.RESIGN, GameStanding.REST) else set()
        )
        wrong += [] if fate in wanted else [f"{what}: {fate}, not {wanted}"]
    assert not wrong, "\n".join(wrong)


async def _written(world: World, who: Who, what: MailMeaning, day: str) -> tuple[bytes, str, str]:
    """A mail of this kind with these words: its octets, its recipient, its envelope sender."""
    anna, said = Player(world, layout=None), SAID[what].format(day=day)
    key, none = anna.newest.reply_to or "", {"In_Reply_To": None, "References": None}
    match who:
        case Who.KEY:
            return (
                anna.write(said, From_="Anna <anna@elsewhere.example>"),
                key,
                "anna@elsewhere.example",
            )
        case Who.ADDRESS:
            return anna.write(said, To=COMMANDS, Subject="Hej", **none), COMMANDS, ANNA
        case Who.LIST:
            return anna.write(said, List_Id="<skak.example.dk>"), key, ANNA
        case Who.NOTICE:
            return anna.write(said, Subject="Ikke på kontoret"), key, ANNA
        case Who.ODD:
            return b"MIME-Version: 1.0\r\n" + anna.write(said), key, ANNA
        case Who.FOREIGN:
            raw = anna.write(said, From_="x@nowhere.example", To=COMMANDS, Subject="Hej", **none)
            return raw, COMMANDS, "x@nowhere.example"
        case Who.ROBOT | _:
            return anna.write(said, Auto_Submitted="auto-replied"), key, ANNA


@pytest.mark.parametrize(("nth", "who"), list(enumerate(list(Who)[1:])))
async def test_every_cell_of_other_mail(table: World, nth: int, who: Who) -> None:
    wrong = []
    await table.begin()
    for number, what in enumerate(_walked(nth), 2):
        day = (table.clock.today + timedelta(days=12 + number)).isoformat()
        raw, to, sender = await _written(table, who, what, day)
        fate = await _fate(table, raw, to, sender)
        wanted = _expected(what, cell_of(who, what).fate)
        wrong += [] if fate in wanted else [f"{who} {what}: {fate}, not {wanted}"]
        table.clock.wait(days=1)  # a day's questions are limited
        await table.pump()
    assert wrong == []
    assert not [one for one in await table.kinds() if one == "FaultySent"]


def test_the_manual_prints_the_table() -> None:
    manual = Path("docs/operator.md").read_text()
    assert OWN_TABLE.strip() in manual
    assert OTHERS_TABLE.strip() in manual


def test_no_cell_is_empty() -> None:
    for what in MailMeaning:
        assert all(cell_of(Who.KEYED, what, turn).how for turn in GameStanding)
        assert all(cell_of(who, what).how for who in Who if who is not Who.KEYED)
