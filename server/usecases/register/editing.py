"""Changing or adding one member by hand, with a recorded reason.

The same rules as for a file's line; an empty field clears its value. Not for files.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kskak.values.names import is_line
from server.store.engine.connection import AsyncConnection
from server.store.engine.errors import StoreConflict
from server.store.play import offices as office_rows
from server.store.play.people import PersonRow
from server.store.rating.calculations import ToldRow
from server.store.register import members as rows
from server.store.register import writing as writes
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch
from server.usecases.rating.computing import settle
from server.usecases.rating.effect import Moved, moved_by
from server.usecases.register import members_in
from server.usecases.register.cells import CLEAR
from server.usecases.register.csv_table import Row
from server.usecases.register.facts import FACTS, has_mail
from server.usecases.register.known import Clubs, People, Ratings
from server.usecases.register.members_in import Deed, Planner, Register
from server.usecases.register.new_address import tell
from server.usecases.register.reading import understand
from server.usecases.register.report import Doer, Fate, Line, Rules, Slip
from server.usecases.register.views import changing

RATINGS = ("k_rating", "k_status", "k_date", "k_source", "rating", "rating_date", "rating_source")
_KEPT = frozenset({"name", "kind", "lang"})
"""Fields that can't be emptied: left out, they stay."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A requested edit: ``cells`` as texts; a field that is not in it stays as it is.

    ``person_id`` None: a new member. ``take_email``: change the address although the player uses
    it. ``is_seen``: the editor has seen which groups a rating changes, and confirms it.
    ``ends_access``: a changed address ends sessions, tokens and passkeys.
    """

    person_id: int | None
    cells: Mapping[str, str]
    reason: str
    channel: str
    take_email: bool = False
    is_seen: bool = False
    ends_access: bool = False


@dataclass(frozen=True, slots=True)
class Edited:
    """The outcome; ``person_id`` None: nothing was written, ``line.slips`` say why.

    Or ``moves`` do: the groups that a rating would change, to be seen first (§ 4.5.4.1).
    """

    line: Line
    person_id: int | None
    moves: tuple[Moved, ...] = ()


def _row(edit: Edit) -> Row:
    """The form as a file's line."""
    named = {name: text.strip() for name, text in edit.cells.items()}
    cells = {
        name: CLEAR if not text and name in FACTS and name not in _KEPT else text
        for name, text in named.items()
        if name in FACTS or name in RATINGS
    }
    return Row(0, cells)


async def edit_member(core: Core, by: PersonRow, edit: Edit) -> Edited:
    """Change or add a member. Raises NotAllowed, NoSuch."""
    held = await changing(core, by)
    doer = Doer(by.id, edit.channel, edit.reason.strip(), held.is_admin)
    try:
        async with core.store.write() as conn:
            await writes.hold(conn)
            register = Register(
                People.of(await rows.everybody(conn)),
                Clubs.of(await rows.all_clubs(conn), await rows.all_districts(conn)),
                Ratings.of(
                    await rows.latest_ratings(conn),
                    (await rows.ratings_of(conn, edit.person_id or 0)).standing,
                ),
                await office_rows.in_office(conn, core.now_us),
                core.today(core.settings.clock.zone).isoformat(),
            )
            deed = await _planned(conn, register, doer, edit)
            if isinstance(deed, Line):
                return Edited(deed, None)
            moves = () if edit.is_seen else await _moves(conn, deed, core.now_us)
            if moves:
                return Edited(deed.line, None, moves)
            written = deed.line.fate is not Fate.UNCHANGED
            ids = await members_in.write(
                conn, [deed] if written else [], register.clubs, doer, core.now_us
            )
            await tell(conn, core, members_in.moved([deed]), ends_access=edit.ends_access)
    except StoreConflict:
        return Edited(_refused("swapped"), None)
    await settle(core, by.id)
    return Edited(deed.line, ids[0] if ids else edit.person_id)


async def _moves(conn: AsyncConnection, deed: Deed, now_us: int) -> tuple[Moved, ...]:
    """The groups whose calculation the ratings of a form change (§ 4.5.4.1)."""
    if deed.person is None:
        return ()
    of = deed.person.id
    new = [ToldRow(of, one.kind.value, one.day, one.value, now_us) for one in deed.ratings]
    return await moved_by(conn, new)


def _refused(code: str, field: str = "", value: str = "", hint: str = "") -> Line:
    return Line(0, "", Fate.REFUSED, slips=(Slip(code, field, value, hint),))


async def _planned(
    conn: AsyncConnection, register: Register, doer: Doer, edit: Edit
) -> Deed | Line:
    if not doer.reason or not is_line(doer.reason):
        return _refused("no_reason", "reason")
    if not edit.cells.get("name", "?").strip():
        return _refused("no_name", "name")
    planner = Planner(register, Rules(take_emails=edit.take_email), doer)
    if edit.person_id is None:
        deed = planner.line(Row(0, {n: t for n, t in _row(edit).cells.items() if t != CLEAR}))
        if isinstance(deed, Deed) and deed.person is not None:
            return _refused("exists", "name", deed.person.name, deed.person.number or "–")
        return deed
    person = await rows.find(conn, edit.person_id)
    if person is None:
        raise NoSuch("member")
    said = understand(_row(edit), register.today)
    if said.slips:
        return Line(0, person.name, Fate.REFUSED, slips=said.slips)
    deed = planner.deed(said, person, person.name)
    if isinstance(deed, Deed) and deed.line.notes:
        return Line(0, person.name, Fate.REFUSED, slips=deed.line.notes)
    if isinstance(deed, Deed) and not any(deed.facts[n] for n in ("number", "birth", "email")):
        return _refused("nameless", "number")
    return deed


def shown_cells(row: rows.MemberRow) -> dict[str, str]:
    """A member's facts as the form's initial values."""
    return {
        "number": row.number or "",
        "name": row.name,
        "email": row.email if has_mail(row.email) else "",
        "birth": row.birth or "",
        "kind": row.kind or "",
        "club": row.club or "",
        "district": row.district or "",
        "citizen": "" if row.citizen is None else ("ja" if row.citizen else "nej"),
        "since": row.since or "",
        "until": row.until or "",
        "lang": row.lang,
    }
