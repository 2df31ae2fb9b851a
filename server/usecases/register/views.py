"""Who sees what of the register: the list, one member, clubs (REGULATION, "Personal data").

Controller and administrator see and change all. Leaders see the list, and address and birth
date of the players of the groups that they lead and do not play in. The player sees his own.
Nobody else sees anything here.
"""

from dataclasses import dataclass

from server.store.play.people import PersonRow
from server.store.register import members as rows
from server.store.register.members import ChangeRow, ClubRow, MemberRow, RatingRow
from server.usecases.core.context import Core
from server.usecases.core.offices import NoSuch, NotAllowed, Rights, rights_in
from server.usecases.core.paging import pages_of

PAGE = 50
"""Members on a page of the list."""


def may_change(rights: Rights) -> bool:
    """Whether these rights allow changing, importing and exporting the register."""
    return rights.is_kc or rights.is_admin


def may_read(rights: Rights) -> bool:
    """Whether these rights allow looking somebody up."""
    return may_change(rights) or rights.leads_all or bool(rights.led)


@dataclass(frozen=True, slots=True)
class MemberList:
    """A page of the members that match some words; ``contact``: those whose address is visible."""

    text: str
    page: int
    count: int
    rows: tuple[MemberRow, ...]
    contact: frozenset[int]
    may_change: bool

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return pages_of(self.count, PAGE)


@dataclass(frozen=True, slots=True)
class MemberView:
    """One member, as far as the viewer may see.

    ``ratings``: all of them, computed ones too; ``told``: those that people entered.
    """

    row: MemberRow
    ratings: tuple[RatingRow, ...]
    told: tuple[RatingRow, ...]
    changes: tuple[ChangeRow, ...]
    sees_contact: bool
    may_change: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class ClubLine:
    """A club on the list, with its number of members."""

    club: ClubRow
    members: int


async def member_list(core: Core, viewer: PersonRow, text: str = "", page: int = 1) -> MemberList:
    """Members by name. Raises NotAllowed."""
    text = "".join(char for char in text if char.isprintable())
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        if not may_read(held):
            raise NotAllowed
        count, found = await rows.search(conn, text, (max(page, 1) - 1) * PAGE, PAGE)
        ids = [row.id for row in found]
        contact = frozenset(ids)
        if not may_change(held):
            groups = None if held.leads_all else sorted(held.led - held.barred)
            contact = await rows.seated(conn, ids, groups)
    return MemberList(text, max(page, 1), count, found, contact, may_change(held))


async def member_view(
    core: Core, viewer: PersonRow, person_id: int, *, by_case: bool = False
) -> MemberView:
    """One person's data. Raises NotAllowed for all but officials and the person, NoSuch.

    ``by_case``: the viewer sits on the Board, and the person is a party in one of its cases.
    """
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
        is_own = viewer.id == person_id
        if not (is_own or by_case or may_read(held)):
            raise NotAllowed
        row = await rows.find(conn, person_id)
        if row is None:
            raise NoSuch("member")
        sees = is_own or may_change(held)
        if not sees:
            groups = None if held.leads_all else sorted(held.led - held.barred)
            sees = bool(await rows.seated(conn, [person_id], groups))
        ratings = await rows.ratings_of(conn, person_id)
        is_full = is_own or may_change(held)
        changes = await rows.changes_of(conn, person_id) if is_full else ()
    return MemberView(row, ratings.standing, ratings.told, changes, sees, may_change(held), is_own)


async def club_list(core: Core, viewer: PersonRow) -> tuple[ClubLine, ...]:
    """The clubs by name. Raises NotAllowed."""
    async with core.store.read() as conn:
        if not may_read(await rights_in(conn, viewer, core.now_us)):
            raise NotAllowed
        counts = await rows.member_counts(conn)
        return tuple(ClubLine(c, counts.get(c.id, 0)) for c in await rows.all_clubs(conn))


async def changing(core: Core, viewer: PersonRow) -> Rights:
    """The viewer's rights, if they allow changing the register. Raises NotAllowed if not."""
    async with core.store.read() as conn:
        held = await rights_in(conn, viewer, core.now_us)
    if not may_change(held):
        raise NotAllowed
    return held
