"""The case file of a game or a case: all that the Board needs, and how to check it (§ 6.2.3).

The same facts give the same octets: the time of making is not in it. Not for who may have it
(web, CLI) nor for the chain's text (chain_text.py).
"""

import hashlib
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kskak.archive.game_pgn import pgn
from kskak.ledger.ledger_out import JsonValue, clock_json, ledger_json
from kskak.regulation.quantities import Side
from kskak.statement.account import Account, account
from kskak.statement.iccf_table import iccf_table
from mail.outgoing.picture import png
from mail.text.explain import explain
from mail.text.facts import last_move
from mail.text.words import Words
from server.store.cases import cards as card_rows
from server.store.cases import file_contents
from server.store.cases.cards import CardRow
from server.store.cases.file_contents import CaseHead, CaseLine, Paper
from server.store.engine.types import from_us
from server.store.league.boards_taken_over import HandRow, hands
from server.store.play import games as game_rows
from server.store.play import quiet_thread
from server.store.play.games import GameRow
from server.store.play.people import PersonRow
from server.store.play.quiet_thread import QuietMessage
from server.usecases.cases.chain_text import CHAIN, case_chain_text, chain_text, verify_text
from server.usecases.cases.file_mails import Mails, Part, Reader, card_parts, dumped, mail_parts
from server.usecases.core.chained import links_of, starts_of
from server.usecases.core.context import Core
from server.usecases.core.offices import rights_in
from server.usecases.play.game_views import GameView, game_view
from server.usecases.play.transcripts import facts_of

SUMS = "SHA256SUMS"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The timestamp of every file in a zip, so that the octets do not depend on when it was made."""
_HIDDEN = "note"
"""The kind of papers that only officials read."""


class NoCase(ValueError):
    """There is no such game or case."""


async def may_have(core: Core, person: PersonRow, game: GameRow) -> bool:
    """True if an official may have a game's whole file; the Board where it judges (§ 6.4.3)."""
    async with core.store.read() as conn:
        held = await rights_in(conn, person, core.now_us)
    return held.may_watch(game.id, game.group_id)


@dataclass(frozen=True, slots=True)
class _Dispute:
    """A case with its events and papers."""

    head: CaseHead
    lines: tuple[CaseLine, ...]
    papers: tuple[Paper, ...]


@dataclass(frozen=True, slots=True)
class _Gathered:
    """Everything about one game."""

    view: GameView
    mails: Mails
    cards: tuple[CardRow, ...]
    disputes: tuple[_Dispute, ...]
    thread: tuple[QuietMessage, ...]
    hands: tuple[HandRow, ...]


async def _gather(core: Core, game_id: int) -> _Gathered:
    view = await game_view(core, game_id)
    if view is None:
        raise NoCase(str(game_id))
    async with core.store.read() as conn:
        mails = Mails(
            await file_contents.mails_in(conn, game_id),
            await file_contents.mails_out(conn, game_id),
            await file_contents.names(conn),
        )
        cards = await card_rows.of_game(conn, game_id)
        heads = await file_contents.cases_of(conn, game_id)
        thread = await conn.run_sync(quiet_thread.of_game, game_id)
        taken = await conn.run_sync(hands, [game_id])
    disputes = [await _dispute(core, head) for head in heads]
    return _Gathered(view, mails, cards, tuple(disputes), thread, taken)


async def _dispute(core: Core, head: CaseHead) -> _Dispute:
    async with core.store.read() as conn:
        lines = await file_contents.lines_of(conn, head.id)
        papers = await file_contents.papers_of(conn, head.id)
    return _Dispute(head, lines, papers)


async def file_of_game(core: Core, game_id: int, reader: Reader) -> tuple[Part, ...]:
    """A game's case file: names and octets, sorted. Raises NoCase."""
    found = await _gather(core, game_id)
    return _finished(_parts(found, reader), found.view.game.name, reader)


async def file_of(core: Core, name: str, reader: Reader) -> tuple[Part, ...]:
    """The file of a game, by id or name, or of a case, by its number. Raises NoCase."""
    async with core.store.read() as conn:
        game = await game_rows.by_name(conn, name)
        if game is None and name.isascii() and name.isdigit():
            game = await game_rows.load(conn, int(name[:18]))
        head = None if game is not None else await file_contents.case_by_number(conn, name)
    if game is not None:
        return await file_of_game(core, game.id, reader)
    if head is None:
        raise NoCase(name)
    parts: list[Part] = list(_case_parts(await _dispute(core, head), reader))
    for game_id in head.games:
        found = await _gather(core, game_id)
        folder = found.view.game.name.replace("/", "-")
        parts += [(f"{folder}/{path}", data) for path, data in _parts(found, reader)]
    return _finished(parts, name, reader)


def _parts(found: _Gathered, reader: Reader) -> Iterator[Part]:
    view, words = found.view, Words.load(reader.lang)
    told = account(view.game.terms, view.events)
    facts = facts_of(view.group.tournament, view.game, told, view.hands)
    yield "account.txt", _account_text(view, told, words).encode()
    yield "account.json", dumped(clock_json(told))
    yield "ledger.json", dumped(ledger_json(view.game.terms, view.events))
    yield "game.pgn", pgn(told, facts, with_dates=True).encode()
    yield "diagram.png", png(told.state.board, last_move(told), Side.WHITE)
    links = links_of(view.rows, view.messages.values())
    starts = starts_of(view.game, found.hands, view.rows)
    yield CHAIN, chain_text(view.game, links, starts).encode()
    yield "VERIFY.txt", verify_text(view.game, links, starts, words).encode()
    yield from mail_parts(found.mails, view.rows, reader)
    yield from card_parts(found.cards, found.mails.names)
    if view.messages:
        said = [(seq, one) for seq, one in sorted(view.messages.items())]
        names = found.mails.names
        yield (
            "messages.json",
            dumped([{"event": n, "by": names.get(m.author_id), "text": m.text} for n, m in said]),
        )
    if found.thread:
        yield "thread.json", dumped([_said(one, found.mails.names) for one in found.thread])
    for dispute in found.disputes:
        yield from _case_parts(dispute, reader)


def _said(one: QuietMessage, names: Mapping[int, str]) -> JsonValue:
    """A message without a move, as correspondence of the game (§ 6.2.3)."""
    at = from_us(one.at_us).isoformat()
    return {"at": at, "by": names.get(one.author_id), "text": one.text}


def _account_text(view: GameView, told: Account, words: Words) -> str:
    """The table of § 6.8.2 and every day explained, for the Board."""
    head = [
        f"{view.group.tournament}, {view.game.name}",
        f"{view.white.name} - {view.black.name}",
        words("casefile.leader", name=view.tl.name),
    ]
    return "\n".join([*head, "", iccf_table(told), "", *explain(told, words), ""])


def _case_parts(dispute: _Dispute, reader: Reader) -> Iterator[Part]:
    """A case's events with their chain, and its papers; decisions are among both."""
    reads_notes = reader.is_official and reader.person_id not in dispute.head.standing
    folder = "cases/" + dispute.head.number.replace("/", "-")
    yield f"{folder}/{CHAIN}", case_chain_text(dispute.head, dispute.lines).encode()
    for paper in dispute.papers:
        if paper.body is None or (paper.kind == _HIDDEN and not reads_notes):
            continue
        ending = _ENDINGS.get(paper.media_type.partition(";")[0], "txt")
        yield f"{folder}/papers/{paper.id}-{paper.kind}.{ending}", bytes(paper.body)


_ENDINGS = {
    "message/rfc822": "eml",
    "application/json": "json",
    "image/png": "png",
    "image/jpeg": "jpg",
    "application/pdf": "pdf",
}


def _finished(parts: Iterable[Part], name: str, reader: Reader) -> tuple[Part, ...]:
    """The parts with a table of contents and checksums, sorted by name."""
    words, files = Words.load(reader.lang), dict(parts)
    listed = "\n".join(f"  {path}" for path in sorted([*files, SUMS]))
    scope = words("casefile.whole" if reader.is_official else "casefile.partial")
    index = words("casefile.index", name=name, files=listed, scope=scope)
    files["INDEX.txt"] = (index + "\n").encode()
    sums = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(files.items())
    )
    files[SUMS] = sums.encode()
    return tuple(sorted(files.items()))


def as_zip(parts: Iterable[Part]) -> bytes:
    """The file as one zip, the same octets for the same parts."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in parts:
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def write_folder(parts: Iterable[Part], folder: Path) -> None:
    """Write the file to a new folder. Raises FileExistsError if it exists."""
    folder.mkdir(parents=True)
    for path, data in parts:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
