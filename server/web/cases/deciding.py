"""Deciding a case: the form, a preview of the letter, a confirmation (§ 6.4.1-6.4.3).

Not for parsing the form (decision_form.py) or withdrawals (decide_withdrawal.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

from aiohttp import web

from kskak.cases.events import PaperKind
from kskak.cases.refusals import CaseRefusal
from kskak.cases.verdicts import decide_on
from mail.office_letters.rulings import departure_text, sanction_text
from server.store.cases.cases_and_events import UnknownCase
from server.store.cases.papers import PaperRow
from server.usecases.cases import deciding
from server.usecases.cases.deciding import Draft
from server.usecases.cases.expulsion import NOTHING, Departed
from server.usecases.cases.order import Order
from server.usecases.cases.sanctions import foresee
from server.usecases.core.context import Core
from server.usecases.core.offices import NotAllowed
from server.web.cases.decision_form import LONGEST, order_of
from server.web.cases.deeds import FORBIDDEN
from server.web.cases.page import Saying, case_page, trial_of
from server.web.cases.seen_case import Look, seen_case
from server.web.cases.what_if_form import fields_of
from server.web.cases.words import case_words
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, beside, stands_on, too_long
from server.web.frame.forms import Form, TooLong, form_of
from server.web.frame.pages import page

_OWN = frozenset({"csrf", "step", "confirm", "letter", "drafted", "reasoned", "mark", "of", "said"})
_BY_PEOPLE = (PaperKind.STATEMENT, PaperKind.MAIL, PaperKind.EVIDENCE, PaperKind.SCAN)


class Ruled(StrEnum):
    """Which of the case's forms the letter comes from, and the action it is posted to."""

    DECIDE = "decide"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter to preview. ``lines``: further consequences, besides what the order says.

    ``imposed``: the resulting sanctions, a line each; ``left``: an expulsion's consequences.
    """

    of: Ruled
    order: Order
    draft: Draft
    lines: tuple[str, ...] = ()
    is_exact: bool = True
    imposed: tuple[str, ...] = ()
    left: Departed = NOTHING


def unsent(form: Form, view: Look, letter: Letter) -> str | None:
    """Why the letter is shown and not sent, "" for no fault; None if it was confirmed."""
    if form.text("step", 10) != "send":
        return ""
    if form.text("mark", 64) != mark_of(letter):
        return "changed"
    if form.number("said") != len(_said(view)):
        return "spoken"
    if len(form.typed("letter")) > LONGEST:
        return "long"
    return None if form.is_ticked("confirm") else "confirm"


def edited(form: Form) -> str | None:
    """The edited letter; None if it is unchanged."""
    text = form.text("letter", LONGEST)
    return text if text and digest(text) != form.text("drafted", 64) else None


def carried_over(form: Form, draft: str, reasons: str) -> tuple[str, bool]:
    """The letter to show when it is drafted again, and whether the new reasons are in it.

    What was edited in it stays: the reasons that it was drafted with give way to the new ones.
    Where these are no longer found in it, it stays as it is, to be shown beside the draft.
    """
    text = form.typed("letter")
    if not text or digest(text) in (form.typed("drafted"), digest(draft)):
        return draft, True
    before = form.typed("reasoned")
    if before and before != reasons and text.count(before) == 1:
        return text.replace(before, reasons), True
    return text, before == reasons


def digest(text: str) -> str:
    """A text's digest."""
    return sha256(text.replace("\r\n", "\n").strip().encode()).hexdigest()


def pressed_twice(form: Form, view: Look, order: Order) -> None:
    """Show the case as decided if this very decision has been sent by the same person already."""
    latest = view.state.decided[-1] if view.state.decided else None
    if latest is None or latest.by != view.found.person.id or form.text("step", 10) != "send":
        return
    text = edited(form)
    filed = {paper.text for paper in view.papers if paper.title == latest.decision.ref}
    is_same = latest.decision.reasons == order.reasons and latest.decision.on == view.today
    if is_same and (text is None or text in filed):
        raise web.HTTPSeeOther(f"{view.path}?done=decided")


def _said(view: Look) -> list[PaperRow]:
    """What people have put in the case's file, oldest first."""
    return [paper for paper in view.papers if paper.kind in _BY_PEOPLE]


def mark_of(letter: Letter) -> str:
    """A digest of a decision and its effects on games, tying the letter seen to it."""
    order = replace(letter.order, unheard="")  # edited beside the letter, and not in it
    return sha256(repr((order, letter.draft.games)).encode()).hexdigest()


def carried(fields: Mapping[str, str]) -> dict[str, str]:
    """The decision's fields, to be resent with the letter."""
    return {name: value for name, value in fields.items() if value and name not in _OWN}


async def becomes(
    request: web.Request, view: Look, order: Order, left: Departed = NOTHING
) -> tuple[str, ...]:
    """The sanctions that a decision results in, with their days, and why (§ 4.1.19)."""
    at, lang = core(request), words(request).words
    made = await deciding.prepared(at, view.case, view.state, order, left)
    if isinstance(made, CaseRefusal):
        return ()
    found = await foresee(at, made.decision, made.state)
    name = view.name
    terms = [sanction_text(o.order, o.imposed, name(o.order.person), lang) for o in found]
    games = [
        departure_text(one.group, one.outcome, name(one.outcome.player), lang)
        for one in left.departures
    ]
    return (*terms, *games)


def letter_page(
    request: web.Request, view: Look, letter: Letter, form: Form, problem: str
) -> web.Response:
    """What will happen and what will be written, with the whole form to be resent."""
    d, order = case_words(request), letter.order
    kept, is_merged = carried_over(form, letter.draft.text, order.reasons)
    if problem == "long":
        beside(request, "letter", too_long(request, TooLong("letter", len(kept), LONGEST)))
    games = {game.id: game for game in (*view.games, *letter.left.games)}
    told = {p: view.name(p) for p in sorted(view.state.may_appeal)} | letter.left.players
    return page(
        request,
        "cases/decide.html",
        status=PROBLEM_STATUS if problem else 200,
        d=d,
        view=view,
        case=view.case,
        state=view.state,
        of=letter.of.value,
        order=order,
        unheard=order.unheard,
        orders=[(games[game], text) for game, text in letter.draft.games if game in games],
        lines=(*letter.imposed, *letter.lines),
        upheld=letter.draft.upheld,
        told=", ".join(sorted(told.values())),
        is_exact=letter.is_exact,
        letter=kept,
        draft="" if is_merged else letter.draft.text,
        drafted=digest(letter.draft.text),
        said=_said(view),
        news=_said(view)[form.number("said") or 0 :] if problem == "spoken" else (),
        mark=mark_of(letter),
        fields=carried(form.fields),
        problem=d(f"letter.{problem}") if problem not in ("", "long") else "",
        path_of_case=view.path,
    )


async def edit(request: web.Request) -> web.Response:
    """Back to the case's page with the decision's fields as typed."""
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
    """Show the letter, or send it if it was seen, still matches the decision and is confirmed."""
    form = await form_of(request)
    view = await seen_case(request, form.number("game"))
    order = order_of(form, view, case_words(request))
    pressed_twice(form, view, order)
    left = await deciding.followed(core(request), view.case, order)
    order = deciding.completed(order, left)
    refusal = await refusal_of(core(request), view, order, left)
    if refusal is not None:
        return refused_again(request, view, refusal, form)
    letter = await _letter(request, view, order, left, form)
    if isinstance(letter, CaseRefusal):
        return refused_again(request, view, letter, form)
    problem = unsent(form, view, letter)
    if problem is not None:
        return letter_page(request, view, letter, form, problem)
    return await _send(request, view, order, form)


async def _send(request: web.Request, view: Look, order: Order, form: Form) -> web.Response:
    person = view.found.person
    try:
        outcome = await deciding.decide(core(request), person, view.case.id, order, edited(form))
    except (UnknownCase, NotAllowed):
        raise web.HTTPForbidden from None
    if isinstance(outcome, CaseRefusal):
        return refused_again(request, view, outcome, form)
    raise web.HTTPSeeOther(f"{view.path}?done=decided")


async def refusal_of(
    at: Core, view: Look, order: Order, left: Departed = NOTHING
) -> CaseRefusal | None:
    """Why the case would refuse the decision, checked before anything is written."""
    bar = decide_on(view.state, order.decision(view.case, view.state, view.today), view.today,
                    view.found.actor)  # fmt: skip
    if isinstance(bar, CaseRefusal) and bar.reason in FORBIDDEN:
        return bar
    made = await deciding.prepared(at, view.case, view.state, order, left)
    if isinstance(made, CaseRefusal):
        return made
    found = decide_on(made.state, made.decision, view.today, view.found.actor)
    return found if isinstance(found, CaseRefusal) else None


async def _letter(
    request: web.Request, view: Look, order: Order, left: Departed, form: Form
) -> Letter | CaseRefusal:
    """The decision's letter with all its consequences, or the refusal."""
    person, lang = view.found.person, words(request).lang
    draft = await deciding.draft_letter(core(request), person, view.case.id, order, lang)
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
    """The case's page with the refusal, and the form as filled in."""
    status = 403 if refusal.reason in FORBIDDEN else PROBLEM_STATUS
    typed = {"deed": of.value, **carried(form.fields)}
    saying = Saying(case_words(request).refusal(refusal), status, typed, edited(form) or "")
    return case_page(request, view, fields_of(form.fields), saying)
