"""The leader's case about a silent player: opened by the server, closed by the answer."""

from datetime import date, timedelta

from sqlalchemy import select

from server.jobs import mail_jobs
from server.store.account import retention as retention_rows
from server.store.cases import papers as paper_rows
from server.store.cases.papers import PaperRow
from server.store.tables.cases import cases
from server.usecases.cases.case_file import build_file
from server.usecases.cases.case_letter_facts import file_recent
from server.usecases.reflection.leave import Leave, LeaveBookingOutcome, grant
from tests.fakes.cases import only_case, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World
from tests.scenarios.cases.test_case_file import OPERATOR
from tests.scenarios.reflection.test_silence import TOLD


async def open_cases(world: World) -> list[tuple[str, str, bool]]:
    """Kind, state, and whether it is closed, oldest first."""
    query = select(cases.c.kind, cases.c.state, cases.c.closed_us).order_by(cases.c.id)
    async with world.core.store.read() as conn:
        rows = (await conn.execute(query)).all()
    return [(kind, state, closed is not None) for kind, state, closed in rows]


async def test_the_report_opens_the_leaders_case_and_the_answer_closes_it(world, anna, bo):
    await anna.reply("e4")
    await world.wait_until(date(2026, 11, 22))
    assert await open_cases(world) == []
    await world.wait_until(TOLD)
    assert await open_cases(world) == [("silence", "opened", False)]
    async with browser(world) as page:
        await page.sign_in(TL)
        desk = await page.get("/desk")
        assert "K-26-01/1" in desk.text
        await bo.reply("1... c5", next(one for one in bo.letters[::-1] if "e4" in one.said))
        assert await open_cases(world) == [("silence", "settled", True)]
        cured = "Den tavse spiller har svaret."
        assert cured in (await page.get("/desk")).text, "it says that it has cured itself"
        world.clock.wait(days=4)
        assert cured not in (await page.get("/desk")).text, "and goes"
    await world.wait_until(date(2026, 11, 28))
    assert len(await open_cases(world)) == 1
    await world.assert_whole()


async def test_leave_or_a_notice_is_no_answer_and_leaves_the_case_open(lite: World) -> None:
    await Player(lite).reply("e4")
    await lite.wait_until(TOLD)
    bo = Player(lite, BO, layout=None, lang="en")
    assert await bo.reply("leave 2027-01-10 2027-01-12") == "leave"
    assert await bo.reply("long think") == "long_think"
    assert await open_cases(lite) == [("silence", "opened", False)]
    assert await bo.reply("resign") == "asked_back"
    assert await bo.reply("yes") == "resigned"
    assert await open_cases(lite) == [("silence", "settled", True)]


async def test_the_leader_finds_the_decision_drafted(lite: World) -> None:
    await Player(lite).reply("e4")
    await lite.wait_until(TOLD)
    async with browser(lite) as page:
        await page.sign_in(TL)
        shown = await page.get("/desk/cases/2026/1")
        assert "0 af 1 partier er færdige" in shown.text
        assert "krav om tidsoverskridelse" not in shown.html and ">reminder<" not in shown.html
        assert "rykker" in shown.html and ">et træk<" in shown.html, "kinds in his own language"
        assert "blev rykket den" in shown.html
        letter = await page.submit(shown, "/rule", step="draft")
        assert "regnes derfor som taber" in letter.html
        assert (await lite.row()).result is None, "a draft decides nothing"


FILED = ["think_warning", "reminder", "silence_copy", "silence_told", "silence_told", "silence"]


async def papers(world: World) -> list[PaperRow]:
    """The case's papers but for the account, oldest first."""
    async with world.core.store.read() as conn:
        found = await paper_rows.list_case_papers(conn, await only_case(world))
    return [paper for paper in found if not paper.title.startswith("@account")]


async def test_the_warnings_the_reminder_and_the_report_are_papers_of_the_case(world, anna):
    """§ 6.3.4, § 6.8.3: as they were read, once each, without a key that moves a piece."""
    await anna.reply("e4")
    await world.wait_until(TOLD)
    letters = [paper for paper in await papers(world) if paper.kind == "letter"]
    assert sorted(paper.title.partition(" ")[0] for paper in letters) == sorted(
        f"@{kind}" for kind in FILED
    )
    told = {paper.title.partition(" ")[0]: paper.text or "" for paper in letters}
    assert "Anna Ager is waiting for your answer to 1. 5254 (e4)" in told["@reminder"]
    assert "parti+…@skak.example" in told["@reminder"] and "/think/…" in told["@reminder"]
    for _, text in sorted(told.items()):
        for row in await world.outbox("reminder"):
            assert row.message_id.partition("@")[0].strip("<").split(".")[-2] not in text
    await world.pump()
    await file_recent(world.core)
    assert len(await papers(world)) == len(letters)
    number = (await seen_by(world, TL, await only_case(world))).case.number
    files = await build_file(world.core, number, OPERATOR)
    assert any(b"Anna Ager is waiting" in data for path, data in files if "/papers/" in path)
    await world.assert_whole()


async def test_the_drafted_reasons_are_the_leaders_alone(lite: World) -> None:
    await Player(lite).reply("e4")
    await lite.wait_until(TOLD)
    async with browser(lite) as page:
        await page.sign_in(TL)
        shown = await page.get("/desk/cases/2026/1")
        assert "Rykker til den tavse spiller" in shown.html
        assert "Tavshed regnes som udtræden" in shown.html
    assert "Tavshed regnes som" not in await _said(lite, ANNA, "/desk/cases/2026/1")


async def test_a_letter_that_a_fault_left_out_is_filed_by_the_daily_look(lite, monkeypatch):
    """Nor does the fault hold a letter back."""

    async def fails(*_: object) -> None:
        raise OSError("no disk")

    monkeypatch.setattr(mail_jobs, "file_sent", fails)
    await Player(lite).reply("e4")
    await lite.wait_until(date(2026, 11, 24))
    assert len(lite.letters(TL)) == 2, "the letters went"
    assert len([paper for paper in await papers(lite) if paper.kind == "letter"]) == len(FILED)


async def test_an_earlier_silence_is_not_in_the_file_of_the_next(lite: World) -> None:
    """What was answered is another matter."""
    anna, bo = Player(lite), Player(lite, BO, layout=None, lang="en")
    await anna.reply("e4")
    await lite.wait_until(date(2026, 11, 18))
    assert len(await lite.outbox("reminder")) == 1
    assert await bo.reply("e5", lite.letters(BO)[-1]) == "moved"
    assert await anna.reply("Nf3") == "moved"
    await lite.wait_until(date(2026, 12, 11))
    assert len(await lite.outbox("reminder")) == 2
    titles = [paper.title.partition(" ")[0] for paper in await papers(lite)]
    assert titles.count("@reminder") == 1


async def test_letters_as_sent_go_with_the_mails_when_their_time_is_over(lite: World) -> None:
    await Player(lite).reply("e4")
    await lite.wait_until(TOLD)
    async with lite.core.store.write() as conn:
        raw = await retention_rows.raw_of(conn, ["K-skak-EMT 2026"])
        await retention_rows.forget_raw(conn, raw, 1)
    left = {paper.title.partition(" ")[0]: paper.size is None for paper in await papers(lite)}
    assert set(left.values()) == {True}


async def _said(world: World, who: str, path: str) -> str:
    async with browser(world) as page:
        await page.sign_in(who)
        return (await page.get(path)).text


async def test_every_list_and_page_says_who_is_silent_and_to_himself_since_when(lite):
    """§ 6.8.3: Bo, who reads English, has had the move for three weeks."""
    await Player(lite).reply("e4")
    await lite.wait_until(TOLD)
    game = f"/games/{lite.game}"
    since = (await lite.row()).state().receipt
    assert since is not None
    name = (await lite.row()).black
    for path in ("/", game):
        own, hers = await _said(lite, BO, path), await _said(lite, ANNA, path)
        assert f"You have not answered since {since.day}/{since.month}." in own
        assert f"{name} har ikke svaret siden {since.day}/{since.month}." in hers
    for who, path in ((TL, "/desk"), (TL, "/desk/cases/2026/1"), (ANNA, "/desk/cases/2026/1")):
        assert f"{name} svarer ikke." in await _said(lite, who, path), path
    assert "You have not answered." in await _said(lite, BO, "/desk/cases/2026/1")


async def test_special_leave_for_the_silent_player_closes_the_case(world, anna):
    """§ 6.3.6.4: he is excused; the case says so and waits for nobody."""
    await anna.reply("e4")
    await world.wait_until(TOLD)
    assert await open_cases(world) == [("silence", "opened", False)]
    today, bo = world.clock.today, await world.person(BO)
    days = (today, today + timedelta(days=13))
    asked = Leave(bo.id, *days, "web", world.core.clock.now(), "K-skak-EMT 2026")
    granted = await grant(world.core, await world.person(TL), asked)
    assert isinstance(granted, LeaveBookingOutcome), granted
    assert await open_cases(world) == [("silence", "settled", True)]
