"""Parses the decision form: findings, results, sanctions, annulments, reasons (§ 6.4).

Findings tried on the case page arrive in the form's fields, so nothing is typed twice. Not for
the letter or the confirmation (deciding.py).
"""

import re
from collections.abc import Iterator

from kskak.cases.decisions import AppealEnd, FactFound, GameOrder, SanctionKind, SanctionOrder
from kskak.game import events as ev
from kskak.regulation.quantities import Result
from server.usecases.cases.order import Order
from server.web.cases.page import trial_of
from server.web.cases.seen_case import Look
from server.web.cases.words import CaseWords
from server.web.frame.form_faults import Fault
from server.web.frame.forms import Form

LONGEST = 20_000
LONGEST_WHY = 2_000
MOST_MONTHS = 120
SWAPPED = "swapped"
"""The choice of the form by which a game begins anew with the colours changed (FIDE 7.3)."""
_FACT = re.compile(r"^§\s*([0-9][0-9.]*[a-z]?)\s*:\s*(.+)$")
_SPLIT = re.compile(r"[,;\n]+")


def order_of(form: Form, view: Look, d: CaseWords) -> Order:
    """What the form orders; the case checks whether it is permitted (kskak.cases.verdicts).

    Raises Fault for an invalid day or number of months.
    """
    numbers = paragraphs_of(form.text("paragraphs", 400))
    ends = form.text("appeal", 12)
    tried = trial_of(view, form.fields)
    # A result that both follows from the facts tried and is chosen counts once.
    ordered = dict.fromkeys((*(tried.orders if tried else ()), *_games(form, view, d)))
    return Order(
        paragraphs=numbers,
        reasons=form.text("reasons", LONGEST),
        unheard=unheard_in(form, view, d),
        facts=tuple(_facts(form.text("facts", LONGEST), numbers)),
        games=tuple(ordered),
        sanctions=tuple(_sanctions(form, view, d)),
        annuls=_annulled(form, view, tried.annuls if tried else ()),
        restores=tuple(r for r in sorted(_gone(view)) if form.is_ticked(f"restore-{r}")),
        grants=tuple(a.by for a in view.state.appeals if form.is_ticked(f"grant-{a.by}")),
        prizes_lost=tuple(p for p in persons(view) if form.is_ticked(f"prize-{p}")),
        appeal=AppealEnd(ends) if ends in set(AppealEnd) else None,
    )


def unheard_in(form: Form, view: Look, d: CaseWords) -> str:
    """Why it is decided before all have been heard: as typed, else drafted; "" where they were."""
    if view.state.is_heard(view.today):
        return ""
    return form.text("unheard", LONGEST_WHY) or d("decide.unheard_why")


def _gone(view: Look) -> set[str]:
    """The annulled decisions that a decision in this case can restore."""
    return set(view.state.annulled) & view.state.known.keys()


def persons(view: Look) -> tuple[int, ...]:
    """Those whom a decision may sanction: the parties and those concerned."""
    opened = view.state.opened
    return tuple(dict.fromkeys((*opened.parties, *opened.concerned)))


def paragraphs_of(text: str) -> tuple[str, ...]:
    """«§ 6.3.3.1, § 6.8.7» as bare numbers; other sources (Kendelse 38) as written."""
    parts = (part.strip().removeprefix("§").strip() for part in _SPLIT.split(text))
    return tuple(dict.fromkeys(part for part in parts if part))


def _facts(text: str, numbers: tuple[str, ...]) -> Iterator[FactFound]:
    """One finding per line; «§ 6.3.2: …» names its paragraph, else the decision's first is used."""
    for line in filter(None, (line.strip() for line in text.splitlines())):
        named = _FACT.match(line)
        if named:
            yield FactFound(named[1], named[2])
        elif numbers:
            yield FactFound(numbers[0], line)


def _games(form: Form, view: Look, d: CaseWords) -> Iterator[GameOrder]:
    for game in view.state.opened.games:
        resumed = form.day(f"resume-{game}")
        if resumed is None and form.typed(f"resume-{game}"):
            raise Fault(f"resume-{game}", d("missing.day"))
        swaps = form.typed(f"back-{game}") == SWAPPED
        back = 0 if swaps else form.number(f"back-{game}") if form.typed(f"back-{game}") else None
        if back is not None:
            yield GameOrder(game, ev.GameSetBack(back, swaps_colours=swaps))
            resumed = resumed or view.today
        if resumed is not None:
            yield GameOrder(game, ev.GameResumed(resumed))
        result = form.text(f"result-{game}", 10)
        if result in set(Result):
            yield GameOrder(game, ev.ResultRuled(Result(result), view.today, "", ""))


def _sanctions(form: Form, view: Look, d: CaseWords) -> Iterator[SanctionOrder]:
    for person in persons(view):
        kind = form.text(f"sanction-{person}", 12)
        if kind not in set(SanctionKind):
            continue
        told = months_of(form, f"months-{person}", d)
        if kind != SanctionKind.QUARANTINE:
            yield SanctionOrder(person, SanctionKind(kind))
        if kind == SanctionKind.QUARANTINE or (kind == SanctionKind.EXPULSION and told):
            yield SanctionOrder(person, SanctionKind.QUARANTINE, told)  # § 6.4.2: perhaps both


def months_of(form: Form, name: str, d: CaseWords) -> int | None:
    """The months of a quarantine; None if none are given. Raises Fault for an invalid number."""
    months = form.number(name)
    if form.typed(name) and not (months and months <= MOST_MONTHS):
        raise Fault(name, d("missing.months", most=MOST_MONTHS))
    return months


def _annulled(form: Form, view: Look, tried: tuple[str, ...]) -> tuple[str, ...]:
    """The ticked decisions, and those left out when facts were tried."""
    known = [row.decision.ref for row in view.state.decided]
    known += [decision.ref for decision in view.elsewhere]
    return tuple(ref for ref in known if form.is_ticked(f"annul-{ref}") or ref in tried)
