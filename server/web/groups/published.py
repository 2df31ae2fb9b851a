"""What a group and the Union publish: results with objections and prizes, and bulletins."""

import asyncio
import re
from datetime import date
from fractions import Fraction

from aiohttp import web

from kskak.cases.case import CaseRefusal
from kskak.game.game_commands import Refusal
from kskak.regulation.days import may_object, transcripts_until
from kskak.values import whole_number
from mail.office_letters.bulletins import (
    Bulletin,
    bulletin_page,
    cross_grid,
    division_blocks,
    list_outcome_blocks,
)
from mail.office_letters.case_letters import case_refusal_text
from mail.outgoing.blocks import Block
from mail.outgoing.papers import draw_paper
from mail.text.catalogue import Words
from server.store import group_results as result_rows
from server.store import groups as group_rows
from server.store.cases import publications as publication_rows
from server.store.cases.publications import PublicationRow
from server.store.groups import GroupRow
from server.store.play import games as game_rows
from server.store.play.games import GameRow
from server.usecases.groups.group_tables import read_final_standing, table_in
from server.usecases.league.divisions import division_in
from server.usecases.play.game_requests import NotYours
from server.usecases.postal import scans
from server.usecases.results import bulletins, publishing
from server.usecases.results.bulletins import BulletinDraftView, BulletinEditRequest, BulletinFault
from server.usecases.rights import NotAllowed, rights
from server.web.cases.case_texts import load_case_words
from server.web.desks.desk_pages import require_rights
from server.web.frame.context import (
    GAME,
    PageRoutes,
    core,
    get_words,
    or_404,
    read_only_page,
    signed_in,
    viewer,
)
from server.web.frame.forms import FORM, PROBLEM_STATUS, Form, FormFault, form_of, stands_on
from server.web.frame.page_texts import name_blocks
from server.web.frame.pages import page, pdf_response
from server.web.groups.group_pages import find_group

routes = PageRoutes()

# The public bulletins, as a list, as pages and as PDFs; subscribing by mail.


@routes.get("/bulletins")
@read_only_page
async def list_bulletins(request: web.Request) -> web.Response:
    """Every issued bulletin, and whether the reader gets the next."""
    person = viewer(request)
    return page(
        request,
        "groups/bulletins.html",
        rows=await bulletins.list_issued(core(request)),
        say=get_words(request).words,
        day_of=date.fromisoformat,
        gets=person is not None and await bulletins.gets(core(request), person),
    )


@routes.post("/bulletins")
async def want(request: web.Request) -> web.Response:
    """Subscribe to bulletins by mail, or unsubscribe."""
    person, form = signed_in(request), await form_of(request)
    if form.typed("act") not in ("get", "drop"):
        raise web.HTTPBadRequest
    await bulletins.wants(core(request), person, it=form.typed("act") == "get")
    raise web.HTTPSeeOther("/bulletins")


async def _find_bulletin(request: web.Request) -> Bulletin:
    return or_404(await bulletins.issued_one(core(request), int(request.match_info["number"])))


@routes.get(r"/bulletins/{number:\d{1,9}}")
@read_only_page
async def show_bulletins(request: web.Request) -> web.Response:
    """One bulletin as issued."""
    found = await _find_bulletin(request)
    written = bulletin_page(found, get_words(request).words)
    return page(
        request,
        "groups/bulletin.html",
        title=written.subject,
        blocks=name_blocks(written.blocks),
        number=found.number,
        say=get_words(request).words,
    )


@routes.get(r"/bulletins/{number:\d{1,9}}.pdf")
async def as_file(request: web.Request) -> web.Response:
    """The same as a PDF."""
    found, words = await _find_bulletin(request), get_words(request).words
    written = bulletin_page(found, words)
    dated = found.issued or found.last
    about = (written, words.lang, written.subject, dated)
    data = await asyncio.to_thread(draw_paper, "letter", *about)
    return pdf_response(data, f"bulletin-{found.number}")


# The controller's bulletin: edit, preview and send it (§ 6.4.5.1, § 6.1.2).

LONGEST = 20_000


@routes.get("/desk/bulletin")
async def show_bulletin_desk(request: web.Request) -> web.Response:
    """The draft."""
    saved = "saved" if request.query.get("saved") else ""
    return await _page(request, notice=saved)


async def _page(
    request: web.Request, problem: BulletinFault | None = None, notice: str = ""
) -> web.Response:
    person, rights = await require_rights(request)
    try:
        draft = await bulletins.draft(core(request), person)
    except NotAllowed:
        raise web.HTTPNotFound from None
    words = get_words(request).words
    written = bulletin_page(draft.bulletin, words)
    return page(
        request,
        "groups/bulletin_desk.html",
        status=PROBLEM_STATUS if problem else 200,
        d=load_case_words(request),
        rights=rights,
        say=words,
        draft=draft,
        left=_left(draft, request.get(FORM)),
        blocks=name_blocks(written.blocks),
        title=written.subject,
        problem=words(f"bulletin.{problem.value}") if problem else "",
        notice=words(f"bulletin.{notice}") if notice else "",
    )


def _left(draft: BulletinDraftView, form: Form | None) -> list[str]:
    """Texts typed about cases that are no longer on the page, so that nothing typed is lost."""
    here = {f"text{case.id}" for case, _ in draft.candidates}
    names = [] if form is None else [name for name in form.fields if name.startswith("text")]
    return [form.typed(name) for name in names if form and name not in here and form.typed(name)]


@routes.post("/desk/bulletin")
@stands_on(show_bulletin_desk)
async def issue_bulletin(request: web.Request) -> web.Response:
    """Save the draft, or issue the bulletin."""
    person, _ = await require_rights(request)
    form = await form_of(request)
    number, say = form.number("number"), get_words(request).words
    if number is None:
        await _offered(request)
        raise FormFault("number", say("forms.stale"))
    if form.text("act", 10) == "issue":
        out = await bulletins.issue(core(request), person, number, form.text("seal", 64))
        if isinstance(out, BulletinFault):
            return await _page(request, out)
        raise web.HTTPSeeOther(f"/bulletins/{out.number}")
    edit = _edit(number, form, say, await _offered(request))
    wrong = await bulletins.save(core(request), person, edit)
    if wrong is BulletinFault.GONE:
        raise FormFault("number", say("forms.stale"))
    if wrong is not None:
        raise FormFault("last", say(f"bulletin.{wrong.value}"))
    raise web.HTTPSeeOther("/desk/bulletin?saved=1")


async def _offered(request: web.Request) -> frozenset[int]:
    """The cases offered: the period's, and those already chosen. Raises NotAllowed."""
    draft = await bulletins.draft(core(request), (await require_rights(request))[0])
    return frozenset({case.id for case, _ in draft.candidates} | draft.chosen.keys())


def _edit(number: int, form: Form, say: Words, offered: frozenset[int]) -> BulletinEditRequest:
    """The form's draft. Raises Fault for an invalid day, or a case without text or not offered."""
    first, last = form.day("first"), form.day("last")
    if first is None or last is None:
        raise FormFault("first" if first is None else "last", say("bulletin.bad_day"))
    ticked = [name[4:] for name in form.fields if name.startswith("case") and name[4:].isdigit()]
    chosen = dict[int, str]()
    for name in (one for one in ticked if form.is_ticked(f"case{one}")):
        case = whole_number(name)
        if case is None or case not in offered:
            raise FormFault(f"case{name}", say("forms.stale"))
        text = form.text(f"text{name}", LONGEST)
        if not text:
            raise FormFault(f"text{name}", say(f"bulletin.{BulletinFault.NO_TEXT.value}"))
        chosen[case] = text
    ordered = dict(sorted(chosen.items()))
    return BulletinEditRequest(number, first, last, form.text("foreword", LONGEST), ordered)


# A group's published result: objections, prizes, transcripts; damaged cards (§ 6.4.5).

MOST_PRIZES = 24
"""The most players that a group can have."""
_AMOUNT = re.compile(r"(\d{1,7})(?:[.,](\d{1,2}))?")


@routes.get("/results/{name:.+}")
async def show(request: web.Request) -> web.Response:
    """A group's published result, and the time limit for objections."""
    return await _result_page(request, notice="results.done" if request.query.get("done") else "")


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


def typed_amount(amount: int, words: Words) -> str:
    """An amount as one would type it: «500», «300,50»."""
    whole, rest = divmod(amount, 100)
    return words.number(Fraction(amount, 100), "0.00") if rest else str(whole)


async def _result_page(
    request: web.Request, problem: str = "", objection: str = "", *, notice: str = ""
) -> web.Response:
    group, published, seated = await _find_published_group(request)
    person, today = viewer(request), core(request).today(group.zone)
    standing = next((row for row in reversed(published) if row.kind == "standing"), None)
    resumed = await core(request).store.query(publication_rows.list_resumed, [group.id])
    standing = None if resumed else standing
    until = None if standing is None else date.fromisoformat(standing.objections_until)
    held = None if person is None else await rights(core(request), person)
    mine = () if person is None else await _games_of(request, group, person.id)
    outcome, amounts = await _outcome(request, group)
    return page(
        request,
        "groups/results.html",
        status=PROBLEM_STATUS if problem else 200,
        group=group,
        say=get_words(request).words,
        standing=standing,
        resumed=resumed,
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
        said=objection,
        notice=notice,
    )


async def _outcome(request: web.Request, group: GroupRow) -> tuple[list[tuple[str, Block]], str]:
    """The final table with its consequences, and the prizes as one would type them.

    A division's order and prizes are those of clubs (§ 6.7.4.5).
    """
    async with core(request).store.read() as conn:
        view = await table_in(conn, group)
        standing = await read_final_standing(conn, group, view)
        prizes = await result_rows.prizes_of_group(conn, group.id)
        division = await division_in(conn, group)
    words = get_words(request).words
    amounts = "; ".join(typed_amount(amount, words) for amount in prizes)
    caption = words("results.final", group=group.name)
    if division is not None:
        return name_blocks(division_blocks(division, words, caption)), amounts
    if standing is None:
        return [], amounts
    blocks = (cross_grid(standing.table, words, caption), *list_outcome_blocks(standing, words))
    return name_blocks(blocks), amounts


async def _games_of(request: web.Request, group: GroupRow, person_id: int) -> tuple[GameRow, ...]:
    """The player's own games in the group: he may object to one of them or to the table."""
    found = await core(request).store.query(game_rows.list_group_games, group.id)
    return tuple(game for game in found if game.side_of(person_id) is not None)


async def _find_published_group(
    request: web.Request,
) -> tuple[GroupRow, tuple[PublicationRow, ...], frozenset[int]]:
    group = await find_group(request)
    async with core(request).store.read() as conn:
        published = await publication_rows.list_group_publications(conn, group.id)
        seats = await group_rows.seats_of(conn, group.id)
    return group, published, frozenset(seat.person_id for seat in seats)


@routes.post("/results/{name:.+}")
@stands_on(show)
async def do(request: web.Request) -> web.Response:
    """Object to the result, set the prize amounts, or mark the prizes as sent."""
    person, form = signed_in(request), await form_of(request)
    number = await _publication(request, form)
    try:
        if form.text("act", 20) == "amounts":
            amounts = read_amounts(form.text("amounts", 400))
            if amounts is None:
                raise FormFault("amounts", get_words(request).words("results.bad_amounts"))
            await publishing.set_prizes(core(request), person, number, amounts)
        elif form.text("act", 20) == "prizes":
            await publishing.prizes_sent(core(request), person, number)
        else:
            objection = form.text("said")
            if not objection:
                raise FormFault("said", get_words(request).words("results.empty"))
            game = await _game(request, form, person.id)
            opened = await publishing.object_to(core(request), person, number, objection, game)
            if isinstance(opened, Refusal):
                return await _result_page(request, get_words(request).refusal(opened), objection)
            if isinstance(opened, CaseRefusal):
                why = case_refusal_text(opened, get_words(request).words)
                return await _result_page(request, why, objection)
    except NotYours as error:
        raise web.HTTPForbidden from error
    raise web.HTTPSeeOther(f"{request.path}?done=1")


async def _publication(request: web.Request, form: Form) -> int:
    """The result the form is about. Raises Fault if this group does not have it."""
    _, published, _ = await _find_published_group(request)
    number = form.number("publication")
    if number is None or number not in {row.id for row in published}:
        raise FormFault("publication", get_words(request).words("forms.stale"))
    return number


async def _game(request: web.Request, form: Form, person_id: int) -> int | None:
    """One of the player's own games; None for the table. Raises Fault for any other."""
    group, _, _ = await _find_published_group(request)
    if not form.typed("game"):
        return None
    game = form.number("game")
    if game is None or game not in {row.id for row in await _games_of(request, group, person_id)}:
        raise FormFault("game", get_words(request).words("results.bad_game"))
    return game


@routes.post(f"{GAME}/cards/{{seq:\\d{{1,9}}}}/seen")
async def record_card_seen(request: web.Request) -> web.Response:
    """Record that the leader has the damaged card (§ 6.3.5)."""
    person = signed_in(request)
    game, seq = int(request.match_info["game"]), int(request.match_info["seq"])
    try:
        await scans.leader_has(core(request), person, game, seq)
    except NotYours as error:
        raise web.HTTPForbidden from error
    raise web.HTTPSeeOther(f"/games/{game}/card?done=1")
