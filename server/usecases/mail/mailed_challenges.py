"""Friendly games by mail: who is challenged, who would like a game, and the «ja» to either.

Nothing begins without a «ja» to the very letter that asks. Not for the pages (web/play/friends.py).
"""

from collections.abc import Sequence

from kskak.regulation.editions import Regulation
from mail.grammar.keyword_lines import Word, asks_for_invitations, find_challenged, says_only
from mail.office_letters.start_letters import ChallengeLetter, ChallengeStage
from server.store import members as member_rows
from server.store.mail import outbox as outbox_rows
from server.store.mail.outbox import NewOutbox
from server.store.play import people as person_rows
from server.store.play.people import PersonRow
from server.usecases.context import Core, poster_of
from server.usecases.games.game_units import may_list
from server.usecases.letter_facts import Params
from server.usecases.mail.mailed_requests import keywords_in, plays_too
from server.usecases.mail.parsed_mail import OpenedMail, answered_letter
from server.usecases.starts import friends
from server.usecases.starts.friends import ChallengeColour, ChallengeProblem, ChallengeRequest

ASKED, ANSWERED, FAULT = "challenge_asked", "challenge_answered", "challenge_fault"
"""The outcomes of such a mail."""
MOST_SHOWN = 5
"""Open invitations that a mail is answered with, the newest."""
_UNCLEAR, _NONE = "unclear", "none"


async def challenge_by_mail(core: Core, opened: OpenedMail, person_id: int) -> str | None:
    """Handle a mail about a friendly game; its outcome, or None for any other mail."""
    if plays_too(opened):
        return None
    async with core.store.read() as conn:
        person = await person_rows.find_person(conn, person_id)
    letter = await answered_letter(core, opened, person_id)
    if person is None:
        return None
    if letter is not None and letter.kind == ChallengeLetter.kind:
        return await _answer(core, opened, person, Params(letter))
    whom = find_challenged(opened.words)
    if whom is not None:
        return await _ask(core, opened, person, whom)
    if asks_for_invitations(opened.words):
        return await _show_invitations(core, opened, person)
    return None


async def _answer(core: Core, opened: OpenedMail, person: PersonRow, params: Params) -> str | None:
    """«ja» or «nej tak» to a challenge, or to whether one is meant; None to another such letter."""
    said, stage = keywords_in(opened, core.settings.clock.zone), params.get("stage")
    is_yes, is_no = says_only(said, Word.YES), says_only(said, Word.NO)
    if stage not in (ChallengeStage.NEW, ChallengeStage.ASKED):
        return None
    if not is_yes and not is_no:
        return await _tell(core, opened, person, {"stage": ChallengeStage.FAULT, "why": _UNCLEAR})
    done: object = None
    if stage == ChallengeStage.ASKED and is_yes:
        to = params.get("to")
        whom = to if isinstance(to, int) else None
        asked = ChallengeRequest(whom, Regulation.EMAIL, ChallengeColour.ANY)
        done = await friends.challenge(core, person, asked)
        if not isinstance(done, ChallengeProblem):
            sent: dict[str, object] = {"stage": ChallengeStage.SENT, "to": whom}
            await _tell(core, opened, person, sent)
    elif stage == ChallengeStage.NEW:
        done = await _decide(core, person, params, is_yes=is_yes)
    if isinstance(done, ChallengeProblem):
        why: dict[str, object] = {"stage": ChallengeStage.FAULT, "why": done.value}
        return await _tell(core, opened, person, why)
    return ANSWERED


async def _decide(
    core: Core, person: PersonRow, params: Params, *, is_yes: bool
) -> int | ChallengeProblem | None:
    """Accept a challenge or decline it; an invitation to everybody is just not taken up."""
    number = params.get("challenge")
    assert isinstance(number, int)
    if is_yes:
        return await friends.accept(core, person, number)
    to_me = (await friends.friends_of(core, person)).to_me
    if all(one.id != number for one in to_me):
        return None
    return await friends.refuse(core, person, number)


async def _ask(core: Core, opened: OpenedMail, person: PersonRow, whom: str) -> str | None:
    """Ask whether he means to challenge that player, or everybody; or say that there is none."""
    if not whom:
        return await _tell(core, opened, person, {"stage": ChallengeStage.ASKED, "to": None})
    async with core.store.read() as conn:
        found = await member_rows.find_players(conn, whom.split(), (0, 20), are_many=False)
    named = [one for one in found if one.name.casefold() == whom.casefold()] or found
    if len(named) != 1 or named[0].id == person.id:
        why = ChallengeProblem.OPPONENT
        return await _tell(core, opened, person, {"stage": ChallengeStage.FAULT, "why": why})
    asked: dict[str, object] = {"stage": ChallengeStage.ASKED, "to": named[0].id}
    return await _tell(core, opened, person, asked)


async def _show_invitations(core: Core, opened: OpenedMail, person: PersonRow) -> str:
    """Each open invitation in a letter of its own, so that a «ja» is to that one."""
    found = (await friends.friends_of(core, person)).invitations[:MOST_SHOWN]
    if not found:
        return await _tell(core, opened, person, {"stage": ChallengeStage.FAULT, "why": _NONE})
    unique = f".{opened.row.id}"
    letters = [friends.invitation(core, person.id, one.id, unique) for one in found]
    await _post(core, person, letters)
    return ASKED


async def _tell(
    core: Core, opened: OpenedMail, person: PersonRow, params: dict[str, object]
) -> str:
    """Answer with one letter, once for each mail."""
    unique = f"mail.{opened.row.id}"
    letter = poster_of(core).to_person(ChallengeLetter, person.id, unique, params)
    await _post(core, person, [letter])
    return FAULT if "why" in params else ASKED


async def _post(core: Core, person: PersonRow, letters: Sequence[NewOutbox]) -> None:
    """Send what may be sent: two robots that answer each other stop by evening."""
    day = core.today(core.settings.clock.zone).isoformat()
    async with core.store.write() as conn:
        if await may_list(conn, person.id, day, core.now_us, asked=True):
            await outbox_rows.enqueue(conn, list(letters))
