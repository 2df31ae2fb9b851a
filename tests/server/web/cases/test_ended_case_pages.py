"""Forms of a case that somebody else has ended meanwhile: each is answered, none by a fault."""

import pytest

from kskak.cases.case import CaseRefusal, SettleCase, WithdrawCase
from server.usecases.cases import case_actions
from server.usecases.cases.case_decisions import announce
from tests.fakes.site import officials
from tests.server.web.cases.test_desk_rights import LOST
from tests.server.web.desk_cast import case_of, claimed

UNHEARD = {"unheard": "Det haster."}
RULE = {"reasons": "Fordi.", "has_reason": "1", "step": "draft"}
FORMS = [
    ("ask", {"until": "2027-01-01"}),
    ("close", {"text": "Hørt."}),
    ("widen", {"new_game": "1"}),
    ("suspend", {}),
    ("lift", {}),
    ("settle", {"text": "Forlig."}),
    ("decide", LOST | {"step": "draft"}),
    ("edit", LOST),
    ("decide", LOST | UNHEARD | {"step": "draft"}),
    ("decide", LOST | UNHEARD | {"step": "send", "confirm": "1", "letter": "Brev"}),
    ("rule", RULE),
    ("rule", RULE | UNHEARD),
    ("rule", RULE | UNHEARD | {"step": "send", "confirm": "1", "letter": "Brev"}),
    ("withdraw", {}),
]


@pytest.mark.parametrize("end", ["settle", "withdraw"])
@pytest.mark.parametrize("kind", ["claim", "withdrawal"])
async def test_an_ended_case_answers_every_form(site, browsers, kind, end):
    """The reported ones are the ruling on a withdrawal and its draft, of a settled case."""
    await officials(site)
    tove, bent = await site.person("tove@example.org"), await site.person("bent@example.org")
    if kind == "claim":
        path = await claimed(site, browsers)
    else:
        opened = await announce(site.core, bent, (await site.game()).group_id, bent.id, "Stop.")
        assert not isinstance(opened, CaseRefusal)
        path = f"/desk/cases/{opened.number}"
    case = await case_of(site)
    if end == "settle":
        done = await case_actions.act(site.core, tove, case.id, SettleCase("Forlig."))
    else:
        done = await case_actions.act(site.core, bent, case.id, WithdrawCase())
    assert not isinstance(done, CaseRefusal)
    seq = (await case_of(site)).seq
    for name in ("tove", "bent", "kaj"):
        browser = await browsers.of(name)
        for deed, fields in FORMS:
            answer = await browser.post(f"{path}/{deed}", fields)
            assert 400 <= answer.status < 500, (name, deed, fields, answer.status)
        status, _ = await browser.get(path)
        assert status == 200
    assert (await case_of(site)).seq == seq
