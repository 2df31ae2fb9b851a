"""Deciding a withdrawal: the half rule shown on the case page, then carried out (§ 6.2.8).

Not for announcing one (groupdesk.py) nor for what the rule says (kskak.withdrawal).
"""

from aiohttp import web

from kskak.case_refusals import CaseRefusal
from server.store.cases import UnknownCase
from server.usecases import withdrawals
from server.usecases.offices import NotAllowed
from server.usecases.withdrawals import WithdrawalRuling
from server.web.casedeeds import LONGEST, again, refused
from server.web.caselook import seen_case
from server.web.casepage import PROBLEM_STATUS, Saying
from server.web.context import core
from server.web.desks import case_words
from server.web.forms import form_of


async def rule(request: web.Request) -> web.Response:
    """Rule on it, when it was read and ticked."""
    look, form = await seen_case(request), await form_of(request)
    typed = {"deed": "rule", **form.fields}
    ruling = WithdrawalRuling(
        has_reason=form.is_ticked("has_reason"),
        reasons=form.text("text", LONGEST),
        is_silent=form.is_ticked("is_silent"),
        quarantine_months=form.number("months") or None,
    )
    if look.can.lead and not form.is_ticked("confirm"):
        problem = case_words(request)("letter.confirm")
        return again(request, look, Saying(problem, PROBLEM_STATUS, typed))
    try:
        done = await withdrawals.rule(core(request), look.found.person, look.case.id, ruling)
    except NotAllowed:
        raise web.HTTPForbidden from None
    except UnknownCase:
        raise web.HTTPNotFound from None
    if isinstance(done, CaseRefusal):
        return refused(request, look, done, typed)
    raise web.HTTPSeeOther(f"{look.path}?done=decided")
