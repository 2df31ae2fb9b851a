"""Copies to the captain of what his player is written about a complaint (§ 6.7.6.1).

Of every letter of a case in a division of the league that goes to a player of a team, unless he
is the one who complains or is his own captain. Not for which letters a case has (case_post.py).
"""

import json
from collections.abc import Iterable

from sqlalchemy import Connection

from server.store import league as rows
from server.store.cases import CaseRow
from server.store.outbox import NewOutbox
from server.usecases.posting import Kind, Poster

_COPIED = frozenset({Kind.CASE.value, Kind.DECISION.value})


def copies(
    conn: Connection,
    poster: Poster,
    case: CaseRow,
    letters: Iterable[NewOutbox],
    claimant: int | None,
) -> tuple[NewOutbox, ...]:
    """The captains' copies of a case's letters."""
    if rows.division(conn, case.group_id) is None:
        return ()
    found: list[NewOutbox] = []
    for letter in letters:
        player = letter.person_id
        if letter.kind not in _COPIED or player is None or player == claimant:
            continue
        captain = rows.captain_of_player(conn, case.group_id, player)
        if captain is None or captain == player:
            continue
        params = json.loads(letter.params) | {"of": player, "copied": letter.kind}
        unique = f"{letter.message_id}.{captain}"
        found.append(poster.to_person(Kind.CAPTAIN_COPY, captain, unique, params))
    return tuple(found)
