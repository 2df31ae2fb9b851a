"""§ 6.4.5, § 6.7.5: what a ruling makes of a division's standings, seen before it is made."""

from kskak.cases.case_events import CaseKind, GameOrder
from kskak.game.game_events import ResultRuled
from kskak.regulation.editions import Result
from mail.office_letters.rulings import standing_text, told_changes
from mail.text.catalogue import Words
from server.store import groups as group_rows
from server.store.cases import cases as case_rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.usecases.cases.case_actions import object_to
from server.usecases.cases.decision_preparing import Order, PreparedDecision, prepare_order
from server.usecases.cases.evidence import access
from server.usecases.results.titles import find_standing_changes
from tests.fakes.league import begin_division
from tests.fakes.site import Site


async def test_6_7_5_the_preview_of_a_ruling_says_what_becomes_of_the_teams(site: Site) -> None:
    """One game ruled the other way: the places change hands, and what the points speak for."""
    await begin_division(site.core, "DIV-5", ("Nord", "Syd"), division=2, start="2026-08-20")
    tl = await site.person("tl@example.org")
    async with site.core.store.read() as conn:
        group = await group_rows.by_name(conn, "DIV-5")
        assert group is not None
        games = await game_rows.list_group_games(conn, group.id)
    row = next(one for one in games if one.white == "Nord Et")
    async with site.core.store.read() as conn:
        person = (await person_rows.by_ids(conn, [row.white_id]))[row.white_id]
    case = await object_to(site.core, person, row.id, CaseKind.DAYS, "Dagene er forkerte.")
    assert isinstance(case, case_rows.CaseRow)
    found = await access(site.core, tl, case.id)
    ruled = ResultRuled(Result.WHITE_WINS, site.core.today(group.zone), "", "")
    order = Order(
        paragraphs=("6.4.1",), reasons="X.", unheard="Y.", games=(GameOrder(row.id, ruled),)
    )
    made = await prepare_order(site.core, found.case, found.state, order)
    assert isinstance(made, PreparedDecision), made
    changes = told_changes(await find_standing_changes(site.core, made))
    lines = sorted(standing_text(one, "", Words.load("da")) for one in changes)
    assert lines == [
        "Nord bliver nr. 1; pointene taler for oprykning (§ 6.7.5.1).",
        "Syd bliver nr. 2; pointene taler for nedrykning (§ 6.7.5.1).",
    ]
