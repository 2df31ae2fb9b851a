"""Deciding a case: the form, the letter as it will be sent, one more press (§ 6.4.1-6.4.3).

Not for reading the form (decision_form.py), the letter's page (lettering.py) nor withdrawals
(decide_withdrawal.py).
"""

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from kskak.cases.verdicts import decide_on
from server.store.cases.cases_and_events import UnknownCase
from server.usecases.cases import deciding as rulings
from server.usecases.cases.deciding import Order
from server.usecases.cases.expulsion import NOTHING, Expelled
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed
from server.web.cases.decision_form import order_of
from server.web.cases.deeds import FORBIDDEN
from server.web.cases.lettering import Letter, Ruled, becomes, carried, edited, letter_page, unsent
from server.web.cases.page import Saying, case_page, trial_of
from server.web.cases.seen_case import Look, seen_case
from server.web.cases.what_if_form import fields_of
from server.web.cases.words import case_words
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, stands_on
from server.web.frame.forms import Form, form_of


async def edit(request: web.Request) -> web.Response:
    """Back to the case's page with the decision's fields as they were."""
    form = await form_of(request)
    view = await seen_case(request, form.number("game"))
    if not view.can.lead:
        raise web.HTTPForbidden
    is_rule = Ruled.RULE in (form.typed("of"), request.path.rpartition("/")[2])
    of = Ruled.RULE if is_rule else Ruled.DECIDE
    typed = {"deed": of.value, **carried(form.fields)}
    return case_page(request, view, fields_of(form.fields), Saying(typed=typed))


@stands_on(edit)
async def decide(request: web.Request) -> web.Response:
    """Show the letter, or send it when it was seen, stands by the decision and is confirmed."""
    form = await form_of(request)
    view = await seen_case(request, form.number("game"))
    order = order_of(form, view, case_words(request))
    left = await rulings.followed(core(request), view.case, order)
    order = rulings.completed(order, left)
    refusal = await refusal_of(core(request), view, order, left)
    if refusal is not None:
        return refused_again(request, view, refusal, form)
    letter = await _letter(request, view, order, left, form)
    if isinstance(letter, CaseRefusal):
        return refused_again(request, view, letter, form)
    problem = unsent(form, letter)
    if problem is not None:
        return letter_page(request, view, letter, form, problem)
    return await _send(request, view, order, form)


async def _send(request: web.Request, view: Look, order: Order, form: Form) -> web.Response:
    person = view.found.person
    try:
        outcome = await rulings.decide(core(request), person, view.case.id, order, edited(form))
    except (UnknownCase, NotAllowed):
        raise web.HTTPForbidden from None
    if isinstance(outcome, CaseRefusal):
        return refused_again(request, view, outcome, form)
    raise web.HTTPSeeOther(f"{view.path}?done=decided")


async def refusal_of(
    at: Core, view: Look, order: Order, left: Expelled = NOTHING
) -> CaseRefusal | None:
    """Why the case would not take the decision, asked before anything is written."""
    bar = decide_on(view.state, order.decision(view.case, view.state, view.today), view.today,
                    view.found.actor)  # fmt: skip
    if isinstance(bar, CaseRefusal) and bar.reason in FORBIDDEN:
        return bar
    made = await rulings.prepared(at, view.case, view.state, order, left)
    if isinstance(made, CaseRefusal):
        return made
    found = decide_on(made.state, made.decision, view.today, view.found.actor)
    return found if isinstance(found, CaseRefusal) else None


async def _letter(
    request: web.Request, view: Look, order: Order, left: Expelled, form: Form
) -> Letter | CaseRefusal:
    """The decision's letter with all that follows from it; or why there is none."""
    person, lang = view.found.person, words(request).lang
    draft = await rulings.draft_letter(core(request), person, view.case.id, order, lang)
    if isinstance(draft, CaseRefusal):
        return draft
    tried = trial_of(view, form.fields)
    is_exact = tried is None or tried.is_exact
    lines = tuple(case_words(request)("leaving.adjudicated", game=r.name) for r in left.unfinished)
    imposed = await becomes(request, view, order, left)
    return Letter(Ruled.DECIDE, order, draft, lines, is_exact, imposed, left)


def refused_again(
    request: web.Request, view: Look, refusal: CaseRefusal, form: Form, of: Ruled = Ruled.DECIDE
) -> web.Response:
    """The case's page with why not, and the form as it was filled in."""
    status = 403 if refusal.reason in FORBIDDEN else PROBLEM_STATUS
    typed = {"deed": of.value, **carried(form.fields)}
    saying = Saying(case_words(request).refusal(refusal), status, typed)
    return case_page(request, view, fields_of(form.fields), saying)
