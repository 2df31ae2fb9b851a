"""The demonstration's entries: open lists, past results, valid and waiting entries.

Made with the ordinary use cases, like the rest of the demonstration (federation.py). Not for
tests of rules.
"""

from collections.abc import Sequence
from datetime import date, timedelta

from kskak.regulation.quantities import Regulation
from server.store.entries.of_players import EntryRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.cup.opening import Opened, open_cup
from server.usecases.entries.deeds import record_fee
from server.usecases.entries.entering import Asking, enter
from server.usecases.entries.judging import Stated
from server.usecases.entries.lists import Opening, open_list
from server.usecases.entries.past_results import Entered, add_result
from server.usecases.season.judging import season_of

LISTS = (
    ("Mesterklassen", "emt", "M", "M-demo", 20_000),
    ("Kvalifikationsklassen", "emt", "K", "KV-demo", 20_000),
    ("Åben klasse", "emt", "Å", "Å-demo", 15_000),
    ("Danmarksmesterskabet", "emt", "DM", "DM-demo", 25_000),
    ("Pokalturneringen", "cup", "preliminary", "P-demo", 15_000),
)
PAY = "Reg. 0400, konto 1234567, med spillerens navn og listens"
"""How the demonstration's fees are paid: nobody's account."""
HALVES = (8, 7, 10, 5, 9, 6, 4, 8)
"""Half points of each player in a master class of last year, of six games."""
ENTER = ((0, True), (1, True), (2, True), (3, True), (4, False), (6, False))
"""Who enters the master class, and whether the leader has received the fee."""
ASKS = 5
"""Who asks for the DM, which no rule opens to that player (§ 6.5.2.2 f)."""


async def fill_entries(
    core: Core, kc: PersonRow, tl: PersonRow, players: Sequence[PersonRow]
) -> None:
    """Open the lists and let the players enter, as a visitor should find them."""
    today, lists = today_of(core), {}
    for name, event, wish, prefix, fee in LISTS:
        asked = Opening(
            f"{name} {today.year}", event, wish, f"K-skak {today.year}", Regulation.EMAIL, prefix,
            tl.email, fee, PAY,
        )  # fmt: skip
        row = await open_list(core, kc, asked)
        lists[wish] = getattr(row, "id", 0)
    await open_cup(core, kc, Opened(today.year, lists["preliminary"]))
    await _open_league(core, kc, tl)
    for number, (player, halves) in enumerate(zip(players, HALVES, strict=False), 1):
        ended = today - timedelta(days=200 + 11 * number)
        name, source = f"M-{ended.year % 100}-{number:02}", f"K-skakbladet {ended.year}/5, s. 14"
        await add_result(core, tl, player.id, Entered("emt", "M", name, ended, halves, 6, source))
    for index, is_paid in ENTER:
        await _enter(core, players[index], lists["M"], index, tl if is_paid else None)
    await _enter(core, players[ASKS], lists["DM"], ASKS, tl)


async def _open_league(core: Core, kc: PersonRow, tl: PersonRow) -> None:
    """Clubs enter their teams for the next league on its list (§ 6.7.4.1)."""
    async with core.store.read() as conn:
        season = await season_of(conn, today_of(core))
    assert season is not None
    name = f"Holdturneringen {season.year}"
    asked = Opening(
        name, "league", "league", name, Regulation.EMAIL, "H-demo", tl.email, 40_000, PAY
    )
    await open_list(core, kc, asked)


async def _enter(
    core: Core, player: PersonRow, list_id: int, index: int, tl: PersonRow | None
) -> None:
    """Enter a player; ``tl`` records the fee."""
    stated = Stated(member=str(4700 + index), born=date(1948 + 3 * index, 1 + index, 11))
    row = await enter(core, player, Asking(list_id, stated, asks=True))
    if isinstance(row, EntryRow) and tl is not None:
        await record_fee(core, tl, row.id, today_of(core))
