"""The controller opens a season: its lists as rows, those ticked by one press (§ 6.1.2).

Not for what opening does (usecases/desks/season_opening.py) nor for a single list (entry_desk.py).
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from aiohttp import web

from kskak.office.year import SeasonListKind, TournamentStep, YearFault, season_for
from kskak.regulation.editions import Regulation
from mail.office_letters.league_letters import finding_text
from mail.text.catalogue import Words
from server.settings import ADDRESS
from server.store.members import MemberKind
from server.store.play.people import PersonRow
from server.usecases.cases.appeals import tell_fees
from server.usecases.context import today_of
from server.usecases.cup.cup_rounds import CupFault
from server.usecases.desks.pasted import (
    MOST_LINES,
    PastedRow,
    PastedRowOutcome,
    PasteError,
    PasteKind,
    preview_entries,
    preview_fees,
    take_entries,
    take_fees,
)
from server.usecases.desks.pasted_teams import preview_teams
from server.usecases.desks.season_opening import (
    Names,
    SeasonListFault,
    SeasonRow,
    SeasonView,
    build_row_key,
    open_season,
    season_view,
)
from server.usecases.entries.entry_judging import lists_view
from server.usecases.entries.player_entering import ListFault
from server.usecases.office import MOST
from server.usecases.rights import ALWAYS, Rights, keep_union_values, union_values
from server.web.cases.case_texts import load_case_words
from server.web.desks.books import year_fault
from server.web.desks.desk_pages import require_rights
from server.web.entries.entry_desk import list_fault, load_entry_words, read_list
from server.web.frame.context import PageRoutes, core, get_words
from server.web.frame.forms import (
    FORM,
    PROBLEM_STATUS,
    Form,
    FormFault,
    TooLong,
    form_of,
    stands_on,
)
from server.web.frame.pages import page

routes = PageRoutes()

HERE = "/desk/kc/season"
LONGEST_REASON = 500


async def controller(request: web.Request) -> tuple[PersonRow, Rights]:
    """The controller and his rights; 404 for everybody else."""
    person, rights = await require_rights(request)
    if not rights.is_kc:
        raise web.HTTPNotFound
    return person, rights


def _season(request: web.Request) -> int:
    """The season in the form or the address: this year's or the next's."""
    on, sent = today_of(core(request)), request.get(FORM)
    text = sent.typed("season") if sent else request.query.get("season", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else season_for(on)
    return min(max(asked, on.year), on.year + 1)


def _names(words: Words) -> Names:
    """The names of lists and tournaments that have not been before."""

    def named(kind: SeasonListKind, season: int) -> tuple[str, str]:
        key = build_row_key(kind, "").rstrip("-").replace("-", "_").lower()
        name = words(f"season.name.{key}", season=season)
        return name, words(f"season.tournament.{kind.event}", season=season)

    return named


@routes.get("/desk/kc/season")
async def show(request: web.Request) -> web.Response:
    """The season's lists."""
    person, rights = await controller(request)
    season, words = _season(request), get_words(request).words
    view = await season_view(core(request), person, season, _names(words))
    async with core(request).store.read() as conn:
        union = await union_values(core(request), conn)
    done = request.query.get("done", "")
    faults = request.get(FORM) is not None
    return page(
        request,
        "entries/season.html",
        status=PROBLEM_STATUS if faults else 200,
        d=load_case_words(request),
        e=load_entry_words(request),
        rights=rights,
        view=view,
        union=union,
        always=ALWAYS,
        kinds=[kind.value for kind in MemberKind if kind is not MemberKind.NONE],
        steps=(TournamentStep.DEADLINE, TournamentStep.START),
        labels=_labels(request),
        regulations=[one.value for one in Regulation],
        years=(today_of(core(request)).year, today_of(core(request)).year + 1),
        notice="" if faults else _done(words, done),
    )


def _done(words: Words, done: str) -> str:
    """What a press has done, "" for none."""
    if done == "union":
        return words("season.union.kept")
    is_count = done.isascii() and done.isdigit() and len(done) <= 2
    return words("season.done", n=int(done)) if is_count else ""


def _labels(request: web.Request) -> dict[str, str]:
    """What each field of a row is called."""
    e, words = load_entry_words(request), get_words(request).words
    steps = {
        step.value: words(f"season.step.{step}")
        for step in (TournamentStep.DEADLINE, TournamentStep.START)
    }
    return {
        "open": words("season.col.open"),
        "name": e("desk.name"),
        "tournament": e("desk.tournament"),
        "prefix": words("season.prefix"),
        "regulation": e("desk.regulation"),
        "leader": words("season.leader"),
        "fee_kr": words("season.fee"),
        "how_to_pay": e("desk.how_to_pay"),
        **steps,
    }


async def _build_row_fault(request: web.Request, refused: SeasonListFault) -> FormFault:
    """A refusal beside the row's field."""
    words, fault = get_words(request).words, refused.fault
    if isinstance(fault, YearFault):
        action = refused.action
        assert action is not None
        name = "reason" if fault is YearFault.NO_REASON else f"{action.step}-{refused.key}"
        return FormFault(name, await year_fault(request, fault, action))
    if isinstance(fault, CupFault):
        return FormFault(f"name-{refused.key}", words(f"cup.fault.{fault.value}"))
    if fault is ListFault.WISH:
        return FormFault(f"name-{refused.key}", load_entry_words(request)("list_fault.wish"))
    return list_fault(request, fault, f"-{refused.key}")


def _wanted(request: web.Request, form: Form, row: SeasonRow) -> SeasonRow:
    """A ticked row as filled in. Raises Fault."""
    key, words = row.key, get_words(request).words
    asked = read_list(request, form, row.kind.event, row.kind.wish, f"-{key}")
    days = dict[TournamentStep, date | None]()
    for step in row.days:
        days[step] = form.day(f"{step}-{key}")
        if days[step] is None and form.typed(f"{step}-{key}"):
            raise FormFault(f"{step}-{key}", words("season.bad_day"))
    return replace(row, asked=asked, days=days)


def _ticked(request: web.Request, form: Form, view: SeasonView) -> list[SeasonRow]:
    """The ticked rows; one that is open already was opened by a press before. Raises Fault."""
    ticked = [row for row in view.rows if form.is_ticked(f"open-{row.key}")]
    if not ticked:
        first = next((row.key for row in view.rows if row.opened is None), "")
        raise FormFault(f"open-{first}", get_words(request).words("season.none"))
    return [_wanted(request, form, row) for row in ticked if row.opened is None]


@routes.post("/desk/kc/season")
@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Open the ticked rows, all or none."""
    person, _ = await controller(request)
    form, season = await form_of(request), _season(request)
    view = await season_view(core(request), person, season, _names(get_words(request).words))
    wanted, reason = _ticked(request, form, view), form.text("reason", LONGEST_REASON)
    done = await open_season(core(request), person, season, wanted, reason)
    if isinstance(done, SeasonListFault):
        raise await _build_row_fault(request, done)
    raise web.HTTPSeeOther(f"{HERE}?season={season}&done={len(done)}")


# What holds for every season, on the season's page: the Board's deposit and the regulation.

MOST_KRONER = 100_000
LONGEST_VALUE = 500


@routes.post("/desk/kc/union")
@stands_on(show)
async def keep(request: web.Request) -> web.Response:
    """Keep what the controller says. Raises Fault."""
    await controller(request)
    form, words = await form_of(request), get_words(request).words
    url, kroner, since = form.text("book", LONGEST_VALUE), form.number("deposit"), form.day("since")
    if form.typed("deposit") and not (kroner and kroner <= MOST_KRONER):
        raise FormFault("deposit", words("season.union.bad_deposit", most=MOST_KRONER))
    if since is None and form.typed("since"):
        raise FormFault("since", words("season.bad_day"))
    if not re.match(ADDRESS, url):
        raise FormFault("book", words("season.union.bad_book"))
    async with core(request).store.read() as conn:
        known = await union_values(core(request), conn)
    values = replace(known, regulation_url=url)
    if kroner:
        values = values.with_fee(kroner, since, today_of(core(request)))
    if form.typed("kinds"):
        kinds = (kind for kind in MemberKind if form.is_ticked(f"kind-{kind}"))
        values = replace(values, entrants=frozenset(kinds))
    await keep_union_values(core(request), values)
    await tell_fees(core(request))
    raise web.HTTPSeeOther(f"{HERE}?done=union")


# Pasting entries or a bank's lines: shown with what was made of them, then those ticked count.

LONGEST_PASTED = 400_000
"""Characters of the pasted text."""
_TICK = "take-"


@routes.get("/desk/kc/pasted")
async def show_pasted(request: web.Request) -> web.Response:
    """The field to paste into; again when the text can't be used."""
    status = 200 if request.get(FORM) is None else PROBLEM_STATUS
    return await _page(request, status=status)


async def _page(
    request: web.Request,
    rows: Sequence[PastedRow] | None = None,
    outcomes: Sequence[PastedRowOutcome] | None = None,
    status: int = 200,
) -> web.Response:
    _, rights = await controller(request)
    sent = request.get(FORM) or Form({})
    return page(
        request,
        "entries/pasted.html",
        status=status,
        d=load_case_words(request),
        e=load_entry_words(request),
        finding_text=finding_text,
        rights=rights,
        lists=await lists_view(core(request)),
        whats=tuple(PasteKind),
        form={"what": sent.typed("what"), "list": sent.typed("list"), "lines": _lines(sent)},
        rows=rows,
        told=outcomes,
    )


def _lines(form: Form) -> str:
    """The lines with the empty cells at their ends, which a field of words is shorn of."""
    return form.fields.get("lines", "").replace("\r\n", "\n").strip("\n")


@routes.post("/desk/kc/pasted")
@stands_on(show_pasted)
async def take(request: web.Request) -> web.Response:
    """Step 1: what was made of each line. Step 2: the ticked ones count."""
    person, _ = await controller(request)
    form, server, words = await form_of(request), core(request), get_words(request).words
    text, list_id = _lines(form), form.number("list")
    if len(text) > LONGEST_PASTED:
        raise TooLong("lines", len(text), LONGEST_PASTED)
    ticked = [name.removeprefix(_TICK) for name in form.fields if name.startswith(_TICK)]
    is_real = form.typed("step") == "take"
    if form.typed("what") not in set(PasteKind):
        raise web.HTTPBadRequest
    try:
        if form.typed("what") == PasteKind.FEES:
            if is_real:
                return await _page(request, outcomes=await take_fees(server, person, text, ticked))
            return await _page(request, await preview_fees(server, person, text))
        preview = preview_teams if form.typed("what") == PasteKind.TEAMS else preview_entries
        rows = await preview(server, person, text, list_id)
        if not is_real:
            return await _page(request, rows)
        outcomes = await take_entries(server, person, rows, ticked)
    except PasteError as error:
        most = MOST if form.typed("what") == PasteKind.TEAMS else MOST_LINES
        raise FormFault("lines", words(f"pasted.unreadable.{error}", most=most)) from None
    return await _page(request, outcomes=outcomes)
