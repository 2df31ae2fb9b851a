"""A register to import into: a core on a store, with clubs, and files given as texts."""

from dataclasses import dataclass
from datetime import date

from server.settings import settings_from
from server.store import members as member_rows
from server.store.engine.store import Store
from server.store.members import MemberRow
from server.usecases.context import Core
from server.usecases.games.writer import Writer
from server.usecases.register.csv_table import (
    RegisterEditor,
    RegisterImportReport,
    RegisterKind,
    RegisterLineOutcome,
    Rules,
)
from server.usecases.register.register_desk import export, import_file
from tests.fakes.federation import Scene, address
from tests.fakes.machinery.clock import FakeClock

CLUBS = """Klubnr;Klub;Hovedkreds
1001;Nordre Skakklub;1. hovedkreds
1002;Østerbro Skakforening;1. hovedkreds
2001;Ærø Skakklub;3. hovedkreds
"""
TODAY = date(2026, 11, 20)
OPERATOR = RegisterEditor(None, "command", "import: medlemmer.csv", may_readdress=True)


@dataclass
class Register(Scene):
    """The register under test."""

    core: Core

    async def take(
        self,
        text: str | bytes,
        what: RegisterKind = RegisterKind.MEMBERS,
        doer: RegisterEditor = OPERATOR,
        **rules: object,
    ) -> RegisterImportReport:
        """Import a file."""
        raw = text if isinstance(text, bytes) else text.encode()
        return await import_file(self.core, what, raw, doer, Rules(**rules))

    async def fates(self, text: str, **rules: object) -> list[str]:
        """What the lines of a file of members come to."""
        report = await self.take(text, **rules)
        assert report.fault is None, report.fault
        return [line.outcome.value for line in report.lines]

    async def problem(self, text: str, what: RegisterKind = RegisterKind.MEMBERS) -> str:
        """The code of the one thing that is wrong with a file's last line; nothing is written."""
        before = await self.everybody()
        report = await self.take(text, what)
        assert report.fault is None, report.fault
        assert not report.is_done
        assert await self.everybody() == before
        line = report.lines[-1]
        assert line.outcome is RegisterLineOutcome.REFUSED, line
        (problem,) = line.problems
        return problem.code

    async def everybody(self) -> dict[str, MemberRow]:
        """All people by name."""
        async with self.core.store.read() as conn:
            return {row.name: row for row in await member_rows.everybody(conn)}

    async def out(self, what: RegisterKind = RegisterKind.MEMBERS) -> str:
        """The register as a file."""
        return (await export(self.core, what)).decode("utf-8-sig")

    async def person(self, name: str, **more: object) -> int:
        """Somebody whom no file brought."""
        return (await self.admit(name, **({"email": address(name.split()[0])} | more))).id


async def open_register(store: Store) -> Register:
    """A register with three clubs and nobody in it."""
    core = Core(store, Writer(store), FakeClock(TODAY), settings_from({}), b"s" * 32)
    register = Register(core)
    assert (await register.take(CLUBS, RegisterKind.CLUBS)).is_done
    return register
