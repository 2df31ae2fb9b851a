"""From an outbox row to a letter about a bulletin, with its facts (§ 6.4.5.1).

Not for who gets it (bulletins.py) nor for wording (mail.office_letters.bulletins).
"""

from kskak.office.bulletin_periods import Period
from mail.office_letters import bulletin_facts as bl
from server.store.mail.outbox import OutboxRow
from server.store.office import bulletins as rows
from server.store.play.people import PersonRow
from server.usecases.core.context import Core
from server.usecases.core.letter_facts import NoLetter, official
from server.usecases.core.letter_params import Params, day
from server.usecases.core.outbox_letters import Kind
from server.usecases.results.bulletin_facts import thawed


async def _bulletin(core: Core, _: PersonRow, params: Params, __: OutboxRow) -> bl.BulletinLetter:
    number = params.get("bulletin")
    async with core.store.read() as conn:
        row = await rows.find(conn, number) if isinstance(number, int) else None
    if row is None or row.facts is None:
        raise NoLetter("no such bulletin")
    pdf = core.url(f"/bulletins/{row.number}.pdf")
    return bl.BulletinMail(thawed(row.facts), pdf, core.url("/bulletins"))


async def _due(core: Core, reader: PersonRow, params: Params, _: OutboxRow) -> bl.BulletinLetter:
    period = Period(day(params, "first"), day(params, "last"))
    return bl.BulletinDue(
        reader=reader.name,
        official=official(core),
        first=period.first,
        last=period.last,
        due=period.due,
        url=core.url("/desk/bulletin"),
    )


BULLETINS = {Kind.BULLETIN: _bulletin, Kind.BULLETIN_DUE: _due}
