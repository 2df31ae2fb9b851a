"""The player's entry page: open classes and why, the form as typed, and their texts."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from aiohttp import web

from kskak.entries.emt import EmtClass
from kskak.entries.entry import EntryRefusal, EntryWait, closed_by
from kskak.entries.rights import ClassExclusion, CupRightRound, IccfTournament, Right
from kskak.regulation.days import is_birth
from mail.office_letters.entry_letters import (
    fault_text,
    missing_text,
    refusal_lines,
    write_payment_line,
)
from mail.text.catalogue import Words
from server.store.play.people import PersonRow
from server.usecases.entries import entry_actions
from server.usecases.entries import entry_views as views
from server.usecases.entries.entry_judging import EntryStatement, Participation, read_wish
from server.usecases.entries.entry_views import EntryView, ListView
from server.usecases.entries.player_entering import EntryRequest, enter
from server.usecases.letter_facts import leader
from server.usecases.postal import scans
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.season.season_views import enters_for_clubs
from server.web.frame.context import core, get_words, read_only_page, signed_in, viewer
from server.web.frame.forms import PROBLEM_STATUS, Form, FormFault, TooLong, form_of, stands_on
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import new_key, page

# Texts of the entry pages: classes, reasons, states (§ 6.4.4, § 6.5.3.2).

_KEYS = {"DM": "dm", "M": "m", "K": "k", "Å": "open"}
_NAMED = frozenset({"dm", "m", "k", "open", "preliminary", "semi", "final", "league", "theme"})


def _key(paragraph: str) -> str:
    return paragraph.replace(".", "_").replace(" ", "_")


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

    def by(self, right: Right) -> str:
        """Which rule opens the class."""
        return self.words(f"access.by.{_key(right.paragraph)}")

    def against(self, bar: ClassExclusion) -> str:
        """Which rule closes the class."""
        return self.words(f"access.against.{_key(bar.paragraph)}")

    def rests(self, numbers: tuple[int, ...], record: tuple[Participation, ...]) -> str:
        """The names of the results that a rule is based on; "" for a rating."""
        names = [one.name for one in record if one.result.number in numbers]
        return self("classes.rests", results=", ".join(names)) if names else ""

    def score(self, one: Participation) -> str:
        """«4½ af 6»."""
        score = one.result.score
        return self("classes.score", points=points(score.points), games=score.games)

    def faults(self, view: EntryView, *, for_official: bool = False) -> tuple[str, ...]:
        """What an entry still lacks, with paragraphs; for the player also what to do about it."""
        if view.judged is None:
            return ()
        closed = closed_by(read_wish(view.row.event, view.row.wish), view.judged.answer)
        say = missing_text if for_official else fault_text
        return tuple(say(fault, closed, self.words) for fault in view.judged.faults)

    def refused(self, refusal: EntryRefusal) -> tuple[str, ...]:
        """Each reason for a refusal."""
        return refusal_lines(refusal, self.words)

    def waits(self, view: EntryView) -> str:
        if view.judged is None:
            return ""
        said = [self(f"wait.{wait.value}") for wait in view.judged.waits]
        if len(view.judged.waits) < len(view.judged.faults):
            said.append(self("wait.nothing"))
        return ", ".join(said)

    def is_for_person(self, view: EntryView) -> bool:
        """Whether the entry needs a person's decision, not just the fee."""
        return view.judged is not None and EntryWait.DECISION in view.judged.waits

    def wants_proof(self, view: EntryView) -> bool:
        """Whether the leader must confirm having seen the proof of the right (§ 6.5.3.2 b-d)."""
        return view.judged is not None and EntryWait.PROOF in view.judged.waits

    def wants_number(self, view: EntryView) -> bool:
        """Whether the membership number must be confirmed (§ 6.4.4.1)."""
        return view.judged is not None and EntryWait.NUMBER in view.judged.waits

    def pays(self, view: EntryView, of: ListView) -> tuple[str, ...]:
        """The fee that an entry waits for, and how it is paid; empty if it waits for none."""
        if view.judged is None or EntryWait.FEE not in view.judged.waits or not of.row.fee:
            return ()
        how = write_payment_line(of.row.how_to_pay, leader(of.leader), self.words)
        return self("fee", fee=self.money(of.row.fee)), how

    def day(self, iso: str) -> str:
        return self.words.day(date.fromisoformat(iso))


def points(value: Fraction) -> str:
    """A score in chess notation: 4½."""
    whole, half = divmod(int(value * 2), 2)
    return f"{whole or ''}½" if half else str(whole)


# The fields of an entry form, parsed and kept as typed (§ 6.4.4.1). Not for entering.

FIELDS = (
    "list",
    "member",
    "club",
    "born",
    "otb_rating",
    "k_rating",
    "proof",
    "fee",
    "email",
    "key",
    "address",
)
TICKS = ("asks", "second")
HIGHEST_RATING = 4000
LINES = ("member", "club")
LONGEST = {"member": 40, "club": 120, "proof": 4000}


@dataclass(frozen=True, slots=True)
class EntryForm:
    """What was typed. Empty fields are ''."""

    fields: dict[str, str]

    @staticmethod
    def of(form: Form | None) -> "EntryForm":
        """From a submitted form, or empty."""
        if form is None:
            return EntryForm(dict.fromkeys((*FIELDS, *TICKS), ""))
        return EntryForm({name: form.typed(name) for name in (*FIELDS, *TICKS)})

    @staticmethod
    def told(stated: EntryStatement, address: str) -> "EntryForm":
        """Prefilled with what the player stated last time, except the proof, and his address."""
        empty = EntryForm.of(None).fields
        return EntryForm(
            empty
            | {
                "address": address,
                "member": stated.member or "",
                "club": stated.club or "",
                "born": stated.born.isoformat() if stated.born else "",
                "otb_rating": "" if stated.otb_rating is None else str(stated.otb_rating),
                "k_rating": "" if stated.k_rating is None else str(stated.k_rating),
            }
        )

    def problem(self, today: date) -> tuple[str, str] | None:
        """The first field that can't be parsed, and the key of the reason; None if all can."""
        got = self.fields
        if not _is_number(got["list"]):
            return "list", "bad_list"
        for name in ("born", "fee"):
            if got[name] and _day(got[name]) is None:
                return name, "bad_date"
        born = _day(got["born"])
        if born is not None and not is_birth(born, today):
            return "born", "bad_born"
        for name in ("otb_rating", "k_rating"):
            if got[name] and not _is_rating(got[name]):
                return name, "bad_rating"
        for name, most in LONGEST.items():
            if len(got[name]) > most:
                raise TooLong(name, len(got[name]), most)
        return next(((n, "bad_line") for n in LINES if not got[n].isprintable()), None)

    @property
    def list_id(self) -> int:
        """The list; raises ValueError when none was chosen."""
        return int(self.fields["list"])

    @property
    def fee(self) -> date | None:
        return _day(self.fields["fee"])

    def stated(self) -> EntryStatement:
        got = self.fields
        return EntryStatement(
            member=got["member"] or None,
            club=got["club"] or None,
            born=_day(got["born"]),
            otb_rating=int(got["otb_rating"]) if got["otb_rating"] else None,
            k_rating=int(got["k_rating"]) if got["k_rating"] else None,
            proof=got["proof"],
        )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def _is_rating(text: str) -> bool:
    return _is_number(text) and int(text) <= HIGHEST_RATING


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


# The player's entry page: open classes and why, his entries, the form (§ 6.4.4, § 6.5.3.2).

_NOTICES = {"taken": "enter.taken", "back": "enter.back"}


def load_entry_words(request: web.Request) -> EntryWords:
    """The entry texts in the reader's language."""
    return EntryWords(get_words(request).words)


@read_only_page
async def show(request: web.Request) -> web.Response:
    """Everything; without sign-in, the open lists and how to enter."""
    person = viewer(request)
    if person is None:
        lists = await views.lists_view(core(request))
        return page(request, "entries/index.html", e=load_entry_words(request), lists=lists)
    return await _enter_page(request, person)


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Enter, or give every reason for refusal with its paragraph, storing nothing."""
    person = signed_in(request)
    typed = EntryForm.of(await form_of(request))
    e = load_entry_words(request)
    problem = typed.problem(core(request).today(core(request).settings.clock.zone))
    if problem is not None:
        raise FormFault(problem[0], e(f"enter.{problem[1]}"))
    got = typed.fields
    asked = EntryRequest(
        typed.list_id,
        typed.stated(),
        asks=bool(got["asks"]),
        is_second=bool(got["second"]),
        key=got["key"][:80] or None,
        address=got["address"],
    )
    try:
        done = await enter(core(request), person, asked)
    except NoSuch:
        raise FormFault("list", e("enter.bad_list")) from None
    if isinstance(done, EntryRefusal):
        return await _enter_page(request, person, typed, e.refused(done))
    raise web.HTTPSeeOther("/enter?done=taken#own")


async def withdraw(request: web.Request) -> web.Response:
    """Withdraw an entry before it becomes a place."""
    person = signed_in(request)
    entry_id = int(request.match_info["entry"])
    try:
        done = await entry_actions.withdraw(core(request), person, entry_id)
    except (NoSuch, NotAllowed):
        raise web.HTTPNotFound from None
    if isinstance(done, EntryRefusal):
        lines = load_entry_words(request).refused(done)
        return await _enter_page(request, person, None, lines)
    raise web.HTTPSeeOther("/enter?done=back#own")


async def _enter_page(
    request: web.Request,
    person: PersonRow,
    sent: EntryForm | None = None,
    problems: tuple[str, ...] = (),
) -> web.Response:
    e = load_entry_words(request)
    view = await views.classes_view(core(request), person, person.id)
    typed = sent or EntryForm.told(view.told, await scans.own(core(request), person))
    own = await views.entries_of(core(request), person.id)
    on = {one.row.list_id for one in own}
    entered = await views.lists_view(core(request), only_open=False, ids=on)
    key = _NOTICES.get(request.query.get("done", ""))
    return page(
        request,
        "entries/entry.html",
        status=PROBLEM_STATUS if problems else 200,
        e=e,
        view=view,
        lists=await views.lists_view(core(request)),
        own=own,
        lists_of={one.row.id: one for one in entered},
        has_club=await enters_for_clubs(core(request), person),
        typed=typed.fields,
        problems=problems,
        notice=e(key) if key and not problems else "",
        key=typed.fields["key"] or new_key(),
    )
