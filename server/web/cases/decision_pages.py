"""Deciding a case: the form, a preview of the letter, a confirmation (§ 6.4.1-6.4.3)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

from aiohttp import web

from kskak.cases import case_events
from kskak.cases.case import CaseRefusal
from kskak.cases.consequences import ConsequenceKind
from kskak.cases.decide_case import decide_on
from kskak.game import game_events as ev
from kskak.regulation.editions import Result
from mail.office_letters import rulings
from mail.office_letters.case_letters import deposit_line
from mail.text.catalogue import Words
from server.store.cases import publications as publication_rows
from server.store.cases.cases import UnknownCase
from server.store.play import people as person_rows
from server.usecases.cases import case_decisions as deciding
from server.usecases.cases import decision_preparing
from server.usecases.cases.case_decisions import DecisionDraft, WithdrawalRuling
from server.usecases.cases.decision_preparing import Order, PreparedDecision
from server.usecases.context import Core
from server.usecases.results.titles import find_standing_changes, pass_over
from server.usecases.rights import NotAllowed
from server.web.cases.case_page import FORBIDDEN, CasePageState, case_page, show_refusal, trial_of
from server.web.cases.case_readings import Look, find_visible_case
from server.web.cases.case_texts import CaseWords, fields_of, load_case_words
from server.web.frame import forms
from server.web.frame.context import CASE, PageRoutes, core, get_words
from server.web.frame.pages import page

routes = PageRoutes()

# Parses the decision form: findings, results, sanctions, annulments, reasons (§ 6.4).

LONGEST = 20_000
LONGEST_WHY = 2_000
MOST_MONTHS = 120
SWAPPED = "swapped"
"""The choice of the form by which a game begins anew with the colours changed (FIDE 7.3)."""
_FACT = re.compile(r"^§\s*([0-9][0-9.]*[a-z]?)\s*:\s*(.+)$")
_LEAVES = "leave-"
"""Before the name of a ruling that is let stand though it rests on what is annulled."""
_SPLIT = re.compile(r"[,;\n]+")


def order_of(form: forms.Form, view: Look, d: CaseWords) -> Order:
    """What the form orders; the case checks whether it is permitted (kskak.cases.decide_case).

    Raises Fault for an invalid day or number of months.
    """
    numbers = paragraphs_of(form.text("paragraphs", 400))
    ends = form.text("appeal", 12)
    tried = trial_of(view, form.fields)
    # A result that both follows from the facts tried and is chosen counts once.
    ordered = dict.fromkeys((*(tried.orders if tried else ()), *_games(form, view, d)))
    gone = set(view.state.annulled) & view.state.known.keys()  # what it can restore
    return Order(
        paragraphs=numbers,
        reasons=form.text("reasons", LONGEST),
        unheard=unheard_in(form, view, d),
        facts=tuple(_facts(form.text("facts", LONGEST), numbers)),
        games=tuple(ordered),
        sanctions=tuple(_sanctions(form, view, d)),
        annuls=_annulled(form, view, tried.annuls if tried else ()),
        restores=tuple(r for r in sorted(gone) if form.is_ticked(f"restore-{r}")),
        grants=tuple(a.by for a in view.state.appeals if form.is_ticked(f"grant-{a.by}")),
        prizes_lost=tuple(p for p in persons(view) if form.is_ticked(f"prize-{p}")),
        appeal=case_events.AppealEnd(ends) if ends in set(case_events.AppealEnd) else None,
        resume=form.day("resume-all"),
        fresh=tuple(game for game in view.state.opened.games if form.is_ticked(f"fresh-{game}")),
        lets_stand=tuple(
            name.removeprefix(_LEAVES) for name in form.fields if name.startswith(_LEAVES)
        ),
        stands_why=form.text("stands_why", LONGEST_WHY),
    )


def unheard_in(form: forms.Form, view: Look, d: CaseWords) -> str:
    """Why it is decided before all have been heard: as typed, else drafted; "" where they were."""
    if view.state.is_heard(view.today):
        return ""
    return form.text("unheard", LONGEST_WHY) or d("decide.unheard_why")


def persons(view: Look) -> tuple[int, ...]:
    """Those whom a decision may sanction: the parties and those concerned."""
    opened = view.state.opened
    return tuple(dict.fromkeys((*opened.parties, *opened.concerned)))


def paragraphs_of(text: str) -> tuple[str, ...]:
    """«§ 6.3.3.1, § 6.8.7» as bare numbers; other sources (Kendelse 38) as written."""
    parts = (part.strip().removeprefix("§").strip() for part in _SPLIT.split(text))
    return tuple(dict.fromkeys(part for part in parts if part))


def _facts(text: str, numbers: tuple[str, ...]) -> Iterator[case_events.FactFound]:
    """One finding per line; «§ 6.3.2: …» names its paragraph, else the decision's first is used."""
    for line in filter(None, (line.strip() for line in text.splitlines())):
        named = _FACT.match(line)
        if named:
            yield case_events.FactFound(named[1], named[2])
        elif numbers:
            yield case_events.FactFound(numbers[0], line)


def _games(form: forms.Form, view: Look, d: CaseWords) -> Iterator[case_events.GameOrder]:
    for game in view.state.opened.games:
        resumed = form.day(f"resume-{game}")
        if resumed is None and form.typed(f"resume-{game}"):
            raise forms.FormFault(f"resume-{game}", d("missing.day"))
        swaps = form.typed(f"back-{game}") == SWAPPED
        back = 0 if swaps else form.number(f"back-{game}") if form.typed(f"back-{game}") else None
        if back is not None:
            yield case_events.GameOrder(game, ev.GameSetBack(back, swaps_colours=swaps))
            resumed = resumed or view.today
        if resumed is not None:
            yield case_events.GameOrder(game, ev.GameResumed(resumed))
        result = form.text(f"result-{game}", 10)
        if result in set(Result):
            yield case_events.GameOrder(game, ev.ResultRuled(Result(result), view.today, "", ""))


def _sanctions(form: forms.Form, view: Look, d: CaseWords) -> Iterator[case_events.SanctionOrder]:
    for person in persons(view):
        kind = form.text(f"sanction-{person}", 12)
        if kind not in set(case_events.SanctionKind):
            continue
        months = months_of(form, f"months-{person}", d)
        if kind != case_events.SanctionKind.QUARANTINE:
            yield case_events.SanctionOrder(person, case_events.SanctionKind(kind))
        if kind == case_events.SanctionKind.QUARANTINE or (
            kind == case_events.SanctionKind.EXPULSION and months
        ):
            yield case_events.SanctionOrder(
                person, case_events.SanctionKind.QUARANTINE, months
            )  # § 6.4.2: perhaps both


def months_of(form: forms.Form, name: str, d: CaseWords) -> int | None:
    """The months of a quarantine; None if none are given. Raises Fault for an invalid number."""
    months = form.number(name)
    if form.typed(name) and not (months and months <= MOST_MONTHS):
        raise forms.FormFault(name, d("missing.months", most=MOST_MONTHS))
    return months


def _annulled(form: forms.Form, view: Look, tried: tuple[str, ...]) -> tuple[str, ...]:
    """The ticked decisions, and those left out when facts were tried."""
    known = [row.decision.ref for row in view.state.decided]
    known += [decision.ref for decision in view.elsewhere]
    return tuple(ref for ref in known if form.is_ticked(f"annul-{ref}") or ref in tried)


_OWN = frozenset({"csrf", "step", "confirm", "letter", "drafted", "reasoned", "mark", "of", "seen"})


DECIDE, RULE = "decide", "rule"
"""Which of the case's forms a letter comes from, and the action it is posted to."""


_TOLD = (ConsequenceKind.COUNTS_ANEW, ConsequenceKind.LIGHTER, ConsequenceKind.RESTS)
"""What a decision does to rulings of other cases, or leaves to be decided there (§ 6.4.3)."""


@dataclass(frozen=True, slots=True)
class RulingLetter:
    """A letter to preview. ``lines``: further consequences, besides what the order says."""

    of: str
    draft: DecisionDraft
    lines: tuple[str, ...]
    is_exact: bool
    readers: str
    """Who gets it, by name; nothing is sent to the dead."""

    @property
    def choices(self) -> tuple[tuple[str, bool, str], ...]:
        """The rulings of other cases that it touches, and what a sanction takes, with its name;
        and whether it lets each stand."""
        made, words = self.draft.made, self.draft.words
        told = {
            one.key: "" if one.holding is None else rulings.held_text(one.holding, words)
            for one in made.follows
            if one.key and (one.kind in _TOLD or one.holding is not None)
        }
        return tuple((key, key in made.order.lets_stand, of) for key, of in told.items())


def unsent(form: forms.Form, view: Look, letter: RulingLetter) -> str | None:
    """Why the letter is shown and not sent, "" for no fault; None if it was confirmed."""
    if form.text("step", 10) != "send":
        return "spoken" if view.list_news(form.number("seen")) else ""
    if form.text("mark", 64) != mark_of(letter):
        return "changed"
    if view.list_news(form.number("seen") or 0):
        return "spoken"
    if len(form.typed("letter")) > LONGEST:
        return "long"
    return None if form.is_ticked("confirm") else "confirm"


def read_edited_letter(form: forms.Form) -> str | None:
    """The edited letter; None if it is unchanged."""
    text = form.text("letter", LONGEST)
    return text if text and digest(text) != form.text("drafted", 64) else None


def carried_over(form: forms.Form, draft: str, reasons: str) -> tuple[str, bool]:
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


def stop_second_submission(form: forms.Form, view: Look, order: Order) -> None:
    """Show the case as decided if this very decision has been sent by the same person already."""
    latest = view.state.decided[-1] if view.state.decided else None
    if latest is None or latest.by != view.viewer.person.id or form.text("step", 10) != "send":
        return
    text = read_edited_letter(form)
    filed = {paper.text for paper in view.papers if paper.title == latest.decision.ref}
    is_same = latest.decision.reasons == order.reasons and latest.decision.on == view.today
    if is_same and (text is None or text in filed):
        raise web.HTTPSeeOther(f"{view.path}?done=decided")


def mark_of(letter: RulingLetter) -> str:
    """A digest of a decision and its effects on games, tying the letter seen to it."""
    order = replace(letter.draft.made.order, unheard="")  # edited beside the letter, and not in it
    return sha256(repr((order, letter.draft.games)).encode()).hexdigest()


def list_carried_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The decision's fields, to be resent with the letter."""
    return {
        name: value
        for name, value in fields.items()
        if value and name not in _OWN and not name.startswith(_LEAVES)
    }


def letter_page(
    request: web.Request, view: Look, letter: RulingLetter, form: forms.Form, problem: str
) -> web.Response:
    """What will happen and what will be written, with the whole form to be resent."""
    d, made = load_case_words(request), letter.draft.made
    order, left, text = made.order, made.left, letter.draft.text
    kept, is_merged = carried_over(form, text, order.reasons)
    if problem == "long":
        forms.add_field_fault(
            request, "letter", forms.too_long(request, forms.TooLong("letter", len(kept), LONGEST))
        )
    games = {game.id: game for game in (*view.rows, *left.games)}
    return page(
        request,
        "cases/decide.html",
        status=forms.PROBLEM_STATUS if problem else 200,
        d=d,
        view=view,
        case=view.case,
        state=view.state,
        of=letter.of,
        order=order,
        unheard=order.unheard,
        orders=[(games[game], text) for game, text in letter.draft.games if game in games],
        lines=letter.lines,
        choices=letter.choices,
        upheld=letter.draft.upheld,
        told=letter.readers,
        is_exact=letter.is_exact,
        letter=kept,
        draft="" if is_merged else text,
        drafted=digest(text),
        news=view.list_news(form.number("seen") or 0) if problem == "spoken" else (),
        mark=mark_of(letter),
        fields=list_carried_fields(form.fields),
        problem=d(f"letter.{problem}") if problem not in ("", "long") else "",
        path_of_case=view.path,
    )


@routes.post(f"{CASE}/edit")
async def edit(request: web.Request) -> web.Response:
    """Back to the case's page with the decision's fields as typed."""
    form = await forms.form_of(request)
    view = await find_visible_case(request, form.number("game"))
    if not view.can.lead:
        raise web.HTTPForbidden
    is_rule = RULE in (form.typed("of"), request.path.rpartition("/")[2])
    typed = {"deed": RULE if is_rule else DECIDE, **list_carried_fields(form.fields)}
    return case_page(request, view, fields_of(form.fields), CasePageState(typed=typed))


@routes.post(f"{CASE}/decide")
@forms.stands_on(edit)
async def decide(request: web.Request) -> web.Response:
    """Show the letter, or send it if it was seen, still matches the decision and is confirmed."""
    form = await forms.form_of(request)
    view = await find_visible_case(request, form.number("game"))
    order = order_of(form, view, load_case_words(request))
    return await _show_or_send(request, view, DECIDE, order)


async def _show_or_send(request: web.Request, view: Look, of: str, order: Order) -> web.Response:
    form, about = await forms.form_of(request), (core(request), view.viewer.person, view.case.id)

    def refused(refusal: CaseRefusal) -> web.Response:
        typed = {"deed": of, **list_carried_fields(form.fields)}
        letter = read_edited_letter(form) or ""
        return show_refusal(request, view, refusal, typed, fields_of(form.fields), letter)

    stop_second_submission(form, view, order)
    order = await pass_over(about[0], order)
    letter = await _letter(request, view, of, order)
    if isinstance(letter, CaseRefusal):
        return refused(letter)
    problem = unsent(form, view, letter)
    if problem is not None:
        return letter_page(request, view, letter, form, problem)
    try:
        done = await deciding.decide(*about, order, read_edited_letter(form))
    except (UnknownCase, NotAllowed):
        raise web.HTTPForbidden from None
    if isinstance(done, CaseRefusal):
        return refused(done)
    raise web.HTTPSeeOther(f"{view.path}?done=decided")


async def _letter(
    request: web.Request, view: Look, of: str, order: Order
) -> RulingLetter | CaseRefusal:
    """The decision's letter, or why the case would refuse it; with the sanctions it results in,
    their days and why (§ 4.1.19), and what becomes of those who leave.
    """
    at, words = core(request), get_words(request).words
    actor, today = view.viewer.actor, view.today
    bar = decide_on(view.state, order.decision(view.case, view.state, today), today, actor)
    if isinstance(bar, CaseRefusal) and bar.reason in FORBIDDEN:
        return bar
    made, name = await decision_preparing.prepare_order(at, view.case, view.state, order), view.name
    if isinstance(made, CaseRefusal):
        return made
    bar = decide_on(made.state, made.decision, today, actor)
    if isinstance(bar, CaseRefusal):
        return bar
    draft = DecisionDraft(made, await decision_preparing.read_ruling_facts(at, made), words)
    d, form = load_case_words(request), await forms.form_of(request)
    tried = trial_of(view, form.fields) if of == DECIDE else None
    terms = (rulings.sanction_text(*one, name(one[0].person), words) for one in draft.facts.imposed)
    departures = made.left.departures
    ends = (rulings.departure_text(*one, name(one[1].player), words) for one in departures)
    judged = (d("leaving.adjudicated", game=row.name) for row in made.left.unfinished)
    newest = {held.person: held for held in made.state.deposits}
    paid = (
        deposit_line(replace(newest[e.person], is_returned=e.is_returned), name(e.person), words)
        for e in bar
        if isinstance(e, case_events.DepositSettled) and e.person in newest
    )
    follows = _write_follows(draft)
    changed, readers = await _find_readers(at, view, made, words)
    lines = (*terms, *ends, *judged, *follows, *changed, *paid)
    return RulingLetter(of, draft, lines, tried is None or tried.is_exact, readers)


def _write_follows(draft: DecisionDraft) -> Iterator[str]:
    """What falls with annulled decisions, and what is done in other cases (§ 6.4.3)."""
    made, facts, words = draft.made, draft.facts, draft.words
    yield from rulings.lapsed_lines(facts, words)
    for old in map(facts.earlier.__getitem__, made.decision.annuls):
        kinds = {one.kind for one in old.sanctions} - {case_events.SanctionKind.WARNING}
        if kinds and not old.takes:  # rulings before the server noted it do not say either
            yield words("rulings.took_nothing", ref=old.ref)
    for one in made.carried_out:
        if one.kind in _TOLD or one.holding is not None:
            yield rulings.follow_text(one, facts.people, words, one.ref in made.decision.annuls)


async def _find_readers(
    at: Core, view: Look, made: PreparedDecision, words: Words
) -> tuple[list[str], str]:
    """What people get or lose by the results it leaves; and who is written to: not the dead."""
    told = rulings.told_changes(await find_standing_changes(at, made))
    readers = {*view.state.may_appeal, *made.left.players}
    people = readers | {one.person for one in told if one.person is not None}
    async with at.store.read() as conn:
        names = {one.id: one.name for one in (await person_rows.by_ids(conn, people)).values()}
        readers -= await conn.run_sync(publication_rows.list_dead, readers)
    changed = [rulings.standing_text(one, names.get(one.person or 0, ""), words) for one in told]
    return changed, ", ".join(sorted(names[one] for one in readers))


# Deciding a withdrawal: half rule on the case page, letter preview, sending (§ 6.2.8).


@routes.post(f"{CASE}/rule")
@forms.stands_on(edit)
async def rule(request: web.Request) -> web.Response:
    """Show the letter, or send it if it was seen, still matches the ruling and is confirmed."""
    view, form = await find_visible_case(request), await forms.form_of(request)
    d = load_case_words(request)
    ruling = WithdrawalRuling(
        has_reason=form.is_ticked("has_reason"),
        reasons=form.text("text", LONGEST),
        is_silent=form.is_ticked("is_silent"),
        quarantine_months=months_of(form, "months", d),
        unheard=unheard_in(form, view, d),
    )
    _, order = await deciding.plan(core(request), view.viewer.person, view.case.id, ruling)
    return await _show_or_send(request, view, RULE, order)
