"""The register's pages: members, files and clubs for officials; players and clubs for everybody;
asking to join, and the desk for that (§ 6.1).

The pages for asking say the same whether or not an address is registered. Opening the link changes
nothing, because programs open links; the button does.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from aiohttp import web

from kskak.regulation.days import local_day
from kskak.regulation.editions import Channel
from mail.office_letters.rulings import holding_text
from mail.text.catalogue import DEFAULT_LANGUAGE
from server.store import members as member_rows
from server.store.engine.rows import AnyRow, from_us
from server.store.members import MemberKind, MemberRow, RatingKind
from server.usecases import rights as offices
from server.usecases.archive.archive_views import read_person_past
from server.usecases.cases.sanctions import (
    PersonRecordKind,
    PersonRecordLine,
    own_records,
    person_record,
)
from server.usecases.people import all_clubs, club_view, player_list, player_view
from server.usecases.play.game_views import may_see
from server.usecases.postal import scans
from server.usecases.postal.scans import AddressTooLong
from server.usecases.rating.computing import RecalculatedGroup
from server.usecases.register import join_requests as joining
from server.usecases.register import register_desk
from server.usecases.register.csv_table import (
    FieldChange,
    ImportProblem,
    RegisterEditor,
    RegisterImportReport,
    RegisterKind,
    RegisterLine,
    RegisterLineOutcome,
    Rules,
    read_text,
)
from server.usecases.register.join_requests import Admission, Joining
from server.usecases.register.member_facts import FACTS, has_mail
from server.usecases.register.member_import import (
    RATINGS,
    MemberEditRequest,
    Removal,
    edit_member,
    remove_rating,
    write_form_cells,
)
from server.usecases.register.register_desk import (
    MemberView,
    club_list,
    export,
    import_file,
    member_list,
    member_view,
)
from server.usecases.rights import (
    NoSuch,
    NotAllowed,
    Rights,
    may_change_register,
    may_read_register,
    require_register_rights,
    rights,
)
from server.usecases.season import departures
from server.web.account.settings import sections
from server.web.archive import ArchiveWords
from server.web.board.board_view import curve_of
from server.web.cases.case_texts import load_case_words, record_lines
from server.web.cup import load_cup_words
from server.web.frame.context import (
    PageRoutes,
    Throttle,
    client_address,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.forms import (
    FILES,
    MOST_FILE,
    PROBLEM_STATUS,
    Form,
    FormFault,
    TooLong,
    add_field_fault,
    form_of,
    stands_on,
    too_long,
)
from server.web.frame.page_texts import SubjectWords
from server.web.frame.pages import page, table_response
from server.web.groups.group_pages import PublicWords
from server.web.league.league_pages import LeagueWords
from server.web.play.my_games import LONGEST as LONGEST_SEARCH
from server.web.play.my_games import read_number
from server.web.rating import load_rating_words

routes = PageRoutes()

# Texts of the register's pages: members, ratings, changes, import lines.


@dataclass(frozen=True, slots=True)
class RegisterWords(SubjectWords):
    """One language for the register's pages. ``zone`` applies to their days."""

    subject = "register"
    zone: str

    def day(self, iso: str | None) -> str:
        return "–" if iso is None else self.words.day(date.fromisoformat(iso))

    def at(self, us: int) -> str:
        """The day of an instant."""
        return self.words.day(local_day(from_us(us), self.zone))

    def changes(self, row: AnyRow) -> list[str]:
        """One change, field by field; empty when the member was added."""
        fields = [
            FieldChange(name, before, after) for name, before, after in json.loads(row.fields)
        ]
        return [register_desk.change_text(one, self.words) for one in fields]

    def happened(self, entry: PersonRecordLine) -> str:
        """What a line of a person's record is about; a quarantine with its last day."""
        if entry.what is PersonRecordKind.QUARANTINE:
            until = "endless" if entry.until is None else "quarantine"
            day = "" if entry.until is None else self.words.day(entry.until)
            return self(f"record.{until}", day=day)
        return self(f"record.{entry.what.value}")

    def email(self, row: MemberRow) -> str:
        """The member's e-mail address, or a dash."""
        return row.email if has_mail(row.email) else "–"

    def membership(self, row: MemberRow) -> str:
        """«Nordre Skakklub», «enkeltmedlem, 3. hovedkreds»."""
        if row.club:
            return row.club
        if row.kind is None:
            return "–"
        kind = register_desk.value_text("kind", row.kind, self.words)
        return f"{kind}, {row.district}" if row.district else kind


# The register's pages for officials: list, member, new member, clubs (§ 6.1, § 6.4.4).

LONGEST = 300
_EMPTY = {"kind": "club", "lang": DEFAULT_LANGUAGE}


def load_register_words(request: web.Request) -> RegisterWords:
    """The register's texts in the reader's language."""
    return RegisterWords(get_words(request).words, core(request).settings.clock.zone)


async def frame_values(request: web.Request) -> dict[str, object]:
    """Values for every page of the register; 404 for those who may not read it."""
    held = await offices.rights(core(request), signed_in(request))
    if not may_read_register(held):
        raise web.HTTPNotFound
    return _values(request, held)


def _values(request: web.Request, held: Rights) -> dict[str, object]:
    return {
        "rights": held,
        "d": load_case_words(request),
        "r": load_register_words(request),
        "worded": register_desk,
    }


@routes.get("/desk/members")
@read_only_page
async def show_members(request: web.Request) -> web.Response:
    """Search and list."""
    values = await frame_values(request)
    text, number = request.query.get("q", "")[:LONGEST].strip(), request.query.get("page", "1")
    wanted = int(number) if number.isascii() and number.isdigit() and len(number) < 7 else 1
    found = await member_list(core(request), signed_in(request), text, wanted)
    return page(request, "register/members.html", status=200, found=found, **values)


@routes.get("/desk/members/clubs")
async def clubs(request: web.Request) -> web.Response:
    """The clubs with their main districts."""
    values = await frame_values(request)
    values |= {"lines": await club_list(core(request), signed_in(request))}
    is_saved = "saved" in request.query
    return page(request, "register/members_clubs.html", status=200, saved=is_saved, **values)


async def _view(request: web.Request) -> MemberView:
    person_id = int(request.match_info["person"])
    try:
        return await member_view(core(request), signed_in(request), person_id)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None


@routes.get(r"/desk/members/{person:\d{1,18}}")
async def show(request: web.Request) -> web.Response:
    """One member with his ratings and record, and forms for those who may change them.

    The Board has no register, and sees this page of the parties in its cases.
    """
    held, view = await offices.rights(core(request), signed_in(request)), await _view(request)
    if view.is_own and not may_read_register(held):
        raise web.HTTPNotFound  # one's own data have a page of their own
    return await _member_page(request, view)


@routes.get("/desk/members/new")
async def new(request: web.Request) -> web.Response:
    """An empty form."""
    return await _member_page(request, None)


async def _member_page(
    request: web.Request,
    view: MemberView | None,
    problems: Sequence[ImportProblem] = (),
    moves: Sequence[RecalculatedGroup] = (),
) -> web.Response:
    """The page; what was typed stands in its form, with what is wrong or what it would move."""
    by = signed_in(request)
    held = await offices.rights(core(request), by)
    may = may_change_register(held)
    if view is None and not may:
        raise web.HTTPNotFound
    async with core(request).store.read() as conn:
        known = await member_rows.all_clubs(conn) if may else ()
        districts = await member_rows.all_districts(conn) if may else {}
    stands = dict(_EMPTY) if view is None else write_form_cells(view.row)
    # Its officials and the Board are shown his cases.
    record = None if view is None else await person_record(core(request), by, view.row.id)
    return page(
        request,
        "register/member.html",
        status=PROBLEM_STATUS if problems or moves else 200,
        view=view,
        record=record,
        holding_text=lambda one: holding_text(one, get_words(request).words),
        holdings=await departures.find_held(core(request), view.row.id) if may and view else (),
        may_list=may_read_register(held),
        moves=moves,
        may=may,
        problems=problems,
        got=dict.fromkeys((*FACTS, *RATINGS, "reason"), "") | stands,
        clubs=known,
        districts=tuple(districts),
        kinds=[(one, load_register_words(request)(f"value.{one}")) for one in MemberKind],
        saved="saved" in request.query,
        **_values(request, held),
    )


async def _save(request: web.Request, person_id: int | None) -> web.Response:
    form = await form_of(request)
    cells = {name: form.typed(name) for name in (*FACTS, *RATINGS) if name in form.fields}
    ticks = (form.is_ticked(name) for name in ("take_email", "seen", "ends_access"))
    reason = form.text("reason", LONGEST)
    edit = MemberEditRequest(person_id, cells, reason, Channel.WEB.value, *ticks)
    done = await edit_member(core(request), signed_in(request), edit)
    if done.person_id is None:
        view = None if person_id is None else await _view(request)
        return await _member_page(request, view, done.line.problems, done.moves)
    raise web.HTTPSeeOther(f"/desk/members/{done.person_id}?saved=1")


@routes.post(r"/desk/members/{person:\d{1,18}}")
@stands_on(show)
async def change(request: web.Request) -> web.Response:
    """Save the form, or show why not."""
    await frame_values(request)
    return await _save(request, int(request.match_info["person"]))


@routes.post(r"/desk/members/{person:\d{1,18}}/ratings/remove")
@stands_on(show)
async def remove(request: web.Request) -> web.Response:
    """Remove a rating from the register, or show why not; the field is «k 2026-11-20»."""
    await frame_values(request)
    form, person_id = await form_of(request), int(request.match_info["person"])
    kind, _, day = form.text("which", 20).partition(" ")
    if kind not in set(RatingKind):
        raise web.HTTPBadRequest
    reason = form.text("reason", LONGEST)
    asked = Removal(
        person_id, RatingKind(kind), day, reason, Channel.WEB.value, form.is_ticked("seen")
    )
    done = await remove_rating(core(request), signed_in(request), asked)
    if isinstance(done, ImportProblem):
        return await _member_page(request, await _view(request), (done,))
    if done is not None:
        return await _member_page(request, await _view(request), moves=done)
    raise web.HTTPSeeOther(f"/desk/members/{person_id}?saved=1")


@routes.post("/desk/members/new")
@stands_on(new)
async def add(request: web.Request) -> web.Response:
    """Add a new member, or show why not."""
    await frame_values(request)
    return await _save(request, None)


# Register files on the desk: upload, preview of changes, confirmation; and export.

MOST_LINES = 200
"""The most lines of a kind to show; the rest are counted."""
_ORDER = (RegisterLineOutcome.REFUSED, RegisterLineOutcome.CHANGED, RegisterLineOutcome.ADDED)


async def _editor(request: web.Request, name: str) -> RegisterEditor:
    """The importing person; 404 for those who may not import."""
    person = signed_in(request)
    try:
        held = await require_register_rights(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    return RegisterEditor(person.id, Channel.WEB.value, f"import: {name}"[:200], held.is_admin)


@routes.get(FILES)
async def show_files(request: web.Request) -> web.Response:
    """The upload form, and the exports."""
    await _editor(request, "")
    return await _page(request, None, "", Form({}))


async def _page(
    request: web.Request,
    report: RegisterImportReport | None,
    csv: str,
    form: Form,
    *,
    is_stale: bool = False,
) -> web.Response:
    groups: list[tuple[RegisterLineOutcome, list[RegisterLine], int]] = []
    for outcome in _ORDER if report is not None else ():
        lines = [line for line in report.lines if line.outcome is outcome] if report else []
        groups.append((outcome, lines[:MOST_LINES], max(0, len(lines) - MOST_LINES)))
    noted = [li for li in report.lines if li.notes][:MOST_LINES] if report else []
    can_go = report is not None and report.fault is None and not report.is_done
    return page(
        request,
        "register/members_files.html",
        status=PROBLEM_STATUS if report is not None and report.fault else 200,
        report=report,
        groups=groups,
        noted=noted,
        csv=csv,
        form=form,
        is_stale=is_stale,
        can_go=can_go
        and any(
            lines for outcome, lines, _ in groups if outcome is not RegisterLineOutcome.REFUSED
        ),
        whats=tuple(RegisterKind),
        **await frame_values(request),
    )


@routes.post(FILES)
async def take(request: web.Request) -> web.Response:
    """Step 1: what the file would change. Step 2: change it, if it still matches the preview."""
    form = await form_of(request)
    what = form.text("what", 10)
    if what not in set(RegisterKind):
        raise web.HTTPBadRequest
    csv, name = await _file(request, form)
    editor = await _editor(request, name)
    is_real = form.text("step", 10) == "do"
    digest = form.text("digest", 64) if is_real else ""
    rules = Rules(
        dry_run=not is_real,
        skip_bad=form.is_ticked("skip_bad"),
        take_emails=form.is_ticked("take_emails"),
        digest=digest,
    )
    raw = csv if isinstance(csv, bytes) else csv.encode("utf-8", "replace")
    report = await import_file(core(request), RegisterKind(what), raw, editor, rules)
    text = read_text(raw) if report.fault is None else ""
    kept = Form({**form.fields, "name": name})
    is_stale = is_real and not report.is_done and report.digest != digest
    return await _page(request, report, text, kept, is_stale=is_stale)


async def _file(request: web.Request, form: Form) -> tuple[bytes | str, str]:
    """The uploaded file, or its text resent with the confirmation; and its name."""
    sent = (await request.post()).get("file")
    if not isinstance(sent, web.FileField):
        return form.text("csv", MOST_FILE), form.text("name", 100)
    with sent.file as file:
        return file.read(), sent.filename[-100:]


@routes.get("/desk/members/{what:members|clubs|ratings}{empty:(?:-template)?}.{ending:csv|xlsx}")
async def export_register(request: web.Request) -> web.Response:
    """Export a register as a file, or a template of one."""
    await _editor(request, "")
    what, empty = RegisterKind(request.match_info["what"]), request.match_info["empty"]
    raw = await export(core(request), what, is_empty=bool(empty))
    return table_response(raw, f"{what.value}{empty}", request.match_info["ending"])


# A player's stored data: his postal address, which only he can change (§ 6.2.1, § 6.8.5).


@routes.get("/settings")
@read_only_page
async def show_own_address(request: web.Request) -> web.Response:
    """The form with the stored data."""
    me = signed_in(request)
    records = await own_records(core(request), me.id)
    return page(
        request,
        "register/own_address.html",
        records=record_lines(records, get_words(request).words),
        own=await member_view(core(request), me, me.id),
        r=load_register_words(request),
        worded=register_desk,
        text=await scans.own(core(request), me),
        is_done="done" in request.query,
        longest=scans.LONGEST,
        sections=sections(request),
    )


@routes.post("/settings")
@stands_on(show_own_address)
async def do(request: web.Request) -> web.Response:
    """Save the address, or say what is wrong with it."""
    person, form = signed_in(request), await form_of(request)
    text = form.text("address", 2 * scans.LONGEST)
    try:
        await scans.keep(core(request), person, text)
    except AddressTooLong:
        places = {"lines": scans.MOST_LINES, "characters": scans.LONGEST}
        raise FormFault("address", get_words(request).t("settings.too_long", **places)) from None
    raise web.HTTPSeeOther("/settings?done=1")


# Public pages of players and clubs, and their lists. Not for own games (play/my_games.py).


def load_public_words(request: web.Request) -> PublicWords:
    """The public pages' texts in the reader's language."""
    return PublicWords(get_words(request).words)


@routes.get(r"/players/{person:\d{1,18}}")
@read_only_page
async def player(request: web.Request) -> web.Response:
    """A player: club, ratings with curve, results, games including the archive's; no address.

    404 for those not named on any public page, except to officials and the player himself.
    """
    person_id = int(request.match_info["person"])
    view = or_404(await player_view(core(request), person_id, read_number(request, "page")))
    person = viewer(request)
    asks = person is not None and (bool(view.running) or not view.is_named)
    held = await rights(core(request), person) if person is not None and asks else None
    may_look = held is not None and (held.is_official or held.person_id == person_id)
    if not view.is_named and not may_look:  # who is only in the register
        raise web.HTTPNotFound
    today = core(request).today(core(request).settings.clock.zone)
    is_own = person is not None and person.id == person_id
    records = await own_records(core(request), person_id) if is_own else ()
    return page(
        request,
        "register/player.html",
        records=record_lines(records, get_words(request).words),
        c=load_cup_words(request),
        p=load_public_words(request),
        view=view,
        person=view.person,
        seen=frozenset(game.id for game in view.running if may_see(held, game, view.live)),
        r=load_rating_words(request),
        points=view.history.points,
        curve=curve_of(view.history.curve, today),
        past=await read_person_past(core(request), person_id),
        a=ArchiveWords(get_words(request).words),
    )


@routes.get("/players")
@read_only_page
async def players(request: web.Request) -> web.Response:
    """Current and past players by name, or those matching a search; a page at a time."""
    text = " ".join(request.query.get("q", "").split())
    is_long = len(text) > LONGEST_SEARCH
    if is_long:
        add_field_fault(request, "q", too_long(request, TooLong("q", len(text), LONGEST_SEARCH)))
    asked = "" if is_long else text
    found = await player_list(core(request), asked, read_number(request, "page"))
    return page(
        request,
        "register/players.html",
        p=load_public_words(request),
        found=found,
        asked=asked,
        typed=text,
    )


@routes.get("/clubs")
@read_only_page
async def clubs_players_and_clubs(request: web.Request) -> web.Response:
    """Every club that has players."""
    found = await all_clubs(core(request))
    return page(request, "register/clubs.html", p=load_public_words(request), clubs=found)


@routes.get(r"/clubs/{club:\d{1,18}}")
@read_only_page
async def club(request: web.Request) -> web.Response:
    """A club: its players with ratings, its teams with their results."""
    view = or_404(await club_view(core(request), int(request.match_info["club"])))
    lw = LeagueWords(get_words(request).words)
    return page(request, "register/club.html", p=load_public_words(request), lw=lw, view=view)


# Asking to join: the form, «look in your mail», the button that proves the address (§ 6.1).

MOST_JOINING = 40
"""Requests per client within the throttle's window: a club evening on one Wi-Fi fits in."""
THROTTLE = web.AppKey("join_throttle", Throttle)
TOO_OFTEN = 429
LINK_EXPIRED = 410
_LONGEST_EMAIL = 254


@routes.get("/join")
async def show_join_form(request: web.Request) -> web.Response:
    """The form; signed-in visitors are redirected, as they need none."""
    if viewer(request) is not None:
        raise web.HTTPSeeOther("/enter")
    return _form_page(request)


def _form_page(request: web.Request, problem: str = "", status: int = 200) -> web.Response:
    return page(
        request, "register/join.html", status=status, kinds=tuple(MemberKind), problem=problem
    )


def _read_form(request: web.Request, form: Form) -> Joining:
    return Joining(
        name=form.typed("name"),
        email=form.text("email", _LONGEST_EMAIL),
        lang=get_words(request).lang,
        born=form.day("born"),
        kind=form.typed("kind"),
        club=form.typed("club"),
        member=form.typed("member"),
        address=form.typed("address"),
    )


@routes.post("/join")
@stands_on(show_join_form)
async def ask(request: web.Request) -> web.Response:
    """Mail a link, or say which field is wrong."""
    asked = _read_form(request, await form_of(request))
    fault = joining.find_request_fault(core(request), asked)
    if fault is not None:
        raise FormFault(fault.value, get_words(request).words(f"join.fault.{fault.value}"))
    if not request.app[THROTTLE].allows(client_address(request), core(request).clock.now()):
        return _form_page(request, "too_often", TOO_OFTEN)
    await joining.ask_to_join(core(request), asked)
    raise web.HTTPSeeOther("/join/sent")


@routes.get("/join/sent")
async def show_sent(request: web.Request) -> web.Response:
    """What to do next; the same whatever happened with the address."""
    return page(request, "register/join_sent.html")


@routes.get("/join/{token:[A-Za-z0-9_-]{20,80}}")
async def link_page(request: web.Request) -> web.Response:
    """The request with a confirmation button, and afterwards its progress."""
    row = await joining.open_request(core(request), request.match_info["token"])
    if row is None:
        return page(request, "register/join_dead.html", status=LINK_EXPIRED)
    born = date.fromisoformat(row.birth) if row.birth else None
    return page(request, "register/join_confirm.html", row=row, born=born)


@routes.post("/join/{token:[A-Za-z0-9_-]{20,80}}")
async def confirm(request: web.Request) -> web.Response:
    """Confirm that the address belongs to the applicant."""
    row = await joining.confirm(core(request), request.match_info["token"])
    if row is None:
        return page(request, "register/join_dead.html", status=LINK_EXPIRED)
    raise web.HTTPSeeOther(request.path)


# The desk for join requests: the request, possible matches in the register, yes or no (§ 6.1).

DESK = "/desk/join"
_CELLS = ("name", "number", "birth", "kind", "club")
_NOTICES = frozenset({"admitted", "declined"})


@routes.get(DESK)
@read_only_page
async def show_join_desk(request: web.Request) -> web.Response:
    """The waiting requests."""
    return await _desk_page(request)


async def _desk_page(
    request: web.Request, problems: tuple[ImportProblem, ...] = (), of: int = 0
) -> web.Response:
    values = await frame_values(request)
    try:
        found = await joining.list_waiting_requests(core(request), signed_in(request))
    except NotAllowed:
        raise web.HTTPNotFound from None
    clubs = await core(request).store.query(member_rows.all_clubs)
    done = request.query.get("done", "")
    return page(
        request,
        "register/join_desk.html",
        status=PROBLEM_STATUS if problems else 200,
        found=found,
        cells=joining.new_cells,
        kinds=tuple(MemberKind),
        clubs=clubs,
        problems=problems,
        of=of,
        done=done if done in _NOTICES and not problems else "",
        **values,
    )


def _admission(request: web.Request, form: Form) -> Admission:
    """Admission as the member named by the button, or as a new one with the facts entered."""
    chosen = form.number("person")
    cells = {} if chosen is not None else {name: form.text(name, LONGEST) for name in _CELLS}
    return Admission(
        int(request.match_info["request"]),
        chosen,
        cells | ({} if chosen is not None else {"lang": form.text("lang", 2)}),
        get_words(request).words("join.desk.recorded"),
        form.is_ticked("take_email"),
    )


@routes.post(rf"{DESK}/{{request:\d{{1,18}}}}/admit")
@stands_on(show_join_desk)
async def admit(request: web.Request) -> web.Response:
    """Admit the person, or show the register's objections."""
    person, form = signed_in(request), await form_of(request)
    given = _admission(request, form)
    try:
        done = await joining.admit(core(request), person, given)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if isinstance(done, tuple):
        return await _desk_page(request, done, given.request_id)
    raise web.HTTPSeeOther(f"{DESK}?done={done.state}")


@routes.post(rf"{DESK}/{{request:\d{{1,18}}}}/decline")
@stands_on(show_join_desk)
async def decline(request: web.Request) -> web.Response:
    """Decline, with a reason that is sent to the person."""
    person, form = signed_in(request), await form_of(request)
    request_id = int(request.match_info["request"])
    reason = form.text("reason", LONGEST)
    try:
        done = await joining.decline(core(request), person, request_id, reason)
    except (NotAllowed, NoSuch):
        raise web.HTTPNotFound from None
    if done is None:
        raise FormFault("reason", get_words(request).words("join.desk.no_reason"))
    raise web.HTTPSeeOther(f"{DESK}?done={done.state}")
