"""A federation for the page measurements: the demonstration's, with an archive.

Not for what is measured (pages.py).
"""

from pathlib import Path

from kskak.archive.past_game import PastGame, PastPlayer, pack_moves, past_pgn
from kskak.regulation.editions import Result
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from server.usecases.context import Core
from server.usecases.demo import PLAYERS, TL, Demo, fill
from server.usecases.groups.group_file import GroupFile, read_group_file
from server.usecases.register.csv_table import RegisterEditor, RegisterKind, Rules
from server.usecases.register.register_desk import import_file
from server.usecases.starts.start_group import start_group
from tools.bench.lines import lines

ARCHIVED = 200
MEMBERS = 150
GROUPS = 6
"""Groups beside the demonstration's, each of seven members, with the same leader."""
_PLIES = 60


async def furnish(core: Core, folder: Path, groups: int = GROUPS) -> Demo:
    """Fill an empty database; ``folder`` keeps the archive's file."""
    made = await fill(core)
    await _members(core, groups)
    path = folder / "past.pgn"
    path.write_text("\n".join(map(past_pgn, map(_past, range(ARCHIVED)))), encoding="utf-8")
    await import_past(core, sources([path]), Watch(), dry_run=False)
    return made


async def _members(core: Core, groups: int) -> None:
    """A register and groups of the federation's real size."""
    lines = ["Medlemsnummer;Navn;E-mail;Fødselsdato;Dansk statsborger;K-rating;K-rating dato"]
    day = core.today(core.settings.clock.zone).isoformat()
    for n in range(MEMBERS):
        born = f"{1 + n % 28}-{1 + n % 12}-{1940 + n % 60}"
        lines.append(f"{6001 + n};Medlem {n};{_email(n)};{born};ja;{1400 + 5 * n};{day}")
    doer = RegisterEditor(None, "command", "medlemsliste", may_readdress=True)
    await import_file(core, RegisterKind.MEMBERS, "\n".join(lines).encode(), doer, Rules())
    for number in range(groups):
        await start_group(core, _group(number, day))


def _email(number: int) -> str:
    return f"medlem{number}@kskak.example"


def _group(number: int, start: str) -> GroupFile:
    tables = "\n".join(
        f'[[players]]\nname = "Medlem {n}"\nemail = "{_email(n)}"\n'
        for n in (one % MEMBERS for one in range(7 * number, 7 * number + 7))
    )
    return read_group_file(
        f'tournament = "K-skak {start[:4]}"\nclass = "K"\ngroup = "K-{number + 2:02}"\n'
        f'regulation = "email"\nstart = {start}\ntl = "{TL[0]}"\ntl_name = "{TL[1]}"\n'
        f'seed = "bench"\n{tables}'
    )


def _past(number: int) -> PastGame:
    """A game between two of the players, some years ago."""
    results = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
    white, black = PLAYERS[number % 8], PLAYERS[(number + 1 + number // 8 % 7) % 8]
    return PastGame(
        event=f"EMT {1990 + number // 20} K-{number % 20 // 4 + 1}",
        day=f"{1990 + number // 20}-05-{1 + number % 28:02}",
        white=PastPlayer(white[0]),
        black=PastPlayer(black[0]),
        result=results[number % 3],
        moves=pack_moves(list(lines(16, _PLIES)[number % 16].moves)),
        round=str(number),
    )
