"""The letters about one's own account: their outbox rows, and their facts when they are sent.

Not for words (mail.office_letters.account).
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from mail.office_letters.account import AccountNews, WaysChanged
from server.store.engine.types import from_us
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.play.people import PersonRow
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_facts import official
from server.usecases.core.letter_params import Params, text
from server.usecases.core.outbox_letters import Kind

ACCESS_PATH = "/settings/access"


def told(core: Core, person_id: int, news: AccountNews, name: str) -> NewOutbox:
    """The letter about a way to sign in added or removed, for the same transaction to enqueue."""
    params: dict[str, object] = {"news": news.value, "name": name}
    unique = f"{news.value}.{name}.{core.now_us}"
    return poster_of(core).to_person(Kind.ACCOUNT, person_id, unique, params)


async def _letter(core: Core, reader: PersonRow, params: Params, row: OutboxRow) -> WaysChanged:
    news, at = AccountNews(text(params, "news")), _local(core, row.created_us)
    url = core.url(ACCESS_PATH)
    return WaysChanged(reader.name, news, text(params, "name"), at, url, official(core))


def _local(core: Core, at_us: int) -> datetime:
    return from_us(at_us).astimezone(ZoneInfo(core.settings.clock.zone))


ACCOUNT = {Kind.ACCOUNT: _letter}
