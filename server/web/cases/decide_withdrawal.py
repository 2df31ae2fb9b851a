"""Deciding a withdrawal: half rule on the case page, letter preview, sending (§ 6.2.8).

Not for announcing one (groups/desk.py) or the rule itself (kskak.cases.withdrawal).
"""

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from server.store.cases.cases_and_events import UnknownCase
from server.usecases.cases import deciding, withdrawals
from server.usecases.cases.expulsion import Departed
from server.usecases.cases.withdrawals import Planned, WithdrawalRuling
from server.usecases.core.offices import NotAllowed
from server.web.cases.deciding import (
    Letter,
    Ruled,
    becomes,
    edit,
    edited,
    letter_page,
    pressed_twice,
    refusal_of,
    refused_again,
    unsent,
)
from server.web.cases.decision_form import LONGEST, months_of, unheard_in
from server.web.cases.seen_case import Look, seen_case
from server.web.cases.words import CaseWords, case_words
from server.web.frame.context import core, words
from server.web.frame.form_faults import stands_on
from server.web.frame.forms import Form, form_of


def _ruling(form: Form, look: Look, d: CaseWords) -> WithdrawalRuling:
    months = months_of(form, "months", d)
    return WithdrawalRuling(
        has_reason=form.is_ticked("has_reason"),
        reasons=form.text("text", LONGEST),
        is_silent=form.is_ticked("is_silent"),
        quarantine_months=months,
        unheard=unheard_in(form, look, d),
    )


@stands_on(edit)
async def rule(request: web.Request) -> web.Response:
    """Show the letter, or send it if it was seen, still matches the ruling and is confirmed."""
    look, form = await seen_case(request), await form_of(request)
    ruling = _ruling(form, look, case_words(request))
    try:
        planned = await withdrawals.plan(core(request), look.found.person, look.case.id, ruling)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except UnknownCase:
        raise web.HTTPNotFound from None
    pressed_twice(form, look, planned.order)
    left = await deciding.followed(core(request), look.case, planned.order)
    refusal = await refusal_of(core(request), look, planned.order, left)
    if refusal is not None:
        return refused_again(request, look, refusal, form, Ruled.RULE)
    letter = await _letter(request, look, planned, ruling, left)
    if isinstance(letter, CaseRefusal):
        return refused_again(request, look, letter, form, Ruled.RULE)
    problem = unsent(form, look, letter)
    if problem is not None:
        return letter_page(request, look, letter, form, problem)
    done = await withdrawals.rule(
        core(request), look.found.person, look.case.id, ruling, edited(form)
    )
    if isinstance(done, CaseRefusal):
        return refused_again(request, look, done, form, Ruled.RULE)
    raise web.HTTPSeeOther(f"{look.path}?done=decided")


async def _letter(
    request: web.Request, look: Look, planned: Planned, ruling: WithdrawalRuling, left: Departed
) -> Letter | CaseRefusal:
    person, lang = look.found.person, words(request).lang
    draft = await withdrawals.draft_letter(core(request), person, look.case.id, ruling, lang)
    if isinstance(draft, CaseRefusal):
        return draft
    d = case_words(request)
    judged = tuple(d("leaving.adjudicated", game=row.name) for row in planned.unfinished)
    imposed = await becomes(request, look, planned.order, left)
    return Letter(Ruled.RULE, planned.order, draft, judged, imposed=imposed, left=left)
