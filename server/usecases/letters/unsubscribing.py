"""Ending letters that nobody has to get, by a link in them: no sign-in, one press (RFC 8058).

Letters that the regulation demands cannot be ended. Not for choosing more finely (choices.py).
"""

from enum import StrEnum

from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.account import choices
from server.usecases.core.context import Core
from server.usecases.core.preferences import Pace
from server.usecases.core.reply_keys import read_unsubscribe_token, unsubscribe_token
from server.usecases.results import bulletins


class Series(StrEnum):
    """Letters that can be ended together: word of the opponent's moves, the daily letter that
    gathers it, or the bulletins.

    ``MOVES`` is in no header any more: its links are in letters sent before.
    """

    MOVES = "moves"
    DAILY = "daily"
    BULLETINS = "bulletins"


def link_to_end(core: Core, series: Series, person_id: int) -> str:
    """The address that ends them for a person; whoever has it got one of them."""
    return core.url(f"/unsubscribe/{series}/{unsubscribe_token(core.secret, person_id)}")


async def reader_of(core: Core, token: str) -> PersonRow | None:
    """Whose letters a link ends; None for a link that we did not make."""
    person_id = read_unsubscribe_token(core.secret, token)
    if person_id is None:
        return None
    return await core.store.look(lambda conn: person_rows.by_id(conn, person_id))


async def end(core: Core, series: Series, person: PersonRow) -> None:
    """End them; repeating it is harmless. Reminders of the time control still come.

    An old link to end the daily letter ends nothing else, for who gets each move at once now.
    """
    if series is Series.BULLETINS:
        await bulletins.wants(core, person, it=False)
    elif series is Series.MOVES or (await choices.of_person(core, person.id)).letters is Pace.DAILY:
        await choices.keep(core, person, {"letters": Pace.DEADLINES.value})
