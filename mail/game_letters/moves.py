"""The letters that carry a move: the first one, the sender's confirmation, the relay.

§ 6.2.1, § 6.8.2. NOT for mails that made no move (``answers``).
"""

from collections.abc import Iterator
from dataclasses import replace

from kskak.play.account_log import Row
from kskak.regulation.quantities import Side
from kskak.statement.account import Account
from mail.game_letters.common import (
    account_blocks,
    board_view,
    both_forms,
    deadline_facts,
    foot,
    game_subject,
    in_one_form,
    own_words,
    plain,
    shown,
    unread_blocks,
    web_link,
)
from mail.game_letters.facts import Confirmation, FirstMove, PositionLetter, Relay
from mail.game_letters.how_to_answer import answer_blocks
from mail.game_letters.record import record
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days, days_left, row_line, side_name, span_line
from mail.text.facts import Dispatch, Game
from mail.text.words import Words


def first_move(letter: FirstMove, words: Words, envelope: Envelope) -> b.Written:
    """To the player who begins: what to write where, by example."""
    game, account, side = letter.game, letter.account, letter.to
    lead = words(
        "letters.first.lead",
        color=side_name(side, words).lower(),
        opponent=plain(game.player(side.other).name),
    )

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(side).name)))
        yield b.Lead(lead)
        yield b.Para(words("letters.first.how"))
        yield from answer_blocks(account, envelope.reply_to, words)
        yield from game_facts(game, account, words)
        yield from _reach(game, side.other, words)
        yield from deadline_facts(account, side, words)
        yield board_view(account, side, words)
        yield from web_link(game, words)

    made = written(game, lead, blocks(), words, (side, words("letters.subject.first")))
    return replace(made, attached=record(game, account, side, envelope))


def game_facts(game: Game, account: Account, words: Words) -> Iterator[b.Block]:
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
    yield b.Facts(tuple(rows))


def confirmation(letter: Confirmation, words: Words, envelope: Envelope) -> b.Written:
    """To the sender: what was played, the days and why, both totals, what comes next."""
    game, account, dispatch = letter.game, letter.account, letter.dispatch
    lead = words(
        f"letters.confirmation.{letter.reaches.value}",
        moves=both_forms(dispatch.plies, words),
        opponent=plain(game.player(dispatch.by.other).name),
    )

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(dispatch.by).name)))
        yield b.Lead(lead)
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
    return written(game, lead, blocks(), words, (dispatch.by, about))


def relay(letter: Relay, words: Words, envelope: Envelope) -> b.Written:
    """To the opponent: the move with account, series, offer, message, deadline, how to answer."""
    game, account, dispatch = letter.game, letter.account, letter.dispatch
    reader = dispatch.by.other
    sender = game.player(dispatch.by)
    key = "letters.relay.repeated" if letter.is_repeated else "letters.relay.lead"
    lead = words(key, moves=both_forms(dispatch.plies, words), opponent=plain(sender.name))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(reader).name)))
        yield b.Lead(lead)
        yield from series_blocks(dispatch, words, is_own=False)
        yield board_view(account, reader, words)
        yield from deadline_facts(account, reader, words)
        yield from web_link(game, words)
        if letter.message:
            yield b.Para(words("letters.relay.message", opponent=plain(sender.name)))
            yield b.Quote(own_words(letter.message))
        if account.state.to_move is reader:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from days_blocks(account, dispatch, words)
        yield from account_blocks(account, words)
        yield from _reach(game, dispatch.by, words)

    made = written(game, lead, blocks(), words, (reader, _about_relay(letter, words)))
    return replace(made, attached=_file(letter, envelope))


def position(letter: PositionLetter, words: Words, envelope: Envelope) -> b.Written:
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
    said = (b.Lead(lead), b.Para(words("letters.position.how")))
    return replace(
        whole,
        subject=game_subject(game, words("letters.subject.position"), letter.to),
        preview=lead,
        blocks=(whole.blocks[0], *said, *whole.blocks[2:]),
    )


def _file(letter: Relay, envelope: Envelope) -> b.Attached | None:
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


def _reach(game: Game, side: Side, words: Words) -> Iterator[b.Block]:
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
        yield b.Para(words(f"letters.series.bound.{who}", move=shown(dispatch.bound, words)))
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
    yield b.Para(row_line(row, words))
    if row.dates.exempt:
        yield b.Bullets(tuple(span_line(span, words) for span in row.dates.exempt))
    rules = account.terms.rules
    yield b.Small(
        words(
            f"letters.days.rule.{account.terms.regulation.value}",
            days=days(rules.control_limit(rules.moves_per_control), words),
            moves=rules.moves_per_control,
        )
    )
    if dispatch.stated is not None and row.dates.sent is not None:
        stated, counted = words.day(dispatch.stated), words.day(row.dates.sent)
        yield b.Para(words("letters.days.stated", stated=stated, counted=counted))


def dated_row(account: Account, dispatch: Dispatch) -> Row | None:
    """The row that carries the dispatch's days: the sender's last ply."""
    ply = dispatch.first_ply + len(dispatch.plies) - 1
    return next((row for row in account.rows if row.ply == ply), None)


def written(
    game: Game,
    preview: str,
    blocks: Iterator[b.Block],
    words: Words,
    about: tuple[Side | None, str] = (None, ""),
) -> b.Written:
    """A game letter: its reader and what it is ``about`` make the subject; the leader's foot."""
    return b.Written(
        subject=game_subject(game, about[1], about[0]),
        preview=preview,
        blocks=tuple(blocks),
        foot=foot(game.leader, game.zone, words),
        cut_line=words("letters.cut_line"),
    )
