"""Letters about how a game stands: it ended, a draw was declined, time ran out, a claim, leave.

§ 6.2.6, § 6.3.3, § 6.3.4, § 6.3.6.1, § 6.8.3, § 6.8.7. NOT for moves (``moves``).
"""

from collections.abc import Iterator

from kskak.regulation.quantities import Ending, Finding, Result, Side
from kskak.statement.account import Account
from mail.game_letters.common import (
    account_blocks,
    board_view,
    both_forms,
    deadline_facts,
    plain,
    web_link,
)
from mail.game_letters.facts import (
    AnnulmentNotice,
    ClaimFiled,
    DrawNotice,
    GameOver,
    LeaveNotice,
    OverstepWarning,
    SilenceReport,
)
from mail.game_letters.how_to_answer import address_blocks, answer_blocks, word_row
from mail.game_letters.moves import days_blocks, written
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import explain, overstep_lines, side_name
from mail.text.facts import Game
from mail.text.words import Words


def _greeting(game: Game, to: Side | None, words: Words) -> b.Para:
    name = game.leader.name if to is None else game.player(to).name
    return b.Para(words("letters.greeting", name=plain(name)))


def _full_account(account: Account, words: Words) -> Iterator[b.Block]:
    """The record with every day explained, for whoever has to judge it (§ 6.3.3.5)."""
    yield from account_blocks(account, words)
    yield b.Bullets(tuple(line.strip() for line in explain(account, words)))


def game_over(letter: GameOver, words: Words, envelope: Envelope) -> b.Written:
    """The result, how it came about, the last dispatch and the whole record."""
    game, account = letter.game, letter.account
    result = account.state.result
    text = "*" if result is None else result.value
    lead = words("letters.over.lead", result=text)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield b.Para(_how(game, account, words))
        if letter.dispatch is not None:
            moves = both_forms(letter.dispatch.plies, words)
            yield b.Para(words("letters.over.last", moves=moves))
        yield b.Facts(
            tuple((side_name(side, words), plain(game.player(side).name)) for side in Side)
        )
        yield board_view(account, letter.to, words)
        if letter.dispatch is not None:
            yield from days_blocks(account, letter.dispatch, words)
        yield from account_blocks(account, words)
        yield b.Para(words("letters.over.reported"))
        yield from web_link(game, words)

    about = words("letters.subject.over", result=text)
    return written(game, lead, blocks(), words, (letter.to, about))


def _how(game: Game, account: Account, words: Words) -> str:
    """How the game ended: a decided overstep overrides all but a ruling (§ 6.3.3.3)."""
    state = account.state
    overstep = state.overstep
    is_decided = overstep is not None and overstep.finding is not Finding.OPEN
    if is_decided and state.ended is not Ending.RULING:
        return next(overstep_lines(account, words))
    loser = _loser(state.result)
    names = {
        "loser": plain(game.player(loser).name) if loser else "-",
        "winner": plain(game.player(loser.other).name) if loser else "-",
    }
    ended = state.ended.value if state.ended is not None else "ruling"
    return words(f"letters.ended.{ended}", **names)


def _loser(result: Result | None) -> Side | None:
    match result:
        case Result.WHITE_WINS:
            return Side.BLACK
        case Result.BLACK_WINS:
            return Side.WHITE
        case _:
            return None


def draw_notice(letter: DrawNotice, words: Words, envelope: Envelope) -> b.Written:
    """A notice about a draw, and how to answer; the game goes on (FIDE 9.1)."""
    game, side = letter.game, letter.to
    lead = words(f"letters.draw.{letter.word.value}", opponent=plain(game.player(side.other).name))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, side, words)
        yield b.Lead(lead)
        yield from deadline_facts(letter.account, side, words)
        yield board_view(letter.account, side, words)
        if letter.account.state.to_move is side:
            yield from answer_blocks(letter.account, envelope.reply_to, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def annulment_notice(letter: AnnulmentNotice, words: Words, envelope: Envelope) -> b.Written:
    """What a repair annulled and why, where the game stands now, and who is to move."""
    game, account, seqs = letter.game, letter.account, letter.seqs
    key = "letters.annulled.single" if len(seqs) == 1 else "letters.annulled.several"
    lead = words(key, seqs=", ".join(map(str, seqs)))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield b.Para(words("letters.annulled.why"))
        yield from deadline_facts(account, letter.to, words)
        yield board_view(account, letter.to, words)
        yield b.Para(words("letters.annulled.again"))
        if envelope.reply_to is not None and account.state.mover is letter.to:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from account_blocks(account, words)
        yield from web_link(game, words)

    about = words("letters.subject.annulled")
    return written(game, lead, blocks(), words, (letter.to, about))


def overstep_warning(letter: OverstepWarning, words: Words, envelope: Envelope) -> b.Written:
    """Time has run out; what each may now do. This letter decides nothing (§ 6.3.3)."""
    game, account = letter.game, letter.account
    late = account.overstep.by if account.overstep is not None else account.state.mover
    lead = words(
        "letters.overstep.lead",
        player=plain(game.player(late).name),
        color=side_name(late, words).lower(),
    )
    role = "leader" if letter.to is None else "late" if letter.to is late else "waiting"

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield from (b.Para(line) for line in overstep_lines(account, words))
        yield b.Para(words(f"letters.overstep.{role}"))
        if role == "waiting":
            yield b.Example(((words("letters.word.claim"), words("letters.means.claim")),))
            if envelope.reply_to is not None:
                yield b.Mailbox(words("letters.answer.address"), envelope.reply_to)
        yield board_view(account, letter.to, words)
        yield from _full_account(account, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def claim_filed(letter: ClaimFiled, words: Words, envelope: Envelope) -> b.Written:
    """The opponent is informed at the same time; the leader gets the account (§ 6.8.7)."""
    game, account = letter.game, letter.account
    lead = words(
        "letters.claim.lead",
        player=plain(game.player(letter.by).name),
        opponent=plain(game.player(letter.by.other).name),
        day=words.day(letter.on),
    )
    role = "leader" if letter.to is None else "own" if letter.to is letter.by else "late"

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield from (b.Para(line) for line in overstep_lines(account, words))
        if account.state.awaits_decision:
            yield b.Para(words("letters.claim.rests"))
        yield b.Para(words(f"letters.claim.{role}"))
        if role == "late" and account.state.awaits_decision:
            yield b.Example((word_row("admit", words),))
            yield from address_blocks(envelope.reply_to, words)
        if letter.case is not None:
            yield b.Para(words("cases.claim", number=letter.case))
        yield from _full_account(account, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)


def silence_report(letter: SilenceReport, words: Words, envelope: Envelope) -> b.Written:
    """To the leader: reminded, and still no answer (§ 6.3.4, § 6.8.3)."""
    game, account = letter.game, letter.account
    silent = account.state.mover
    person = game.player(silent)
    lead = words("letters.silence.lead", player=plain(person.name))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, None, words)
        yield b.Lead(lead)
        yield b.Para(words("letters.silence.reminded", day=words.day(letter.reminded)))
        if person.email is not None:
            yield b.Mailbox(words("letters.silence.address"), person.email)
        yield from deadline_facts(account, None, words)
        yield board_view(account, None, words)
        yield from _full_account(account, words)

    return written(game, lead, blocks(), words)


def leave_notice(letter: LeaveNotice, words: Words, envelope: Envelope) -> b.Written:
    """To an opponent: leave, and what it does to the time (§ 6.3.6.1)."""
    game = letter.game
    lead = words(
        f"letters.leave.notice.{letter.leave_type.value}",
        player=plain(game.player(letter.by).name),
        first=words.day(letter.first),
        last=words.day(letter.last),
    )

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.Lead(lead)
        yield b.Para(words("letters.leave.stands_still"))
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return written(game, lead, blocks(), words)
