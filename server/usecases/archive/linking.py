"""Links past players to the register: by number, or by a full name that only one member has.

Nothing is guessed: initials, a shared name or a number under another name stay unlinked, and what
is unclear is reported. Linked players' scores become past results, the basis of rights (§ 6.5.3.2).
"""

import difflib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from kskak.values.names import Name
from server.store.archive import final_tables as standing_rows
from server.store.archive import writing as rows
from server.store.engine.connection import AsyncConnection
from server.store.register import members as register
from server.store.register.members import MemberRow
from server.usecases.archive.report import MOST_KEPT, Report, Unclear
from server.usecases.core.context import Core
from server.usecases.register.known import SIMILAR
from server.usecases.register.report import Slip

_PORTION = 5000


class Linker:
    """The register, for looking up who somebody is."""

    def __init__(self, people: Iterable[MemberRow]) -> None:
        self._by_number: dict[str, list[MemberRow]] = defaultdict(list)
        self._by_name: dict[str, list[MemberRow]] = defaultdict(list)
        for row in people:
            if row.number:
                self._by_number["".join(row.number.split())].append(row)
            self._by_name[Name.of(row.name).key].append(row)

    @staticmethod
    async def of(conn: AsyncConnection) -> "Linker":
        """The register as it is now."""
        return Linker(await register.everybody(conn))

    def who(self, name: str, number: str) -> MemberRow | Slip | None:
        """The member; None when nobody matches; a slip when it is uncertain."""
        if number:
            return self._numbered(name, number)
        taken = Name.of(name)
        found = self._by_name.get(taken.key, [])
        if len(found) > 1:
            return Slip("ambiguous", value=name, hint=_names(found))
        is_full = bool(taken.given) and len(taken.given[0]) > 1
        return found[0] if found and is_full else None

    def _numbered(self, name: str, number: str) -> MemberRow | Slip:
        found = self._by_number.get(number, [])
        if len(found) != 1:
            code = "ambiguous" if found else "no_number"
            return Slip(code, value=number, hint=_names(found))
        row = found[0]
        told, known = Name.of(name), Name.of(row.name)
        likeness = difflib.SequenceMatcher(None, told.key, known.key).ratio()
        if not name or told.agrees(known) or likeness >= SIMILAR:
            return row
        return Slip("other_person", value=f"{name} ({number})", hint=row.name)


def _names(found: Iterable[MemberRow]) -> str:
    return "; ".join(f"{row.name} ({row.number or '–'})" for row in found)


async def link_all(
    core: Core,
    report: Report,
    new: Collection[rows.Spelled] = (),
    placed: Collection[rows.Spelled] = (),
) -> None:
    """Link the players the register knows, and turn their scores into past results.

    In a dry run nothing is written; ``new`` are players who were not saved, ``placed`` those who
    appear in final tables.
    """
    async with core.store.read() as conn:
        linker = await Linker.of(conn)
        unkept = sorted({*new, *placed} - await rows.known_players(conn, {*new, *placed}))
    numbered = dict(enumerate(unkept))
    _judge(linker, numbered, report, {n for n, who in numbered.items() if who in set(placed)})
    after = 0
    while True:
        async with core.store.read() as conn:
            some = await rows.unlinked(conn, after, _PORTION)
            listed = await rows.with_standings(conn, [player for player, _, _ in some])
        if not some:
            break
        after = some[-1][0]
        spelled = {player: (name, number) for player, name, number in some}
        links = _judge(linker, spelled, report, listed)
        if links and not report.dry_run:
            async with core.store.write() as conn:
                await rows.link(conn, links)
    if not report.dry_run:
        await _results(core, report)


def _judge(
    linker: Linker,
    players: Mapping[int, rows.Spelled],
    report: Report,
    listed: Collection[int],
) -> dict[int, int]:
    """Who is whom; reports the unclear ones, and strangers who appear in a final table."""
    links: dict[int, int] = {}
    for player, (name, number) in players.items():
        found = linker.who(name, number)
        if isinstance(found, MemberRow):
            links[player] = found.id
            continue
        report.strangers += 1
        if found is None and player in listed:
            found = Slip("nobody", value=name)
        if found is not None and len(report.unclear) < MOST_KEPT:
            report.unclear.append(Unclear(name, number, found))
    report.linked += len(links)
    return links


async def _results(core: Core, report: Report) -> None:
    async with core.store.write() as conn:
        await rows.hold(conn)
        for line in await standing_rows.waiting(conn):
            report.results += await standing_rows.to_result(conn, line, core.now_us)
