"""The cup's public pages and its leader's desk: open a cup, draw its rounds, who qualifies."""

from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction

from aiohttp import web

from kskak.cases.consequences import CaseConsequence
from kskak.cup import CupQualification, CupRefusal, CupStage, Seat, TieRefusal
from kskak.groups.crosstables import GroupCrosstable
from kskak.regulation.editions import CUP
from kskak.values import whole_number
from mail.office_letters.bulletins import join_names, separations
from mail.text.catalogue import decimal, halves
from server.store.cup import PlaceRow
from server.store.group_results import TitleRow
from server.usecases.cup import cup_views as views
from server.usecases.cup.cup_rounds import (
    CupFault,
    CupRequest,
    CupRoundRequest,
    draw_round,
    open_cup,
)
from server.usecases.cup.cup_views import cup_list, cup_view, trophy
from server.usecases.results.titles import home_of
from server.usecases.rights import NoSuch, NotAllowed
from server.web.cases.case_texts import load_case_words
from server.web.entries.entry_desk import official
from server.web.frame.context import PageRoutes, core, get_words, read_only_page
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import page

routes = PageRoutes()
DESK = r"/desk/cups/{cup:\d{1,18}}"

# Texts of the cup and title pages: ways into a round, refusals, figures (§ 6.6).


class CupWords(SubjectWords):
    """One language for these pages."""

    subject = "cup"

    def names(self, names: Iterable[str]) -> str:
        """Anna, Bo and Carl."""
        return join_names(tuple(dict.fromkeys(names)), self.words)

    def champions(self, rows: Iterable[TitleRow]) -> str:
        """Who has won the cup, alone or shared (§ 6.6.1.5)."""
        names = [row.name for row in rows]
        return self(f"page.champion{'s' * (len(names) != 1)}", names=self.names(names))

    def seat(self, seat: Seat) -> str:
        """Why somebody has a place, with the paragraph (§ 6.6.1.3-6.6.1.6)."""
        return self._way(seat.way, seat.group, seat.place)

    def place(self, row: PlaceRow) -> str:
        """The same for a stored place."""
        return self._way(CupQualification(row.way), row.from_group, row.from_place)

    def _way(self, way: CupQualification, group: str | None, place: int | None) -> str:
        places: dict[str, object] = {}
        if way is not CupQualification.ENTERED:
            places["paragraph"] = way.paragraph
        if way in (CupQualification.PLACED, CupQualification.LEVEL):
            places |= {"group": group, "place": place}
        return self(f"way.{way.value}", **places)

    def changed(self, one: CaseConsequence, names: Mapping[int, str]) -> str:
        """Who has, or should have, a place in a round by the results as they are now."""
        assert one.holding is not None
        name, at = names.get(one.holding.person, "?"), one.holding
        return self(f"desk.{one.kind.value}", name=name, group=at.club, place=at.place or "?")

    def mark(self, seat: Seat) -> str:
        """The rule by which a player qualifies, short enough for a table."""
        return self(f"short.{seat.way.value}", paragraph=seat.way.paragraph)

    def refused(self, refusal: CupRefusal) -> str:
        """Why a round is not drawn."""
        return self(
            f"problem.{refusal.problem.value}",
            paragraph=refusal.paragraph,
            count=refusal.count,
            who=refusal.who,
        )

    def tie_refused(self, refusal: TieRefusal) -> str:
        """Why a first place can't be settled this way (§ 6.5.2)."""
        return self(f"tie.problem.{refusal.problem.value}", paragraph=refusal.paragraph)

    def separations(self, table: GroupCrosstable) -> tuple[str, ...]:
        """What separated those level on points (§ 6.6.1.4)."""
        return separations(table, self.words)

    def figure(self, value: Fraction) -> str:
        """A number formatted for the language."""
        return decimal(value, self.words)


def load_cup_words(request: web.Request) -> CupWords:
    """The cup's texts in the reader's language."""
    return CupWords(get_words(request).words)


# The leader's cup desk: open a cup, draw its rounds, see who qualifies and why (§ 6.6).

LONGEST = 4000


@routes.get("/desk/cups")
async def show_cup_desk(
    request: web.Request, problem: str = "", typed: Form | None = None
) -> web.Response:
    """The cups on this desk, and the controller's form for a new one."""
    _, rights = await official(request)
    sent = typed or Form({})
    this_year = core(request).today(core(request).settings.clock.zone).year
    return page(
        request,
        "cup/desks.html",
        status=PROBLEM_STATUS if problem else 200,
        c=load_cup_words(request),
        d=load_case_words(request),
        rights=rights,
        desk=await views.cups_desk(core(request), rights),
        problem=problem,
        edition=sent.typed("edition") or str(this_year),
    )


@routes.post("/desk/cups")
@stands_on(show_cup_desk)
async def open_new(request: web.Request) -> web.Response:
    """Open a cup; for the controller (§ 6.1.2)."""
    person, _ = await official(request)
    form, c = await form_of(request), load_cup_words(request)
    edition, on = form.number("edition"), form.number("list")
    if edition is None or on is None:
        name = "edition" if edition is None else "list"
        raise FormFault(name, c(f"fault.{name}"))
    done = await open_cup(core(request), person, CupRequest(edition, on, form.number("semi_list")))
    if isinstance(done, CupFault):
        return await show_cup_desk(request, c(f"fault.{done.value}"), form)
    raise web.HTTPSeeOther(f"/desk/cups/{done.id}?done=opened")


@routes.get(DESK)
async def show_desk(request: web.Request, problem: str = "") -> web.Response:
    """One cup's desk."""
    _, rights = await official(request)
    desk = await views.cup_desk(core(request), rights, int(request.match_info["cup"]))
    c, done = load_cup_words(request), request.query.get("done", "")
    return page(
        request,
        "cup/desk.html",
        status=PROBLEM_STATUS if problem else 200,
        c=c,
        d=load_case_words(request),
        rights=rights,
        desk=desk,
        view=desk.view,
        problem=problem,
        notice=c(f"desk.{done}") if done in ("opened", "drawn") and not problem else "",
    )


def _choice(form: Form, c: CupWords) -> CupRoundRequest:
    """The form's request. Raises FormFault for a faulty field, ValueError for no such round."""
    places, take, start = form.number("places"), form.number("take"), form.day("start")
    for name, is_good, why in (
        ("places", places and places <= CUP.most_advancing, "places"),
        ("take", take, "number"),
        ("start", start, "day"),
    ):
        if form.typed(name) and not is_good:
            raise FormFault(name, c(f"fault.{why}"))
    ticked = (name.removeprefix("without-") for name in form.fields if name.startswith("without-"))
    return CupRoundRequest(
        CupStage(form.text("stage", 12)),
        places=places,
        take=take,
        added=tuple(form.text("added", LONGEST).split()),
        without=tuple(one for one in map(whole_number, ticked) if one is not None),
        start=start,
        reason=form.text("reason", LONGEST),
        live=form.is_ticked("live"),
    )


@routes.post(f"{DESK}/draw")
@stands_on(show_desk)
async def draw(request: web.Request) -> web.Response:
    """Draw a round; a refusal is shown on the page with its paragraph."""
    person, _ = await official(request)
    form, c = await form_of(request), load_cup_words(request)
    number = int(request.match_info["cup"])
    try:
        choice = _choice(form, c)
    except ValueError:
        raise web.HTTPBadRequest from None
    try:
        done = await draw_round(core(request), person, number, choice)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if isinstance(done, CupRefusal):
        return await show_desk(request, c.refused(done))
    raise web.HTTPSeeOther(f"/desk/cups/{number}?done=drawn")


# The cup's public pages: all cups with the trophy's history, and one cup by round (§ 6.6).


@routes.get("/cup")
@read_only_page
async def index(request: web.Request) -> web.Response:
    """Every cup, and the names on the trophy (§ 6.6.1.5)."""
    return page(
        request,
        "cup/index.html",
        c=load_cup_words(request),
        cups=await cup_list(core(request)),
        trophy=await trophy(core(request)),
    )


@routes.get(r"/cup/{edition:\d{4}}")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """A cup: progress, groups, who qualifies and why; beside them what every tournament has."""
    view = await cup_view(core(request), edition=int(request.match_info["edition"]))
    rounds = view.facts.rounds
    return page(
        request,
        "cup/cup.html",
        c=load_cup_words(request),
        view=view,
        rounds=[(one, view.gone_on(index)) for index, one in enumerate(rounds)],
        home=await home_of(core(request), view.facts.row.name, only_cup=True),
        day_of=date.fromisoformat,
        points=halves,
    )
