"""The game as a small PGN file, which cmail and Scid file under its name and answer (ADR 145).

All ASCII, since cmail knows no encodings. The opponent's address is the reply address of the
position, so a program's answer reaches the server. It must be given the file: a whole mail piped to
cmail is answered to the address in From, which has no key.
NOT for the PGN that people fetch: `kskak.archive.game_pgn`; nor for reading one: `mail.grammar`.
"""

import re
from collections.abc import Iterator

from kskak.archive.game_pgn import movetext, written
from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.outgoing.blocks import Attached
from mail.outgoing.envelope import Envelope, in_ascii
from mail.text.facts import Game

_NAME, _NAMELESS = "CmailGameName", "K-skak"
_NUMBER = re.compile(r" (?=\d+\.)")
"""Before a new move's number: cmail finds who is to move by the last line only."""


def record(
    game: Game, account: Account, reader: Side, envelope: Envelope, *, is_offered: bool = False
) -> Attached | None:
    """The game's file for a reader who can answer; ``is_offered``: with the opponent's offer."""
    if envelope.reply_to is None or account.state.result is not None:
        return None
    name = in_ascii(re.sub(r"[./ ]", "-", game.name)) or _NAMELESS
    head = written((*_tags(game, account, reader, envelope, envelope.reply_to), (_NAME, name)), ())
    offer = f"{{{reader.other.value.capitalize()} offers a draw}}" if is_offered else ""
    lines = (
        head.strip(),
        "",
        *filter(None, (_NUMBER.sub("\n", movetext(account)), offer)),
        "*",
        "",
    )
    return Attached(f"{name}.pgn", "\n".join(lines))


def _tags(
    game: Game, account: Account, reader: Side, envelope: Envelope, reply_to: str
) -> Iterator[tuple[str, str]]:
    """Event, Site and Mode word for word as the programs want them."""
    address = {reader: envelope.to, reader.other: reply_to}
    yield "Event", "Email correspondence game"
    yield "Site", "NET"
    yield "Date", f"{account.terms.start:%Y.%m.%d}"
    yield "Round", "-"
    for side in Side:
        yield side.value.capitalize(), in_ascii(game.player(side).name) or side.value.capitalize()
    yield "Result", "*"
    for side in Side:
        yield f"{side.value.capitalize()}NA", address[side]
    yield "Mode", "EM"
    if account.terms.fen is not None:
        yield from (("SetUp", "1"), ("FEN", account.terms.fen))
