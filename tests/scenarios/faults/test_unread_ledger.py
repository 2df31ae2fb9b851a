"""An entry that can't be read: refused at every door, shown for what it is, and mended."""

from datetime import date
from itertools import product

import aiohttp
import pytest

from kskak.ledger.stored_events import dump_event
from server.cli import run
from server.usecases.desks import database_care
from server.usecases.desks.database_care import NoRepair, repair
from server.usecases.games import writer
from tests.fakes.machinery.browser import browser
from tests.fakes.postal import begin_postal, call, enter
from tests.fakes.world import ANNA, BO, TL, World

WRONG = ("0026-11-02", "1799-01-01", "1800-01-01", "2999-12-31", "2028-01-01")


async def test_a_card_of_another_century_is_refused_with_the_days_that_can_be(lite: World) -> None:
    world = lite
    await begin_postal(world)
    for field, day in product(("postmark", "receipt", "stated", "received", "arrived"), WRONG):
        card = {"by": "white", "text": "e4", "postmark": world.clock.today.isoformat(), field: day}
        status, said = await call(world, ANNA, "cards", card)
        assert (status, said["type"]) == (422, "/problems/day-outside"), (field, said)
        assert said["given"] == day and said["earliest"] < world.clock.today.isoformat()
        assert await world.events() == ()
    async with browser(world) as page:
        await page.sign_in(ANNA)
        assert (await page.get(f"/games/{world.game}")).status == 200


async def test_so_is_a_receipt_a_faulty_card_and_a_card_that_resigns(lite: World) -> None:
    world = lite
    await begin_postal(world)
    await enter(world, "white", "e4", postmark=world.clock.today)
    kept = await world.events()
    for day in WRONG:
        asked = (
            ("receipt", BO, {"on": day}),
            ("cards", ANNA, {"by": "black", "kind": "illegible", "arrived": day}),
            ("cards", BO, {"by": "black", "kind": "resigns", "arrived": day, "stated": day}),
        )
        for path, who, body in asked:
            status, said = await call(world, who, path, body)
            assert status == 422, (path, said)
    assert await world.events() == kept


@pytest.mark.parametrize("day", ["5066-12-11", "0026-11-02", "2028-01-01"])
async def test_no_view_is_computed_for_a_day_far_away(lite: World, day: str) -> None:
    world = lite
    headers = {"Authorization": f"Bearer {await world.token(ANNA)}"}
    url = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}/clock"
    async with aiohttp.ClientSession() as http:
        async with http.get(url, params={"on": day}, headers=headers) as got:
            said = await got.json(content_type=None)
            assert (got.status, said["errors"][0]["code"]) == (422, "day_outside")
        near = {"on": world.clock.today.replace(year=world.clock.today.year + 1).isoformat()}
        async with http.get(url, params=near, headers=headers) as got:
            assert got.status == 200


async def spoil(world: World, monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    """A card as an earlier program kept it: with a day that it could not read again."""
    monkeypatch.setattr("kskak.play.decide_command._outside", lambda *_: None)
    monkeypatch.setattr(writer, "proven_text", dump_event)
    await enter(world, "white", "e4", postmark=day)
    monkeypatch.undo()


async def test_the_writer_keeps_nothing_it_could_not_read_and_harms_no_other(lite, monkeypatch):
    """Whatever the rules let through."""
    world = lite
    await begin_postal(world)
    monkeypatch.setattr("kskak.play.decide_command._outside", lambda *_: None)
    status, _ = await call(world, ANNA, "cards",
                           {"by": "white", "text": "e4", "postmark": "1799-01-01"})  # fmt: skip
    assert (status, await world.events()) == (500, ())
    await enter(world, "white", "e4", postmark=world.clock.today)
    await world.assert_whole()


@pytest.mark.parametrize("day", [date(26, 11, 2), date(1799, 1, 1)])
async def test_an_unread_entry_is_shown_to_officials_named_and_repaired(world, monkeypatch, day):
    await begin_postal(world)
    await spoil(world, monkeypatch, day)
    report = await database_care.verify(world.core.store)
    assert [(f.game, f.seq) for f in report.findings] == [("P-26-01/1", 1)]
    text = (await world.events())[0].body
    async with browser(world) as page:
        await page.sign_in(TL)
        shown = await page.get(f"/games/{world.game}")
        assert shown.status == 200
        assert "kskak repair P-26-01/1 1" in shown.text and day.isoformat() in shown.text
    for who, status in ((TL, 200), (ANNA, 503)):
        headers = {"Authorization": f"Bearer {await world.token(who)}"}
        url = f"http://127.0.0.1:{world.server.web_port}/api/v1/games/{world.game}"
        async with aiohttp.ClientSession() as http, http.get(url, headers=headers) as got:
            said = await got.json(content_type=None)
            assert got.status == status, said
            if who == TL:
                assert said["unread"] == [1] and said["entries"][0]["text"] == text
    async with browser(world) as page:
        await page.sign_in(ANNA)
        polite = await page.get(f"/games/{world.game}")
        assert polite.status == 503 and "i partiets bog kan ikke læses" in polite.text
    with pytest.raises(NoRepair, match="kskak repair P-26-01/1 1`"):
        await repair(world.core, "P-26-01/1", [2])
    await repair(world.core, "P-26-01/1", [1])
    assert (await world.events())[0].body == text
    assert (await database_care.verify(world.core.store)).is_sound
    with pytest.raises(NoRepair, match="every entry can be read"):
        await repair(world.core, "P-26-01/1", [1])
    await world.pump()
    said = {
        ANNA: ("som ikke kan læses (indførsel 1)", "Fejlen er vores", "Du er i trækket."),
        BO: ("that can't be read (entry 1)", "fault is ours", "White is to move."),
        TL: ("som ikke kan læses (indførsel 1)", "Fejlen er vores", "Hvid er i trækket."),
    }
    for who, facts in said.items():
        told = world.letters(who)[-1].said
        assert [fact for fact in facts if fact not in told] == [], told
    await enter(world, "white", "e4", postmark=world.clock.today)
    async with browser(world) as page:
        await page.sign_in(BO)
        assert (await page.get(f"/games/{world.game}")).status == 200
        assert (await page.get(f"/games/{world.game}/statement")).status == 200
    await world.assert_whole()


async def test_a_repair_takes_what_rests_on_the_entry_with_it_and_has_it_named(lite, monkeypatch):
    world = lite
    await begin_postal(world)
    await spoil(world, monkeypatch, date(1799, 1, 1))
    today = world.clock.today
    status, _ = await call(world, BO, "cards",
                           {"by": "black", "text": "e5", "postmark": today.isoformat(),
                            "received": today.isoformat()})  # fmt: skip
    kinds = len(await world.events())
    assert (status, kinds) == (200, 2)
    for short in ([1], [2], [1, 2, 3]):
        with pytest.raises(NoRepair, match="kskak repair P-26-01/1 1 2`"):
            await repair(world.core, "P-26-01/1", short)
    await repair(world.core, "P-26-01/1", [1, 2])
    assert [row.body[:25] for row in (await world.events())[2:]] == [
        '{"kind":"entry_annulled",'
    ] * 2
    await world.pump()
    told = await world.outbox("annulled")
    assert len({row.person_id for row in told}) == 3 == len(told), "each once"
    assert "som ikke kan stå (indførsel 1, 2)" in world.letters(TL)[-1].said
    await enter(world, "white", "d4", postmark=today)
    await world.assert_whole()


def test_repair_says_what_it_does_and_refuses_an_unknown_game(sqlite_url, tmp_path, capsys):
    config = tmp_path / "config.toml"
    config.write_text(f'[database]\nurl = "{sqlite_url}"\n')
    assert run(["repair", "K-26-01/1", "1", "--config", str(config)]) == 2
    assert "there is no game K-26-01/1" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run(["repair", "--help"])
    assert "bytes are kept" in " ".join(capsys.readouterr().out.split())
