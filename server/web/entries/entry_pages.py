"""The player's entry page: open classes and why, the form as typed, and their texts."""

from typing import TypeVar

from aiohttp import web

from kskak.entries.emt import EmtClass
from kskak.entries.entry import EntryRefusal, EntryWait, closed_by
from kskak.entries.rights import CupRightRound, IccfTournament
from kskak.regulation.days import is_birth
from mail.office_letters.entry_letters import (
    fault_text,
    missing_text,
    refusal_lines,
    write_payment_line,
)
from mail.text.catalogue import Words
from server.store.player_entries import EntryRow
from server.usecases.entries import entry_actions
from server.usecases.entries import entry_views as views
from server.usecases.entries.entry_judging import EntryStatement, Participation, read_wish
from server.usecases.entries.entry_views import EntryView, ListView
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.letter_facts import leader
from server.usecases.postal import scans
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.season.season_views import enters_for_clubs
from server.web.frame.context import PageRoutes, core, get_words, read_only_page, signed_in, viewer
from server.web.frame.forms import Form, FormFault, FormRefusal, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import new_key, page

routes = PageRoutes()

# Texts of the entry pages: classes, reasons, states (§ 6.4.4, § 6.5.3.2).

_KEYS = {"DM": "dm", "M": "m", "K": "k", "Å": "open"}
_NAMED = frozenset({"dm", "m", "k", "open", "preliminary", "semi", "final", "league", "theme"})


def iccf_name(tournament: IccfTournament, words: Words) -> str:
    """An ICCF tournament's name in the reader's language (§ 6.5.3.2 c)."""
    return words(f"entries.iccf.{tournament.name.lower()}")


class EntryWords(SubjectWords):
    """One language for the entry pages."""

    subject = "entries"

    def wish(self, wish: str) -> str:
        """A class's or round's name; ICCF tournaments keep their own."""
        key = _KEYS.get(wish, wish)
        return self(f"wish.{key}") if key in _NAMED else wish

    def event(self, one: Participation) -> str:
        """The event that a result belongs to."""
        event = one.result.event
        if isinstance(event, EmtClass):
            return f"{self('result.emt')}, {self.wish(event.value)}"
        if isinstance(event, CupRightRound):
            return self.wish(event.stage.value)
        return f"{self('result.iccf')}, {iccf_name(event, self.words)}"

    def choice(self, event: str, wish: str) -> str:
        """A tournament in a form's list: «ICCF: VM-finale»."""
        name = iccf_name(IccfTournament(wish), self.words) if event == "iccf" else self.wish(wish)
        return f"{self(f'result.{event}')}: {name}"

    def rule(self, side: str, paragraph: str) -> str:
        """Which rule opens a class (``by``) or closes it (``against``)."""
        return self.words(f"access.{side}.{paragraph.replace('.', '_').replace(' ', '_')}")

    def rests(self, numbers: tuple[int, ...], record: tuple[Participation, ...]) -> str:
        """The names of the results that a rule is based on; "" for a rating."""
        names = [one.name for one in record if one.result.number in numbers]
        return self("classes.rests", results=", ".join(names)) if names else ""

    def faults(self, view: EntryView, *, for_official: bool = False) -> tuple[str, ...]:
        """What an entry still lacks, with paragraphs; for the player also what to do about it."""
        answer = None if view.judged is None else view.judged.answer
        closed = closed_by(read_wish(view.row.event, view.row.wish), answer)
        say = missing_text if for_official else fault_text
        return tuple(say(fault, closed, self.words) for fault in view.faults)

    def refused(self, refusal: EntryRefusal) -> tuple[str, ...]:
        """Each reason for a refusal."""
        return refusal_lines(refusal, self.words)

    def waits(self, view: EntryView) -> str:
        """What an entry waits for, in words."""
        said = [self(f"wait.{wait.value}") for wait in view.waits]
        if len(view.waits) < len(view.faults):
            said.append(self("wait.nothing"))
        return ", ".join(said)

    def pays(self, view: EntryView, of: ListView) -> tuple[str, ...]:
        """The fee that an entry waits for, and how it is paid; empty if it waits for none."""
        if EntryWait.FEE not in view.waits or not of.row.fee:
            return ()
        how = write_payment_line(of.row.how_to_pay, leader(of.leader), self.words)
        return self("fee", fee=self.money(of.row.fee)), how


# The fields of an entry's form, on the player's page and on the desk (§ 6.4.4.1).

HIGHEST_RATING = 4000


def read_entry(request: web.Request, form: Form) -> EntryRequest:
    """The entry that a form asks for. Raises FormFault, TooLong."""
    e, born = load_entry_words(request), form.day("born")
    today = core(request).today(core(request).settings.clock.zone)
    ratings = {name: form.number(name) for name in ("otb_rating", "k_rating")}
    checks = (
        ("list", "bad_list", form.number("list") is not None),
        *((n, "bad_date", not form.typed(n) or form.day(n)) for n in ("born", "fee")),
        ("born", "bad_born", born is None or is_birth(born, today)),
        *(
            (n, "bad_rating", not form.typed(n) or (r is not None and r <= HIGHEST_RATING))
            for n, r in ratings.items()
        ),
    )
    for name, why, is_good in checks:
        if not is_good:
            raise FormFault(name, e(f"enter.{why}"))
    member, club, proof = form.text("member", 40), form.text("club", 120), form.text("proof", 4000)
    for name, text in (("member", member), ("club", club)):
        if not text.isprintable():
            raise FormFault(name, e("enter.bad_line"))
    return EntryRequest(
        form.number("list") or 0,
        EntryStatement(member or None, club or None, born, **ratings, proof=proof),
        asks=form.is_ticked("asks"),
        is_second=form.is_ticked("second"),
        key=form.typed("key")[:80] or None,
        address=form.typed("address"),
    )


async def take_entry(request: web.Request, asked: EntryRequest) -> EntryRow:
    """Enter what a form asks for. Raises FormFault, and FormRefusal with every reason."""
    try:
        done = await enter(core(request), signed_in(request), asked)
    except NoSuch:
        raise FormFault("list", load_entry_words(request)("enter.bad_list")) from None
    return unless_refused(request, done)


Done = TypeVar("Done")


def unless_refused(request: web.Request, done: Done | EntryRefusal) -> Done:
    """What was done. Raises FormRefusal with each reason and its paragraph."""
    if isinstance(done, EntryRefusal):
        raise FormRefusal(load_entry_words(request).refused(done))
    return done


# The player's entry page: open classes and why, his entries, the form (§ 6.4.4, § 6.5.3.2).

_NOTICES = {"taken": "enter.taken", "back": "enter.back"}


def load_entry_words(request: web.Request) -> EntryWords:
    """The entry texts in the reader's language."""
    return EntryWords(get_words(request).words)


@routes.get("/enter")
@read_only_page
async def show(request: web.Request) -> web.Response:
    """Everything; without sign-in, the open lists and how to enter."""
    e, person = load_entry_words(request), viewer(request)
    lists = await views.lists_view(core(request))
    if person is None:
        return page(request, "entries/index.html", e=e, lists=lists)
    view = await views.classes_view(core(request), person, person.id)
    own = await views.entries_of(core(request), person.id)
    on = {one.row.list_id for one in own}
    entered = await views.lists_view(core(request), only_open=False, ids=on)
    key = _NOTICES.get(request.query.get("done", ""))
    return page(
        request,
        "entries/entry.html",
        e=e,
        view=view,
        lists=lists,
        own=own,
        lists_of={one.row.id: one for one in entered},
        has_club=await enters_for_clubs(core(request), person),
        address=await scans.own(core(request), person),
        notice=e(key) if key else "",
        key=new_key(),
    )


@routes.post("/enter")
@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Enter, or give every reason for refusal with its paragraph, storing nothing."""
    signed_in(request)
    await take_entry(request, read_entry(request, await form_of(request)))
    raise web.HTTPSeeOther("/enter?done=taken#own")


@routes.post(r"/enter/{entry:\d{1,18}}/withdraw")
@stands_on(show)
async def withdraw(request: web.Request) -> web.Response:
    """Withdraw an entry before it becomes a place."""
    person = signed_in(request)
    entry_id = int(request.match_info["entry"])
    try:
        done = await entry_actions.withdraw(core(request), person, entry_id)
    except (NoSuch, NotAllowed):
        raise web.HTTPNotFound from None
    unless_refused(request, done)
    raise web.HTTPSeeOther("/enter?done=back#own")
