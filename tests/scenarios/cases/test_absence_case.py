"""The leader's case about a player out of reach, closed when he is heard from (§ 6.8.1)."""

from datetime import date

from sqlalchemy import select

from kskak.cases.case import SuspendGames
from server.store.tables.cases import case_events
from server.usecases.cases.case_actions import act, speak
from tests.fakes.cases import only_case, seen_by
from tests.fakes.desk import desk_of
from tests.fakes.machinery.player import Player
from tests.fakes.world import ANNA, BO, TL, World
from tests.scenarios.cases.test_silence_case import open_cases

REPORTED = date(2026, 12, 3)
OPEN, CLOSED = ("offline", "opened", False), ("offline", "settled", True)


async def away(world: World) -> None:
    """Bo's mail server refuses Anna's move; 31 days later the leader is told."""
    world.host.refused.add(BO)
    await Player(world).reply("e4")
    await world.wait_until(date(2026, 12, 2))
    assert await open_cases(world) == []
    await world.wait_until(REPORTED)
    assert await open_cases(world) == [OPEN]
    world.host.refused.clear()


async def told(world: World, who: str) -> list[str]:
    """What somebody was told of the absent player's being back."""
    back = ("har ladet høre fra sig", "has been heard from")
    return [one.said for one in world.letters(who) if any(words in one.said for words in back)]


async def test_a_mail_from_him_closes_the_case_and_the_leader_and_opponent_are_told(world):
    await away(world)
    bo = Player(world, BO, lang="en")
    assert await bo.write_to_server("status") == "games_status"
    await world.pump()
    assert await open_cases(world) == [CLOSED]
    for reader in (TL, ANNA):
        assert len(await told(world, reader)) == 1, reader
    assert await told(world, BO) == []
    seen = await seen_by(world, TL, await only_case(world))
    assert '"note":"@returned"' in seen.steps[-1].row.body


async def test_his_move_closes_the_case_with_itself(world: World) -> None:
    """On the web, where no mail of his was needed."""
    await away(world)
    async with desk_of(world) as api:
        assert (await api.ask(BO, "POST", f"/games/{world.game}/moves", {"text": "c5"}))[0] == 200
    assert await open_cases(world) == [CLOSED]
    await world.pump()
    assert len(await told(world, TL)) == 1
    async with world.core.store.read() as conn:
        query = select(case_events.c.actor_id).order_by(case_events.c.seq.desc())
        assert (await conn.execute(query.limit(1))).scalar_one() is None, "by the server"


async def test_a_word_in_the_case_is_being_heard_from(lite: World) -> None:
    await away(lite)
    await speak(lite.core, await lite.person(BO), await only_case(lite), "Jeg har fået ny adresse.")
    assert await open_cases(lite) == [CLOSED]


async def test_a_mail_that_is_not_surely_his_closes_nothing(lite: World) -> None:
    await away(lite)
    anna = Player(lite)
    assert await anna.write_to_server("status") == "games_status"
    bo = Player(lite, BO, lang="en")
    reply = b"From: Bo <bo@example.net>\r\nTo: parti@skak.example\r\nSubject: Away\r\n"
    await lite.smtp(reply + b"Auto-Submitted: auto-replied\r\n\r\nBack in May.\r\n",
                    "parti@skak.example", sender=bo.email)  # fmt: skip
    await lite.pump()
    assert await open_cases(lite) == [OPEN]


async def test_the_same_absence_has_one_case_however_often_one_looks(lite: World) -> None:
    """Time stands still until he moves or the leader starts it: nothing opens anew."""
    await away(lite)
    bo = Player(lite, BO, lang="en")
    await bo.write_to_server("status")
    assert await bo.write_to_server("leave 2027-01-10 2027-01-12") == "confirm"
    await lite.wait_until(date(2026, 12, 12))
    assert await open_cases(lite) == [CLOSED]
    assert len(await lite.outbox("offline")) == 1


async def test_a_case_in_which_the_leader_stopped_the_game_stays_his(lite: World) -> None:
    """§ 6.4.1: he lifts it himself."""
    await away(lite)
    leader, case = await lite.person(TL), await only_case(lite)
    await act(lite.core, leader, case, SuspendGames((lite.game,)))
    bo = Player(lite, BO, lang="en")
    await bo.write_to_server("status")
    assert await open_cases(lite) == [OPEN]
