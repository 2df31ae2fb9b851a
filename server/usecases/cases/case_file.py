"""The case file of a game or a case: all that the Board needs, and how to check it (§ 6.2.3).

The same facts give the same octets: the time of making is not in it. Not for who may have it
(web, CLI) nor for the chain's text (below).
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kskak.archive.past_game import PgnFacts, pgn
from kskak.ledger.ledger_files import JsonObject, JsonValue, clock_json, ledger_json
from kskak.regulation.editions import Side
from kskak.statement.account import Account, account, iccf_table
from mail.outgoing.picture import png
from mail.text.catalogue import DEFAULT_LANGUAGE, Words
from mail.text.explanations import explain
from mail.text.letter_facts import last_move
from server.store.cases import cases as case_rows
from server.store.cases import papers as paper_rows
from server.store.cases.cases import CaseEventRow, CaseRow
from server.store.cases.papers import CardRow, PaperRow
from server.store.divisions import HandRow, list_board_players
from server.store.engine import chain
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import from_us
from server.store.mail.inbox import InboxRow
from server.store.mail.outbox import OutboxRow
from server.store.play import games as game_rows
from server.store.play import notes_and_messages as note_rows
from server.store.play.games import GameRow
from server.store.play.notes_and_messages import QuietMessage
from server.store.play.people import PersonRow
from server.usecases.context import Core
from server.usecases.games.case_opening import PRIVATE
from server.usecases.games.game_units import links_of, starts_of
from server.usecases.play.game_views import GameView, game_view, view_pgn_facts
from server.usecases.postal.scans import ENDING
from server.usecases.rights import rights_in

# The mails and cards of a case file, and what of them a party may see.

Part = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who gets the file; ``person_id`` None: the operator at the command line."""

    person_id: int | None
    is_official: bool
    lang: str = DEFAULT_LANGUAGE


def _at(us: int | None) -> str | None:
    return None if us is None else from_us(us).isoformat()


def dump_json(value: JsonValue) -> bytes:
    """JSON as written to a case file: the same octets for the same facts."""
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()


def mail_parts(found: "_Gathered", reader: Reader) -> Iterator[Part]:
    """The raw mails that the reader may see, and the record of all deliveries."""
    rows, names = found.view.rows, found.names
    events: dict[int | None, int] = {row.inbox_id: row.seq for row in rows}

    def is_his(mail: InboxRow | OutboxRow) -> bool:
        return reader.is_official or mail.person_id == reader.person_id

    came = [mail for mail in found.came if is_his(mail) or mail.id in events]
    for mail in came:
        if mail.raw and is_his(mail):
            yield f"mails/in/{mail.id}.eml", mail.raw
    for letter in found.went:
        if letter.raw and is_his(letter):
            yield f"mails/out/{letter.id}.eml", letter.raw
    records: JsonObject = {
        "in": [
            {
                "mail": mail.id,
                "received": _at(mail.received_us),
                "from": names.get(mail.person_id or 0),
                "outcome": mail.outcome or mail.state,
                "event": events.get(mail.id),
                "envelope_and_mail_sha256": bytes(mail.digest).hex(),
            }
            for mail in came
        ],
        "out": [_out_record(letter, names) for letter in found.went],
    }
    yield "mails/deliveries.json", dump_json(records)


def _out_record(letter: OutboxRow, names: dict[int, str]) -> JsonValue:
    return {
        "letter": letter.id,
        "kind": letter.kind,
        "to": names.get(letter.person_id or 0),
        "event": letter.seq,
        "written": _at(letter.created_us),
        "sent": _at(letter.sent_us),
        "state": letter.state,
        "attempts": letter.attempts,
        "error": letter.last_error,
        "sha256": None if letter.raw is None else hashlib.sha256(letter.raw).hexdigest(),
    }


def card_parts(cards: Sequence[CardRow], names: dict[int, str]) -> Iterator[Part]:
    """The pictures of the cards and who entered them (§ 6.3.2)."""
    records: list[JsonValue] = []
    for card in cards:
        digest = None if card.scan_digest is None else bytes(card.scan_digest).hex()
        file = None
        if card.scan is not None and card.scan_type is not None:
            file = f"cards/{card.seq}.{ENDING[card.scan_type]}"
            yield file, card.scan
        records.append(
            {
                "event": card.seq,
                "entered_by": names.get(card.entered_by),
                "entered": _at(card.at_us),
                "legible": card.is_legible,
                "note": card.note,
                "picture": file,
                "picture_sha256": digest,
            }
        )
    if records:
        yield "cards/cards.json", dump_json(records)


# The hash chain of a game or case as text, and how to check it without this program.

CHAIN = "chain.txt"
_TIGHT = (",", ":")
SNIPPET = """\
import hashlib

lines = open("chain.txt", encoding="utf-8").read().splitlines()
game, terms = lines[0].split(" ", 1)[1], lines[1].split(" ", 1)[1]
head = hashlib.sha256(f"{game}\\n{terms}".encode()).digest()
assert head.hex() == lines[2].split(" ", 1)[1], "the game's terms"
for line in lines[3:-1]:
    seq, at, said, about, body = line.split(" ", 4)
    text = f"{game}\\n{seq}\\n{at}\\n{body}" + ("" if about == "-" else f"\\n{about}")
    head = hashlib.sha256(head + text.encode()).digest()
    assert head.hex() == said, f"event {seq}"
assert head.hex() == lines[-1].split(" ", 1)[1], "the end"
print("the chain holds:", len(lines) - 4, "events")
"""
"""What somebody who trusts nobody can run next to the text file."""


def _lines(head: tuple[int, str, bytes], events: Iterable[chain.ChainLink], end: bytes) -> str:
    owner, terms, first = head
    lines, last = [f"game {owner}", f"terms {terms}", f"genesis {first.hex()}"], first
    for one in events:
        origin = chain.fits(last, owner, one) or "-"
        lines.append(f"{one.seq} {one.at_us} {one.hash.hex()} {origin} {one.body}")
        last = one.hash
    return "\n".join([*lines, f"head {bytes(end).hex()}"]) + "\n"


def _find_first_link(
    game: GameRow, links: tuple[chain.ChainLink, ...], starts: Iterable[chain.StartFacts]
) -> tuple[str, bytes]:
    """What the first link covers, and its hash."""
    facts = chain.beginning(game.id, game.terms, starts, links, (game.seq, bytes(game.head)))
    return chain.terms_text(game.terms, facts), chain.genesis(game.id, game.terms, facts)


def case_chain_text(case: CaseRow, rows: Sequence[CaseEventRow]) -> str:
    """A case's chain in the same form; «game» is the case's own number in the database."""
    terms = json.dumps({"case": case.number, "kind": case.kind}, sort_keys=True, separators=_TIGHT)
    first = chain.case_genesis(case.id, case.number, case.kind)
    end = rows[-1].hash if rows else first
    links = (
        chain.ChainLink(
            r.seq, r.at_us, r.body, bytes(r.hash), chain.about(r.actor_id, chain.CASE, None)
        )
        for r in rows
    )
    return _lines((case.id, terms, first), links, end)


def verify_text(
    game: GameRow,
    links: tuple[chain.ChainLink, ...],
    starts: Iterable[chain.StartFacts],
    words: Words,
) -> str:
    """How to check the chain step by step, with the first two steps filled in for this game."""
    terms, begun = _find_first_link(game, links, starts)
    first = begun.hex()
    steps = [
        words("casefile.verify_files"),
        "    sha256sum -c SHA256SUMS",
        words("casefile.verify_first"),
        f"    printf '%s\\n%s' '{game.id}' '{terms}' | sha256sum",
        f"    {first}",
    ]
    if links:
        row = links[0]
        covered = [game.id, row.seq, row.at_us, row.body, chain.fits(begun, game.id, row)]
        parts = [f"'{one}'" for one in covered if one]
        form = "\\n".join(["%s"] * len(parts))
        command = f"printf '{form}' {' '.join(parts)}"
        steps += [
            words("casefile.verify_next"),
            f"    (printf '{first}' | xxd -r -p; {command}) | sha256sum",
            f"    {row.hash.hex()}",
        ]
    steps += [words("casefile.verify_last"), words("casefile.verify_python")]
    code = "\n".join("    " + line if line else "" for line in SNIPPET.splitlines())
    return "\n\n".join([words("casefile.verify_title", game=game.name), *steps, code]) + "\n"


# The case file of a game or a case: all that the Board needs, and how to check it (§ 6.2.3).

SUMS = "SHA256SUMS"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The timestamp of every file in a zip, so that the octets do not depend on when it was made."""
_HIDDEN = "note"
"""The kind of papers that only officials read."""


class NoCase(ValueError):
    """There is no such game or case."""


async def may_have(core: Core, person: PersonRow, game: GameRow) -> bool:
    """True if an official may have a game's whole file; the Board where it judges (§ 6.4.3)."""
    held = await core.store.query(rights_in, person, core.now_us)
    return held.may_watch(game.id, game.group_id)


_Dispute = tuple[CaseRow, tuple[CaseEventRow, ...], tuple[PaperRow, ...]]
"""A case with its events and papers."""


@dataclass(frozen=True, slots=True)
class _Gathered:
    """Everything about one game: its mails and letters, cards, cases, words, and names by id."""

    view: GameView
    pgn_facts: PgnFacts
    came: tuple[InboxRow, ...]
    went: tuple[OutboxRow, ...]
    names: dict[int, str]
    cards: tuple[CardRow, ...]
    disputes: tuple[_Dispute, ...]
    thread: tuple[QuietMessage, ...]
    hands: tuple[HandRow, ...]


async def _gather(core: Core, game_id: int) -> _Gathered:
    view = await game_view(core, game_id)
    if view is None:
        raise NoCase(str(game_id))
    facts = await view_pgn_facts(core, view)
    async with core.store.read() as conn:
        return _Gathered(
            view,
            facts,
            await paper_rows.mails_in(conn, game_id),
            await paper_rows.mails_out(conn, game_id),
            await paper_rows.names(conn),
            await paper_rows.list_game_cards(conn, game_id),
            tuple([
                await _dispute(conn, case)
                for case in await case_rows.list_game_cases(conn, game_id)
            ]),
            await conn.run_sync(note_rows.thread_of_game, game_id),
            await conn.run_sync(list_board_players, [game_id]),
        )  # fmt: skip


async def _dispute(conn: AsyncConnection, case: CaseRow) -> _Dispute:
    events = await case_rows.list_events(conn, case.id)
    return case, events, await paper_rows.list_case_papers(conn, case.id, has_files=True)


async def file_of_game(core: Core, game_id: int, reader: Reader) -> tuple[Part, ...]:
    """A game's case file: names and octets, sorted. Raises NoCase."""
    found = await _gather(core, game_id)
    return _add_contents(_parts(found, reader), found.view.game.name, reader)


async def build_file(core: Core, name: str, reader: Reader) -> tuple[Part, ...]:
    """The file of a game, by id or name, or of a case, by its number. Raises NoCase."""
    async with core.store.read() as conn:
        game = await game_rows.by_name(conn, name)
        if game is None and name.isascii() and name.isdigit():
            game = await game_rows.load(conn, int(name[:18]))
        case = None if game is not None else await case_rows.by_number(conn, name)
        dispute = None if case is None else await _dispute(conn, case)
    if game is not None:
        return await file_of_game(core, game.id, reader)
    if case is None or dispute is None:
        raise NoCase(name)
    parts: list[Part] = list(_case_parts(dispute, reader))
    for game_id in case.games:
        found = await _gather(core, game_id)
        folder = found.view.game.name.replace("/", "-")
        parts += [(f"{folder}/{path}", data) for path, data in _parts(found, reader)]
    return _add_contents(parts, name, reader)


def _parts(found: _Gathered, reader: Reader) -> Iterator[Part]:
    view, words = found.view, Words.load(reader.lang)
    statement = account(view.game.terms, view.events)
    yield "account.txt", _account_text(view, statement, words).encode()
    yield "account.json", dump_json(clock_json(statement))
    yield "ledger.json", dump_json(ledger_json(view.game.terms, view.events))
    yield "game.pgn", pgn(statement, found.pgn_facts).encode()
    yield "diagram.png", png(statement.state.board, last_move(statement), Side.WHITE)
    links = links_of(view.rows, view.messages.values())
    starts = starts_of(view.game, found.hands, view.rows)
    first = view.game.id, *_find_first_link(view.game, links, starts)
    yield CHAIN, _lines(first, links, view.game.head).encode()
    yield "VERIFY.txt", verify_text(view.game, links, starts, words).encode()
    yield from mail_parts(found, reader)
    yield from card_parts(found.cards, found.names)
    name = found.names.get
    messages: list[JsonValue] = [
        {"event": seq, "by": name(one.author_id), "text": one.text}
        for seq, one in sorted(view.messages.items())
    ]
    if messages:
        yield "messages.json", dump_json(messages)
    # What was written without a move is correspondence of the game too (§ 6.2.3).
    thread: list[JsonValue] = [
        {"at": _at(one.at_us), "by": name(one.author_id), "text": one.text} for one in found.thread
    ]
    if thread:
        yield "thread.json", dump_json(thread)
    for dispute in found.disputes:
        yield from _case_parts(dispute, reader)


def _account_text(view: GameView, statement: Account, words: Words) -> str:
    """The table of § 6.8.2 and every day explained, for the Board."""
    head = [
        f"{view.group.tournament}, {view.game.name}",
        f"{view.white.name} - {view.black.name}",
        words("casefile.leader", name=view.tl.name),
    ]
    return "\n".join([*head, "", iccf_table(statement), "", *explain(statement, words), ""])


def _case_parts(dispute: _Dispute, reader: Reader) -> Iterator[Part]:
    """A case's events with their chain, and its papers; decisions are among both."""
    case, events, papers = dispute
    reads_notes = reader.is_official and reader.person_id not in case.standing
    folder = "cases/" + case.number.replace("/", "-")
    yield f"{folder}/{CHAIN}", case_chain_text(case, events).encode()
    for paper in papers:
        is_others = paper.person_id not in (None, reader.person_id)
        is_private = PRIVATE in case.kinds and is_others and not reader.is_official
        if paper.body is None or is_private or (paper.kind == _HIDDEN and not reads_notes):
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


def _add_contents(parts: Iterable[Part], name: str, reader: Reader) -> tuple[Part, ...]:
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
