"""The letters about a request to join: their outbox rows, and their facts when they are sent.

To the applicant they go by the request, since there is no person row yet; after admission, to the
person. Not for wording (mail.office_letters.joining).
"""

from mail.office_letters.join_letters import JoinLetter, JoinNews
from server.store.mail.outbox import NewOutbox, OutboxRow
from server.store.play.people import PersonRow, Role
from server.store.register import join_requests as rows
from server.store.register.join_requests import JoinRow, JoinState
from server.usecases.core.context import Core, poster_of
from server.usecases.core.letter_facts import NoLetter, official
from server.usecases.core.letter_params import Params, params_of, text
from server.usecases.core.outbox_letters import Kind, addressless


def to_asker(core: Core, request_id: int, news: JoinNews, more: Params) -> NewOutbox:
    """A letter to the address that a request names, which is stored in the request alone."""
    params: dict[str, object] = {"request": request_id, "news": news.value, **more}
    return addressless(poster_of(core), Kind.JOIN, f"{request_id}.{news.value}", params)


async def _request(core: Core, params: Params) -> JoinRow:
    number = params.get("request")
    async with core.store.read() as conn:
        row = await rows.find(conn, number) if isinstance(number, int) else None
    if row is None:
        raise NoLetter("the request is forgotten")
    return row


async def asker(core: Core, letter: OutboxRow) -> PersonRow:
    """The applicant of a letter's request, as the letter's reader. Raises NoLetter."""
    row = await _request(core, params_of(letter))
    facts = (None, None, None, None, None, None)
    # Before the address is proved, no words of whoever asked go to it.
    name = row.email if row.state == JoinState.ASKED else row.name
    return PersonRow(0, name, row.email, row.lang, Role.PLAYER, *facts, row.asked_us)


async def join_letter(core: Core, reader: PersonRow, params: Params) -> JoinLetter:
    """The letter with the facts of its moment. Raises NoLetter."""
    row, news = await _request(core, params), JoinNews(text(params, "news"))
    link = core.url("/desk/join") if news is JoinNews.WAITS else ""
    if news in (JoinNews.CONFIRM, JoinNews.ADMITTED):
        link = text(params, "link")
    asker = reader.name if news is JoinNews.CONFIRM else row.name
    return JoinLetter(reader.name, news, asker, link, row.reason or "", official(core))
