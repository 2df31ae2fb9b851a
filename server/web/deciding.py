"""Deciding a case: the form, the letter as it will be sent, one more press (§ 6.4.1-6.4.3).

The letter is drafted from the decision; it may be edited, and is drafted anew when the decision
has changed since. Not for reading the form (ordering.py).
"""

from collections.abc import Mapping
from hashlib import sha256

from aiohttp import web

from kskak.case_refusals import CaseRefusal
from kskak.case_state import CaseState
from kskak.verdicts import decide_on
from server.store.cases import UnknownCase
from server.usecases import rulings
from server.usecases.offices import NotAllowed
from server.usecases.rulings import Order
from server.web.casedeeds import FORBIDDEN
from server.web.caselook import Look, seen_case
from server.web.casepage import PROBLEM_STATUS, Saying, case_page, trial_of
from server.web.context import core, words
from server.web.desks import case_words
from server.web.forms import Form, form_of
from server.web.ordering import LONGEST, order_of
from server.web.pages import page
from server.web.supposing import fields_of


async def decide(request: web.Request) -> web.Response:
    """Show the letter, or send it when it was seen, stands by the decision and is confirmed."""
    form = await form_of(request)
    view = await seen_case(request, form.number("game"))
    order = order_of(form, view)
    refusal = refusal_of(view, order)
    if refusal is not None:
        return _refused(request, view, refusal, form)
    mark = mark_of(order)
    is_seen = form.text("mark", 64) == mark
    if form.text("step", 10) != "send":
        return await _letter(request, view, order, form)
    if not is_seen:
        return await _letter(request, view, order, form, "changed")
    if not form.is_ticked("confirm"):
        return await _letter(request, view, order, form, "confirm")
    return await _send(request, view, order, form)


async def _send(request: web.Request, view: Look, order: Order, form: Form) -> web.Response:
    person, text = view.found.person, form.text("letter", LONGEST)
    drafted = form.text("drafted", 64)
    edited = text if text and digest(text) != drafted else None
    try:
        outcome = await rulings.decide(core(request), person, view.case.id, order, edited)
    except (UnknownCase, NotAllowed):
        raise web.HTTPForbidden from None
    if isinstance(outcome, CaseRefusal):
        return _refused(request, view, outcome, form)
    raise web.HTTPSeeOther(f"{view.path}?done=decided")


def refusal_of(view: Look, order: Order) -> CaseRefusal | None:
    """Why the case would not take the decision, asked before anything is written."""
    state: CaseState = view.state
    decision = order.decision(view.case, state, view.today)
    found = decide_on(state, decision, view.today, view.found.actor)
    return found if isinstance(found, CaseRefusal) else None


def digest(text: str) -> str:
    """A text's mark."""
    return sha256(text.replace("\r\n", "\n").strip().encode()).hexdigest()


def mark_of(order: Order) -> str:
    """The mark of a decision: the letter that was seen belongs to it."""
    return sha256(repr(order).encode()).hexdigest()


async def _letter(
    request: web.Request, view: Look, order: Order, form: Form, problem: str = ""
) -> web.Response:
    """What will happen and what will be written, with the whole form to be sent again."""
    d = case_words(request)
    person, lang = view.found.person, words(request).lang
    draft = await rulings.draft_text(core(request), person, view.case.id, order, lang)
    if isinstance(draft, CaseRefusal):
        return _refused(request, view, draft, form)
    kept = form.text("letter", LONGEST) if problem == "confirm" else ""
    games = {game.id: game for game in view.games}
    tried = trial_of(view, form.fields)
    return page(
        request,
        "decide.html",
        status=PROBLEM_STATUS if problem else 200,
        d=d,
        view=view,
        case=view.case,
        state=view.state,
        order=order,
        orders=[(games[one.game], d.order(one, games[one.game])) for one in order.games],
        is_exact=tried is None or tried.is_exact,
        letter=kept or draft,
        drafted=digest(draft),
        mark=mark_of(order),
        fields=_carried(form.fields),
        problem=d(f"letter.{problem}") if problem else "",
        path_of_case=view.path,
    )


_OWN = frozenset({"csrf", "step", "confirm", "letter", "drafted", "mark"})


def _carried(fields: Mapping[str, str]) -> dict[str, str]:
    """The decision's fields, to be sent with the letter."""
    return {name: value for name, value in fields.items() if value and name not in _OWN}


def _refused(request: web.Request, view: Look, refusal: CaseRefusal, form: Form) -> web.Response:
    status = 403 if refusal.reason in FORBIDDEN else PROBLEM_STATUS
    typed = {"deed": "decide", **_carried(form.fields)}
    saying = Saying(case_words(request).refusal(refusal), status, typed)
    return case_page(request, view, fields_of(form.fields), saying)


async def edit(request: web.Request) -> web.Response:
    """Back to the case's page with the decision's fields as they were."""
    form = await form_of(request)
    view = await seen_case(request, form.number("game"))
    if not view.can.lead:
        raise web.HTTPForbidden
    typed = {"deed": "decide", **_carried(form.fields)}
    return case_page(request, view, fields_of(form.fields), Saying(typed=typed))
