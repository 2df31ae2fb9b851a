"""The hash chain of a game or case as text, and how to check it without this program.

Steps for ``sha256sum`` and a few lines of Python. Not for checking it here
(usecases/desks/database_care.py).
"""

import json
from collections.abc import Iterable, Sequence

from kskak.play.state import Terms
from mail.text.words import Words
from server.store.cases.file_contents import CaseHead, CaseLine
from server.store.engine.chain import case_genesis, genesis
from server.store.play.games import EventRow, GameRow

CHAIN = "chain.txt"
Line = tuple[int, int, bytes, str]
_TIGHT = (",", ":")
SNIPPET = """\
import hashlib

lines = open("chain.txt", encoding="utf-8").read().splitlines()
game, terms = lines[0].split(" ", 1)[1], lines[1].split(" ", 1)[1]
head = hashlib.sha256(f"{game}\\n{terms}".encode()).digest()
assert head.hex() == lines[2].split(" ", 1)[1], "the game's terms"
for line in lines[3:-1]:
    seq, at, said, body = line.split(" ", 3)
    head = hashlib.sha256(head + f"{game}\\n{seq}\\n{at}\\n{body}".encode()).digest()
    assert head.hex() == said, f"event {seq}"
assert head.hex() == lines[-1].split(" ", 1)[1], "the end"
print("the chain holds:", len(lines) - 4, "events")
"""
"""What somebody who trusts nobody can run next to the text file."""


def _terms(terms: Terms) -> str:
    """The terms as the first link covers them: canonical JSON (store/engine/chain.py)."""
    what = {
        "game": terms.game,
        "regulation": terms.regulation.value,
        "start": terms.start.isoformat(),
        "fen": terms.fen,
        "laws": terms.laws_year,
    }
    return json.dumps(what, sort_keys=True, separators=_TIGHT)


def _lines(head: tuple[int, str, bytes], events: Iterable[Line], end: bytes) -> str:
    owner, terms, first = head
    lines = [f"game {owner}", f"terms {terms}", f"genesis {first.hex()}"]
    lines += [f"{seq} {at_us} {bytes(said).hex()} {body}" for seq, at_us, said, body in events]
    return "\n".join([*lines, f"head {bytes(end).hex()}"]) + "\n"


def chain_text(game: GameRow, rows: Sequence[EventRow]) -> str:
    """One line per event: number, instant in microseconds, hash, and the event's own text."""
    head = (game.id, _terms(game.terms), genesis(game.id, game.terms))
    return _lines(head, ((r.seq, r.at_us, r.hash, r.body) for r in rows), game.head)


def case_chain_text(case: CaseHead, rows: Sequence[CaseLine]) -> str:
    """A case's chain in the same form; «game» is the case's own number in the database."""
    terms = json.dumps({"case": case.number, "kind": case.kind}, sort_keys=True, separators=_TIGHT)
    first = case_genesis(case.id, case.number, case.kind)
    end = rows[-1].hash if rows else first
    return _lines((case.id, terms, first), ((r.seq, r.at_us, r.hash, r.body) for r in rows), end)


def verify_text(game: GameRow, rows: Sequence[EventRow], words: Words) -> str:
    """How to check the chain step by step, with the first two steps filled in for this game."""
    first = genesis(game.id, game.terms).hex()
    steps = [
        words("casefile.verify_files"),
        "    sha256sum -c SHA256SUMS",
        words("casefile.verify_first"),
        f"    printf '%s\\n%s' '{game.id}' '{_terms(game.terms)}' | sha256sum",
        f"    {first}",
    ]
    if rows:
        row = rows[0]
        said = f"printf '%s\\n%s\\n%s\\n%s' '{game.id}' '{row.seq}' '{row.at_us}' '{row.body}'"
        steps += [
            words("casefile.verify_next"),
            f"    (printf '{first}' | xxd -r -p; {said}) | sha256sum",
            f"    {bytes(row.hash).hex()}",
        ]
    steps += [words("casefile.verify_last"), words("casefile.verify_python")]
    code = "\n".join("    " + line if line else "" for line in SNIPPET.splitlines())
    return "\n\n".join([words("casefile.verify_title", game=game.name), *steps, code]) + "\n"
