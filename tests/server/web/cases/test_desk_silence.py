"""Since when a player is silent: the last move's day, not a reminder's or a ruling's (§ 6.3.4)."""

from datetime import date, timedelta

from kskak.game.game_events import Event, GameResumed, OpponentReminded, RulingApplied, TotalsSet
from kskak.regulation.editions import Side
from server.usecases.cases.case_transaction import EventsUnit
from server.usecases.context import poster_of
from server.usecases.games.game_units import Origin
from tests.fakes.site import Site
from tests.server.web.cases.test_desk_lists import desk, section
from tests.server.web.conftest import Browser


async def _enter(site: Site, *events: Event) -> None:
    game = await site.game()
    origin = Origin(site.core.clock.now(), None, "case")
    await site.core.writer.submit(EventsUnit(game.id, events, origin, poster_of(site.core)))


def _today(site: Site) -> date:
    return site.clock.now().date()


async def test_neither_a_reminder_nor_a_ruling_is_a_sign_of_life(site: Site, tove: Browser):
    """§ 6.3.4: the day stands still while others write to him."""
    await site.play(await site.game(), "e4")
    moved = _today(site)
    site.clock.turn(16)
    await _enter(site, OpponentReminded(Side.WHITE, _today(site)))
    site.clock.turn(2)
    await _enter(site, RulingApplied("2026/9/1", TotalsSet(3, 3)))
    text = section(await desk(tove), "silent")
    assert "K-26-01/2" in text and f"{moved.day}/{moved.month}" in text
    for later in (16, 18):
        day = moved + timedelta(days=later)
        assert f'data-l="Stille siden">{day.day}/{day.month}' not in text


async def test_a_game_resumed_from_a_day_to_come_is_not_silent_before(site: Site, tove: Browser):
    """§ 6.4.1: counted from the day on which the ruling lets it go on."""
    await site.play(await site.game(), "e4")
    site.clock.turn(20)
    assert "K-26-01/2" in section(await desk(tove), "silent")
    resumed = _today(site) + timedelta(days=6)
    await _enter(site, RulingApplied("2026/9/1", GameResumed(resumed)))
    assert "K-26-01/2" not in section(await desk(tove), "silent")
    site.clock.turn(5)
    assert "K-26-01/2" not in section(await desk(tove), "silent")
