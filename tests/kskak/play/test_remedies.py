"""A ledger that can't have happened is refused with what to write or check (CONTRACTS)."""

import pytest

from kskak.ledger.ledger_files import read_ledger
from kskak.play.evolve_game import LedgerEntryFault
from kskak.play.game_state import remedy_of
from kskak.statement.account import account
from tests.fakes.machinery.each import each

HEAD = {
    "format": "kskak-ledger/1",
    "game": "E-2010-01/3",
    "regulation": "email",
    "start": "2010-08-29",
    "white": "Hvid",
    "black": "Sort",
}


def move(by: str, move: str, sent: str, **more: object) -> dict:
    return {"kind": "move", "by": by, "move": move, "sent": sent} | more


E4 = move("white", "5254", "2010-08-29")
RESIGNED = {"kind": "resign", "by": "black", "on": "2010-09-01"}


@each(
    ("entries", "said"),
    [
        (
            [E4, move("black", "5755", "2010-08-30", received="2010-09-02")],
            "entry 1: sent before received; write received not before the opponent sent, "
            "and sent not before received",
        ),
        (
            [move("white", "5255", "2010-08-29")],
            "entry 0: e2e5 is not legal; check this move and those before it",
        ),
        (
            [E4, RESIGNED, move("black", "5755", "2010-09-02")],
            "entry 2: the game is over; take the entry out, or check what ended the game before it",
        ),
        (
            [E4, move("white", "4244", "2010-08-30")],
            "entry 1: not white's turn; check by, and whether a move before this one is left out",
        ),
        (
            [E4 | {"proposes": ["5755"]}],
            "entry 0: a proposed series has an even number of moves; "
            "check the moves of this entry, and what the one before proposes",
        ),
        (
            [E4, {"kind": "receipt", "by": "black", "on": "2010-08-01"}],
            "entry 1: received before the opponent had sent; "
            "write a day that is not before the opponent sent",
        ),
        (
            [E4, {"kind": "correction", "ply": 2, "sent": "2010-08-30", "authority": "TL",
                  "ref": "1"}],
            "entry 1: no dispatch begins at ply 2; "
            "write the ply (from 1) of the first move of a dispatch",
        ),
    ],
)  # fmt: skip
def test_a_fault_names_its_entry_and_the_remedy(entries: list[dict], said: str) -> None:
    read = read_ledger(HEAD | {"entries": entries})
    with pytest.raises(LedgerEntryFault) as fault:
        account(read.terms, read.events)
    assert str(fault.value) == said
    assert f"entry {fault.value.entry}: {fault.value.what}; {fault.value.remedy}" == said


def test_what_is_of_no_known_kind_has_a_remedy_too() -> None:
    assert remedy_of(ValueError("?")) == "check this entry and those before it"
