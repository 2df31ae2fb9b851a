"""Starting the groups of a cup's round: files, lots, games, start letters (§ 6.6.1.2, § 6.5.2.1).

All in the caller's transaction, with the code of ``kskak group start``. Each group's numbers are
drawn with the round's own seed and the group's name, so that one seed reproduces it all. Not
for who is in which group (rounds.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from kskak.cup.course import CupStage
from kskak.cup.refusals import CupProblem, CupRefusal
from kskak.entries.admission import start_faults
from kskak.entries.entry import CupEntry
from server.store.cup import rounds as cups
from server.store.cup.rounds import CupRow
from server.store.engine.connection import AsyncConnection
from server.store.groups import followed as live_groups
from server.store.groups import groups_and_seats as group_rows
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, today_of
from server.usecases.cup.facts import CupFacts
from server.usecases.entries.judging import knowledge, standing
from server.usecases.entries.next_group import next_name
from server.usecases.groups.group_file import GroupFile
from server.usecases.starts.start_group import StartedGroup, start_in

_MARK = {CupStage.SEMIFINAL: "S", CupStage.FINAL: "F"}


@dataclass(frozen=True, slots=True)
class Lot:
    """A round's start: the seed of its lots, its day, and whether everybody may follow it.

    If everybody could follow an earlier round, they may follow this one too.
    """

    seed: str
    start: date
    live: bool


async def start_groups(
    core: Core,
    conn: AsyncConnection,
    cup: CupRow,
    stage: CupStage,
    lot: Lot,
    groups: Sequence[Sequence[int]],
) -> tuple[StartedGroup, ...]:
    """Start a round's groups with these people.

    Raises GroupFileError or ValidationError if a group can't be made; then roll back everything.
    """
    taken = {row.name for row in await group_rows.everything(conn)}
    ids = {person for group in groups for person in group} | {cup.leader_id}
    people = await person_rows.by_ids(conn, sorted(ids))
    drawn = [one.group_id for one in await cups.groups_of(conn, cup.id)]
    before = bool(await live_groups.which_of(conn, drawn))
    started = []
    for group in groups:
        name = _name(cup, stage, taken, is_only=len(groups) == 1)
        taken.add(name)
        players = [people[person] for person in group]
        file = _file(core, cup, name, people[cup.leader_id], players, lot)
        file = file.model_copy(update={"live": lot.live or before})
        started.append(await start_in(core, conn, file))
    return tuple(started)


def _name(cup: CupRow, stage: CupStage, taken: set[str], *, is_only: bool) -> str:
    """P-26-01 and so on in the first round, P-26-S1 in the semi-final, P-26-F for the final."""
    if stage is CupStage.PRELIMINARY:
        return next_name(cup.prefix, taken)
    mark = _MARK[stage]
    if stage is CupStage.FINAL and is_only and f"{cup.prefix}-{mark}" not in taken:
        return f"{cup.prefix}-{mark}"
    number = 1
    while (name := f"{cup.prefix}-{mark}{number}") in taken:
        number += 1
    return name


def _file(
    core: Core,
    cup: CupRow,
    name: str,
    leader: PersonRow,
    players: Sequence[PersonRow],
    lot: Lot,
) -> GroupFile:
    """The group as its file would describe it."""
    return GroupFile.model_validate(
        {
            "tournament": cup.name,
            "class": "cup",
            "group": name,
            "regulation": cup.regulation,
            "start": lot.start,
            "tl": leader.email,
            "tl_name": leader.name,
            "players": [
                {"name": one.name, "email": one.email, "lang": one.lang} for one in players
            ],
            "seed": f"{lot.seed} {name}",
            "zone": core.settings.clock.zone,
        }
    )


async def added_people(
    core: Core, conn: AsyncConnection, facts: CupFacts, addresses: Sequence[str]
) -> tuple[int, ...] | CupRefusal:
    """The people behind the addresses, or which of them can't be added.

    Those who have played in the cup are in it already; others are checked for a quarantine and a
    non-member's second group (§ 6.4.2, § 6.1).
    """
    found = []
    for address in addresses:
        person = await person_rows.by_email(conn, address)
        if person is None:
            return CupRefusal(CupProblem.NO_PERSON, who=address)
        known = await knowledge(conn, person.id, today_of(core))
        assert known is not None
        alone = standing(known, CupEntry.SEMIFINAL, known.told, None)
        is_member = known.is_member(known.told)
        if person.id not in facts.people and start_faults(is_member, CupEntry.SEMIFINAL, alone):
            return CupRefusal(CupProblem.BARRED, who=person.name)
        found.append(person.id)
    return tuple(found)
