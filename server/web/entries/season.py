"""The controller opens a season: its lists as rows, those ticked by one press (§ 6.1.2).

Not for what opening does (usecases/desks/season_opening.py) nor for a single list (desk.py).
"""

from datetime import date

from aiohttp import web

from kskak.office.season_lists import Kind, season_for
from kskak.office.year import Step
from kskak.office.year_faults import Fault as YearFault
from kskak.regulation.quantities import Regulation
from mail.text.words import Words
from server.store.play.people import PersonRow
from server.usecases.core.offices import Rights
from server.usecases.core.union_values import union_values
from server.usecases.cup.opening import CupFault
from server.usecases.desks.season_opening import (
    Names,
    RowFault,
    SeasonRow,
    SeasonView,
    Wanted,
    key_of,
    open_season,
    season_view,
)
from server.usecases.entries.lists import LONGEST_PAY, ListFault, Opening
from server.web.cases.words import case_words
from server.web.desks.overview import held
from server.web.desks.words import KcWords
from server.web.entries.page import entry_words
from server.web.frame.context import core, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import FORM, Form, form_of
from server.web.frame.pages import page

HERE = "/desk/kc/season"
ORE = 100
LONGEST_REASON = 500
_BESIDE = {
    ListFault.NAME_TAKEN: "name",
    ListFault.PREFIX_TAKEN: "prefix",
    ListFault.WISH: "name",
    ListFault.FEE: "fee_kr",
    ListFault.NO_PAY: "how_to_pay",
}
"""Faults whose field has a different name."""


async def controller(request: web.Request) -> tuple[PersonRow, Rights]:
    """The controller and his rights; 404 for everybody else."""
    person, rights = await held(request)
    if not rights.is_kc:
        raise web.HTTPNotFound
    return person, rights


def today(request: web.Request) -> date:
    """Today on the server's calendar."""
    return core(request).today(core(request).settings.clock.zone)


def _season(request: web.Request) -> int:
    """The season in the form or the address: this year's or the next's."""
    on, sent = today(request), request.get(FORM)
    text = sent.typed("season") if sent else request.query.get("season", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else season_for(on)
    return min(max(asked, on.year), on.year + 1)


def _names(said: Words) -> Names:
    """The names of lists and tournaments that have not been before."""

    def named(kind: Kind, season: int) -> tuple[str, str]:
        key = key_of(kind, "").rstrip("-").replace("-", "_").lower()
        name = said(f"season.name.{key}", season=season)
        return name, said(f"season.tournament.{kind.event}", season=season)

    return named


async def show(request: web.Request) -> web.Response:
    """The season's lists."""
    person, rights = await controller(request)
    season, said = _season(request), words(request).words
    view = await season_view(core(request), person, season, _names(said))
    async with core(request).store.read() as conn:
        union = await union_values(core(request), conn)
    done = request.query.get("done", "")
    faults = request.get(FORM) is not None
    return page(
        request,
        "entries/season.html",
        status=PROBLEM_STATUS if faults else 200,
        d=case_words(request),
        e=entry_words(request),
        rights=rights,
        view=view,
        union=union,
        steps=(Step.DEADLINE, Step.START),
        labels=_labels(request),
        regulations=[one.value for one in Regulation],
        years=(today(request).year, today(request).year + 1),
        notice="" if faults else _done(said, done),
    )


def _done(said: Words, done: str) -> str:
    """What a press has done, "" for none."""
    if done == "union":
        return said("season.union.kept")
    is_count = done.isascii() and done.isdigit() and len(done) <= 2
    return said("season.done", n=int(done)) if is_count else ""


def _labels(request: web.Request) -> dict[str, str]:
    """What each field of a row is called."""
    e, said = entry_words(request), words(request).words
    steps = {step.value: said(f"season.step.{step}") for step in (Step.DEADLINE, Step.START)}
    return {
        "open": said("season.col.open"),
        "name": e("desk.name"),
        "tournament": e("desk.tournament"),
        "prefix": said("season.prefix"),
        "regulation": e("desk.regulation"),
        "leader": said("season.leader"),
        "fee_kr": said("season.fee"),
        "how_to_pay": e("desk.how_to_pay"),
        **steps,
    }


def _told(request: web.Request, refused: RowFault) -> Fault:
    """A refusal beside the row's field."""
    said, fault = words(request).words, refused.fault
    if isinstance(fault, YearFault):
        name = "reason" if fault is YearFault.NO_REASON else f"{refused.step}-{refused.key}"
        return Fault(name, KcWords(said).year_fault(fault))
    if isinstance(fault, CupFault):
        return Fault(f"name-{refused.key}", said(f"cup.fault.{fault.value}"))
    name = _BESIDE.get(fault, fault.value)
    return Fault(f"{name}-{refused.key}", entry_words(request)(f"list_fault.{fault.value}"))


def _wanted(request: web.Request, form: Form, row: SeasonRow) -> Wanted:
    """A ticked row as filled in. Raises Fault."""
    key, said = row.key, words(request).words
    kroner, days = form.number(f"fee_kr-{key}"), dict[Step, date | None]()
    if kroner is None and form.typed(f"fee_kr-{key}"):
        raise _told(request, RowFault(key, ListFault.FEE))
    for step in row.days:
        days[step] = form.day(f"{step}-{key}")
        if days[step] is None and form.typed(f"{step}-{key}"):
            raise Fault(f"{step}-{key}", said("season.bad_day"))
    try:
        regulation = Regulation(form.text(f"regulation-{key}", 8))
    except ValueError:
        raise web.HTTPBadRequest from None
    asked = Opening(
        name=form.text(f"name-{key}", 200),
        event=row.kind.event,
        wish=row.kind.wish,
        tournament=form.text(f"tournament-{key}", 200),
        regulation=regulation,
        prefix=form.text(f"prefix-{key}", 80),
        leader=form.text(f"leader-{key}", 200),
        fee=None if kroner is None else kroner * ORE,
        how_to_pay=form.text(f"how_to_pay-{key}", LONGEST_PAY),
    )
    return Wanted(key, asked, days)


def _ticked(request: web.Request, form: Form, view: SeasonView) -> list[Wanted]:
    """The ticked rows; one that is open already was opened by a press before. Raises Fault."""
    ticked = [row for row in view.rows if form.is_ticked(f"open-{row.key}")]
    if not ticked:
        first = next((row.key for row in view.rows if row.opened is None), "")
        raise Fault(f"open-{first}", words(request).words("season.none"))
    return [_wanted(request, form, row) for row in ticked if row.opened is None]


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Open the ticked rows, all or none."""
    person, _ = await controller(request)
    form, season = await form_of(request), _season(request)
    view = await season_view(core(request), person, season, _names(words(request).words))
    wanted, reason = _ticked(request, form, view), form.text("reason", LONGEST_REASON)
    done = await open_season(core(request), person, season, wanted, reason)
    if isinstance(done, RowFault):
        raise _told(request, done)
    raise web.HTTPSeeOther(f"{HERE}?season={season}&done={len(done)}")
