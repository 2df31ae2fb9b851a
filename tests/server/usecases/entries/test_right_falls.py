"""§ 6.5.3.2, § 6.4.3: an entry whose right falls by a ruling, and comes back by another."""

from dataclasses import replace
from datetime import timedelta

import pytest

from kskak.cases.case_events import CaseKind, GameOrder
from kskak.game.game_events import ResultRuled
from kskak.regulation.editions import Result
from server.store.cases.cases import CaseRow
from server.usecases.cases.case_actions import object_to
from server.usecases.cases.case_decisions import decide
from server.usecases.cases.case_transaction import CaseOutcome
from server.usecases.cases.decision_preparing import Order
from server.usecases.context import today_of
from server.usecases.entries import entry_actions
from tests.fakes.entries import Federation
from tests.server.usecases.entries.test_judging import _group
from tests.server.usecases.entries.test_waiting_lists import _find, _news


async def _won_in_open(fed: Federation) -> None:
    """Anna, in her first year, won an Å group of three; K is hers by § 6.5.3.2 a."""
    for name in ("anna", "bo", "carl"):
        await fed.player(name, None)
    await _group(fed, "Å-26-01", "Å", ["anna", "bo", "carl"])
    fed.clock.wait(days=20)
    for row in await fed.group_games("Å-26-01"):
        strong = "anna" if "Anna" in (row.white, row.black) else "bo"
        result = "1" if row.white == strong.title() else "0"
        await fed.end_game(row, result, fed.people["tove"])


async def _ruled(
    fed: Federation, order: Order, case: int | None = None, *, changes: bool = True
) -> int:
    """The leader decides, in a new case about Anna's game against Bo or in a known one."""
    if case is None:
        rows = await fed.group_games("Å-26-01")
        game = next(row for row in rows if {"Anna", "Bo"} == {row.white, row.black})
        opened = await object_to(fed.core, fed.people["bo"], game.id, CaseKind.DAYS, "Se dagene.")
        assert isinstance(opened, CaseRow), opened
        case = opened.id
        result = Result.WHITE_WINS if game.white == "Bo" else Result.BLACK_WINS
        ruled = GameOrder(game.id, ResultRuled(result, today_of(fed.core), "", ""))
        order = replace(order, unheard="Y.", games=(ruled,) if changes else ())
    done = await decide(fed.core, fed.people["tove"], case, order)
    assert isinstance(done, CaseOutcome), done
    return case


@pytest.mark.both_engines
async def test_the_entry_waits_again_and_is_valid_again_and_he_is_told_both_times(fed):
    """Ruled: Bo is first, so Anna did not rise; annulled: she did. Nothing happens in silence."""
    await _won_in_open(fed)
    row = await fed.enter("anna")
    await entry_actions.record_fee(fed.core, fed.people["tove"], row.id, today_of(fed.core))
    assert (await _find(fed, row)).state == "valid"
    await entry_actions.daily(fed.core)
    assert (await _find(fed, row)).state == "valid"
    case = await _ruled(fed, Order(paragraphs=("6.4.1",), reasons="X."))
    await entry_actions.daily(fed.core)
    assert (await _find(fed, row)).state == "waiting"
    await entry_actions.daily(fed.core)
    assert (await _news(fed, "anna")).count("waits") == 1
    fed.clock.wait(days=1)
    back = Order(paragraphs=("6.4.1",), reasons="Z.", annuls=("2026/1/1",))
    await _ruled(fed, back, case)
    await entry_actions.daily(fed.core)
    assert (await _find(fed, row)).state == "valid"
    assert (await _news(fed, "anna"))[-1] == "valid"


async def test_a_right_that_time_takes_does_not_take_a_valid_entry(fed: Federation) -> None:
    """§ 6.4.4.1: who was valid waits on, beside a decision too that leaves his right alone."""
    await _won_in_open(fed)
    row = await fed.enter("anna")
    await entry_actions.record_fee(fed.core, fed.people["tove"], row.id, today_of(fed.core))
    fed.clock.go(today_of(fed.core) + timedelta(days=4 * 366))
    await entry_actions.daily(fed.core)
    assert (await _find(fed, row)).state == "valid"
    await _ruled(fed, Order(paragraphs=("6.4.1",), reasons="X."), changes=False)
    await entry_actions.daily(fed.core)
    assert (await _find(fed, row)).state == "valid"
