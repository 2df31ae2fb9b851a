"""A group's folder for a takeover: three players by post or e-mail, each game in its own way."""

import json
from datetime import date

from sqlalchemy import func, select

from kskak.ledger.ledger_files import FORMAT
from server.store.tables.base import events, games, groups, outbox, people
from server.usecases.starts.takeover import Takeover, import_group
from tests.fakes.world import World

ON = date(2026, 11, 2)
"""The day of the takeover."""
GROUP = """
tournament = "K-skak-EMT 2026"
class = "K"
group = "{name}"
regulation = "{regulation}"
start = 2026-09-01
tl = "tl@example.org"
tl_name = "T. Leder"
draw = false
claims = "{claims}"
[[players]]
name = "Anna Ager"
email = "anna@example.dk"
[[players]]
name = "Bo Berg"
email = "bo@example.net"
lang = "en"
"""
THIRD = """
[[players]]
name = "C. Kaptajn"
email = "captain@example.org"
"""


def group_file(
    name: str = "K-26-07", *, regulation: str = "email", claims: str = "player", third: bool = False
) -> bytes:
    """The group file of Anna and Bo, and of the captain as the third."""
    text = GROUP.format(name=name, regulation=regulation, claims=claims)
    return (text + (THIRD if third else "")).encode()


def division_file() -> bytes:
    """A division of the league, otherwise as the group of Anna and Bo."""
    head = group_file().decode().partition("[[players]]")[0].replace('"K"', '"league"')
    boards = [f'{{ name = "Spiller {n}", email = "p{n}@example.org" }}' for n in range(8)]
    teams = [
        f'[[teams]]\nclub = "{club}"\ncaptain = "p{first}@example.org"\n'
        f"players = [{', '.join(boards[first : first + 4])}]\n"
        for club, first in (("Nord", 0), ("Syd", 4))
    ]
    return "\n".join([head, *teams]).encode()


def ledger(entries: list[dict[str, object]], **head: object) -> bytes:
    """A ledger of Anna against Bo."""
    document = {"format": FORMAT, "game": "vort parti", "regulation": "email"}
    document |= {"start": "2026-09-01", "white": "Anna Ager", "black": "Bo Berg", "fen": None}
    return json.dumps(document | head | {"entries": entries}).encode()


def move(by: str, text: str, sent: str, **more: object) -> dict[str, object]:
    """One move of a ledger."""
    return {"kind": "move", "by": by, "move": text, "sent": sent, **more}


PLAYED = [
    move("white", "5254", "2026-09-05"),
    move("black", "5755", "2026-09-12"),
    move("white", "7163", "2026-10-03"),
]
"""White has used 4 and 20 days, Black 6; Black has had the third move since 4 October."""
SHORT = """
white = "Bo Berg"
black = "C. Kaptajn"
moves = "1. e4 e5 2. Nf3 {a comment} 2836 3. Lb5"
sent = 2026-10-20
received = 2026-10-22
totals = { white = 21, black = 17 }
leave_used = { white = 7, black = 0 }
"""
UNBEGUN = """
white = "C. Kaptajn"
black = "Anna Ager"
not_started = true
"""


def three() -> dict[str, bytes]:
    """A whole folder: a ledger, a short file, a game in which nobody has moved."""
    return {
        "group.toml": group_file(third=True),
        "1.json": ledger(PLAYED),
        "2.toml": UNBEGUN.encode(),
        "3.toml": SHORT.encode(),
    }


def quiet(_: int, __: int) -> None:
    """Nobody is told how far it is."""


async def take_over(world: World, files: dict[str, bytes], *, dry_run: bool = False) -> Takeover:
    """Import the files; the first game becomes the world's."""
    done = await import_group(world.core, files, quiet, dry_run=dry_run)
    if done.group_id is not None:
        world.game = (await world.group_games(done.group_id))[0].id
        await world.pump()
    return done


def short(text: str = SHORT, **instead: str) -> bytes:
    """The short file with lines replaced; an empty text leaves the line out."""
    lines = []
    for line in text.strip().splitlines():
        name = line.partition(" ")[0]
        lines.append(instead.pop(name, line))
    return "\n".join([*lines, *instead.values()]).encode()


async def counts(world: World) -> list[int]:
    """Rows of every table that a takeover writes."""
    tables = (people, groups, games, events, outbox)
    async with world.core.store.read() as conn:
        queries = [select(func.count()).select_from(table) for table in tables]
        return [(await conn.execute(query)).scalar_one() for query in queries]
