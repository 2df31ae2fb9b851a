"""What the register knows of a player who enters: the one place where entries read it.

§ 6.4.4.1: membership, date of birth, ratings. Not for what an entry states beside it.
"""

from dataclasses import dataclass
from datetime import date

from sqlalchemy.ext.asyncio import AsyncConnection

from server.store.play import people as person_rows


@dataclass(frozen=True, slots=True)
class Registered:
    """A player as the register has him; None where it does not know."""

    id: int
    name: str
    email: str
    lang: str
    member: str | None
    club: str | None
    born: date | None
    is_citizen: bool | None
    otb_rating: int | None
    k_rating: int | None


async def registered(conn: AsyncConnection, person_id: int) -> Registered | None:
    """A player by id; None when there is none."""
    person = await person_rows.find(conn, person_id)
    if person is None:
        return None
    return Registered(
        id=person.id,
        name=person.name,
        email=person.email,
        lang=person.lang,
        member=person.member,
        club=person.club,
        born=date.fromisoformat(person.birth) if person.birth else None,
        is_citizen=person.citizen,
        otb_rating=person.rating,
        k_rating=person.k_rating,
    )
