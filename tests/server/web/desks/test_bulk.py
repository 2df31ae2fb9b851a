"""One deed for ticked rows: a preview that is a rehearsal, stale rows skipped, none half done."""

import re
from html import unescape

import pytest

from mail.office_letters.entry_letters import EntryLetter
from server.store import entries as entry_rows
from tests.fakes.site import Site, officials
from tests.server.web.conftest import Browser, Browsers
from tests.server.web.desk_cast import case_of

WHO = ("anna", "bent", "soren")


@pytest.fixture
async def entered(site: Site, browsers: Browsers) -> list[Browser]:
    """Three have entered K, which Tove leads; none has paid."""
    await officials(site)
    kaj = await site.person("kaj@example.org")
    await site.open_list(kaj, "K", "emt K", "K", "tove", tournament="EMT", fee=20_000)
    players = [await browsers.of(name) for name in WHO]
    for number, player in enumerate(players):
        own = {"list": "1", "born": "1950-02-28", "member": f"471{number}", "key": f"k{number}"}
        assert (await player.post("/enter", own | {"asks": "1"})).status == 303
    return players


async def _paid(site: Site) -> list[str | None]:
    async with site.core.store.read() as conn:
        rows = await entry_rows.on_lists(conn, None, ["waiting", "valid", "withdrawn"])
    return [row.fee_day for row in sorted(rows, key=lambda row: row.id)]


async def _letters(site: Site) -> list[tuple[str, int | None]]:
    return [(row.kind, row.person_id) for row in (await site.written())[::-1]]


async def _owed(kaj: Browser) -> str:
    """What the account's page says is owed."""
    _, text = await kaj.get("/desk/kc/economy")
    return text.partition('id="owed"')[2].partition("</section>")[0]


def _ticks(text: str) -> dict[str, str]:
    return dict(re.findall(r'name="(row-[^"]+)" value="([^"]+)"', text))


async def test_fees_are_rehearsed_then_recorded_and_what_changed_meanwhile_is_skipped(
    site: Site, browsers: Browsers, entered: list[Browser]
) -> None:
    tove, kaj = await browsers.of("tove"), await browsers.of("kaj")
    listed = _ticks((await tove.get("/desk/entries"))[1])
    assert len(listed) == 3
    day = {"on": "2026-09-01"}
    for bad in (day, listed | {"on": "2026-09-02"}, listed | {"on": "i går"}):
        assert (await tove.post("/desk/entries/fees", bad | {"step": "look"})).status == 422
    owed = await _owed(kaj)
    assert owed.count("200,00") == 3 and "Søren Sø" in owed and "Indskud, K" in owed
    before = await _letters(site)
    seen = await tove.post("/desk/entries/fees", day | {"step": "all"})
    shown = unescape(await seen.text())
    assert seen.status == 200 and "Intet er gjort endnu. 3 rækker" in shown and "3 mails." in shown
    assert all(f"{name}: " in shown for name in ("Anna Andersen", "Bent Bæk", "Søren Sø"))
    assert await _letters(site) == before and await _paid(site) == [None] * 3, "a rehearsal"
    assert (await entered[1].post("/enter/2/withdraw")).status == 303
    assert (await kaj.post("/desk/entries/3/fee", day)).status == 303
    since = len(await _letters(site))
    done = await tove.post("/desk/entries/fees", _ticks(shown) | day | {"step": "do"})
    told = unescape(await done.text())
    assert "1 er gjort. 1 mail." in told and told.count("Den er sprunget over.") == 2
    assert "Bent Bæk" in told.partition('id="skipped"')[2], "named, though he left the list"
    assert await _paid(site) == ["2026-09-01", None, "2026-09-01"]
    assert "Intet udestår." in await _owed(kaj)
    anna = (await site.person("anna@example.org")).id
    assert (await _letters(site))[: -since or None] == [(EntryLetter.kind, anna)]
    again = await tove.post("/desk/entries/fees", _ticks(shown) | day | {"step": "do"})
    assert "0 er gjort" in unescape(await again.text()), "pressed twice, done once"
    ole = await browsers.of("ole")
    other = await ole.post("/desk/entries/fees", listed | day | {"step": "do"})
    assert "0 er gjort" in unescape(await other.text()), "another's list"


async def test_long_games_are_called_in_with_the_letters_shown_first(site, browsers):
    """§ 6.2.7: a case each; both players are written to, and nobody else's game is touched."""
    site.clock.turn(560)
    tove, anna = await browsers.of("tove"), await browsers.of("anna")
    ticks = _ticks((await tove.get("/desk/long"))[1])
    assert len(ticks) == 3 and (await anna.post("/desk/long/call", ticks)).status == 404
    game = await site.game()
    one = {f"row-{game.id}": ticks[f"row-{game.id}"], "step": "look"}
    shown = unescape(await (await tove.post("/desk/long/call", one)).text())
    before = await _letters(site)
    assert (await site.game()).state().rests is False
    told = unescape(await (await tove.post("/desk/long/call", one | {"step": "do"})).text())
    fresh = (await _letters(site))[: -len(before) or None]
    assert f"{len(fresh)} mails." in shown and f"{len(fresh)} mails." in told
    assert {game.white_id, game.black_id} <= {person for _, person in fresh}
    case = await case_of(site)
    assert (case.kind, case.is_suspended, case.game_id) == ("adjudication", True, game.id)
    assert case.number in (await tove.get("/desk/long"))[1]
