"""The hash chain of a game or case as text, and how to check it without this program.

Steps for ``sha256sum`` and a few lines of Python. Not for checking it here
(usecases/desks/database_care.py).
"""

import json
from collections.abc import Iterable, Sequence

from mail.text.words import Words
from server.store.cases.file_contents import CaseHead, CaseLine
from server.store.engine.chain import (
    CASE,
    Link,
    StartFacts,
    about,
    beginning,
    case_genesis,
    fits,
    genesis,
    terms_text,
)
from server.store.play.games import GameRow

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


def _lines(head: tuple[int, str, bytes], events: Iterable[Link], end: bytes) -> str:
    owner, terms, first = head
    lines, last = [f"game {owner}", f"terms {terms}", f"genesis {first.hex()}"], first
    for one in events:
        said = fits(last, owner, one) or "-"
        lines.append(f"{one.seq} {one.at_us} {one.hash.hex()} {said} {one.body}")
        last = one.hash
    return "\n".join([*lines, f"head {bytes(end).hex()}"]) + "\n"


def _begun(
    game: GameRow, links: tuple[Link, ...], starts: Iterable[StartFacts]
) -> tuple[str, bytes]:
    """What the first link covers, and its hash."""
    facts = beginning(game.id, game.terms, starts, links, (game.seq, bytes(game.head)))
    return terms_text(game.terms, facts), genesis(game.id, game.terms, facts)


def chain_text(game: GameRow, links: tuple[Link, ...], starts: Iterable[StartFacts]) -> str:
    """One line per event: number, instant in microseconds, hash, who and how, the event's own
    text; «-» where the hash does not cover who and how.
    """
    return _lines((game.id, *_begun(game, links, starts)), links, game.head)


def case_chain_text(case: CaseHead, rows: Sequence[CaseLine]) -> str:
    """A case's chain in the same form; «game» is the case's own number in the database."""
    terms = json.dumps({"case": case.number, "kind": case.kind}, sort_keys=True, separators=_TIGHT)
    first = case_genesis(case.id, case.number, case.kind)
    end = rows[-1].hash if rows else first
    links = (
        Link(r.seq, r.at_us, r.body, bytes(r.hash), about(r.actor_id, CASE, None)) for r in rows
    )
    return _lines((case.id, terms, first), links, end)


def verify_text(
    game: GameRow, links: tuple[Link, ...], starts: Iterable[StartFacts], words: Words
) -> str:
    """How to check the chain step by step, with the first two steps filled in for this game."""
    terms, begun = _begun(game, links, starts)
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
        covered = [game.id, row.seq, row.at_us, row.body, fits(begun, game.id, row)]
        told = [f"'{one}'" for one in covered if one]
        form = "\\n".join(["%s"] * len(told))
        said = f"printf '{form}' {' '.join(told)}"
        steps += [
            words("casefile.verify_next"),
            f"    (printf '{first}' | xxd -r -p; {said}) | sha256sum",
            f"    {row.hash.hex()}",
        ]
    steps += [words("casefile.verify_last"), words("casefile.verify_python")]
    code = "\n".join("    " + line if line else "" for line in SNIPPET.splitlines())
    return "\n\n".join([words("casefile.verify_title", game=game.name), *steps, code]) + "\n"
