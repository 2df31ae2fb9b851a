"""The table of all API endpoints: routed by routes.py, described by frame/openapi.py.

Not for the handlers (their own modules).
"""

from kskak.game.refusals import Reason
from server.api.archive.calls import ARCHIVE
from server.api.cases.table import CASES, DESKS
from server.api.cup.calls import CUPS
from server.api.entries.table import ENTRIES
from server.api.frame import body as bodies
from server.api.frame import game_answers as answers
from server.api.frame import health, health_answers
from server.api.frame.endpoints import PGN, PLAIN, Endpoint, Guard, Parameter
from server.api.frame.problems import Kind
from server.api.groups import answers as group_answers
from server.api.groups import calls as grouping
from server.api.league.calls import LEAGUE
from server.api.league.team_calls import TEAM_ENTRIES
from server.api.office.table import CONTROLLER
from server.api.play import addresses as addressing
from server.api.play import calls as acting
from server.api.play import cards as posting
from server.api.play import leave, reads
from server.api.rating.calls import RATINGS
from server.api.register.calls import REGISTER

PREFIX = "/api/v1"
_GAME = f"{PREFIX}/games/{{id}}"
_ON = Parameter("on", "string", "The day to show the running account of", format="date")
_ALL = Parameter("all", "string", "`1`: every game you may see, by pages", allowed=("0", "1"))
_PAGES = (
    Parameter("limit", "integer", "With `all=1`: games on a page, 1 to 500; 100 if not said"),
    Parameter("after", "integer", "With `all=1`: the number of the last game you have"),
)
_TEXT = (Kind.NOT_UNDERSTOOD, Kind.AMBIGUOUS, Reason.ILLEGAL)
_TURN = (
    Reason.STALE, Reason.NOT_YOUR_TURN, Reason.GAME_OVER, Reason.OVERSTEP_ASKS, Reason.NO_EMAIL,
    Reason.AT_REST,
)  # fmt: skip
_SERIES = (
    Kind.CONTRADICTION,
    Kind.WRONG_REPETITION,
    Kind.WRONG_NUMBER,
    Reason.SERIES,
    Reason.SERIES_ILLEGAL,
)

ACTIONS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", f"{_GAME}/moves", "moves", acting.moves, "Send a move or a series",
        answers.Done, body=bodies.MovesBody, problems=(*_TEXT, *_TURN, *_SERIES, Reason.DATES),
    ),
    Endpoint(
        "POST", f"{_GAME}/draw", "draw", acting.draw, "Answer a draw offer, or claim a draw",
        answers.Done, body=bodies.DrawBody,
        problems=(*_TEXT, *_TURN, Reason.NO_OFFER, Reason.DRAW_TOO_EARLY),
    ),
    Endpoint(
        "POST", f"{_GAME}/resign", "resign", acting.resign, "Resign",
        answers.Done, body=bodies.ResignBody, is_body_optional=True,
        problems=(Reason.GAME_OVER, Reason.AT_REST),
    ),
    Endpoint(
        "POST", f"{_GAME}/claim", "claim", acting.claim,
        "Claim the opponent's overstep, play on without a claim, or admit one's own",
        answers.Done, body=bodies.ClaimBody, is_body_optional=True,
        problems=(
            Reason.NO_OVERSTEP, Reason.OUTAGE_UNSETTLED, Reason.NO_CLAIM, Reason.GAME_OVER,
            Reason.AT_REST,
        ),
    ),
    Endpoint(
        "POST", f"{_GAME}/long-think", "long_think", acting.long_think,
        "Give notice that your move may take more than 14 days",
        answers.Done, body=bodies.LongThinkBody, is_body_optional=True,
        problems=(Reason.NOT_YOUR_TURN, Reason.GAME_OVER, Reason.AT_REST),
    ),
    Endpoint(
        "POST", f"{PREFIX}/leave", "leave", leave.leave, "Book personal leave in all your games",
        answers.LeaveBooked, body=bodies.LeaveBody,
        problems=(
            Reason.LEAVE_TOO_SOON, Reason.LEAVE_QUOTA, Reason.LEAVE_ORDER,
            Reason.LEAVE_TOO_LONG, Kind.NO_GAMES,
        ),
    ),
    Endpoint(
        "POST", f"{PREFIX}/leave/shorten", "leave_shorten", leave.shorter,
        "Shorten your leave; your opponents keep the announced stop",
        answers.LeaveBooked, body=bodies.ShortenBody,
        problems=(Reason.LEAVE_UNKNOWN, Reason.LEAVE_NOT_SHORTER),
    ),
    Endpoint(
        "POST", f"{PREFIX}/leave/special", "leave_special", leave.special,
        "Grant special leave to a player you lead", answers.LeaveBooked,
        body=bodies.SpecialLeaveBody,
        problems=(
            Reason.SPECIAL_QUOTA, Reason.LEAVE_ORDER, Reason.LEAVE_TOO_LONG,
            Reason.LEAVE_TOO_SOON, Kind.NOT_FOUND,
        ),
    ),
)  # fmt: skip
_CARD = (
    Reason.NOT_POSTAL, Reason.DAY_OUTSIDE, Reason.CARD_UNDATED, Reason.CARD_UNRECEIVED,
    Reason.CARD_FUTURE, Reason.CARD_DATES, Reason.CARD_LAWFUL, Reason.CARD_KNOWN,
    Reason.CARD_UNKNOWN, Reason.CARD_BINDS, Reason.CARD_ANSWERED, Reason.CARD_SENDER,
    Reason.CARD_FINAL,
)  # fmt: skip
POST_CARDS: tuple[Endpoint, ...] = (
    Endpoint(
        "POST", f"{_GAME}/cards", "cards", posting.card, "Enter a post card of a postal game",
        answers.CardDone, body=bodies.CardBody,
        problems=(*_TEXT, *_TURN, *_SERIES, *_CARD, Reason.NO_OFFER),
    ),
    Endpoint(
        "POST", f"{_GAME}/receipt", "receipt", posting.receipt, "Since when you have the card",
        answers.Done, body=bodies.ReceiptBody,
        problems=(*_CARD, *_TURN, Reason.RECEIPT_KNOWN),
    ),
    Endpoint(
        "POST", f"{_GAME}/email", "email", posting.email, "Agree to e-mail in a postal game",
        answers.Done, body=bodies.EmailBody, problems=(Reason.NOT_POSTAL, Reason.GAME_OVER),
    ),
)  # fmt: skip
ADDRESSES: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/address", "address", addressing.own, "Your own postal address",
        answers.OwnAddress,
    ),
    Endpoint(
        "PUT", f"{PREFIX}/address", "address_keep", addressing.keep,
        "Another postal address; your opponents and leaders are told", answers.OwnAddress,
        body=bodies.AddressBody,
    ),
    Endpoint(
        "GET", f"{_GAME}/addresses", "addresses", addressing.of_game,
        "Where to post a card: a running postal game's addresses", answers.AddressList,
    ),
)  # fmt: skip
LOOKS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/games", "games", reads.games, "Your games, the most urgent first",
        answers.GameList, query=(_ALL, *_PAGES),
    ),
    Endpoint("GET", _GAME, "game", reads.game, "A game as it stands today", answers.GameDetail),
    Endpoint(
        "GET", f"{_GAME}/ledger", "ledger", reads.ledger, "What happened, as kskak-ledger/1",
        answers.Ledger, has_etag=True,
    ),
    Endpoint(
        "GET", f"{_GAME}/clock", "clock", reads.clock, "The account, as kskak-clock/1",
        answers.Clock, query=(_ON,), has_etag=True,
    ),
    Endpoint("GET", f"{_GAME}/pgn", "pgn", reads.game_pgn, "The game as PGN", PGN, has_etag=True),
)  # fmt: skip
GROUPS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/groups", "groups", grouping.groups, "Every group, the newest first",
        group_answers.GroupList, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/groups/{{id}}", "group_table", grouping.table,
        "A group's crosstable, and what a finished one comes to", group_answers.GroupTable,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/groups/{{id}}/pgn", "group_pgn", grouping.pgn,
        "A group's finished games as PGN; with a token also the running ones you may see",
        PGN, guard=Guard.OPEN, problems=(Kind.NOT_SIGNED_IN, Kind.TOO_MANY),
    ),
)  # fmt: skip
OPERATION: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", "/healthz", "healthz", health.healthz, "Is the process up?",
        health_answers.Health, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", "/readyz", "readyz", health.readyz, "Can the server do its work?",
        health_answers.Readiness, guard=Guard.OPEN, unready=health_answers.Readiness,
    ),
    Endpoint(
        "GET", "/metrics", "metrics", health.metrics, "Counters for Prometheus",
        PLAIN, guard=Guard.OPEN,
    ),
)  # fmt: skip
ENDPOINTS: tuple[Endpoint, ...] = (
    *ACTIONS, *POST_CARDS, *ADDRESSES, *LOOKS, *GROUPS, *CASES, *DESKS, *ENTRIES, *CONTROLLER,
    *LEAGUE, *TEAM_ENTRIES, *REGISTER, *RATINGS, *CUPS, *ARCHIVE,
    *OPERATION,
)  # fmt: skip
