"""What is the caller's own: who he is, his tokens, leave, messages and notes; and the openings.

Not for what changes a game (api/play.py).
"""

from datetime import date

from server.api.frame.area import Area, Instant, at
from server.api.frame.endpoints import Call, Guard
from server.api.frame.game_models import ApiAnswer
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.play import view_of
from server.store.account import sign_in as access
from server.store.account.sign_in import TokenScope
from server.store.engine.rows import from_us
from server.usecases.play.game_views import GameView, openings
from server.usecases.play.private_side import OwnSideView, load_own_side, write_tree
from server.usecases.reflection.leave_year import leave_year
from server.usecases.rights import rights

area = Area()


class TokenSeen(ApiAnswer):
    """A token: what it opens, and until when; `used` is the last day, null: never."""

    name: str
    scopes: list[TokenScope]
    made: Instant
    ends: Instant | None
    used: date | None


class TokenList(ApiAnswer):
    """Your tokens, oldest first; they are made and removed at `/settings/access`."""

    tokens: list[TokenSeen]


class Me(ApiAnswer):
    """Who you are here; `scopes` and `ends` are of the token that asks, all and null for a page."""

    id: int
    name: str
    email: str
    lang: str
    member: str | None
    club: str | None
    rating: int | None
    k_rating: int | None
    role: str
    leads: list[int]
    captain: list[int]
    scopes: list[TokenScope]
    ends: Instant | None


class LeaveLeft(ApiAnswer):
    """Days left of a tournament year; `special` null: no limit (§ 6.3.6)."""

    tournament: str
    personal: int
    special: int | None


class BookedDays(ApiAnswer):
    """Leave that you booked, both days included; `until` if it was shortened."""

    first: date
    last: date
    until: date | None
    groups: list[str]


class TimeStands(ApiAnswer):
    """Days that cost nothing: leave, yours or an opponent's, a pause or a holiday (§ 6.3.5)."""

    first: date
    last: date
    cause: str
    whose: str
    name: str
    games: list[str]


class LeaveSeen(ApiAnswer):
    """Your leave this year."""

    left: list[LeaveLeft]
    booked: list[BookedDays]
    stands: list[TimeStands]


class MessageSeen(ApiAnswer):
    """A message; `ply`: of the move that it came with, counted from 1, 0 if it came with none."""

    name: str
    day: date
    text: str
    ply: int
    new: bool = at("is_new")


class MessageList(ApiAnswer):
    """What the players of a game wrote to each other, oldest first."""

    messages: list[MessageSeen]


class NotesSeen(ApiAnswer):
    """Your own note and analysis, which nobody else sees; the analysis as movetext."""

    note: str
    analysis: str


class OpeningSeen(ApiAnswer):
    """A named position: its ECO code, its names, and the position."""

    code: str
    danish: str
    english: str
    position: str


class OpeningList(ApiAnswer):
    """All positions that have a name here."""

    openings: list[OpeningSeen]


@area.get("/me", "me", Me, guard=Guard.SIGNED_IN)
async def me(call: Call) -> object:
    """Who you are, and what your token opens."""
    core, person = call.actor
    held, token = await rights(core, person), call.signed_in.token
    terms = access.ALL_SCOPES if token is None else token.terms
    own = {name: getattr(person, name) for name in Me.model_fields if hasattr(person, name)}
    return own | {
        "leads": sorted(held.led), "captain": sorted(held.captain), "scopes": terms.scopes,
        "ends": terms.ends_us and from_us(terms.ends_us),
    }  # fmt: skip


@area.get("/tokens", "tokens", TokenList, guard=Guard.SIGNED_IN)
async def tokens(call: Call) -> object:
    """Your tokens, without their secrets."""
    core, person = call.actor
    rows = await core.store.query(access.tokens_of, person.id)
    return {
        "tokens": [
            {
                "name": row.name, "scopes": row.scopes.split(), "made": from_us(row.created_us),
                "ends": row.ends_us and from_us(row.ends_us), "used": row.used_day,
            }
            for row in rows
        ]
    }  # fmt: skip


@area.get("/leave", "leave_booked", LeaveSeen, guard=Guard.SIGNED_IN)
async def leave(call: Call) -> object:
    """Your leave: days left, what you booked, and the days on which no time runs this year."""
    core, person = call.actor
    found = await leave_year(core, person.id, call.api.today().year)
    names = ("first", "last", "until", "groups")
    return {
        "left": [
            {"tournament": name, "personal": own, "special": special}
            for name, own, special in found.quotas
        ],
        "booked": [dict(zip(names, one, strict=True)) for one in found.own],
        "stands": found.stills,
    }


async def _own_side(call: Call) -> tuple[GameView, OwnSideView]:
    """A game, and what the caller has beside it. Raises ApiProblem for who plays neither side."""
    view = await view_of(call)
    found = await load_own_side(call.api.core, view, call.signed_in.person.id)
    if found is None:
        raise ApiProblem(ApiProblemKind.NOT_FOUND)
    return view, found


@area.get("/games/{id}/messages", "messages", MessageList, guard=Guard.SIGNED_IN)
async def messages(call: Call) -> object:
    """What you and your opponent wrote to each other."""
    return {"messages": (await _own_side(call))[1].said}


@area.get("/games/{id}/notes", "notes", NotesSeen, guard=Guard.SIGNED_IN)
async def notes(call: Call) -> object:
    """Your own notes and analysis of a game."""
    view, own = await _own_side(call)
    lang = call.signed_in.person.lang
    return {"note": own.note.text, "analysis": write_tree(view.account, own.tree, lang)}


@area.get("/openings", "openings", OpeningList)
async def all_openings(call: Call) -> object:
    """The openings by which games are named."""
    table = openings().by_key.items()
    return {
        "openings": [
            {"code": one.code, "danish": one.danish, "english": one.english, "position": key}
            for key, one in table
        ]
    }


ACCOUNT = tuple(area.calls)
