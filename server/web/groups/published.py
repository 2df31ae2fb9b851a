"""A group's published result: objections, prizes, transcripts; damaged cards (§ 6.4.5).

Not for the table itself (page.py) or the dates (kskak.regulation.objections).
"""

import re
from datetime import date
from fractions import Fraction

from aiohttp import web

from kskak.cases.refusals import CaseRefusal
from kskak.game.refusals import Refusal
from kskak.regulation.objections import may_object, transcripts_until
from mail.office_letters.cases import case_refusal_text
from mail.office_letters.divisions import division_blocks
from mail.office_letters.tables import cross_grid, standing_blocks
from mail.outgoing.blocks import Block
from mail.text.words import Words
from server.store.cases import publications as rows
from server.store.cases.publications import PublicationRow
from server.store.groups import groups_and_seats as group_rows
from server.store.groups import prizes as prize_rows
from server.store.groups.groups_and_seats import GroupRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.usecases.core.offices import rights
from server.usecases.groups.tables import standing_in, table_in
from server.usecases.league.division_tables import division_in
from server.usecases.play.ask import NotYours
from server.usecases.postal import damaged_cards
from server.usecases.results import publishing
from server.web.frame.context import core, signed_in, viewer, words
from server.web.frame.form_faults import PROBLEM_STATUS, Fault, stands_on
from server.web.frame.forms import Form, form_of
from server.web.frame.letter_blocks import named
from server.web.frame.pages import page

MOST_PRIZES = 24
"""The most players that a group can have."""
_AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")


async def show(request: web.Request) -> web.Response:
    """A group's published result, and the time limit for objections."""
    return await _page(request, notice="results.done" if request.query.get("done") else "")


def read_amounts(text: str) -> tuple[int, ...] | None:
    """«500; 300,50» in øre, from first place down; None for invalid amounts."""
    found = []
    for part in text.replace("\n", ";").split(";"):
        if not part.strip():
            continue
        match = _AMOUNT.fullmatch(part.strip())
        if match is None:
            return None
        found.append(int(match[1]) * 100 + int((match[2] or "0").ljust(2, "0")))
    return tuple(found) if len(found) <= MOST_PRIZES else None


def typed_amount(amount: int, said: Words) -> str:
    """An amount as one would type it: «500», «300,50»."""
    whole, rest = divmod(amount, 100)
    return said.number(Fraction(amount, 100), "0.00") if rest else str(whole)


async def _page(
    request: web.Request, problem: str = "", said: str = "", *, notice: str = ""
) -> web.Response:
    group, published, seated = await _found(request)
    person, today = viewer(request), core(request).today(group.zone)
    standing = next((row for row in reversed(published) if row.kind == "standing"), None)
    until = None if standing is None else date.fromisoformat(standing.objections_until)
    held = None if person is None else await rights(core(request), person)
    mine = () if person is None else await _games_of(request, group, person.id)
    outcome, amounts = await _outcome(request, group)
    return page(
        request,
        "groups/results.html",
        status=PROBLEM_STATUS if problem else 200,
        group=group,
        say=words(request).words,
        standing=standing,
        day_of=date.fromisoformat,
        can_object=until is not None
        and person is not None
        and person.id in seated
        and may_object(until, today),
        leads=held is not None and held.speaks_for(group.id),
        games=mine,
        outcome=outcome,
        amounts=amounts,
        kept=None
        if standing is None
        else transcripts_until(group.class_, date.fromisoformat(standing.day)),
        problem=problem,
        said=said,
        notice=notice,
    )


async def _outcome(request: web.Request, group: GroupRow) -> tuple[list[tuple[str, Block]], str]:
    """The final table with its consequences, and the prizes as one would type them.

    A division's order and prizes are those of clubs (§ 6.7.4.5).
    """
    async with core(request).store.read() as conn:
        view = await table_in(conn, group)
        standing = await standing_in(conn, group, view)
        prizes = await prize_rows.of_group(conn, group.id)
        division = await division_in(conn, group)
    said = words(request).words
    amounts = "; ".join(typed_amount(amount, said) for amount in prizes)
    caption = said("results.final", group=group.name)
    if division is not None:
        return named(division_blocks(division, said, caption)), amounts
    if standing is None:
        return [], amounts
    blocks = (cross_grid(standing.table, said, caption), *standing_blocks(standing, said))
    return named(blocks), amounts


async def _games_of(request: web.Request, group: GroupRow, person_id: int) -> tuple[GameRow, ...]:
    """The player's own games in the group: he may object to one of them or to the table."""
    async with core(request).store.read() as conn:
        found = await game_rows.of_group(conn, group.id)
    return tuple(game for game in found if game.side_of(person_id) is not None)


async def _found(
    request: web.Request,
) -> tuple[GroupRow, tuple[PublicationRow, ...], frozenset[int]]:
    async with core(request).store.read() as conn:
        group = await group_rows.by_name(conn, request.match_info["name"])
        if group is None:
            raise web.HTTPNotFound
        published = await rows.of_group(conn, group.id)
        seats = await group_rows.seats_of(conn, group.id)
    return group, published, frozenset(seat.person_id for seat in seats)


@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Object to the result, set the prize amounts, or mark the prizes as sent."""
    person, form = signed_in(request), await form_of(request)
    number = await _publication(request, form)
    try:
        if form.text("act", 20) == "amounts":
            amounts = read_amounts(form.text("amounts", 400))
            if amounts is None:
                raise Fault("amounts", words(request).words("results.bad_amounts"))
            await publishing.set_prizes(core(request), person, number, amounts)
        elif form.text("act", 20) == "prizes":
            await publishing.prizes_sent(core(request), person, number)
        else:
            said = form.text("said")
            if not said:
                raise Fault("said", words(request).words("results.empty"))
            game = await _game(request, form, person.id)
            opened = await publishing.object_to(core(request), person, number, said, game)
            if isinstance(opened, Refusal):
                return await _page(request, words(request).refusal(opened), said)
            if isinstance(opened, CaseRefusal):
                why = case_refusal_text(opened, words(request).words)
                return await _page(request, why, said)
    except NotYours as error:
        raise web.HTTPForbidden from error
    raise web.HTTPSeeOther(f"{request.path}?done=1")


async def _publication(request: web.Request, form: Form) -> int:
    """The result the form is about. Raises Fault if this group does not have it."""
    _, published, _ = await _found(request)
    number = form.number("publication")
    if number is None or number not in {row.id for row in published}:
        raise Fault("publication", words(request).words("forms.stale"))
    return number


async def _game(request: web.Request, form: Form, person_id: int) -> int | None:
    """One of the player's own games; None for the table. Raises Fault for any other."""
    group, _, _ = await _found(request)
    if not form.typed("game"):
        return None
    game = form.number("game")
    if game is None or game not in {row.id for row in await _games_of(request, group, person_id)}:
        raise Fault("game", words(request).words("results.bad_game"))
    return game


async def card_seen(request: web.Request) -> web.Response:
    """Record that the leader has the damaged card (§ 6.3.5)."""
    person = signed_in(request)
    game, seq = int(request.match_info["game"]), int(request.match_info["seq"])
    try:
        await damaged_cards.leader_has(core(request), person, game, seq)
    except NotYours as error:
        raise web.HTTPForbidden from error
    raise web.HTTPSeeOther(f"/games/{game}/card?done=1")
