"""Checking a group about to start against § 6.5, as the waiting list does, for files too.

Readings: the author of a file may break a paragraph on purpose by naming it with a reason, and both
stay in the group's record. Not for a running group that is taken over
(starts/takeover.py), nor for the numbers (kskak.entries.emt_groups).
"""

from collections.abc import Iterable
from datetime import date

from kskak.entries.emt import EmtClass
from kskak.entries.emt_groups import Planned, StartFault, is_double, start_faults
from server.store.groups.groups_and_seats import GroupRow
from server.usecases.groups.group_file import GroupFile, GroupFileError

_SLIPS = {
    StartFault.SIZE: "players: a group of the class has 7, the file has {players}",
    StartFault.ROUNDS: "double: everybody meets {times} here, write double = {double}",
    StartFault.POSITION: "fen: the class plays from the beginning, a given position is for theme",
    StartFault.MONTH: "start: the DM begins in September, write another day",
    StartFault.YEAR: "start: there is a DM of {year} already, write another year",
}


def as_judged(file: GroupFile, groups: Iterable[GroupRow]) -> GroupFile:
    """The file, with the rounds of § 6.5 filled in where it does not state them.

    Raises GroupFileError for a breach of § 6.5 that the file does not name, and for a paragraph
    that it names but does not break.
    """
    if file.group_class.value not in set(EmtClass):
        return file
    group_class = EmtClass(file.group_class.value)
    if "double" not in file.model_fields_set:
        double = is_double(group_class, len(file.players))
        file = file.model_copy(update={"double": double})
    planned = Planned(group_class, len(file.players), file.double, file.start, bool(file.fen))
    dms = [date.fromisoformat(row.start) for row in groups if row.class_ == EmtClass.DM]
    faults = start_faults(planned, dms)
    idle = [paragraph for paragraph in file.override if paragraph not in {of for _, of in faults}]
    if idle:
        raise GroupFileError(f"override: the group does not break § {idle[0]}, leave it out")
    for fault, paragraph in faults:
        if paragraph not in file.override:
            raise GroupFileError(_slip(fault, paragraph, planned))
    return file


def _slip(fault: StartFault, paragraph: str, planned: Planned) -> str:
    twice = is_double(planned.group_class, planned.players)
    said = _SLIPS[fault].format(
        players=planned.players,
        times="twice" if twice else "once",
        double=str(twice).lower(),
        year=planned.start.year,
    )
    return f'{said} (§ {paragraph}), or override = "{paragraph}" with an override_reason'
