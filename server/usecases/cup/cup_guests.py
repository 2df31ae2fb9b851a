"""Whom the leader fills a cup's round up with: registered, and with nothing against them.

§ 6.6.1.6, § 6.4.2, § 6.1. Not for the composition of the round (rounds.py).
"""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from kskak.cup.refusals import CupProblem, CupRefusal
from kskak.entries.admission import start_faults
from kskak.entries.entry import CupEntry
from server.store.play import people as person_rows
from server.usecases.core.context import Core, today_of
from server.usecases.cup.facts import CupFacts
from server.usecases.entries.judging import knowledge, standing


async def added_people(
    core: Core, conn: AsyncConnection, facts: CupFacts, addresses: Sequence[str]
) -> tuple[int, ...] | CupRefusal:
    """The people behind the addresses, or who of them can't be taken.

    Who played the first round is in the cup already; of others a quarantine and a non-member's
    second group are looked at (§ 6.4.2, § 6.1).
    """
    found = []
    for address in addresses:
        person = await person_rows.by_email(conn, address)
        if person is None:
            return CupRefusal(CupProblem.NO_PERSON, who=address)
        known = await knowledge(conn, person.id, today_of(core))
        assert known is not None
        alone = standing(known, CupEntry.SEMIFINAL, known.told, None)
        is_member = bool(known.person.member or known.told.member)
        if person.id not in facts.people and start_faults(is_member, CupEntry.SEMIFINAL, alone):
            return CupRefusal(CupProblem.BARRED, who=person.name)
        found.append(person.id)
    return tuple(found)
