"""Answers to mails that have made no move yet: what was wrong, what we ask, what is on hold.

§ 6.8.4, § 6.8.6, § 6.3.3.4. Kind and exact, always saying what to write instead. NOT for the
letters that carry a move (``moves``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from kskak.board.shapes import MoveNotation, in_danish, numeric
from kskak.game.game_commands import Reason, Refusal
from kskak.play.game_state import GameState
from kskak.regulation.editions import Regulation, Side
from kskak.statement.account import Account
from mail.game_letters.game_facts import (
    HEARD,
    AskBack,
    ConfirmableAction,
    HeldConfirm,
    LateAsk,
    MailTrouble,
    MoveSuggestion,
    NotMade,
)
from mail.game_letters.letter_parts import (
    account_blocks,
    answer_blocks,
    board_view,
    both_forms,
    deadline_facts,
    foot,
    game_subject,
    in_letters,
    in_one_form,
    paragraphs,
    plain,
    quote_person,
    unread_blocks,
    web_link,
    write_move,
    write_notation_line,
)
from mail.game_letters.move_letters import assemble_game_letter
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, side_name, write_charge
from mail.text.letter_facts import LetterGame, MoveText

# Raising a case after a refused overstep claim: the text to start from (§ 6.3.3.5, § 6.4.1).

PARAGRAPHS = {
    Regulation.POSTAL: ("6.3.2", "6.3.3.1", "6.3.3.5"),
    Regulation.EMAIL: ("6.3.3.1", "6.8.2", "6.8.7"),
}
"""What a dispute about an overstep turns on: the dates, the control, the claim."""


def dispute_text(state: GameState, late: Side, name: str, words: Words) -> str:
    """A text the claimant may send as is or add to: the account's figures and the paragraphs."""
    rules, moves = state.terms.rules, state.clock(late).moves
    # Just past a control, that control is in dispute, not the next one.
    is_past = moves > 0 and moves % rules.moves_per_control == 0
    control = moves if is_past else state.next_control(late)
    return words(
        "claims.text",
        name=plain(name),
        used=days(state.clock(late).total, words),
        limit=days(rules.control_limit(control), words),
        move=control,
        paragraphs=paragraphs(PARAGRAPHS[state.terms.regulation]),
    )


# Answers to mails that have made no move yet: what was wrong, what we ask, what is on hold.


def write_no_move(letter: NotMade, words: Words, envelope: Envelope) -> b.LetterContent:
    """Why no move was made, what it cost, and what to write instead."""
    game, account = letter.game, letter.account
    is_heard = letter.why in HEARD
    lead = words("letters.not_made.heard" if is_heard else "letters.not_made.lead")

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.LeadLine(lead)
        yield b.Para(_reason(letter, words))
        if letter.asks is not None and letter.candidates:
            offered = account.state.draw_offer is letter.to.other
            yield from _ask_about_move(letter.asks, letter.candidates[0], words, is_offered=offered)
        elif letter.candidates:
            yield b.Para(words("letters.not_made.candidates"))
            yield b.Example(tuple(_candidate(move, words) for move in letter.candidates))
        yield from _open(letter, words)
        yield from _cost(letter, words)
        yield from _raise_case(letter, words, envelope)
        yield from unread_blocks(letter.unread, words)
        yield board_view(account, letter.to, words)
        if letter.why != Refusal(Reason.OUTAGE_UNSETTLED):  # the last day is not known yet
            yield from deadline_facts(account, letter.to, words)
        if account.state.to_move is letter.to:
            yield from answer_blocks(account, envelope.reply_to, words)
        yield from account_blocks(account, words)
        yield from web_link(game, words)

    about = words("letters.subject.heard" if is_heard else "letters.subject.not_made")
    if letter.asks is not None and letter.candidates:
        meant = in_one_form(letter.candidates[0], words)
        about = words("letters.subject.meant", move=meant)
    return assemble_game_letter(game, lead, blocks(), words, (letter.to, about))


def _open(letter: NotMade, words: Words) -> Iterator[b.Block]:
    """What a bare «ja» might be meant for, and the words that say which."""
    write = {"resign": "resign", "draw_yes": "draw_yes", "offer": "draw_yes"}
    said = [
        (words(f"letters.word.{write[kind]}"), kind) for kind, _ in letter.open if kind in write
    ]
    said += [(line.split("\n")[0], kind) for kind, line in letter.open if kind in ("meant", "wish")]
    if said:
        yield b.Para(words("letters.which.write"))
        rows = ((text, words(f"letters.which.{kind}")) for text, kind in dict(said).items())
        yield b.Example(tuple(rows))
    linked = [kind for kind, _ in letter.open if kind in ("held", "late")]
    if linked:
        yield b.Bullets(tuple(words(f"letters.which.{kind}") for kind in dict.fromkeys(linked)))


def _explain_open_offer(words: Words, *, is_offered: bool) -> Iterator[b.Block]:
    """A «ja» is not enough while the opponent's draw offer stands, too."""
    if is_offered:
        yield b.Para(words("letters.ask.offered"))


def _ask_about_move(
    asks: MoveSuggestion, move: MoveText, words: Words, *, is_offered: bool
) -> Iterator[b.Block]:
    """The one move he can have meant, and how to say yes to it."""
    meant = write_move(move, words)
    word = _candidate(move, words)[0] if is_offered else words("letters.word.yes")
    yield b.DueLine(words("letters.meant.lead", move=meant))
    yield b.Para(words("letters.meant.how", day=words.day(asks.arrived)))
    yield from _explain_open_offer(words, is_offered=is_offered)
    yield b.Example(((word, words("letters.meant.yes", move=meant)),))
    yield b.LinkLine(words("letters.meant.link", move=meant), asks.link)


def _raise_case(letter: NotMade, words: Words, envelope: Envelope) -> Iterator[b.Block]:
    """How to pursue a refused claim: raise a case, with a text to start from (§ 6.4.1)."""
    if letter.raise_case is None:
        return
    late, state = letter.to.other, letter.account.state
    yield b.Para(words("claims.how"))
    yield b.Quote(dispute_text(state, late, letter.game.player(late).name, words))
    yield b.Example(((words("claims.word"), words("claims.means")),))
    if envelope.reply_to is not None:
        yield b.AddressLine(words("letters.answer.address"), envelope.reply_to)
    yield b.LinkLine(words("claims.link"), letter.raise_case)


def _candidate(move: MoveText, words: Words) -> tuple[str, str]:
    if words.leads and words.writing is not MoveNotation.NUMERIC:
        lettered_form = move.written(words.writing, words.lang)
        return lettered_form, words("letters.not_made.candidate", move=move.numeric)
    return move.numeric, words("letters.not_made.candidate", move=in_letters(move, words))


def _reason(letter: NotMade, words: Words) -> str:
    """Why there was no move, with the text he wrote and the move he should have answered."""
    text = plain(quote_person(letter.written or ""))[:80]
    match letter.why:
        case Refusal():
            return refusal_text(letter.why, words)
        case MailTrouble():
            key = f"letters.trouble.{letter.why.value}"
            return words(
                key if text else f"letters.trouble_untold.{letter.why.value}",
                written=text,
                last=_last(letter.account, words),
                leader=plain(letter.game.leader.name),
                email=letter.game.leader.email,
                number=letter.account.state.board.fullmove_number,
            )
        case _:
            assert_never(letter.why)


def refusal_text(refusal: Refusal, words: Words) -> str:
    """A refusal under the rules in words, with its paragraph."""
    told = {name: getattr(refusal, name) for name in ("earliest", "latest", "given")}
    named = {name: "-" if day is None else words.day(day) for name, day in told.items()}
    left = days(refusal.days, words) if refusal.days is not None else "-"
    text = words(f"refusals.{refusal.reason.value}", days=left, **named)
    return f"{text} (§ {refusal.paragraph})."


def _last(account: Account, words: Words) -> str:
    if not account.rows:
        return words("letters.not_made.no_move")
    row = account.rows[-1]
    text = MoveText(row.number, row.by, numeric(row.move), row.san, in_danish(row.san))
    return write_move(text, words)


def _cost(letter: NotMade, words: Words) -> Iterator[b.Block]:
    """The charge and how to object, or that it costs nothing (§ 6.8.6, § 6.3.5.1)."""
    charge, leader = letter.charge, letter.game.leader
    if charge is None:
        text = words("letters.not_made.free")
        if letter.account.state.to_move is letter.to:
            text += " " + words("letters.not_made.again")
        yield b.Para(text)
        return
    total = days(letter.account.state.clock(letter.to).total, words)
    yield b.Para(write_charge(charge, words) + " " + words("letters.not_made.total", total=total))
    yield b.Para(
        words("letters.not_made.object", name=plain(leader.name), email=leader.email),
    )


def ask_back(letter: AskBack, words: Words, envelope: Envelope) -> b.LetterContent:
    """Asks once for confirmation before a resignation or an accepted draw."""
    game = letter.game
    opponent = plain(game.player(letter.to.other).name)
    days = {name: words.day(day) for name in ("first", "last") if (day := getattr(letter, name))}
    lead = words(f"letters.ask.{letter.question.value}", opponent=opponent, **days)
    is_offered = letter.account.state.draw_offer is letter.to.other
    is_offered = is_offered and letter.question is not ConfirmableAction.ACCEPT_DRAW
    clear = letter.words or words("letters.word.resign")
    word = clear if is_offered else words("letters.word.yes")

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.LeadLine(lead)
        yield b.Para(words("letters.ask.how"))
        yield from _explain_open_offer(words, is_offered=is_offered)
        means = words(f"letters.ask_yes.{letter.question}", **days)
        yield b.Example(((word, means),))
        if envelope.reply_to is not None:
            yield b.AddressLine(words("letters.answer.address"), envelope.reply_to)
        yield b.LinkLine(words("letters.ask.link"), letter.link)
        yield b.Para(words("letters.ask.nothing"))
        yield board_view(letter.account, letter.to, words)

    return assemble_game_letter(
        game, lead, blocks(), words, (letter.to, words("letters.subject.asked"))
    )


def held_confirm(letter: HeldConfirm, words: Words, envelope: Envelope) -> b.LetterContent:
    """Was this you? The move waits until the link is used, then counts from its arrival."""
    game, leader = letter.game, letter.game.leader
    lead = words("letters.held.lead_words")
    if letter.plies:
        lead = words("letters.held.lead", moves=both_forms(letter.plies, words))

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.LeadLine(lead)
        if letter.words and not letter.plies:
            yield b.Quote(quote_person(letter.words))
        yield b.Para(words(f"letters.held.{letter.why.value}"))
        yield b.Para(words("letters.held.counted", day=words.day(letter.arrived)))
        yield b.Para(words("letters.held.how"))
        if envelope.reply_to is not None:
            yield b.AddressLine(words("letters.answer.address"), envelope.reply_to)
        yield b.LinkLine(words("letters.held.link"), letter.link)
        yield b.Para(words("letters.held.not_you", name=plain(leader.name), email=leader.email))
        yield board_view(letter.account, letter.to, words)

    return assemble_game_letter(
        game, lead, blocks(), words, (letter.to, words("letters.subject.asked"))
    )


def late_ask(letter: LateAsk, words: Words, envelope: Envelope) -> b.LetterContent:
    """The opponent overstepped: claim, or play on, and then both lose (§ 6.3.3.4)."""
    game, side = letter.game, letter.to
    opponent = plain(game.player(side.other).name)
    lead = words("letters.late.lead", opponent=opponent)

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(side).name)))
        yield b.LeadLine(lead)
        yield b.Para(
            words(
                "letters.late.waits",
                moves=write_notation_line(letter.plies, words),
                day=words.day(letter.arrived),
            )
        )
        yield from _describe_overstep(game, letter.account, side.other, words)
        yield b.Para(words("letters.late.choose"))
        yield b.LinkLine(words("letters.late.claim"), letter.claim_link)
        yield b.Para(words("letters.late.warning"))
        yield b.LinkLine(words("letters.late.waive"), letter.waive_link, is_second=True)
        yield from account_blocks(letter.account, words)

    return assemble_game_letter(
        game, lead, blocks(), words, (letter.to, words("letters.subject.asked"))
    )


def _describe_overstep(
    game: LetterGame, account: Account, late: Side, words: Words
) -> Iterator[b.Block]:
    """What the overstep consists of."""
    overstep = account.overstep
    if overstep is not None:
        yield b.FactList(
            (
                (words("letters.late.who"), f"{side_name(late, words)}, {game.player(late).name}"),
                (words("letters.late.used"), days(overstep.used, words)),
                (words("letters.late.limit"), days(overstep.limit, words)),
                (words("letters.late.at"), str(overstep.move)),
                (words("letters.late.on"), words.day(overstep.on)),
            )
        )


# The letter about a delayed move that was never sent. NOT for deciding whether to send it.


@dataclass(frozen=True, slots=True)
class NotSent:
    """To the player. ``moves``: what he entered; ``message``: what was to go with them.

    ``is_over``: the game is over; ``is_to_move``: it is his turn now. ``url``: the game's page.
    """

    reader: str
    game: LetterGame
    moves: tuple[MoveText, ...]
    message: str
    why: Refusal
    is_over: bool
    is_to_move: bool
    url: str


def write(letter: NotSent, words: Words) -> b.LetterContent:
    """The letter in words."""
    lead = words("delay.letter.lead", move=both_forms(letter.moves, words))
    message = quote_person(letter.message)
    blocks: tuple[b.Block, ...] = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.LeadLine(lead),
        b.Para(words("delay.letter.why", why=refusal_text(letter.why, words))),
        *((b.Para(words("delay.letter.message")),) if message else ()),
        *(b.Para(line) for line in message.split("\n") if line),
        b.Para(words(f"delay.letter.{_next(letter)}")),
        b.LinkLine(words("delay.letter.page"), letter.url),
    )
    end = foot(letter.game.leader, letter.game.zone, words)
    return b.LetterContent(game_subject(letter.game), lead, blocks, end)


def _next(letter: NotSent) -> str:
    """What to do next, depending on the state of the game when the letter is written."""
    if letter.is_over:
        return "over"
    return "yours" if letter.is_to_move else "not_yours"
