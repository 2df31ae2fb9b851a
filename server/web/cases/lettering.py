"""A decision's letter, read and edited before it is sent (§ 6.4.1-6.4.3).

The letter belongs to one decision: when that has changed since, it is drafted anew. Not for what
is decided (decision_form.py, decide_withdrawal.py) nor for who may (deciding.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from mail.office_letters.rulings import departure_text, sanction_text
from server.usecases.cases import deciding as rulings
from server.usecases.cases.deciding import Draft, Order
from server.usecases.cases.expulsion import NOTHING, Expelled
from server.usecases.cases.sanctions import foresee
from server.web.cases.decision_form import LONGEST
from server.web.cases.seen_case import Look
from server.web.cases.words import case_words
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, beside, too_long
from server.web.frame.forms import Form, TooLong
from server.web.frame.pages import page

_OWN = frozenset({"csrf", "step", "confirm", "letter", "drafted", "mark", "of"})


class Ruled(StrEnum):
    """Which of the case's forms the letter comes from; the deed it is sent to."""

    DECIDE = "decide"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter to be read. ``lines``: what else follows, beside what the order says.

    ``imposed``: what the sanctions become, a line each; ``left``: what an expulsion brings.
    """

    of: Ruled
    order: Order
    draft: Draft
    lines: tuple[str, ...] = ()
    is_exact: bool = True
    imposed: tuple[str, ...] = ()
    left: Expelled = NOTHING


def unsent(form: Form, letter: Letter) -> str | None:
    """Why the letter is shown and not sent, "" for no fault; None: it was read and confirmed."""
    if form.text("step", 10) != "send":
        return ""
    if form.text("mark", 64) != mark_of(letter):
        return "changed"
    if len(form.typed("letter")) > LONGEST:
        return "long"
    return None if form.is_ticked("confirm") else "confirm"


def edited(form: Form) -> str | None:
    """The letter as it was edited; None when it stands as drafted."""
    text = form.text("letter", LONGEST)
    return text if text and digest(text) != form.text("drafted", 64) else None


def digest(text: str) -> str:
    """A text's mark."""
    return sha256(text.replace("\r\n", "\n").strip().encode()).hexdigest()


def mark_of(letter: Letter) -> str:
    """The mark of a decision and what it makes of its games: the letter seen belongs to it."""
    return sha256(repr((letter.order, letter.draft.games)).encode()).hexdigest()


def carried(fields: Mapping[str, str]) -> dict[str, str]:
    """The decision's fields, to be sent with the letter."""
    return {name: value for name, value in fields.items() if value and name not in _OWN}


async def becomes(
    request: web.Request, view: Look, order: Order, left: Expelled = NOTHING
) -> tuple[str, ...]:
    """What the sanctions of a decision become, with their days, and why (§ 4.1.19)."""
    at, lang = core(request), words(request).words
    made = await rulings.prepared(at, view.case, view.state, order, left)
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
    """What will happen and what will be written, with the whole form to be sent again."""
    d, order = case_words(request), letter.order
    kept = form.typed("letter") if problem in ("confirm", "long") else ""
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
        orders=[(games[game], text) for game, text in letter.draft.games if game in games],
        lines=(*letter.imposed, *letter.lines),
        upheld=letter.draft.upheld,
        told=", ".join(sorted(told.values())),
        is_exact=letter.is_exact,
        letter=kept or letter.draft.text,
        drafted=digest(letter.draft.text),
        mark=mark_of(letter),
        fields=carried(form.fields),
        problem=d(f"letter.{problem}") if problem not in ("", "long") else "",
        path_of_case=view.path,
    )
