"""A case knows its neighbours: one player, one case; a ruling answers the others and says so."""

from datetime import date, timedelta

import pytest

from kskak.cases.case import AskParties, CaseRefusal, WithdrawCase
from kskak.cases.case_events import CaseSettled, GameOrder
from kskak.game import game_events as ev
from kskak.game.game_commands import ClaimOverstep
from kskak.regulation.editions import Result
from server.store.cases import cases as case_rows
from server.store.cases.cases import CaseRow
from server.store.play import people as person_rows
from server.store.play.people import Office
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import Order, WithdrawalRuling, announce, rule
from server.usecases.cases.expulsion import adjudicate
from server.usecases.desks.database_care import verify_case
from server.usecases.groups.group_tables import ruled_in
from server.usecases.play.game_requests import GameRequest, ask
from tests.fakes.cases import decided, officer, seen_by
from tests.fakes.machinery.browser import browser
from tests.fakes.seven import SEVEN, address, begin_seven, end
from tests.fakes.told_once import Telling, begin, scene
from tests.fakes.world import TL, World

SILENT, LATE = date(2026, 12, 5), date(2027, 3, 20)
LEFT = WithdrawalRuling(has_reason=False, reasons="Tavshed.", unheard="Ingen har svaret.")


async def all_cases(world: World) -> tuple[CaseRow, ...]:
    """Every case, oldest first."""
    async with world.core.store.read() as conn:
        found = await case_rows.everything(conn)
    return tuple(one for one in found if one.group == "K-26-07")


async def undecided(world: World) -> list[CaseRow]:
    """The players' cases that wait for a decision; no case waits whose games are all over."""
    waiting = [one for one in await all_cases(world) if one.state in ("opened", "heard")]
    for case in waiting:
        rows = [await world.row(game) for game in case.games]
        assert any(row.result is None for row in rows), "it asks what is answered"
    return [one for one in waiting if one.kind != "adjudication"]


def silent_seven(until: date) -> Telling:
    """A group of seven in which nobody ever moves, until a day."""

    async def tell(world: World) -> None:
        await begin(world)
        await begin_seven(world)
        await world.wait_until(until)

    return tell


late, silent = scene(silent_seven(LATE)), scene(silent_seven(SILENT))
"""Until their time is up as well; or until they are asked."""


async def claim(world: World, case: CaseRow, place: int = 0) -> int:
    """The opponent in one of the case's games claims the overstep; the game."""
    async with world.core.store.read() as conn:
        rows = await conn.run_sync(case_rows.games_in, case.games)
    late = [row for row in rows if row.person_of(row.state().mover) == case.person_id]
    row = late[place]
    other = row.black_id if row.white_id == case.person_id else row.white_id
    done = await ask(world.core, GameRequest(row.id, other, "web", lambda _, by: ClaimOverstep(by)))
    assert not getattr(done, "refusal", None), done
    await world.pump()
    return row.id


async def rule_as_left(world: World, case: CaseRow) -> None:
    done = await rule(world.core, await world.person(TL), case.id, LEFT)
    assert not isinstance(done, CaseRefusal), done
    await world.pump()


async def notes(world: World, case: CaseRow) -> list[str]:
    """Why a case was closed."""
    seen = await seen_by(world, TL, case.id)
    return [one.event.note for one in seen.steps if isinstance(one.event, CaseSettled)]


async def sound(world: World) -> None:
    """Every case's row says what its events give."""
    for case in await all_cases(world):
        async with world.core.store.read() as conn:
            steps = await case_rows.list_events(conn, case.id)
        assert verify_case(case, steps) == []


async def test_seven_who_fall_silent_make_at_most_seven_cases(late: World) -> None:
    """Each with all his games in it, silent and late; none asks what the last ruling answered."""
    made = await all_cases(late)
    assert 0 < len(made) <= 7 and len({one.person_id for one in made}) == len(made)
    assert sorted(game for one in made for game in one.games) == sorted(
        {game for one in made for game in one.games}
    ), "no game is asked about twice"
    assert len({game for one in made for game in one.games}) == 21
    assert all(set(one.kinds) == {"silence", "overstep"} for one in made)
    await sound(late)
    while waiting := await undecided(late):
        await rule_as_left(late, waiting[0])
    made_since = [one for one in await all_cases(late) if one.id > made[-1].id]
    assert all(one.kind == "adjudication" for one in made_since), "§ 6.2.8: 4 of 6 finished"
    closed = [one for one in await all_cases(late) if one.state == "settled"]
    for one in closed:
        (why,) = await notes(late, one)
        assert why.startswith("@ruled 20"), "nobody who never wrote has answered"
    told = " ".join(letter.said for who in map(address, SEVEN) for letter in late.letters(who))
    assert not closed or "besvaret af afgørelsen" in told
    assert "har svaret" not in told
    await sound(late)


async def test_a_claim_is_a_question_of_its_own_in_the_players_case_and_stands_first(late):
    first = (await all_cases(late))[0]
    async with browser(late) as page:
        await page.sign_in(TL)
        shown = await page.get(f"/desk/cases/{first.number}")
        assert "Ingen har gjort overskridelsen gældende" in shown.text, "though silence opened it"
        assert "om overskridelsen gøres gældende, med svar" in shown.text
    game = await claim(late, first, place=1)
    assert len(await all_cases(late)) <= 7
    case = next(one for one in await all_cases(late) if one.id == first.id)
    assert case.claims == (game,) and case.is_suspended
    async with browser(late) as page:
        await page.sign_in(TL)
        shown = await page.get(f"/desk/cases/{case.number}")
        table = shown.html[shown.html.index('id="leaving"') :]
        row = await late.row(game)
        assert table.index(row.name) == min(
            table.index(f">{name}</a>") + 1
            for name in {one.name for one in [await late.row(g) for g in case.games]}
        ), "the claim's game is the first row"
        assert "krav om tidsoverskridelse" in table
    await sound(late)


async def test_the_claim_alone_is_ruled_on_and_the_rest_goes_on_in_one_case(late: World) -> None:
    """A decision about one game leaves the silence in the others; another claim stays a claim."""
    first = (await all_cases(late))[0]
    count = len(first.games)
    game, other = await claim(late, first), await claim(late, first, place=1)
    won = ev.ResultRuled(Result.WHITE_WINS, late.clock.today, "", "")
    order = Order(paragraphs=("6.3.3.3",), reasons="Tiden.", games=(GameOrder(game, won),))
    await decided(late, TL, first.id, order)
    assert (await late.row(game)).result is not None
    assert (await late.row(other)).result is None and (await late.row(other)).state().rests
    rest = [one for one in await undecided(late) if one.person_id == first.person_id]
    assert len(rest) == 1 and len(rest[0].games) == count - 1
    assert rest[0].claims == (other,)
    await sound(late)
    await rule_as_left(late, rest[0])
    assert (await late.row(other)).result is not None
    assert not [one for one in await undecided(late) if one.person_id == first.person_id]
    await sound(late)


async def test_a_claim_taken_back_leaves_the_case_about_the_rest(late: World) -> None:
    first = (await all_cases(late))[0]
    game = await claim(late, first)
    row = await late.row(game)
    other = row.black_id if row.white_id == first.person_id else row.white_id
    person = (await late.core.store.query(person_rows.by_ids, [other]))[other]
    done = await case_actions.act(late.core, person, first.id, WithdrawCase())
    assert not isinstance(done, CaseRefusal), done
    assert done.state.claims == () and not done.state.suspended and done.state.stage == "opened"
    assert not (await late.row(game)).state().rests
    await sound(late)


async def test_a_withdrawal_announced_while_he_is_silent_is_the_same_case(silent: World) -> None:
    before = await all_cases(silent)
    first = before[0]
    assert set(first.kinds) == {"silence"}
    leader = await silent.person(TL)
    made = await announce(silent.core, leader, first.group_id, first.person_id or 0, "Han er død.")
    assert not isinstance(made, CaseRefusal) and made.id == first.id
    assert len(await all_cases(silent)) == len(before)
    found = WithdrawalRuling(has_reason=True, reasons="Død.", unheard="Kendt.")
    done = await rule(silent.core, leader, first.id, found)
    assert not isinstance(done, CaseRefusal)
    await silent.pump()
    table = await silent.core.store.query(ruled_in, first.group_id)
    assert table.left == {first.person_id}, "the table says that he has left"
    texts = [why for case in await all_cases(silent) for why in await notes(silent, case)]
    assert not any("answered" in why for why in texts), "a dead man has not answered"
    await sound(silent)


@pytest.mark.both_engines
async def test_a_game_ended_by_ruling_answers_its_other_cases(world: World) -> None:
    """A dispute about days in a game that another ruling ended is closed with its name."""
    games = await begin_seven(world)
    row = games[frozenset((1, 2))]
    person = await world.person("anna@example.dk")
    case = await case_actions.object_to(world.core, person, row.id,
                                        case_actions.CaseKind.DAYS, "Forkert talt.")  # fmt: skip
    assert not isinstance(case, CaseRefusal)
    await world.pump()
    for other in (3, 4, 5):
        await end(world, games[frozenset((1, other))], "=")
    leader = await world.person(TL)
    made = await announce(world.core, leader, row.group_id, row.white_id, "Stopper.")
    assert not isinstance(made, CaseRefusal)
    done = await rule(world.core, leader, made.id, LEFT)
    assert not isinstance(done, CaseRefusal)
    await world.pump()
    known = next(one for one in await all_cases(world) if one.id == case.id)
    assert known.state == "settled"
    assert await notes(world, known) == [f"@ruled {made.number}/1"]
    assert any(f"afgørelsen {made.number}/1" in letter.said
               for letter in world.letters("anna@example.dk"))  # fmt: skip


async def test_a_cases_letter_names_case_question_person_and_term(late: World) -> None:
    """§ 6.4.1: the subject tells two cases apart; every letter says until when one may speak."""
    first, second, *_ = await all_cases(late)
    leader, until = await late.person(TL), late.clock.today + timedelta(days=10)
    count = {one.id: len(late.letters(TL)) for one in (first, second)}
    for case in (first, second):
        asked = await case_actions.act(late.core, leader, case.id, AskParties(until))
        assert not isinstance(asked, CaseRefusal)
    await late.pump()
    subjects = set()
    for case in (first, second):
        (letter,) = [one for who in ("anna@example.dk", "bo@example.net", "carla@example.com")
                     for one in late.letters(who)
                     if f"[Sag {case.number}]" in one.subject and one.to == who][:1]  # fmt: skip
        subjects.add(letter.subject.partition("]")[2])
        assert "Udtal dig senest" in letter.said or "Speak by" in letter.said
    assert len(subjects) == 2 and count, "told apart by what they ask"


async def test_who_plays_in_the_group_is_told_so(silent: World) -> None:
    """Not «the page does not exist»: his office counts for nothing where he plays (§ 6.1.1)."""
    case = (await all_cases(silent))[0]
    await officer(silent, "gry@example.com", Office.TL)
    async with browser(silent) as page:
        await page.sign_in("gry@example.com")
        mine = next(one for one in await all_cases(silent) if one.person_id != case.person_id)
        known = [one for one in (case, mine)
                 if (await silent.person("gry@example.com")).id not in one.standing]  # fmt: skip
        for one in known[:1]:
            shown = await page.get(f"/desk/cases/{one.number}")
            assert shown.status == 403 and "Du spiller selv i gruppen" in shown.text
        shown = await page.get("/desk/groups/K-26-07")
        assert shown.status == 403 and "Du spiller selv i gruppen" in shown.text
        assert "Siden findes ikke" not in shown.text


async def test_an_adjudication_is_answered_by_a_ruling_that_ends_its_game(lite: World) -> None:
    """§ 6.2.7, § 6.2.8: it rests, and is closed with the ruling's name; its time stands no more."""
    games = await begin_seven(lite)
    row, leader = games[frozenset((1, 2))], await lite.person(TL)
    case = await adjudicate(lite.core, leader, row)
    assert not isinstance(case, CaseRefusal)
    made = await announce(lite.core, leader, row.group_id, row.white_id, "Stopper.")
    assert not isinstance(made, CaseRefusal)
    await rule_as_left(lite, made)
    known = next(one for one in await all_cases(lite) if one.id == case.id)
    assert (known.state, known.is_suspended) == ("settled", False)
    assert await notes(lite, known) == [f"@ruled {made.number}/1"]
    assert (await lite.row(row.id)).result is not None
    await sound(lite)
    await lite.assert_whole(also=tuple(map(address, SEVEN)))
