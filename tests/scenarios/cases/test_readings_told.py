"""What a case's readings tell is what a decision by them does: card, letter and ledger agree.

§ 6.4.1: open the case, choose a reading, confirm; nothing is typed.
"""

import re
from collections.abc import AsyncIterator, Callable
from datetime import date
from html import unescape
from pathlib import Path

import pytest

from kskak.cases.readings import Reading, readings
from kskak.cases.what_if_compared import Outcome, outcome_of
from kskak.game import events as ev
from kskak.regulation.quantities import Channel, Fault, Side
from kskak.statement.account import account
from server.store.cases import cases_and_events as case_rows
from server.usecases.cases.views import disputed_plies
from server.usecases.play.game_views import game_view
from tests.fakes.cases import seen_by
from tests.fakes.desk import Desk, begin_group, desk_of, enter
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.told_once import Telling, told_once
from tests.fakes.world import ANNA, BO, KC, TL, World
from tests.regulation.record import EMAIL, POSTAL, Record, after

START = date(2026, 9, 1)


def _postmark() -> Record:
    """Kendelse 38: the postmark is a day after the day that the sender wrote."""
    record = Record(POSTAL, start=START).rounds(9, black=30).think(0)
    card = ev.Card(after(record.day, 1), stated=record.day)
    return record.dispatch(record.day, card, Channel.POST)


def _spoiled() -> Record:
    """Kendelse 59: 28 days, and three for a move that came washed out."""
    record = Record(POSTAL, start=START).rounds(8, white=24, black=26).think(0)
    record.add(ev.FaultySent(Side.BLACK, record.day, Fault.ILLEGIBLE)).think(0)
    return record.rounds(1, black=2)


def _late_mail() -> Record:
    """§ 6.8.6: 41 of 40."""
    return Record(EMAIL, start=START).rounds(9).think(0).think(41)


def _unsent() -> Record:
    """Nobody has answered, and time is up."""
    record = Record(EMAIL, start=START).rounds(1).think(0)
    return record.add(ev.LongThinkNotified(Side.BLACK, record.day))


STORIES: dict[str, tuple[Callable[[], Record], int, int]] = {
    "postmark": (_postmark, 3, 2),
    "spoiled": (_spoiled, 3, 3),
    "late_mail": (_late_mail, 1, 2),
    "unsent": (_unsent, 45, 2),
}
"""The game, days from its last sending to the claim, and how many readings the case has."""
EACH = [(name, index) for name, (_, _, many) in STORIES.items() for index in range(many)]


def _telling(name: str) -> Telling:
    make, days, _ = STORIES[name]

    async def tell(world: World) -> None:
        record = make()
        await begin_group(world, record.terms.regulation.value)
        await enter(world, record.events, after(record.day, days))
        async with desk_of(world) as desk:
            await desk.call(ANNA, "POST", f"/games/{world.game}/claim")

    return tell


TELLINGS = {name: _telling(name) for name in STORIES}


@pytest.fixture
async def told(
    database_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[tuple[Desk, int, int]]:
    """A story's game on the server, claimed; the reading to choose, of how many."""
    name, index = request.param
    async with (
        told_once(database_url, tmp_path, TELLINGS[name], START) as world,
        desk_of(world) as desk,
    ):
        yield desk, index, STORIES[name][2]


async def _case(world: World) -> tuple[int, str]:
    async with world.core.store.read() as conn:
        row = (await case_rows.listed(conn))[0]
    return row.id, f"/desk/cases/{row.number}"


async def _readings(world: World) -> tuple[Reading, ...]:
    view = await game_view(world.core, world.game)
    assert view is not None
    return readings(view.game.terms, view.events, disputed_plies(view), view.today)


def _cards(page: Page) -> list[str]:
    """The cards in words, in order."""
    cards = re.findall(r'<article aria-labelledby="reading-.*?</article>', page.html, re.S)
    return [re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", " ", one))) for one in cards]


async def _press(tl: Browser, page: Page, number: int, ending: str, button: str) -> Page:
    """One press of a button, nothing filled in."""
    forms = [form for form in page.forms if form.action.endswith(ending)]
    form = forms[number]
    name, value, _ = next(one for one in form.buttons if one[1] == button)
    return await tl.post(form.action, form.fields | {name: value})


@pytest.mark.parametrize("told", EACH, indirect=True, ids=[f"{n}-{i}" for n, i in EACH])
async def test_card_letter_and_ledger_tell_the_same(told: tuple[Desk, int, int]) -> None:
    desk, index, many = told
    world = desk.world
    case, path = await _case(world)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        early = await tl.get(path)
        assert len(_cards(early)) == many
        assert "bliver du spurgt en gang" in early.text, "the parties are to be heard first"
        await desk.hear(TL, case)
        page, chosen = await tl.get(path), (await _readings(world))[index]
        figure = chosen.figure
        count = rf"{figure.used}\D+{figure.limit}\D+{figure.move}\b"
        assert len(_cards(page)) == many and re.search(count, _cards(page)[index])
        letter = await _press(tl, page, index, "/decide", "draft")
        assert letter.status == 200, letter.text
        text = letter.form("/decide").fields["letter"]
        assert letter.form("/decide").fields["reasons"] in text
        assert re.search(rf"{figure.used}\D+{figure.move}\D+{figure.limit}\b", text)
        done = await _press(tl, letter, 0, "/decide", "send")
        assert done.status == 200 and done.path == path, done.text
    row = await world.row()
    ended = account(row.terms, [one.event for one in await world.events()], world.clock.today)
    assert outcome_of(ended) is chosen.outcome
    total = ended.state.clock(figure.by).total
    if chosen.ply is not None or chosen.outcome is Outcome.RUNS:
        assert total == figure.used
    else:
        assert ended.overstep is not None and ended.overstep.used == figure.used
    await world.pump()
    assert (await seen_by(world, TL, case)).state.stage.value == "decided"


@pytest.mark.parametrize("told", [("late_mail", 0)], indirect=True, ids=["late_mail"])
async def test_6_4_1_before_the_parties_are_heard_out_it_is_asked_once_and_the_reason_noted(
    told: tuple[Desk, int, int],
) -> None:
    """Choosing, one tick, sending: the drafted reason is edited or stands."""
    desk, index, _ = told
    case, path = await _case(desk.world)
    async with browser(desk.world) as tl:
        await tl.sign_in(TL)
        letter = await _press(tl, await tl.get(path), index, "/decide", "draft")
        assert "ikke er hørt til ende" in letter.text
        form = letter.form("/decide")
        assert form.fields["unheard"] and "confirm" not in form.fields
        asked = await _press(tl, letter, 0, "/decide", "send")
        assert asked.status == 422, "nothing is decided until it is ticked"
        assert (await seen_by(desk.world, TL, case)).state.stage.value == "opened"
        said = form.fields | {
            "confirm": "1",
            "unheard": "Begge har skrevet til mig.",
            "step": "send",
        }
        done = await tl.post(form.action, said)
        assert done.status == 200 and done.path == path, done.text
        assert "Begge har skrevet til mig." in done.text
    assert (await seen_by(desk.world, TL, case)).state.stage.value == "decided"


@pytest.mark.parametrize("told", [("late_mail", 0)], indirect=True, ids=["late_mail"])
async def test_only_who_may_decide_may_choose_and_the_parties_see_the_figure(
    told: tuple[Desk, int, int],
) -> None:
    """§ 6.4.1: the leader decides first; the controller reads, the parties see the count."""
    desk, _, many = told
    case, path = await _case(desk.world)
    await desk.hear(TL, case)
    seen: dict[str, Page] = {}
    for who in (TL, KC, ANNA):
        async with browser(desk.world) as reader:
            await reader.sign_in(who)
            seen[who] = await reader.get(path)
    assert [len(_cards(page)) for page in seen.values()] == [many, many, 0]
    assert ['name="reading"' in page.html for page in seen.values()] == [True, False, False]
    for page in seen.values():
        assert re.search(r'class="figure">41\D+40\D+10<', page.html)


@pytest.mark.parametrize("told", [("postmark", 0)], indirect=True, ids=["postmark"])
async def test_the_drafted_reasons_are_edited_and_the_letter_follows(
    told: tuple[Desk, int, int],
) -> None:
    desk, index, _ = told
    case, path = await _case(desk.world)
    await desk.hear(TL, case)
    async with browser(desk.world) as tl:
        await tl.sign_in(TL)
        letter = await _press(tl, await tl.get(path), index, "/decide", "draft")
        form = letter.form("/decide")
        assert "38" in form.fields["reasons"], "the ruling is cited"
        said = form.fields | {"reasons": "Stemplet gælder.", "step": "draft"}
        again = await tl.post(form.action, said)
        assert "Stemplet gælder." in again.form("/decide").fields["letter"]
        stale = await tl.post(form.action, said | {"step": "send"})
        assert stale.status == 422, "a letter is sent as it was read, not with other reasons"
        done = await _press(tl, again, 0, "/decide", "send")
        assert done.path == path
    assert "Stemplet gælder." in (await seen_by(desk.world, ANNA, case)).papers[-1].text


APPEALS = {
    "upheld": ("postmark", 0, 0),
    "changed": ("postmark", 0, 1),
    "lost_after_all": ("postmark", 1, 1),
    "by_mail": ("late_mail", 0, 1),
    "spoiled_on_the_way": ("spoiled", 0, 1),
    "not_sent": ("unsent", 0, 0),
}
"""A story, the reading that the leader chose, and the controller's card."""


@pytest.mark.parametrize(
    ("told", "card"),
    [((story, chosen), card) for story, chosen, card in APPEALS.values()],
    indirect=["told"],
    ids=APPEALS,
)
async def test_6_4_3_on_appeal_the_card_the_letter_and_the_ledger_tell_the_same(
    told: tuple[Desk, int, int], card: int
) -> None:
    """The decision weighed as if it had not been made: upheld, or changed by a rival reading."""
    desk, chosen, many = told
    world = desk.world
    case, path = await _case(world)
    await desk.hear(TL, case)
    async with browser(world) as tl:
        await tl.sign_in(TL)
        letter = await _press(tl, await tl.get(path), chosen, "/decide", "draft")
        await _press(tl, letter, 0, "/decide", "send")
    await world.pump()
    before = outcome_of(account((await world.row()).terms, [e.event for e in await world.events()]))
    loser = BO if chosen == 0 else ANNA
    await desk.appeal(loser, case)
    await desk.hear(KC, case)
    async with browser(world) as kc:
        await kc.sign_in(KC)
        page = await kc.get(path)
        assert len(_cards(page)) == many
        assert ["stadfæstes" in one for one in _cards(page)] == [True] + [False] * (many - 1)
        letter = await _press(kc, page, card, "/decide", "draft")
        assert letter.status == 200, letter.text
        says = "stadfæstes" if card == 0 else "omgøres"
        assert says in letter.form("/decide").fields["letter"]
        done = await _press(kc, letter, 0, "/decide", "send")
        assert done.status == 200 and done.path == path, done.text
    await world.pump()
    row = await world.row()
    after = account(row.terms, [one.event for one in await world.events()], world.clock.today)
    assert (outcome_of(after) is before) is (card == 0)
    figure = re.search(r"(\d+) af (\d+) dage", _cards(page)[card])
    used = after.state.clock(Side.BLACK).total if after.overstep is None else after.overstep.used
    assert figure is not None and used == int(figure[1])
    await world.assert_whole()
