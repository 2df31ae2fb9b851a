"""Cases in tests: to open one by a claim, to hear and decide it, to look at it as somebody."""

from datetime import date

from sqlalchemy import select

from kskak.cases.case import CaseRefusal, CloseHearing, ReceiveDeposit
from kskak.cases.case_events import Deposit, GameOrder
from kskak.game import game_events as ev
from kskak.game.game_commands import NotifyLongThink
from server.store.play.people import Office, PersonRow
from server.store.tables.cases import cases
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.case_transaction import CaseOutcome
from server.usecases.cases.case_views import CaseView, case_view
from server.usecases.cases.decision_preparing import Order
from server.usecases.context import Core
from server.usecases.play.game_requests import GameRequest, ask
from server.usecases.rights import ALWAYS, keep_union_values, union_values
from tests.fakes.machinery.player import Player
from tests.fakes.told_once import begin
from tests.fakes.world import ANNA, TL, World


async def late(world: World) -> None:
    """To the first day on which the side to move is over its limit.

    It has given notice of a long think (§ 6.3.4): else its silence would be a case of its own.
    """
    row = await world.row()
    running = row.state().running()
    assert running is not None and running.flag_on is not None
    mover = row.person_of(running.by)
    await ask(world.core, GameRequest(row.id, mover, "web", lambda _, side: NotifyLongThink(side)))
    world.clock.go(running.flag_on, 0, 1)
    await world.pump()


async def claimed_case(world: World, anna: Player) -> int:
    """Anna has moved, Bo's time is up, Anna claims by mail: the id of the case."""
    await anna.reply("e4")
    await late(world)
    assert await anna.reply("tid") == "claimed"
    return await only_case(world)


async def claimed(world: World) -> None:
    """The same from the beginning of the game, to be told once."""
    await begin(world)
    await claimed_case(world, Player(world))


async def only_case(world: World) -> int:
    """The id of the one case there is."""
    async with world.core.store.read() as conn:
        return int((await conn.execute(select(cases.c.id))).scalar_one())


async def seen_by(world: World, email: str, case_id: int) -> CaseView:
    """The case as somebody sees it."""
    return await case_view(world.core, await world.person(email), case_id)


async def officer(world: World, email: str, office: Office, group: int | None = None) -> PersonRow:
    """Somebody in office, made a person if he is new."""
    name, now_us = email.partition("@")[0], world.core.now_us
    return await world.admit(name, office, group, name=name, email=email, created_us=now_us)


async def decided(world: World, email: str, case_id: int, order: Order) -> CaseOutcome:
    """The hearing closed and the case decided; its letters sent."""
    person = await world.person(email)
    view = await case_view(world.core, person, case_id)
    if view.can.close_hearing:
        closed = await case_actions.act(world.core, person, case_id, CloseHearing("hørt"))
        assert not isinstance(closed, CaseRefusal), closed
    done = await decide(world.core, person, case_id, order)
    assert not isinstance(done, CaseRefusal), done
    await world.pump()
    return done


async def union_fee(core: Core, kroner: int, since: date = ALWAYS) -> None:
    """The controller has said what the Union's fee for an adult is (§ 6.4.3)."""
    async with core.store.read() as conn:
        values = await union_values(core, conn)
    await keep_union_values(core, values.with_fee(kroner, since, since))


async def ready_for_votes(core: Core, member: PersonRow, case_id: int) -> None:
    """The Board has its deposits, and the hearing of the appeal is over."""
    view = await case_view(core, member, case_id)
    for held in view.state.deposits:
        if held.is_awaited:
            came = Deposit(held.fee or 1, view.today, "")
            noted = await case_actions.act(core, member, case_id, ReceiveDeposit(held.person, came))
            assert not isinstance(noted, CaseRefusal), noted
    if view.can.close_hearing:
        await case_actions.act(core, member, case_id, CloseHearing("hørt"))


async def set_back(world: World, ply: int) -> CaseOutcome:
    """The leader sets the game back to as it was after a ply, in a case of Anna's (FIDE 7.5)."""
    objection = (world.game, case_actions.CaseKind.OTHER, "Forkert træk.")
    await case_actions.object_to(world.core, await world.person(ANNA), *objection)
    effects = (ev.GameResumed(world.clock.today), ev.GameSetBack(ply))
    games = tuple(GameOrder(world.game, one) for one in effects)
    order = Order(paragraphs=("6.4.1",), reasons="Trækket var et andet.", games=games)
    return await decided(world, TL, await only_case(world), order)
