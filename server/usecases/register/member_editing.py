"""Changing or adding one member by hand, with a recorded reason.

The same rules as for a file's line; an empty field clears its value. Not for files.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kskak.values import is_line
from server.store import members as member_rows
from server.store import register as register_rows
from server.store.engine.connection import AsyncConnection, StoreConflict
from server.store.members import MemberRow, RatingKind, RatingRow
from server.store.play.people import PersonRow
from server.store.rating import ToldRow
from server.usecases.context import Core
from server.usecases.rating.computing import RecalculatedGroup, moved_by, recompute_after_changes
from server.usecases.register import member_import as members_in
from server.usecases.register.csv_table import (
    CLEAR,
    CsvLine,
    FieldChange,
    ImportProblem,
    RegisterEditor,
    RegisterLine,
    RegisterLineOutcome,
    Rules,
    Value,
    token,
    understand,
)
from server.usecases.register.member_facts import (
    FACTS,
    RATED,
    read_member_facts,
    write_address_letters,
)
from server.usecases.register.member_import import (
    LineAction,
    MemberPlanner,
    Register,
    change_of,
    refused_line,
)
from server.usecases.register.register_views import require_change_rights
from server.usecases.rights import NoSuch

RATINGS = ("k_rating", "k_status", "k_date", "k_source", "rating", "rating_date", "rating_source")
_KEPT = frozenset({"name", "kind", "lang"})
"""Fields that can't be emptied: left out, they stay."""


@dataclass(frozen=True, slots=True)
class MemberEditRequest:
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
class MemberEditOutcome:
    """The outcome; ``person_id`` None: nothing was written, ``line.problems`` say why.

    Or ``moves`` do: the groups that a rating would change, to be seen first (§ 4.5.4.1).
    """

    line: RegisterLine
    person_id: int | None
    moves: tuple[RecalculatedGroup, ...] = ()


def _row(edit: MemberEditRequest) -> CsvLine:
    """The form as a file's line."""
    named = {name: text.strip() for name, text in edit.cells.items()}
    cells = {
        name: CLEAR if not text and name in FACTS and name not in _KEPT else text
        for name, text in named.items()
        if name in FACTS or name in RATINGS
    }
    return CsvLine(0, cells)


async def edit_member(core: Core, by: PersonRow, edit: MemberEditRequest) -> MemberEditOutcome:
    """Change or add a member. Raises NotAllowed, NoSuch."""
    held = await require_change_rights(core, by)
    doer = RegisterEditor(by.id, edit.channel, edit.reason.strip(), held.is_admin)
    try:
        async with core.store.write() as conn:
            await register_rows.hold(conn)
            stored, _ = await member_rows.ratings_of(conn, edit.person_id or 0)
            register = await members_in.read_register(core, conn, stored)
            deed = await _planned(conn, register, doer, edit)
            if isinstance(deed, RegisterLine):
                return MemberEditOutcome(deed, None)
            moves = () if edit.is_seen else await _moves(conn, deed, core.now_us)
            if moves:
                return MemberEditOutcome(deed.line, None, moves)
            written = deed.line.fate is not RegisterLineOutcome.UNCHANGED
            ids = await members_in.write_members(
                conn, [deed] if written else [], register.clubs, doer, core.now_us
            )
            await write_address_letters(
                conn, core, members_in.list_email_changes([deed]), ends_access=edit.ends_access
            )
    except StoreConflict:
        return MemberEditOutcome(_refused("swapped"), None)
    await recompute_after_changes(core, by.id)
    return MemberEditOutcome(deed.line, ids[0] if ids else edit.person_id)


async def _moves(
    conn: AsyncConnection, deed: LineAction[MemberRow], now_us: int
) -> tuple[RecalculatedGroup, ...]:
    """The groups whose calculation the ratings of a form change (§ 4.5.4.1)."""
    if deed.row is None:
        return ()
    of = deed.row.id
    rows = (one.row for one in deed.ratings)
    new = [ToldRow(of, row.kind, row.on_day, row.value, now_us) for row in rows]
    return await moved_by(conn, new)


def _refused(code: str, field: str = "", value: str = "", hint: str = "") -> RegisterLine:
    return refused_line(0, "", ImportProblem(code, field, value, hint))


async def _planned(
    conn: AsyncConnection, register: Register, doer: RegisterEditor, edit: MemberEditRequest
) -> LineAction[MemberRow] | RegisterLine:
    if not doer.reason or not is_line(doer.reason):
        return _refused("no_reason", "reason")
    if not edit.cells.get("name", "?").strip():
        return _refused("no_name", "name")
    planner = MemberPlanner(register, Rules(take_emails=edit.take_email), doer)
    if edit.person_id is None:
        deed = planner.line(CsvLine(0, {n: t for n, t in _row(edit).cells.items() if t != CLEAR}))
        if isinstance(deed, LineAction) and deed.row is not None:
            return _refused("exists", "name", deed.row.name, deed.row.number or "–")
        return deed
    person = await member_rows.find_member(conn, edit.person_id)
    if person is None:
        raise NoSuch("member")
    said = understand(_row(edit), register.today)
    if said.problems:
        return refused_line(0, person.name, *said.problems)
    deed = planner.deed(said, person, person.name)
    if isinstance(deed, LineAction) and deed.line.notes:
        return refused_line(0, person.name, *deed.line.notes)
    if isinstance(deed, LineAction) and not any(
        deed.facts[n] for n in ("number", "birth", "email")
    ):
        return _refused("nameless", "number")
    return deed


def write_form_cells(row: MemberRow) -> dict[str, str]:
    """A member's facts as the form's initial values."""
    facts = read_member_facts(row)
    citizen = {None: "", True: "ja", False: "nej"}[row.citizen]
    return {name: str(value or "") for name, value in facts.items()} | {"citizen": citizen}


# Removing a rating that should not be in the register, with a recorded reason (§ 6.4.4).


@dataclass(frozen=True, slots=True)
class Removal:
    """Which rating is to go, and why; ``on``: its ISO day; ``is_seen``: as for an edit."""

    person_id: int
    kind: RatingKind
    on: str
    reason: str
    channel: str
    is_seen: bool = False


async def remove_rating(
    core: Core, by: PersonRow, asked: Removal
) -> ImportProblem | tuple[RecalculatedGroup, ...] | None:
    """Remove a rating that people entered; else the problem, or the groups it would change.

    What rested on it is recalculated (§ 4.5.4.1). Raises NotAllowed, and NoSuch where nothing was
    entered for that day.
    """
    await require_change_rights(core, by)
    reason = asked.reason.strip()
    if not reason or not is_line(reason):
        return ImportProblem("no_reason", "reason")
    async with core.store.write() as conn:
        await register_rows.hold(conn)
        _, told = await member_rows.ratings_of(conn, asked.person_id)
        found = [row for row in told if (row.kind, row.on_day) == (asked.kind.value, asked.on)]
        if not found:
            raise NoSuch("rating")
        (gone,) = found
        key = (asked.person_id, asked.kind.value, asked.on)
        moves = () if asked.is_seen else await moved_by(conn, (), [key])
        if moves:
            return moves
        await register_rows.remove_rating(conn, asked.person_id, asked.kind.value, asked.on)
        doer = RegisterEditor(by.id, asked.channel, reason)
        change = change_of(asked.person_id, _changes(asked.kind, gone), doer, core.now_us)
        await register_rows.put_changes(conn, [change])
    await recompute_after_changes(core, by.id)
    return None


def _changes(kind: RatingKind, gone: RatingRow) -> tuple[FieldChange, ...]:
    """Value, status, day and source, as they stood."""
    values: tuple[Value, ...] = (gone.value, gone.is_provisional, gone.on_day, gone.source)
    return tuple(
        FieldChange(name, token(value, name), None)
        for name, value in zip(RATED[kind], values, strict=True)
        if name
    )
