"""A sanction reaches what its bearer holds: shown before, carried out, or left with a reason.

§ 6.4.2: entries, boards and captaincy of a team that is entered, offices.
"""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import insert, select

from server.store.engine.rows import to_us
from server.store.tables.people import clubs
from server.store.tables.tournaments import entries, team_entries, team_entry_boards
from server.usecases.cases import case_actions
from server.usecases.cases.case_actions import CaseKind
from tests.fakes.desk import Desk, desk_scene
from tests.fakes.machinery.browser import Browser, Page, browser
from tests.fakes.world import ANNA, BO, KC, TL

desk = desk_scene(ANNA, BO)
"""Two players; Bo has been told off."""


@pytest.fixture
async def web(desk: Desk) -> AsyncIterator[Browser]:
    """The leader, on the web."""
    async with browser(desk.world) as made:
        await made.sign_in(TL)
        yield made


async def _holds(desk: Desk) -> dict[str, int]:
    """Bo's entry, and his team with him as captain on board 1."""
    world = desk.world
    bo, kc = await desk.id_of(BO), await world.person(KC)
    of = await world.open_list(kc, "Klasse M", "emt M", "M-26", TL)
    team = await world.open_list(kc, "Holdturneringen", "league league", "H-27", TL)
    now, day = to_us(world.core.clock.now()), world.clock.today.isoformat()
    made = {"entered_day": day, "entered_by": bo, "created_us": now, "asks": False}
    async with world.core.store.write() as conn:
        await conn.execute(insert(clubs).values(id=1, name="Nord"))
        entry = insert(entries).values(list_id=of.id, person_id=bo, proof="", state="valid", **made)
        number = (await conn.execute(entry.returning(entries.c.id))).scalar_one()
        entered = insert(team_entries).values(
            list_id=team.id, season=2027, club_id=1, captain_id=bo, lineup_us=now, state="valid",
            **made,
        )  # fmt: skip
        nord = (await conn.execute(entered.returning(team_entries.c.id))).scalar_one()
        seat = {"entry_id": nord, "board": 1, "person_id": bo}
        await conn.execute(insert(team_entry_boards).values(seat))
    return {"entry": number, "team": nord}


async def _states(desk: Desk, held: dict[str, int]) -> tuple[str, str]:
    async with desk.world.core.store.read() as conn:
        one = select(entries.c.state).where(entries.c.id == held["entry"])
        two = select(team_entries.c.state).where(team_entries.c.id == held["team"])
        return (await conn.execute(one)).scalar_one(), (await conn.execute(two)).scalar_one()


async def _drafted(desk: Desk, web: Browser, **filled: str) -> tuple[str, Page]:
    """A conduct case about Bo, and the letter of a quarantine of three months."""
    world, group = desk.world, (await desk.world.row()).group_id
    tl, bo = await world.person(TL), await desk.id_of(BO)
    case = await case_actions.complain(world.core, tl, group, bo, CaseKind.CONDUCT, "Usportsligt.")
    path = f"/desk/cases/{case.number}"  # type: ignore[union-attr]
    fields = {f"sanction-{bo}": "quarantine", f"months-{bo}": "3", "reasons": "Usportsligt."}
    fields |= filled
    return path, await web.submit(await web.get(path), "/decide", **fields)


async def _send(web: Browser, path: str, letter: Page, **filled: str) -> Page:
    fields = letter.form("/decide").fields | {"step": "send", "confirm": "1"} | filled
    return await web.post(f"{path}/decide", fields)


@pytest.mark.both_engines
async def test_what_he_holds_is_shown_before_and_falls_with_it(desk: Desk, web: Browser) -> None:
    held = await _holds(desk)
    path, letter = await _drafted(desk, web)
    for told in ("tilmelding til Klasse M bortfalder", "kan ikke spille for Nord",
                 "kan ikke være holdkaptajn for Nord"):  # fmt: skip
        assert told in letter.text, told
        assert told in letter.form("/decide").fields["letter"]
    assert await _states(desk, held) == ("valid", "valid"), "nothing yet"
    assert (await _send(web, path, letter)).status == 200
    assert await _states(desk, held) == ("refused", "waiting")


async def test_what_is_left_needs_a_reason_that_the_letter_has(desk: Desk, web: Browser) -> None:
    held = await _holds(desk)
    path, letter = await _drafted(desk, web)
    keep = {f"leave-entry-{held['entry']}-": "1"}
    bare = await _send(web, path, letter, **keep)
    assert bare.status == 422 and await _states(desk, held) == ("valid", "valid")
    why = keep | {"stands_why": "Gruppen begynder efter karantænen.", "step": "draft"}
    again = await web.post(f"{path}/decide", letter.form("/decide").fields | why)
    text = again.form("/decide").fields["letter"]
    assert "beholder Klasse M: Gruppen begynder efter karantænen." in " ".join(text.split())
    done = await _send(web, path, again, **{**keep, "stands_why": why["stands_why"]})
    assert done.status == 200, done.text
    assert await _states(desk, held) == ("valid", "waiting")


@pytest.mark.parametrize("kind", ["warning"])
async def test_a_warning_takes_nothing(desk: Desk, web: Browser, kind: str) -> None:
    held, bo = await _holds(desk), await desk.id_of(BO)
    path, letter = await _drafted(desk, web, **{f"sanction-{bo}": kind, f"months-{bo}": ""})
    assert "bortfalder" not in letter.text
    await _send(web, path, letter)
    assert await _states(desk, held) == ("valid", "valid")
