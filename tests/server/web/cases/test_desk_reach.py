"""Widening a case on its page, and annulling what another case decided about the same game."""

from html import unescape

from kskak.cases.case_events import CaseKind
from server.store.cases.cases import CaseRow
from server.usecases.cases import case_actions
from tests.server.web.desk_cast import carried_fields, case_of, decided, letter_in


async def test_the_leader_takes_a_game_in_on_the_page(site, path, tove, soren):
    """§ 6.4.1: Søren is a party then, and finds the case on his game's page."""
    rows = await site.group_games((await case_of(site)).group_id)
    his = next(row for row in rows if "Søren Sø" in (row.white, row.black))
    assert f'<option value="{his.id}">' in (await tove.get(path))[1]
    assert (await soren.get(path))[0] == 404
    assert (await tove.post(f"{path}/widen", {"new_game": str(his.id)})).status == 303
    status, text = await soren.get(path)
    assert status == 200 and his.name in text
    assert path in (await soren.get(f"/games/{his.id}"))[1]
    assert "Sagen blev udvidet. Nye partier: 1; nye parter: " in (await tove.get(path))[1]
    answer = await tove.post(f"{path}/widen", {"new_game": "", "new_party": ""})
    assert answer.status == 422 and "Vælg et parti eller en part" in await answer.text()
    assert (await tove.post(f"{path}/widen", {"new_game": "999999"})).status == 422


async def test_another_cases_decision_is_ticked_and_annulled(site, path, tove, game):
    await tove.post(f"{path}/close", {"text": "Hørt."})
    drawn = {"reasons": "X.", "paragraphs": "§ 6.3.3.1", f"result-{game.id}": "1/2-1/2"}
    await decided(tove, path, drawn)
    assert (await site.game()).result == "1/2-1/2" != game.result
    objection = (game.id, CaseKind.RESULT, "Resultatet er forkert.")
    anna = await site.person("anna@example.org")
    case = await case_actions.object_to(site.core, anna, *objection)
    assert isinstance(case, CaseRow)
    second, ref = f"/desk/cases/{case.number}", f"{path.removeprefix('/desk/cases/')}/1"
    assert f'name="annul-{ref}"' in (await tove.get(second))[1]
    await tove.post(f"{second}/close", {"text": "Hørt."})
    fields = {"reasons": "Fejl.", "paragraphs": "§ 6.4.1", f"annul-{ref}": "1"}
    left = await tove.post(f"{second}/decide", fields | {"step": "draft"})
    draft = unescape(await left.text())
    sent = carried_fields(draft) | {"step": "send", "confirm": "1", "letter": letter_in(draft)}
    left = await tove.post(f"{second}/decide", sent)
    assert left.status == 422 and "ikke afgjort" in await left.text(), "the claim stands open again"
    fields |= {f"result-{game.id}": "0-1"}
    text = await decided(tove, second, fields)
    assert f"Afgørelsen {ref} ophæves" in text and carried_fields(text)[f"annul-{ref}"] == "1"
    assert (await site.game()).result == "0-1"
    shown = unescape((await tove.get(path))[1])
    assert f"Afgørelsen {ref} blev ophævet ved {case.number}/1." in shown
    assert f'name="annul-{ref}"' not in (await tove.get(second))[1], "it stands no more"
