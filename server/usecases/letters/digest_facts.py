"""The facts of a daily letter: what was passed on, and each game as it stands now.

Each move is told with the account as it then was; whether a game waits is asked of the ledger
when the letter is written, so that what was answered on the web meanwhile is not called open.
Not for which letters are told in it (digest.py) nor for words (mail.game_letters.digest).
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from mail.game_letters.digests import Digest, DigestGame, Passed
from mail.incoming.address import reply_address
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, game_facts, official, person
from server.usecases.core.letter_params import told_in
from server.usecases.core.reply_keys import Position, make_key

SETTINGS = "/settings/letters"


async def digest(core: Core, letter: OutboxRow, reader: PersonRow) -> Digest:
    """A reader's daily letter. Raises NoLetter when none of its games is there any more."""
    games = []
    for game_id, seqs in told_in(letter).items():
        try:
            games.append(await _game(core, letter, game_id, seqs))
        except NoLetter:
            continue
    if not games:
        raise NoLetter("nothing to tell")
    games.sort(key=_urgency)
    return Digest(person(reader), tuple(games), core.url(SETTINGS), official(core))


def _urgency(one: DigestGame) -> tuple[bool, date]:
    running = one.account.running
    flag_on = None if running is None else running.flag_on
    return one.reply_to is None, flag_on or date.max


async def _game(core: Core, letter: OutboxRow, game_id: int, seqs: Iterable[int]) -> DigestGame:
    async with core.store.read() as conn:
        row = await game_rows.load(conn, game_id)
    if row is None:
        raise NoLetter("no such game")
    now = await game_facts(core, replace(letter, game_id=game_id, seq=row.seq))
    passed = []
    for seq in seqs:
        then = await game_facts(core, replace(letter, game_id=game_id, seq=seq))
        dispatch = then.dispatch()
        if dispatch is not None:
            passed.append(Passed(dispatch, then.account, then.message))
    reply_to: str | None = None
    if now.state.to_move is now.side:
        position = Position(game_id, now.state.position.ply, now.side)
        settings = core.settings.mail
        reply_to = reply_address(settings.local, make_key(core.secret, position), settings.domain)
    return DigestGame(now.game, now.side, now.account, tuple(passed), reply_to)
