"""Views of the cup: the list of cups, one cup with its rounds and what comes next (§ 6.6).

Read-only. Not for HTML or JSON, nor for the leader's choices (cup_rounds.py).
"""

from dataclasses import dataclass

from kskak.cup import CupQualification, CupStage, Seat, is_start_month
from kskak.groups.placing import Title
from server.store import cup as cup_rows
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store import player_entries as entry_rows
from server.store.cup import CupRow
from server.store.engine.connection import AsyncConnection
from server.store.group_results import TitleRow
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.store.player_entries import ListRow
from server.usecases.context import Core
from server.usecases.cup.cup_facts import (
    CupFacts,
    Prospect,
    cut_of,
    facts_in,
    next_stages,
    proposal,
    prospect,
)
from server.usecases.cup.cup_rounds import CupRoundRequest, start_of, strength_of
from server.usecases.rights import NoSuch, Rights, may_handle

Key = tuple[str, int]
"""A group's name and a person."""


@dataclass(frozen=True, slots=True)
class CupLine:
    """A cup in the list, with its winners."""

    row: CupRow
    winners: tuple[TitleRow, ...]


@dataclass(frozen=True, slots=True)
class CupView:
    """A cup: its rounds, the rounds that could be drawn now, the names behind the numbers."""

    facts: CupFacts
    leader: PersonRow
    next: tuple[CupStage, ...]
    prospects: tuple[Prospect, ...]
    names: dict[int, str]
    winners: tuple[TitleRow, ...]
    undrawn: tuple[str, ...] = ()
    """Groups of the cup's year that are running although nothing has been drawn here yet."""

    def gone_on(self, index: int) -> dict[Key, Seat]:
        """Who advanced from a round, or would by the rule: by group and person (§ 6.6.1.3)."""
        rounds = self.facts.rounds
        if index + 1 == len(rounds):
            seats = self.prospects[0].seats if self.prospects else ()
            return {(seat.group, int(seat.player)): seat for seat in seats if seat.group}
        names = {one.group.group_id: one.group.name for one in rounds[index].groups}
        found: dict[Key, Seat] = {}
        for place in rounds[index + 1].places:
            if place.from_group_id in names:
                group = names[place.from_group_id]
                seat = Seat(
                    str(place.person_id), CupQualification(place.way), group, place.from_place
                )
                found[group, place.person_id] = seat
        return found


@dataclass(frozen=True, slots=True)
class CupEntrant:
    """A valid entry to the first round with the strength it is dealt by (§ 6.6.1.2)."""

    person_id: int
    name: str
    strength: int
    is_rated: bool


@dataclass(frozen=True, slots=True)
class CupDesk:
    """A cup for its leader: entrants by strength, the groups' sizes, whom to consider adding.

    ``played`` are on the list of the semi-final although they played the first round.
    """

    view: CupView
    entrants: tuple[CupEntrant, ...]
    sizes: tuple[int, ...] | None
    proposed: tuple[int, ...]
    played: tuple[str, ...]
    is_in_season: bool
    may_draw: bool

    @property
    def proposed_names(self) -> tuple[str, ...]:
        """The first ten of them."""
        return tuple(self.view.names[person] for person in self.proposed[:10])


async def cup_list(core: Core) -> tuple[CupLine, ...]:
    """All cups, the newest first."""
    async with core.store.read() as conn:
        cups = await cup_rows.everything(conn)
        won = await result_rows.everything(conn, Title.CUP_CHAMPION.value)
    return tuple(
        CupLine(cup, tuple(row for row in won if row.edition == cup.edition)) for cup in cups
    )


async def trophy(core: Core) -> tuple[TitleRow, ...]:
    """The names on the trophy, the newest year first (§ 6.6.1.5)."""
    async with core.store.read() as conn:
        return await result_rows.everything(conn, Title.CUP_CHAMPION.value)


async def cup_view(core: Core, *, edition: int | None = None, cup_id: int | None = None) -> CupView:
    """A cup by its year or its id. Raises NoSuch."""
    async with core.store.read() as conn:
        row = None
        if edition is not None:
            row = await cup_rows.by_edition(conn, edition)
        elif cup_id is not None:
            row = await cup_rows.find(conn, cup_id)
        if row is None:
            raise NoSuch("cup")
        return await _view(conn, row)


async def _view(conn: AsyncConnection, row: CupRow) -> CupView:
    facts = await facts_in(conn, row)
    leader = await person_rows.find_person(conn, row.leader_id)
    assert leader is not None
    won = await result_rows.everything(conn, Title.CUP_CHAMPION.value)
    stages = next_stages(facts)
    later = [stage for stage in stages if stage is not CupStage.PRELIMINARY]
    names = {one.person_id: one.player for part in facts.rounds for one in part.places}
    names |= {one.person_id: one.player for one in (*facts.entered, *facts.direct)}
    return CupView(
        facts,
        leader,
        stages,
        tuple(prospect(facts, stage) for stage in later),
        names,
        tuple(one for one in won if one.edition == row.edition),
        () if facts.rounds else await group_rows.undrawn_cups(conn, row.edition),
    )


async def cup_desk(core: Core, held: Rights, cup_id: int) -> CupDesk:
    """A cup for its officials. Raises NoSuch for anybody else."""
    async with core.store.read() as conn:
        row = await cup_rows.find(conn, cup_id)
        if row is None or not (may_handle(held, row.list_id) or held.is_admin):
            raise NoSuch("cup")
        view = await _view(conn, row)
        entered = view.facts.entered if CupStage.PRELIMINARY in view.next else ()
        people = await person_rows.by_ids(conn, {one.person_id for one in entered})
    entrants = [
        CupEntrant(
            one.person_id,
            one.player,
            strength_of(one, people[one.person_id]),
            (people[one.person_id].k_rating or one.k_rating) is not None,
        )
        for one in entered
    ]
    newcomers = {one.id for one in view.facts.newcomers}
    taken = view.prospects[0].seats if view.prospects else ()
    start = start_of(core, CupRoundRequest(CupStage.PRELIMINARY))
    return CupDesk(
        view=view,
        entrants=tuple(sorted(entrants, key=lambda one: -one.strength)),
        sizes=cut_of(view.facts),
        proposed=proposal(view.facts, taken) if view.prospects else (),
        played=tuple(one.player for one in view.facts.direct if one.id not in newcomers),
        is_in_season=is_start_month(start.month),
        may_draw=may_handle(held, row.list_id) and held.person_id not in view.facts.people,
    )


@dataclass(frozen=True, slots=True)
class CupsDesk:
    """The cups that an official leads, and the lists that a new one may be opened on (§ 6.1.2)."""

    cups: tuple[CupLine, ...]
    lists: tuple[ListRow, ...]
    semi_lists: tuple[ListRow, ...]


async def cups_desk(core: Core, held: Rights) -> CupsDesk:
    """The leader's own cups; the controller and the administrator see all."""
    lines = await cup_list(core)
    async with core.store.read() as conn:
        lists = await entry_rows.everything(conn)
    used = {number for one in lines for number in (one.row.list_id, one.row.semi_list_id)}
    free = [one for one in lists if one.event == "cup" and one.id not in used]
    return CupsDesk(
        tuple(one for one in lines if may_handle(held, one.row.list_id) or held.is_admin),
        tuple(one for one in free if one.wish == CupStage.PRELIMINARY),
        tuple(one for one in free if one.wish == CupStage.SEMIFINAL),
    )
