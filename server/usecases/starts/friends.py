"""What players do beside tournaments: friendly games by challenge, and following each other.

A friendly game is a group of two without a leader of its own: unrated, never published, and with no
right or title in it. It is played as every other game, on the board, by mail and by the API; should
there be a dispute, the controller hears it (reading). Not for the pages (web/play/friends.py).
"""

from dataclasses import dataclass
from enum import StrEnum

from kskak.board.positions import AlreadyOver, Position
from kskak.entries.entry import EntryFault
from kskak.regulation.editions import DEFAULT_LAWS, LAWS, Regulation
from kskak.values import is_line
from mail.incoming.parse_mail import question_address
from mail.office_letters.start_letters import (
    ChallengeLetter,
    ChallengeStage,
    EndedGame,
    FollowedLetter,
)
from server.store import groups as group_rows
from server.store import members as member_rows
from server.store.engine.connection import AsyncConnection
from server.store.engine.rows import DAY_US, to_us
from server.store.groups import GroupRow
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import friends as rows
from server.store.play import games as game_rows
from server.store.play import people as person_rows
from server.store.play.friends import ChallengeRow, FollowRow, NewChallenge
from server.store.play.people import Office, PersonRow, Role
from server.usecases.cases.sanctions import find_barred
from server.usecases.context import Core, poster_of, today_of
from server.usecases.games.case_hearers import list_administrators
from server.usecases.games.game_units import start_of_day
from server.usecases.games.outbox_letters import bounce_token
from server.usecases.groups.group_file import GroupClass, GroupFile
from server.usecases.letter_facts import NoLetter, Params, loads, official, text
from server.usecases.rights import NoSuch, NotAllowed
from server.usecases.starts.start_group import start_in

MOST_CHALLENGES = 5
"""Open challenges of one player, and those that he made within a day."""
MOST_FOLLOWED = 50
LONGEST_WORD = 200
FORM = GroupClass.FRIENDLY.value


class ChallengeColour(StrEnum):
    """Which colour the challenger takes; ``ANY``: by lot when it is accepted."""

    WHITE = "white"
    BLACK = "black"
    ANY = "any"


class ChallengeProblem(StrEnum):
    """Why a challenge can't be made or answered."""

    OPPONENT = "opponent"
    POSITION = "position"
    POSITION_OVER = "position_over"
    WORD = "word"
    TOO_OFTEN = "too_often"
    GONE = "gone"
    BARRED = "barred"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """The terms; ``to`` None: an invitation to anybody. ``fen``: "" for the usual beginning."""

    to: int | None
    regulation: Regulation
    colour: ChallengeColour
    fen: str = ""
    word: str = ""


async def challenge(
    core: Core, by: PersonRow, asked: ChallengeRequest
) -> ChallengeRow | ChallengeProblem:
    """Challenge a player, who gets a letter, or leave an invitation; the same again is no other."""
    wrong = _fault_of(asked)
    if wrong is not None:
        return wrong
    new = NewChallenge(
        by.id, asked.to, asked.regulation.value, asked.colour.value, asked.fen.strip() or None,
        asked.word.strip(), core.now_us,
    )  # fmt: skip
    async with core.store.deciding() as conn:
        if (known := await conn.run_sync(rows.find_same, new)) is not None:
            return known
        if asked.to is not None and await find_opponent(conn, by, asked.to) is None:
            return ChallengeProblem.OPPONENT
        if await _barred(core, conn, [by.id]):
            return ChallengeProblem.BARRED
        if await conn.run_sync(rows.count_made, by.id, core.now_us - DAY_US) >= MOST_CHALLENGES:
            return ChallengeProblem.TOO_OFTEN
        made = await conn.run_sync(rows.add, new)
        if asked.to is not None:
            await outbox_rows.enqueue(conn, [invitation(core, asked.to, made)])
        found = await conn.run_sync(rows.find, made)
    assert found is not None
    return found


def _fault_of(asked: ChallengeRequest) -> ChallengeProblem | None:
    """What is wrong with the terms themselves (§ 1.1.22)."""
    if len(asked.word) > LONGEST_WORD or not is_line(asked.word or "-"):
        return ChallengeProblem.WORD
    if asked.fen.strip():
        try:
            Position.beginning(asked.fen.strip(), LAWS[DEFAULT_LAWS])
        except AlreadyOver:
            return ChallengeProblem.POSITION_OVER
        except ValueError:
            return ChallengeProblem.POSITION
    return None


async def find_opponent(conn: AsyncConnection, by: PersonRow, person_id: int) -> PersonRow | None:
    """Whom one may challenge or follow: anybody else whom a public page names."""
    found = await person_rows.find_person(conn, person_id)
    if found is None or found.id == by.id:
        return None
    return found if await member_rows.is_person_referenced(conn, found.id) else None


async def _barred(core: Core, conn: AsyncConnection, people: list[int]) -> dict[int, EntryFault]:
    """For whom no game may begin (§ 6.1, § 6.2.8, § 6.4.2)."""
    return await conn.run_sync(find_barred, people, FORM, today_of(core))


async def accept(core: Core, by: PersonRow, challenge_id: int) -> int | ChallengeProblem:
    """Take a challenge up: the game begins today, and both get the start letter. The game's id.

    Raises NoSuch, NotAllowed for a challenge to somebody else.
    """
    async with core.store.deciding() as conn:
        found = await conn.run_sync(rows.find, challenge_id)
        if found is None:
            raise NoSuch("challenge")
        if found.to_id not in (None, by.id) or found.by_id == by.id:
            raise NotAllowed
        if found.state != rows.OPEN:
            return ChallengeProblem.GONE
        maker = await person_rows.find_person(conn, found.by_id)
        assert maker is not None
        if await _barred(core, conn, [by.id, maker.id]):
            return ChallengeProblem.BARRED
        keeper = await _find_keeper(conn, core.now_us, {by.id, maker.id})
        if keeper is None:
            return ChallengeProblem.NOBODY
        started = await start_in(core, conn, _file(core, found, (maker, by), keeper))
        await conn.run_sync(rows.close, found.id, rows.PLAYED, started.id)
        (game,) = await game_rows.list_group_games(conn, started.id)
        return game.id


def _file(
    core: Core, found: ChallengeRow, players: tuple[PersonRow, PersonRow], keeper: PersonRow
) -> GroupFile:
    """The game as a group file; White is number 1. ``players``: who challenged, who accepts.

    Colours are drawn as all lots are: the group's page shows the seed.
    """
    white, black = players[::-1] if found.colour == ChallengeColour.BLACK else players
    return GroupFile.model_validate(
        {
            "tournament": "Venskabspartier",
            "class": FORM,
            "group": f"V-{found.id}",
            "regulation": found.regulation,
            "start": today_of(core),
            "tl": keeper.email,
            "tl_name": keeper.name,
            "fen": found.fen or "",
            "players": [
                {"name": one.name, "email": one.email, "lang": one.lang} for one in (white, black)
            ],
            "draw": found.colour == ChallengeColour.ANY,
            "zone": core.settings.clock.zone,
        }
    )


async def _find_keeper(conn: AsyncConnection, now_us: int, players: set[int]) -> PersonRow | None:
    """Who hears a dispute, there being no leader: the controller, else an administrator."""
    held = await person_rows.list_offices(conn, now_us, office=Office.KC)
    by_role = await person_rows.list_power_holders(conn, now_us, Role.KC)
    ids = [row.person_id for row in held]
    ids += [one.id for one in by_role.values() if one.role == Role.KC]
    ids += await conn.run_sync(list_administrators, now_us)
    free = next((one for one in ids if one not in players), None)
    return None if free is None else await person_rows.find_person(conn, free)


async def refuse(core: Core, by: PersonRow, challenge_id: int) -> ChallengeProblem | None:
    """Decline a challenge, which its maker is told, or withdraw one's own.

    Raises NoSuch, NotAllowed.
    """
    async with core.store.deciding() as conn:
        found = await conn.run_sync(rows.find, challenge_id)
        if found is None:
            raise NoSuch("challenge")
        if by.id not in (found.by_id, found.to_id):
            raise NotAllowed
        is_own = by.id == found.by_id
        state = rows.WITHDRAWN if is_own else rows.DECLINED
        if not await conn.run_sync(rows.close, found.id, state):
            return ChallengeProblem.GONE
        if not is_own:
            params: dict[str, object] = {"challenge": found.id, "stage": ChallengeStage.NO}
            letter = poster_of(core).to_person(
                ChallengeLetter, found.by_id, f"{found.id}.no", params
            )
            await outbox_rows.enqueue(conn, [letter])
        return None


@dataclass(frozen=True, slots=True)
class FriendsView:
    """What somebody's page has: challenges to him, his own, invitations, whom he follows."""

    to_me: tuple[ChallengeRow, ...]
    mine: tuple[ChallengeRow, ...]
    invitations: tuple[ChallengeRow, ...]
    followed: tuple[FollowRow, ...]
    names: dict[int, str]


async def friends_of(core: Core, person: PersonRow) -> FriendsView:
    """The page's view."""
    async with core.store.read() as conn:
        found = await conn.run_sync(rows.list_open, person.id)
        followed = await conn.run_sync(rows.list_followed, person.id)
        asked = {one.to_id for one in found if one.to_id is not None}
        known = await person_rows.by_ids(conn, asked)
    others = [one for one in found if one.by_id != person.id]
    return FriendsView(
        to_me=tuple(one for one in others if one.to_id is not None),
        mine=tuple(one for one in found if one.by_id == person.id),
        invitations=tuple(one for one in others if one.to_id is None),
        followed=followed,
        names={one.id: one.name for one in known.values()},
    )


def invitation(core: Core, person_id: int, challenge_id: int, unique: str = "") -> NewOutbox:
    """The letter of a challenge to a player, or of an open invitation that he asked for."""
    params: dict[str, object] = {"challenge": challenge_id, "stage": ChallengeStage.NEW}
    unique = f"{challenge_id}{unique}"
    return poster_of(core).to_person(ChallengeLetter, person_id, unique, params)


@loads(ChallengeLetter)
async def _challenge_letter(core: Core, reader: PersonRow, params: Params) -> ChallengeLetter:
    """A challenge, what became of it, or what is wrong with it. Raises NoLetter."""
    stage, found = ChallengeStage(text(params, "stage")), None
    by = params.get("to")
    async with core.store.read() as conn:
        if (kept := params.get("challenge")) is not None:
            assert isinstance(kept, int)
            found = await conn.run_sync(rows.find, kept)
            if found is None or (found.state != rows.OPEN and stage is ChallengeStage.NEW):
                raise NoLetter("no longer open")
            by = found.to_id if stage is ChallengeStage.NO else found.by_id
        other = await person_rows.find_person(conn, by) if isinstance(by, int) else None
    mail, token = core.settings.mail, bounce_token(core.secret, params.row.id)
    asks = stage in (ChallengeStage.NEW, ChallengeStage.ASKED)
    return ChallengeLetter(
        reader=reader.name,
        official=official(core),
        by="" if other is None else other.name,
        stage=stage,
        regulation=Regulation(found.regulation) if found else Regulation.EMAIL,
        colour=found.colour if found else ChallengeColour.ANY,
        fen=found.fen if found else None,
        word=found.word if found else "",
        url=core.url("/friends"),
        why=str(params.get("why", "")),
        most=MOST_CHALLENGES,
        answers=question_address(mail.local, token, mail.domain) if asks else "",
    )


# Whom one follows: one letter a day when games have ended.


async def follow(core: Core, by: PersonRow, player: int | None, group: str, *, is_on: bool) -> bool:
    """Follow a player, or a group by name, or no longer; False beyond MOST_FOLLOWED.

    Raises NoSuch.
    """
    async with core.store.write() as conn:
        of: GroupRow | None = None
        if player is None:
            of = await group_rows.by_name(conn, group)
        elif await find_opponent(conn, by, player) is None:
            raise NoSuch("person")
        if player is None and of is None:
            raise NoSuch("group")
        whom = player, None if of is None else of.id
        if not is_on:
            await conn.run_sync(rows.unfollow, by.id, *whom)
            return True
        if len(await conn.run_sync(rows.list_followed, by.id)) >= MOST_FOLLOWED:
            return False
        await conn.run_sync(rows.follow, by.id, *whom, core.now_us)
        return True


async def follow_none(core: Core, by: PersonRow) -> None:
    """End the letters altogether."""
    async with core.store.write() as conn:
        await conn.run_sync(rows.unfollow_all, by.id)


async def daily(core: Core) -> None:
    """A letter to every follower about what ended before today."""
    zone = core.settings.clock.zone
    midnight = to_us(start_of_day(core.today(zone), zone))
    async with core.store.write() as conn:
        found = await conn.run_sync(rows.take_ended, midnight)
        letters = [
            poster_of(core).to_person(FollowedLetter, person, str(midnight), {"games": list(ended)})
            for person, ended in found.items()
        ]
        await outbox_rows.enqueue(conn, letters)


@loads(FollowedLetter)
async def _followed_letter(core: Core, reader: PersonRow, params: Params) -> FollowedLetter:
    """What has ended; games that go on again are left out. Raises NoLetter when none is left."""
    ids = params.get("games")
    async with core.store.read() as conn:
        found = await game_rows.load_many(conn, ids if isinstance(ids, list) else [])
    ended = tuple(
        EndedGame(one.name, one.white, one.black, one.result, core.url(f"/games/{one.id}"))
        for one in found
        if one.result is not None
    )
    if not ended:
        raise NoLetter("none has ended")
    return FollowedLetter(reader.name, official(core), ended, core.url("/friends"))
