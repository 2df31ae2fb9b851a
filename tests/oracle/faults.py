"""One deliberate fault of each class that the contract's text names, put into a good ledger.

Each fault takes the random source and the ledger, changes it in place, and says whether it
found a place for itself.
"""

import random
from itertools import pairwise

from tests.oracle.spoiling import Fault, Ledger, added, some, spoil, top

NAMES = (
    "kind",
    "by",
    "on",
    "from",
    "to",
    "reason",
    "days",
    "paragraph",
    "result",
    "authority",
    "ref",
    "ply",
)


def missing_field(rng: random.Random, ledger: Ledger) -> bool:
    """A required field of some entry is gone."""
    if not ledger["entries"]:
        return False
    entry = rng.choice(ledger["entries"])
    names = [name for name in NAMES if name in entry]
    if entry["kind"] == "leave" and entry.get("type", "personal") == "personal":
        names.append("notified")
    del entry[rng.choice(names)]
    return True


def missing_head(rng: random.Random, ledger: Ledger) -> bool:
    """A required field of the ledger is gone."""
    del ledger[rng.choice(("format", "regulation", "start", "entries"))]
    return True


def ill_typed(rng: random.Random, ledger: Ledger) -> bool:
    """A field of the wrong type."""
    if not ledger["entries"]:
        return False
    entry = rng.choice(ledger["entries"])
    names = [
        n for n in ("by", "on", "from", "received", "sent", "move", "days", "reason") if n in entry
    ]
    if not names:
        return False
    entry[rng.choice(names)] = rng.choice((20100829, True, [], {}, 1.5))
    return True


def not_your_turn(rng: random.Random, ledger: Ledger) -> bool:
    """The other side moves."""
    entry = some(rng, ledger, "move")
    if entry is None:
        return False
    entry["by"] = "white" if entry["by"] == "black" else "black"
    return True


def even_moves(rng: random.Random, ledger: Ledger) -> bool:
    """An even number of plies in one dispatch."""
    entry = some(rng, ledger, "move", having="moves")
    if entry is None:
        return False
    entry["moves"] = entry["moves"][:-1]
    return True


def no_series(rng: random.Random, ledger: Ledger) -> bool:
    """Three plies although nothing was proposed, or others than those proposed."""
    entry = some(rng, ledger, "move", having="move")
    if entry is None:
        return False
    entry["moves"] = [entry.pop("move"), "5755", "7163"]
    return True


def answers(ledger: Ledger) -> list[tuple[Ledger, Ledger]]:
    """Pairs of an ordinary dispatch and the next one, both with stated dates."""
    sent = [e for e in ledger["entries"] if e["kind"] == "move"]
    return [
        (one, two)
        for one, two in pairwise(sent)
        if one["by"] != two["by"] and "sent" in one and "sent" in two
    ]


def received_too_early(rng: random.Random, ledger: Ledger) -> bool:
    """Receipt before the opponent's sending."""
    pairs = [p for p in answers(ledger) if p[0]["sent"] > ledger["start"]]
    if not pairs:
        return False
    rng.choice(pairs)[1]["received"] = ledger["start"]
    return True


def answered_too_early(rng: random.Random, ledger: Ledger) -> bool:
    """By default an answer before the opponent's sending."""
    pairs = [p for p in answers(ledger) if p[0]["sent"] > ledger["start"]]
    if not pairs:
        return False
    entry = rng.choice(pairs)[1]
    entry.pop("received", None)
    entry["sent"] = ledger["start"]
    return True


def sent_before_received(rng: random.Random, ledger: Ledger) -> bool:
    """Sending before receipt."""
    pairs = answers(ledger)
    if not pairs:
        return False
    rng.choice(pairs)[1]["received"] = "2035-01-01"
    return True


def receipt_too_early(rng: random.Random, ledger: Ledger) -> bool:
    """A receipt entry of the side to move before the opponent's sending."""
    entries = ledger["entries"]
    places = [i for i, e in enumerate(entries) if e["kind"] == "move"]
    if len(places) < 2:
        return False
    place = rng.choice(places[1:])
    entries.insert(place, {"kind": "receipt", "by": entries[place]["by"], "on": "1999-01-01"})
    return True


def after_end(rng: random.Random, ledger: Ledger) -> bool:
    """A resignation, a draw or a move after the end."""
    entries = ledger["entries"]
    entries.append(
        rng.choice(
            (
                {"kind": "resign", "by": "white", "on": "2014-01-01"},
                {
                    "kind": "result",
                    "result": "1-0",
                    "on": "2014-01-01",
                    "authority": "TL",
                    "ref": "1",
                },
            )
        )
    )
    entries.append(
        rng.choice(
            (
                {"kind": "resign", "by": "black", "on": "2014-01-02"},
                {"kind": "draw", "by": "black", "on": "2014-01-02"},
                {
                    "kind": "move",
                    "by": "white",
                    "move": "5254",
                    "received": "2014-01-01",
                    "sent": "2014-01-02",
                },
            )
        )
    )
    return True


def end_before_moves(rng: random.Random, ledger: Ledger) -> bool:
    """The game ends, and the moves go on."""
    places = [i for i, e in enumerate(ledger["entries"]) if e["kind"] == "move"]
    if not places:
        return False
    ledger["entries"].insert(
        rng.choice(places),
        {"kind": rng.choice(("resign", "draw")), "by": "black", "on": "2010-01-02"},
    )
    return True


def card_without_date(rng: random.Random, ledger: Ledger) -> bool:
    """A dispatch that says nowhere when it was sent."""
    entry = some(rng, ledger, "move", having="sent")
    if entry is None:
        return False
    del entry["sent"]
    return True


def post_without_receipt(rng: random.Random, ledger: Ledger) -> bool:
    """A card with no day of receipt."""
    found = [
        two for one, two in answers(ledger) if two.get("channel") == "post" and "received" in two
    ]
    if not found:
        return False
    del rng.choice(found)["received"]
    return True


def no_bound_ply(rng: random.Random, ledger: Ledger) -> bool:
    """A correction for a ply at which no dispatch begins."""
    ledger["entries"].append(
        {
            "kind": "correction",
            "ply": rng.choice((0, -1, 999)),
            "sent": "2010-09-09",
            "authority": "TL",
            "ref": "1",
        }
    )
    return True


FAULTS: dict[str, Fault] = {
    "unknown kind": spoil("mowe", "kind", "move"),
    "unknown channel": spoil("pigeon", "channel", "move"),
    "unknown type": spoil("sabbatical", "type", "leave"),
    "unknown invalid": spoil("ugly", "reason", "invalid"),
    "unknown pause": spoil("nap", "reason", "pause"),
    "unknown result": spoil("2-0", "result", "result"),
    "unknown side": spoil("grey", "by", "move"),
    "no date": spoil("2010-02-30", "sent", "move"),
    "short date": spoil("20100301", "sent", "move"),
    "move out of the board": spoil("5259", "move", "move"),
    "half a parenthesis": spoil("5758(1", "move", "move"),
    "fifth piece": spoil("57585", "move", "move"),
    "illegal move": spoil("5254(1)", "move", "move"),
    "no move": spoil("1111", "move", "move"),
    "king takes rook": spoil("5181", "move", "move"),
    "illegal series": spoil(["1111", "2222"], "proposes", "move"),
    "odd series": lambda rng, ledger: (
        (entry := some(rng, ledger, "move", having="proposes")) is not None
        and entry["proposes"].pop() is not None
    ),
    "leave backwards": added(
        kind="leave", by="white", from_="2010-07-02", to="2010-07-01", notified="2010-01-01"
    ),
    "pause backwards": added(kind="pause", from_="2010-07-02", to="2010-07-01", reason="outage"),
    "bad fen": top("fen", "nonsense"),
    "mated fen": top("fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
    "stalemate fen": top("fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
    "dead fen": top("fen", "8/8/4k3/8/8/3K4/8/8 w - - 0 1"),
    "unknown laws": top("laws", 2017),
    "unknown regulation": top("regulation", "phone"),
    "unknown format": top("format", "kskak-ledger/2"),
    "entries no list": top("entries", {}),
    "missing field": missing_field,
    "missing head": missing_head,
    "ill typed": ill_typed,
    "not your turn": not_your_turn,
    "even moves": even_moves,
    "no series": no_series,
    "received too early": received_too_early,
    "answered too early": answered_too_early,
    "sent before received": sent_before_received,
    "receipt too early": receipt_too_early,
    "after end": after_end,
    "end before moves": end_before_moves,
    "card without date": card_without_date,
    "post without receipt": post_without_receipt,
    "correction of nothing": no_bound_ply,
}
