"""A year from an empty server: all that is clicked is counted, a league of 18 teams runs after it.

Only `kskak user add --role kc` has been run. Links that stand on the page are followed, buttons
pressed, fields filled; a file chosen is a field. Nothing is called past the pages.
"""

import re

from server.store import divisions as division_rows
from server.store import entries as entry_rows
from server.store import groups as group_rows
from server.store.play import people as person_rows
from server.store.play.people import Office
from tests.fakes.site import Site
from tests.server.web.entries.test_season_clicks import PASTED, SEASON, Hand, browsers_on, site

__all__ = ["site"]
MOST_CLICKS = 60
CLUBS = tuple(f"Klub {letter}" for letter in "ABCDEFGHIJKLMNOPQR")
FILES, PLANS, TEAMS = "/desk/members/files", "/desk/league-plans", "/desk/team-entries"
NUMBERS = range(1, 15)


def club_file() -> bytes:
    """As a club's spreadsheet saves it: Windows-1252, in two columns, with their own headings."""
    lines = ["Medlemsnr.;Fornavn;Efternavn;Email;Født;Medlemskab;Klub;K-rating;K-rating dato"]
    for at, club in enumerate(CLUBS):
        lines += [
            f"{1000 + 10 * at + board};Bræt{board};{club[-1]}søn;{club[-1]}{board}@example.org;"
            f"1-1-1950;klub;{club};{2300 - 20 * at - board};1-8-2026"
            for board in range(1, 5)
        ]
    lines += [f"{100 + n};Spiller;Nr{n:02};s{n}@example.org;28-02-1950;enkelt;;;" for n in NUMBERS]
    return "\r\n".join(lines).encode("windows-1252")


async def members(hand: Hand) -> None:
    """Clubs and members."""
    await hand.follow("/desk/members")
    await hand.follow(FILES)
    clubs = "Klub\r\n" + "\r\n".join(CLUBS)
    await hand.upload(FILES, {"step": "check", "what": "clubs"}, clubs.encode("utf-16"))
    await hand.press(FILES, {"step": "do"})
    await hand.upload(FILES, {"step": "check", "what": "members"}, club_file())
    await hand.press(FILES, {"step": "do"})
    assert f"nye: {len(CLUBS) * 4 + len(NUMBERS)}" in hand.said


async def offices(hand: Hand) -> None:
    """Deputies for controller and leader, and whom the congress elected to the Board."""
    offices_at = "/desk/kc/offices"
    for office, first in (("board", 1), ("substitute", 4)):
        board = ", ".join(f"Nævn {n} <naevn{n}@example.org>" for n in range(first, first + 3))
        await hand.press(offices_at, {}, office=office, email=board)
    await hand.press(offices_at, {}, office="kc", email="Dorte Stedfortræder <dorte@example.org>")
    await hand.press(offices_at, {}, office="deputy", email="dorte@example.org")


async def test_an_empty_server_has_a_running_year_within_sixty_clicks(site: Site):
    browsers = await browsers_on(site)
    hand = Hand(await browsers.of("kaj"), clicks=4)  # sign in: the page, its button, the mail's two
    hand.html = (await hand.browser.get("/"))[1]
    await hand.follow("/desk")
    await hand.follow("/desk/kc")
    await offices(hand)
    await hand.follow(SEASON)
    keys = [name[5:] for name in hand.fields(SEASON) if name.startswith("open-")]
    typed = {f"leader-{key}": "Tove Leder <tove@example.org>" for key in keys if "DM" not in key}
    typed |= {f"fee_kr-{key}": "150" for key in keys}
    typed |= {f"how_to_pay-{key}": "Konto 1" for key in keys}
    await hand.press(SEASON, {}, **typed)
    assert "6 lister er åbnet." in hand.said
    await members(hand)
    await hand.follow("/desk/kc")
    await hand.follow(PASTED)
    lines = "".join(f"Spiller Nr{n:02}\tÅ\n" for n in NUMBERS)
    lines += "".join(f"Bræt{n} Asøn\tDM\n" for n in (1, 2, 3)) + "Bræt1 Bsøn\tDM\n"
    await hand.press(PASTED, {"step": "look", "what": "entries"}, lines=lines)
    await hand.press(PASTED, {"step": "take"})
    assert "18 spillere er tilmeldt" in hand.said
    teams = "".join(
        f"{club};Bræt1 {club[-1]}søn;Bræt1 {club[-1]}søn;Bræt2 {club[-1]}søn;{1003 + 10 * at};"
        f"{club[-1]}4@example.org\n"
        for at, club in enumerate(CLUBS)
    )
    await hand.press(PASTED, {"step": "look", "what": "teams"}, lines=teams)
    await hand.press(PASTED, {"step": "take"})
    assert "18 hold er tilmeldt" in hand.said
    bank = "".join(f"01-09-2026;MobilePay Spiller Nr{n:02};150,00\n" for n in NUMBERS)
    bank += "".join(f"01-09-2026;{club};150,00\n" for club in CLUBS[:-1])
    bank += "".join(f"01-09-2026;Bræt{n} Asøn;150,00\n" for n in (1, 2, 3))
    await hand.press(PASTED, {"step": "look", "what": "fees"}, lines=bank)
    await hand.press(PASTED, {"step": "take"})
    await decided(hand)
    await league(hand)
    await running(site)
    assert (hand.clicks, hand.typed) == (40, 33)
    assert hand.clicks <= MOST_CLICKS
    for browser in browsers.all:
        await browser.http.close()
    await browsers.server.close()
    await site.core.store.close()


async def decided(hand: Hand) -> None:
    """The DM's players are let in, all at once; who has not paid is reminded, all at once."""
    await hand.follow("/desk/entries")
    why = {"reason": "Klubmestre af 2026.", "both": "1"}
    await hand.press("/desk/entries/let_in", {"step": "all"}, **why)
    await hand.press("/desk/entries/let_in", {"step": "do"})
    assert "4 er gjort" in hand.said
    await hand.follow("/desk/entries")
    await hand.press("/desk/entries/unpaid", {"step": "now"})
    assert "1 er gjort" in hand.said, "the fourth of the DM has not paid"


async def league(hand: Hand) -> None:
    """The last team's fee, the plan, its dispensations, the start."""
    await hand.follow("/desk/entries")
    await hand.follow(TEAMS)
    await hand.press(f"{TEAMS}/unpaid", {"step": "now"})
    assert "1 er gjort" in hand.said
    await hand.follow(TEAMS)
    fee = re.search(rf'action="({TEAMS}/\d+/fee)"', hand.html)
    assert fee is not None
    await hand.press(fee[1], {})
    await hand.follow(PLANS)
    await hand.press(f"{PLANS}/entered", {})
    grants = re.search(rf'action="({PLANS}/\d+/grants)"', hand.html)
    assert grants is not None, hand.said
    await hand.press(grants[1], {"answer": "grant"}, reason="Første år: alle hold er nye.")
    await hand.press(grants[1].replace("grants", "start"), {})


async def running(site: Site) -> None:
    """What there is now."""
    async with site.core.store.read() as conn:
        groups = {group.name: group for group in await group_rows.everything(conn)}
        divisions = await conn.run_sync(division_rows.divisions)
        teams = await conn.run_sync(
            division_rows.teams, *(division.group_id for division in divisions)
        )
        held = await person_rows.list_offices(conn, site.core.now_us)
        valid = await entry_rows.on_lists(conn, None, ("valid", "placed"))
    assert {"Å-27-01", "Å-27-02"} <= groups.keys()
    assert len(teams) == len(CLUBS) and {row.division for row in divisions} == {1, 2, 3}
    elected = (Office.BOARD, Office.SUBSTITUTE, Office.KC)
    counts = [sum(row.office == office for row in held) for office in elected]
    assert counts == [3, 3, 1]
    assert sum(row.wish == "DM" for row in valid) == 3
