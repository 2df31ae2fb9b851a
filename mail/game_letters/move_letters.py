"""The letters that carry a move or tell how a game stands.

Confirmation, relay, results, the thread.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kskak.play.game_state import AccountLine
from kskak.regulation.editions import Ending, OverstepFinding, Result, Side
from kskak.statement.account import Account
from mail.game_letters.game_facts import (
    AnnulmentNotice,
    ClaimFiled,
    Confirmation,
    DrawNotice,
    FirstMove,
    GameOver,
    LeaveNotice,
    OverstepWarning,
    PositionLetter,
    Relay,
    SilenceReport,
)
from mail.game_letters.letter_parts import (
    account_blocks,
    address_blocks,
    answer_blocks,
    board_view,
    both_forms,
    deadline_facts,
    foot,
    game_subject,
    in_one_form,
    plain,
    quote_person,
    record,
    unread_blocks,
    web_link,
    word_row,
    write_move,
)
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import (
    days,
    days_left,
    explain,
    overstep_lines,
    side_name,
    write_row,
    write_span,
)
from mail.text.letter_facts import Dispatch, LetterGame

# The letters that carry a move: the first one, the sender's confirmation, the relay.


def first_move(letter: FirstMove, words: Words, envelope: Envelope) -> b.LetterContent:
    """To the player who begins: what to write where, by example."""
    game, account, side = letter.game, letter.account, letter.to
    lead = words(
        "letters.first.lead",
        color=side_name(side, words).lower(),
        opponent=plain(game.player(side.other).name),
    )

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(side).name)))
        yield b.LeadLine(lead)
        yield b.Para(words("letters.first.how"))
        yield from answer_blocks(account, envelope.reply_to, words)
        yield from game_facts(game, account, words)
        yield from _reach(game, side.other, words)
        yield from deadline_facts(account, side, words)
        yield board_view(account, side, words)
        yield from web_link(game, words)

    made = assemble_game_letter(game, lead, blocks(), words, (side, words("letters.subject.first")))
    return replace(made, attached=record(game, account, side, envelope))


def game_facts(game: LetterGame, account: Account, words: Words) -> Iterator[b.Block]:
    """Which game this is, who plays it, and by what rules (§ 6.5.2.1)."""
    terms = account.terms
    yield b.Heading(words("letters.game.heading"))
    rows = [(words("letters.game.tournament"), plain(game.tournament))]
    rows.append((words("letters.game.name"), plain(game.name)))
    for side in Side:
        rows.append((side_name(side, words), plain(game.player(side).name)))
    rows.append((words("letters.game.start"), words.day(terms.start)))
    rows.append((words("letters.game.rules"), words(f"letters.rules.{terms.regulation.value}")))
    rows.append((words("letters.game.laws"), words("letters.laws", year=terms.laws_year)))
    yield b.FactList(tuple(rows))


def confirmation(letter: Confirmation, words: Words, envelope: Envelope) -> b.LetterContent:
    """To the sender: what was played, the days and why, both totals, what comes next."""
    game, account, dispatch = letter.game, letter.account, letter.dispatch
    lead = words(
        f"letters.confirmation.{letter.reaches.value}",
        moves=both_forms(dispatch.plies, words),
        opponent=plain(game.player(dispatch.by.other).name),
    )

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(dispatch.by).name)))
        yield b.LeadLine(lead)
        yield from series_blocks(dispatch, words, is_own=True)
        yield from unread_blocks(letter.unread, words)
        yield board_view(account, dispatch.by, words)
        yield from deadline_facts(account, dispatch.by, words)
        yield from days_blocks(account, dispatch, words)
        yield from account_blocks(account, words)
        if dispatch.bound is not None and account.state.result is None:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from web_link(game, words)
        leader = game.leader
        yield b.Para(
            words("letters.confirmation.not_you", name=plain(leader.name), email=leader.email)
        )

    last = in_one_form(dispatch.plies[-1], words)
    about = words("letters.subject.confirmation", move=last)
    return assemble_game_letter(game, lead, blocks(), words, (dispatch.by, about))


def relay(letter: Relay, words: Words, envelope: Envelope) -> b.LetterContent:
    """To the opponent: the move with account, series, offer, message, deadline, how to answer."""
    game, account, dispatch = letter.game, letter.account, letter.dispatch
    reader = dispatch.by.other
    sender = game.player(dispatch.by)
    key = "letters.relay.repeated" if letter.is_repeated else "letters.relay.lead"
    lead = words(key, moves=both_forms(dispatch.plies, words), opponent=plain(sender.name))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(reader).name)))
        yield b.LeadLine(lead)
        yield from series_blocks(dispatch, words, is_own=False)
        yield board_view(account, reader, words)
        yield from deadline_facts(account, reader, words)
        yield from web_link(game, words)
        if letter.message:
            yield b.Para(words("letters.relay.message", opponent=plain(sender.name)))
            yield b.Quote(quote_person(letter.message))
        if account.state.to_move is reader:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from days_blocks(account, dispatch, words)
        yield from account_blocks(account, words)
        yield from _reach(game, dispatch.by, words)

    made = assemble_game_letter(game, lead, blocks(), words, (reader, _about_relay(letter, words)))
    return replace(made, attached=_file(letter, envelope))


def position(letter: PositionLetter, words: Words, envelope: Envelope) -> b.LetterContent:
    """The ordinary letter of the position, with why it comes in place of what is news in that."""
    game, account, dispatch = letter.game, letter.account, letter.dispatch
    opponent = plain(game.player(letter.to.other).name)
    if dispatch is None:
        whole = first_move(FirstMove(game, account, letter.to), words, envelope)
        color = side_name(letter.to, words).lower()
        lead = words("letters.position.start", color=color, opponent=opponent)
    else:
        is_own = dispatch.by is letter.to  # a bound answer gave him the move again (§ 6.2.5)
        whole = (
            confirmation(Confirmation(game, account, dispatch), words, envelope)
            if is_own
            else relay(Relay(game, account, dispatch), words, envelope)
        )
        name = plain(game.player(dispatch.by).name)
        lead = words("letters.position.lead", moves=both_forms(dispatch.plies, words), name=name)
    said = (b.LeadLine(lead), b.Para(words("letters.position.how")))
    return replace(
        whole,
        subject=game_subject(game, words("letters.subject.position"), letter.to),
        preview=lead,
        blocks=(whole.blocks[0], *said, *whole.blocks[2:]),
    )


def _file(letter: Relay, envelope: Envelope) -> b.TextAttachment | None:
    """The game for the reader's chess program, if it is his move."""
    reader, account = letter.dispatch.by.other, letter.account
    if account.state.to_move is not reader:
        return None
    return record(letter.game, account, reader, envelope, is_offered=letter.dispatch.offers_draw)


def _about_relay(letter: Relay, words: Words) -> str:
    """``11... Dc7 – du er i trækket, 47 dage``: the days are those the reader has left."""
    running = letter.account.running
    last = in_one_form(letter.dispatch.plies[-1], words)
    if running is None or running.by is letter.dispatch.by:
        about = "repeated" if letter.is_repeated else "played"
        return words(f"letters.subject.{about}", move=last)
    left = days_left(letter.account, running)
    about = "repeated" if letter.is_repeated else "relay" if left > 0 else "relay_over"
    return words(f"letters.subject.{about}", move=last, days=days(max(0, left), words))


def _reach(game: LetterGame, side: Side, words: Words) -> Iterator[b.Block]:
    """The sender's name and address (§ 6.8.2)."""
    person = game.player(side)
    if person.email is not None:
        key = "letters.relay.relay_address" if person.is_relay else "letters.relay.address"
        yield b.Para(words(key, name=plain(person.name), email=person.email))


def series_blocks(dispatch: Dispatch, words: Words, *, is_own: bool) -> Iterator[b.Block]:
    """Accepted moves, the bound answer, the series proposed, a draw offered (§ 6.2.5)."""
    who = "own" if is_own else "theirs"
    accepted = dispatch.plies[:-1]
    if accepted:
        line = both_forms(accepted, words)
        yield b.Para(words(f"letters.series.accepted.{who}", moves=line))
    if dispatch.bound is not None:
        yield b.Para(words(f"letters.series.bound.{who}", move=write_move(dispatch.bound, words)))
    if dispatch.proposes:
        line = both_forms(dispatch.proposes, words)
        yield b.Para(words(f"letters.series.proposed.{who}", moves=line))
    if dispatch.offers_draw:
        yield b.Para(words(f"letters.draw.offered.{who}"))


def days_blocks(account: Account, dispatch: Dispatch, words: Words) -> Iterator[b.Block]:
    """Days charged for the dispatch, and every day not charged, with its paragraph."""
    row = dated_row(account, dispatch)
    if row is None:
        return
    yield b.Heading(words("letters.days.heading"))
    yield b.Para(write_row(row, words))
    if row.dates.exempt:
        yield b.Bullets(tuple(write_span(span, words) for span in row.dates.exempt))
    rules = account.terms.rules
    yield b.SmallPrint(
        words(
            f"letters.days.rule.{account.terms.regulation.value}",
            days=days(rules.control_limit(rules.moves_per_control), words),
            moves=rules.moves_per_control,
        )
    )
    if dispatch.stated is not None and row.dates.sent is not None:
        stated, counted = words.day(dispatch.stated), words.day(row.dates.sent)
        yield b.Para(words("letters.days.stated", stated=stated, counted=counted))


def dated_row(account: Account, dispatch: Dispatch) -> AccountLine | None:
    """The row that carries the dispatch's days: the sender's last ply."""
    ply = dispatch.first_ply + len(dispatch.plies) - 1
    return next((row for row in account.rows if row.ply == ply), None)


def assemble_game_letter(
    game: LetterGame,
    preview: str,
    blocks: Iterator[b.Block],
    words: Words,
    about: tuple[Side | None, str] = (None, ""),
) -> b.LetterContent:
    """A game letter: its reader and what it is ``about`` make the subject; the leader's foot."""
    return b.LetterContent(
        subject=game_subject(game, about[1], about[0]),
        preview=preview,
        blocks=tuple(blocks),
        foot=foot(game.leader, game.zone, words),
        cut_line=words("letters.cut_line"),
    )


# Letters about how a game stands: it ended, a draw was declined, time ran out, a claim, leave.


def _greeting(game: LetterGame, to: Side | None, words: Words) -> b.Para:
    name = game.leader.name if to is None else game.player(to).name
    return b.Para(words("letters.greeting", name=plain(name)))


def _full_account(account: Account, words: Words) -> Iterator[b.Block]:
    """The record with every day explained, for whoever has to judge it (§ 6.3.3.5)."""
    yield from account_blocks(account, words)
    yield b.Bullets(tuple(line.strip() for line in explain(account, words)))


def game_over(letter: GameOver, words: Words, envelope: Envelope) -> b.LetterContent:
    """The result, how it came about, the last dispatch and the whole record."""
    game, account = letter.game, letter.account
    result = account.state.result
    text = "*" if result is None else result.value
    lead = words("letters.over.lead", result=text)

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        yield b.Para(_how(game, account, words))
        if letter.dispatch is not None:
            moves = both_forms(letter.dispatch.plies, words)
            yield b.Para(words("letters.over.last", moves=moves))
        yield b.FactList(
            tuple((side_name(side, words), plain(game.player(side).name)) for side in Side)
        )
        yield board_view(account, letter.to, words)
        if letter.dispatch is not None:
            yield from days_blocks(account, letter.dispatch, words)
        yield from account_blocks(account, words)
        yield b.Para(words("letters.over.reported"))
        yield from web_link(game, words)

    about = words("letters.subject.over", result=text)
    return assemble_game_letter(game, lead, blocks(), words, (letter.to, about))


def _how(game: LetterGame, account: Account, words: Words) -> str:
    """How the game ended: a decided overstep overrides all but a ruling (§ 6.3.3.3)."""
    state = account.state
    overstep = state.overstep
    is_decided = overstep is not None and overstep.finding is not OverstepFinding.OPEN
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


def draw_notice(letter: DrawNotice, words: Words, envelope: Envelope) -> b.LetterContent:
    """A notice about a draw, and how to answer; the game goes on (FIDE 9.1)."""
    game, side = letter.game, letter.to
    lead = words(f"letters.draw.{letter.word.value}", opponent=plain(game.player(side.other).name))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, side, words)
        yield b.LeadLine(lead)
        yield from deadline_facts(letter.account, side, words)
        yield board_view(letter.account, side, words)
        if letter.account.state.to_move is side:
            yield from answer_blocks(letter.account, envelope.reply_to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def annulment_notice(letter: AnnulmentNotice, words: Words, envelope: Envelope) -> b.LetterContent:
    """What a repair annulled and why, where the game stands now, and who is to move."""
    game, account, seqs = letter.game, letter.account, letter.seqs
    key = "letters.annulled.single" if len(seqs) == 1 else "letters.annulled.several"
    lead = words(key, seqs=", ".join(map(str, seqs)))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, letter.to, words)
        yield b.LeadLine(lead)
        yield b.Para(words("letters.annulled.why"))
        yield from deadline_facts(account, letter.to, words)
        yield board_view(account, letter.to, words)
        yield b.Para(words("letters.annulled.again"))
        if envelope.reply_to is not None and account.state.mover is letter.to:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from account_blocks(account, words)
        yield from web_link(game, words)

    about = words("letters.subject.annulled")
    return assemble_game_letter(game, lead, blocks(), words, (letter.to, about))


def overstep_warning(letter: OverstepWarning, words: Words, envelope: Envelope) -> b.LetterContent:
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
        yield b.LeadLine(lead)
        yield from (b.Para(line) for line in overstep_lines(account, words))
        yield b.Para(words(f"letters.overstep.{role}"))
        if role == "waiting":
            yield b.Example(((words("letters.word.claim"), words("letters.means.claim")),))
            if envelope.reply_to is not None:
                yield b.AddressLine(words("letters.answer.address"), envelope.reply_to)
        yield board_view(account, letter.to, words)
        yield from _full_account(account, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def write_claim_filed(letter: ClaimFiled, words: Words, envelope: Envelope) -> b.LetterContent:
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
        yield b.LeadLine(lead)
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

    return assemble_game_letter(game, lead, blocks(), words)


def silence_report(letter: SilenceReport, words: Words, envelope: Envelope) -> b.LetterContent:
    """To the leader: reminded, and still no answer (§ 6.3.4, § 6.8.3)."""
    game, account = letter.game, letter.account
    silent = account.state.mover
    person = game.player(silent)
    lead = words("letters.silence.lead", player=plain(person.name))

    def blocks() -> Iterator[b.Block]:
        yield _greeting(game, None, words)
        yield b.LeadLine(lead)
        yield b.Para(words("letters.silence.reminded", day=words.day(letter.reminded)))
        if person.email is not None:
            yield b.AddressLine(words("letters.silence.address"), person.email)
        yield from deadline_facts(account, None, words)
        yield board_view(account, None, words)
        yield from _full_account(account, words)

    return assemble_game_letter(game, lead, blocks(), words)


def leave_notice(letter: LeaveNotice, words: Words, envelope: Envelope) -> b.LetterContent:
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
        yield b.LeadLine(lead)
        yield b.Para(words("letters.leave.stands_still"))
        yield from deadline_facts(letter.account, letter.to, words)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


# The letter of the game's quiet thread. NOT for deciding whether it is sent.


@dataclass(frozen=True, slots=True)
class ThreadLetter:
    """To the other player. ``url`` is where he answers; a reply by mail is never a move."""

    reader: str
    game: LetterGame
    writer: str
    text: str
    url: str


def write(letter: ThreadLetter, words: Words) -> b.LetterContent:
    """The letter in words."""
    writer = plain(letter.writer)
    lead = words("thread.letter.lead", name=writer)
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        *(b.Para(line) for line in quote_person(letter.text).split("\n") if line),
        b.Para(words("thread.letter.no_move")),
        b.LinkLine(words("thread.letter.answer"), letter.url),
        b.SmallPrint(words("thread.letter.quiet")),
    )
    end = foot(letter.game.leader, letter.game.zone, words)
    return b.LetterContent(game_subject(letter.game), lead, blocks, end)
