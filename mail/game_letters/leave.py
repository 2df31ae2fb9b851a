"""The letter telling a leader about a leave and its games. NOT for booking it."""

from dataclasses import dataclass
from datetime import date

from kskak.regulation.quantities import LeaveType
from mail.game_letters.common import foot, plain
from mail.outgoing import blocks as b
from mail.text.facts import Game, Official
from mail.text.words import Words


@dataclass(frozen=True, slots=True)
class LeaveTold:
    """To the leader of the games; ``until``: the player's own last day if he shortened it."""

    leader: Official
    player: str
    first: date
    last: date
    leave_type: LeaveType
    until: date | None
    games: tuple[Game, ...]


def write(letter: LeaveTold, words: Words) -> b.Written:
    """The letter in words (§ 6.3.6.1, § 6.8.8)."""
    player = plain(letter.player)
    days = {"first": words.day(letter.first), "last": words.day(letter.last)}
    if letter.until is None:
        lead = words(f"letters.leave.notice.{letter.leave_type.value}", player=player, **days)
        effect = words("letters.leave.stands_still")
    else:
        kind = "given_up" if letter.until < letter.first else "shortened"
        until = words.day(letter.until)
        lead = words(f"silences.shorter.{kind}", player=player, until=until, **days)
        effect = words("silences.keeps.leader", player=player, **days)
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.leader.name))),
        b.Lead(lead),
        b.Para(effect),
        b.Para(words("letters.leave.games")),
        b.Bullets(tuple(_line(game) for game in letter.games)),
        b.Para(words("letters.leave.opponents_told")),
    )
    end = foot(letter.leader, letter.games[0].zone, words)
    return b.Written(words("letters.leave.of_player", player=player), lead, blocks, end)


def _line(game: Game) -> str:
    return f"{plain(game.name)}: {plain(game.white.name)} – {plain(game.black.name)}"
