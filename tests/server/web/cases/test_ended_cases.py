"""Every form of a case's page at every stage it may have reached: done or refused, no fault."""

from html import unescape

import pytest

from kskak.cases.events import CaseKind
from kskak.cases.refusals import CaseRefusal
from kskak.regulation.quantities import Side
from server.usecases.cases import deeds as cases
from server.usecases.cases.appealing import appeal
from server.usecases.cases.deciding import decide
from server.usecases.cases.order import Order
from server.usecases.core.case_opening import take_claim
from server.usecases.core.context import poster_of
from server.usecases.core.game_work import NewClaim
from server.web.cases.deeds import DEEDS
from tests.fakes.site import Site
from tests.server.web.conftest import Browsers
from tests.server.web.desk_cast import case_of, officials

FIELDS = {"text": "Fordi.", "until": "2026-12-01", "deposit": "1", "deposit_day": "2026-09-01",
          "reasons": "Fordi.", "paragraphs": "6.4.1", "step": "draft", "came": "2026-09-01",
          "annuls": "2026/1/1", "unheard": "Travlt.", "new_party": "3"}  # fmt: skip


@pytest.mark.parametrize("stage", ["settled", "withdrawn", "decided", "appealed"])
async def test_no_form_of_a_silence_is_answered_with_a_fault(
    site: Site, browsers: Browsers, stage: str
) -> None:
    """§ 6.3.4, § 6.2.8: a ruling on it would take in the player's other games."""
    await officials(site)
    core, game = site.core, await site.game()
    silent = NewClaim(game, None, Side.WHITE, core.clock.now(), poster_of(core), CaseKind.SILENCE)
    await core.writer.transact(lambda conn: take_claim(conn, silent))
    case, tove = await case_of(site), await site.person("tove@example.org")
    if stage == "settled":
        done = await cases.settle(core, tove, case.id, "Har svaret.")
    elif stage == "withdrawn":
        done = await cases.withdraw(core, tove, case.id)
    else:
        await cases.close_hearing(core, tove, case.id, "hørt")
        done = await decide(core, tove, case.id, Order(paragraphs=("6.4.1",), reasons="Nej."))
    if stage == "appealed":
        anna = await site.person("anna@example.org")
        done = await appeal(core, anna, case.id, "Jo.")
    assert not isinstance(done, CaseRefusal), done
    faults = []
    for name in ("tove", "kaj", "nina", "anna"):
        browser = await browsers.of(name)
        assert (await browser.get(f"/desk/cases/{case.number}"))[0] in (200, 404)
        for deed in ("rule", "decide", "edit", *DEEDS):
            fields = FIELDS | {"appellant": str(game.white_id), "person": str(game.white_id)}
            answer = await browser.post(f"/desk/cases/{case.number}/{deed}", fields)
            if answer.status >= 500:
                faults.append((name, deed, answer.status))
            if name == "tove" and deed == "rule" and stage in ("settled", "withdrawn"):
                assert answer.status == 422 and "Sagen er sluttet" in unescape(await answer.text())
    assert faults == []
