"""What the browser's tests add to the demonstration: an archive; and signing in without a mail.

Not for starting a server (conftest.py).
"""

from pathlib import Path

from kskak.archive.past_game import past_pgn
from server.app import RunningServer
from server.store.play import people as person_rows
from server.usecases.account import signin
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from server.usecases.context import Core
from server.web.frame.context import cookie_name
from tests.fakes.history import HEADER, past_game

PAST = (past_game(), past_game(day="1987-05-00", event="", moves=b""))


async def furnish(core: Core, folder: Path) -> None:
    """Past games and a final table, so that the archive has a page of each kind."""
    (folder / "old.pgn").write_text("\n".join(map(past_pgn, PAST)), encoding="utf-8")
    line = f"{PAST[0].event};K;2002-05-01;;{PAST[0].white.name};5;6;1\n"
    (folder / "k.csv").write_text(HEADER + line, encoding="utf-8")
    await import_past(core, sources([folder]), Watch(), dry_run=False)


async def signed_in(server: RunningServer, email: str) -> dict[str, str]:
    """The cookie of somebody who has followed the link of his mail."""
    async with server.core.store.read() as conn:
        person = await person_rows.by_email(conn, email)
    assert person is not None
    link = await signin.make_link(server.core, person.id)
    session = await signin.use_link(server.core, link.rpartition("/")[2])
    assert session is not None
    return {"name": cookie_name(server.core.settings), "value": session.secret}
