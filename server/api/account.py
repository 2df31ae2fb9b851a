"""What is the caller's own: who he is, his tokens, leave, messages and notes; and the openings.

Not for what changes a game (api/play.py).
"""

from datetime import date

from pydantic import Field

from server.api.frame.area import Area, Instant, at
from server.api.frame.endpoints import Call
from server.api.frame.game_models import MOST_NUMBER, ApiAnswer, ApiBody, answer_model, bad_fields
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.api.play import view_of
from server.store.account import notifications as rows
from server.store.account import sign_in as access
from server.store.account.sign_in import TokenScope
from server.store.engine.rows import from_us
from server.usecases.account import notifications
from server.usecases.account.notifications import BadBrowser, TooManyHooks
from server.usecases.play.game_views import GameView, openings
from server.usecases.play.private_side import OwnSideView, load_own_side, write_tree
from server.usecases.reflection.leave_year import leave_year
from server.usecases.rights import rights

area = Area()
reading = area.opened_by(TokenScope.READ)


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


LeaveSeen = answer_model(
    "LeaveSeen", "Your leave this year.",
    left=list[LeaveLeft], booked=list[BookedDays], stands=list[TimeStands],
)  # fmt: skip


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


OpeningList = answer_model(
    "OpeningList", "All positions that have a name here.", openings=list[OpeningSeen]
)


@area.get("/me", "me", Me)
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


@area.get("/tokens", "tokens", TokenList)
async def tokens(call: Call) -> object:
    """Your tokens, without their secrets."""
    core, person = call.actor
    kept = await core.store.query(access.tokens_of, person.id)
    return {
        "tokens": [
            {
                "name": row.name, "scopes": row.scopes.split(), "made": from_us(row.created_us),
                "ends": row.ends_us and from_us(row.ends_us), "used": row.used_day,
            }
            for row in kept
        ]
    }  # fmt: skip


@area.get("/leave", "leave_booked", LeaveSeen)
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


@area.get("/games/{id}/messages", "messages", MessageList)
async def messages(call: Call) -> object:
    """What you and your opponent wrote to each other."""
    return {"messages": (await _own_side(call))[1].said}


@area.get("/games/{id}/notes", "notes", NotesSeen)
async def notes(call: Call) -> object:
    """Your own notes and analysis of a game."""
    view, own = await _own_side(call)
    lang = call.signed_in.person.lang
    return {"note": own.note.text, "analysis": write_tree(view.account, own.tree, lang)}


@area.get("/openings", "openings", OpeningList, is_open=True)
async def all_openings(call: Call) -> object:
    """The openings by which games are named."""
    table = openings().by_key.items()
    return {
        "openings": [
            {"code": one.code, "danish": one.danish, "english": one.english, "position": key}
            for key, one in table
        ]
    }


# Webhooks: addresses that are told of the caller's games, while the token that made them stands.


class WebhookSeen(ApiAnswer):
    """A webhook; `status` is of its last answer, null for none, `failures` since one was taken."""

    id: int
    url: str
    status: int | None
    failures: int


WebhookList = answer_model(
    "WebhookList", "Your webhooks, oldest first.", webhooks=list[WebhookSeen]
)


class WebhookMade(ApiAnswer):
    """A webhook's number, and the key of its signatures, which is the token's."""

    id: int
    key: str


WebhookDone = answer_model(
    "WebhookDone", "The webhook, and how many games it is told of again.", id=int, games=(int, 0)
)


class WebhookBody(ApiBody):
    """An address: https, a host by name, the usual port."""

    url: str = Field(min_length=1, max_length=1000)


class ReplayBody(ApiBody):
    """What came after entry `after`, in one `game` or in all."""

    after: int = Field(0, ge=0, le=MOST_NUMBER)
    game: int | None = Field(None, ge=1, le=MOST_NUMBER)


@area.get("/webhooks", "webhooks", WebhookList)
async def webhooks(call: Call) -> object:
    """Your webhooks, and how they answer."""
    core, person = call.actor
    return {"webhooks": await core.store.query(rows.list_webhooks, person.id)}


@reading.post("/webhooks", "webhook_add", WebhookMade, ApiProblemKind.NOT_SO, body=WebhookBody)
async def add_webhook(call: Call, body: WebhookBody) -> object:
    """Be told of your games.

    Each call is a POST of the game as it stands and its new entries, signed in `Kskak-Signature`
    (`t=SECONDS,v1=HEX`): HMAC-SHA256 with the key over the seconds, a full stop and the body. An
    answer but 2xx is followed by another attempt after 1, 10 and 60 minutes, 6 hours, and each day.
    """
    core, person = call.actor
    caller, words = call.signed_in, load_words(call)
    if caller.token is None:
        raise ApiProblem(ApiProblemKind.NOT_SO, values={"why": words("api.webhook.token")})
    try:
        made = await notifications.add_webhook(core, person.id, caller.bucket, body.url)
    except BadBrowser:
        raise bad_fields([("/url", "not_allowed")]) from None
    except TooManyHooks:
        why = words("api.webhook.too_many", most=rows.MOST_HOOKS)
        raise ApiProblem(ApiProblemKind.NOT_SO, values={"why": why}) from None
    return {"id": made, "key": notifications.webhook_key(core, caller.bucket)}


@reading.post("/webhooks/{id}/removal", "webhook_remove", WebhookDone)
async def remove_webhook(call: Call, _: object) -> object:
    """Be told no more."""
    core, person = call.actor
    found = await core.store.change(rows.remove_webhook, call.path_id, person.id)
    return {"id": call.path_id} if found else None


@reading.post("/webhooks/{id}/replay", "webhook_replay", WebhookDone, body=ReplayBody)
async def replay_webhook(call: Call, body: ReplayBody) -> object:
    """Be told again."""
    again = (call.path_id, body.game, body.after)
    core, person = call.actor
    told = await notifications.replay_webhook(core, person.id, *again)
    return None if told is None else {"id": call.path_id, "games": told}


ACCOUNT = tuple(area.calls)
