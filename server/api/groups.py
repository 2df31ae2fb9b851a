"""GET /groups: the list, a crosstable, a group's games as PGN. Public (CONTRACTS, § 6.4.5.1).

Not for the order of the rows (kskak.groups.crosstables).
"""

import asyncio
from datetime import date
from typing import Literal

from aiohttp import web
from pydantic import Field

from kskak.cup import CupStage
from kskak.entries.emt import EmtClass, EmtOutcome
from kskak.groups.crosstables import GameTermination, LeagueTable
from kskak.groups.placing import RankingRules, RankingStep
from kskak.regulation.editions import Regulation, Side
from mail.office_letters.bulletins import FinalStanding
from server.api.frame.area import Area, Points, at
from server.api.frame.endpoints import PGN, Call
from server.api.frame.game_models import HEADERS, ApiAnswer, ApiBody, answer_model
from server.api.frame.problems import ApiProblem, ApiProblemKind
from server.api.frame.serving import load_words
from server.store import groups as group_rows
from server.store.groups import GroupRow
from server.store.play import people as person_rows
from server.usecases.groups.group_tables import read_final_standing, table_in
from server.usecases.league.divisions import division_in
from server.usecases.play.game_views import group_pgn
from server.usecases.starts import friends
from server.usecases.starts.friends import ChallengeColour, ChallengeProblem, ChallengeRequest

# Response models about groups. Not for games (frame/game_models.py).


class GroupItem(ApiAnswer):
    """A group in the list; `live`: anybody may follow its running games."""

    id: int
    name: str
    tournament: str
    group_class: str = at("class_")
    start: date
    live: bool


GroupList = answer_model("GroupList", "Every group, the newest first.", groups=list[GroupItem])


class TableGame(ApiAnswer):
    """A game from the row player's point of view; `points` is null while it runs."""

    game: int
    opponent: int
    side: Side
    points: Points | None
    how: GameTermination | None


class TableRow(ApiAnswer):
    """A player's row; `decided_by` is the step that separated it from the row above."""

    place: int
    number: int = at("player", "number")
    name: str = at("player", "name")
    club: str | None = at("player", "club")
    withdrawn: bool = at("player", "has_left")
    points: Points
    games: int
    unfinished: int
    percent: Points | None
    sonneborn_berger: Points
    decided_by: RankingStep | None
    results: list[TableGame] = at("meetings")


class RightHeld(ApiAnswer):
    """A right gained or lost in a finished group: the class now open, until when, by which rule."""

    number: int
    outcome: EmtOutcome
    opens: EmtClass
    until: date
    paragraph: str


class CupRightHeld(ApiAnswer):
    """The highest class that a finished cup round opens, and until when (§ 6.6.2)."""

    number: int
    opens: EmtClass
    until: date
    paragraph: str


class CupRound(ApiAnswer):
    """The cup and the round that a cup group belongs to (§ 6.6.1.1)."""

    cup: int = at("cup_id")
    edition: int
    stage: CupStage


class TitleHeld(ApiAnswer):
    """A title and its holders' numbers; `awaits` a play-off or lots, and `between` whom."""

    title: str
    holders: list[int]
    awaits: RankingStep | None
    between: list[int]
    paragraph: str


class PrizeHeld(ApiAnswer):
    """A prize in øre."""

    number: int
    amount: int


class TeamRow(ApiAnswer):
    """A team's row; `points_against` in the order of the other rows, null before a result."""

    place: int
    club: str = at("name")
    points: Points
    games: int
    percent: Points | None
    decided_by: RankingStep | None
    points_against: list[Points | None] = at("against")


class BoardRow(ApiAnswer):
    """A player's row on his board; the regulation does not rank players (§ 6.7.4.5)."""

    name: str
    points: Points
    games: int
    points_against: list[Points | None] = at("against")


class TeamMatch(ApiAnswer):
    """A match, with the home and away scores so far; `running` games are still being played."""

    round: int
    home: str
    away: str
    points: list[Points]
    running: int


class ClubPrize(ApiAnswer):
    """A club's prize in øre."""

    club: str
    amount: int


class DivisionTable(ApiAnswer):
    """A division of the league: teams by place, matches, boards from 1 (§ 6.7.4.5)."""

    division: int
    teams: list[TeamRow]
    matches: list[TeamMatch]
    boards: list[list[BoardRow]]
    champion: str | None
    needs_lots: bool
    lots_seed: str | None
    prizes: list[ClubPrize]


class GroupTable(GroupItem):
    """A group's crosstable, rows by place; titles, rights and prizes only once it is finished.

    A division of the league has no rows: its teams are ranked in `division`. `override`: the
    paragraphs that its start deliberately broke.
    """

    leader: str
    override: str | None
    override_reason: str | None
    rules: RankingRules
    finished: bool
    round: CupRound | None
    rows: list[TableRow]
    titles: list[TitleHeld]
    rights: list[RightHeld]
    prizes: list[PrizeHeld]
    cup_rights: list[CupRightHeld]
    division: DivisionTable | None


# The calls.

area = Area()


def _item(group: GroupRow, *, is_live: bool) -> dict[str, object]:
    return {
        "id": group.id, "name": group.name, "tournament": group.tournament,
        "class_": group.class_, "start": group.start, "live": is_live,
    }  # fmt: skip


@area.get("/groups", "groups", GroupList, is_open=True)
async def groups(call: Call) -> object:
    """Every group, the newest first."""
    async with call.api.core.store.read() as conn:
        live, found = await group_rows.all_of(conn), await group_rows.everything(conn)
    return {"groups": [_item(group, is_live=group.id in live) for group in found]}


@area.get("/groups/{id}", "group_table", GroupTable, is_open=True)
async def table(call: Call) -> object:
    """A group's crosstable, and what a finished one comes to."""
    async with call.api.core.store.read() as conn:
        group = await group_rows.find(conn, call.path_id)
        if group is None:
            return None
        view = await table_in(conn, group)
        standing = await read_final_standing(conn, group, view)
        leader = await person_rows.find_person(conn, group.tl_id)
        division = await division_in(conn, group)
        live = await group_rows.find_public_groups(conn, (group.id,))
    assert leader is not None
    ended = FinalStanding(view.table) if standing is None or division is not None else standing
    return _item(group, is_live=bool(live)) | {
        "leader": leader.name, "override": group.override,
        "override_reason": group.override_reason, "round": view.kind.round,
        "rules": view.table.rules if division is None else RankingRules.LEAGUE,
        "finished": view.table.is_finished, "titles": ended.awards,
        "rows": view.table.lines if division is None else (),
        "division": None if division is None else _division(division),
        "rights": ended.consequences, "cup_rights": ended.cup_rights,
        "prizes": [{"number": holder, "amount": int(money)} for holder, money in ended.prizes],
    }  # fmt: skip


def _division(table: LeagueTable) -> dict[str, object]:
    """A division by teams, matches and boards; players are compared only within their board."""
    return {
        "division": table.division, "teams": table.clubs.rows, "matches": table.matches,
        "boards": [one.rows for one in table.boards], "champion": table.champion,
        "needs_lots": table.needs_lots, "lots_seed": table.seed,
        "prizes": [{"club": club, "amount": int(money)} for club, money in table.prizes],
    }  # fmt: skip


@area.get(
    "/groups/{id}/pgn", "group_pgn", PGN, ApiProblemKind.NOT_SIGNED_IN, ApiProblemKind.TOO_MANY,
    is_open=True,
)  # fmt: skip
async def pgn(call: Call) -> object:
    """A group's finished games as PGN; with a token also the running ones you may see."""
    core, request = call.api.core, call.request
    person = None
    if "Authorization" in request.headers:
        now = asyncio.get_running_loop().time()
        person = (await call.api.doors.let_in(request, now)).person
    group = await core.store.query(group_rows.find, call.path_id)
    text = None if group is None else await group_pgn(core, group.name, person)
    if text is None:
        return None
    return web.Response(text=text, content_type=PGN, charset="utf-8", headers=HEADERS)


# Friendly games by challenge: as on the page (web/play/friends.py).


class ChallengeBody(ApiBody):
    """The terms; without `to` an invitation to anybody. `colour`: the challenger's own."""

    to: int | None = None
    rules: Literal["email", "postal"] = "email"
    colour: ChallengeColour = ChallengeColour.ANY
    fen: str = Field("", max_length=200)
    word: str = Field("", max_length=friends.LONGEST_WORD)


class ChallengeItem(ApiAnswer):
    """An open challenge; `to` null: anybody may take it up."""

    id: int
    by: int = at("by_id")
    name: str = at("by")
    to: int | None = at("to_id")
    rules: str = at("regulation")
    colour: ChallengeColour
    fen: str | None
    word: str


ChallengeList = answer_model(
    "ChallengeList", "The open challenges to the caller, his own, and invitations to anybody.",
    to_me=list[ChallengeItem], mine=list[ChallengeItem], invitations=list[ChallengeItem],
)  # fmt: skip
ChallengeAccepted = answer_model("ChallengeAccepted", "The game that has begun.", game=int)
ChallengeClosed = answer_model(
    "ChallengeClosed", "The challenge that is declined or withdrawn.", id=int
)


@area.refusal(ChallengeProblem)
def _no_game(call: Call, problem: ChallengeProblem) -> ApiProblem:
    """Why a challenge is not made or answered."""
    most = {"most": friends.MOST_CHALLENGES, "longest": friends.LONGEST_WORD}
    why = load_words(call)(f"friends.fault.{problem.value}", **most)
    return ApiProblem(
        ApiProblemKind.CHALLENGE_REFUSED, {"code": problem.value}, values={"why": why}
    )


@area.get("/challenges", "challenges", ChallengeList)
async def challenges(call: Call) -> object:
    """Who would like a friendly game with the caller."""
    return await friends.friends_of(*call.actor)


_CHALLENGE = (ApiProblemKind.CHALLENGE_REFUSED, ApiProblemKind.NOT_ALLOWED)


@area.post(
    "/challenges", "challenge_make", ChallengeItem, *_CHALLENGE[:1], body=ChallengeBody,
    is_needed=True,
)  # fmt: skip
async def make_challenge(call: Call, body: ChallengeBody) -> object:
    """Challenge a player to a friendly game, or invite anybody."""
    terms = Regulation(body.rules), body.colour, body.fen, body.word
    return await friends.challenge(*call.actor, ChallengeRequest(body.to, *terms))


@area.post(
    "/challenges/{id}/accept", "challenge_accept", ChallengeAccepted, *_CHALLENGE, hides=True
)
async def accept_challenge(call: Call, _: object) -> object:
    """Take a challenge up: the game begins."""
    game = await friends.accept(*call.action)
    return game if isinstance(game, ChallengeProblem) else {"game": game}


@area.post("/challenges/{id}/refusal", "challenge_refuse", ChallengeClosed, *_CHALLENGE, hides=True)
async def refuse_challenge(call: Call, _: object) -> object:
    """Decline a challenge, or withdraw one's own."""
    problem = await friends.refuse(*call.action)
    return {"id": call.path_id} if problem is None else problem


GROUPS = tuple(area.calls)
