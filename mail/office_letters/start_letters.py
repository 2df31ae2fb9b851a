"""The start letter and the list of games: who plays whom, and how to play by mail (§ 6.5.2.1).

NOT for letters about one game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from kskak.board.shapes import in_letters_of
from kskak.cases.case import CaseRefusal
from kskak.game.game_events import GamePaused, TakenOver
from kskak.regulation.editions import HOLIDAYS, OverstepFinding, Regulation, RuleSet, Side, rules_of
from kskak.statement.account import Account
from mail.game_letters.letter_parts import (
    account_blocks,
    answer_blocks,
    board_view,
    deadline_facts,
    foot,
    operator_foot,
    plain,
    series_example,
    web_link,
    word_row,
    write_move,
)
from mail.game_letters.move_letters import assemble_game_letter
from mail.office_letters.case_letters import case_refusal_text
from mail.office_letters.service_letters import GameListFacts, GameListRequest, StartLetter
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, overstep_lines, side_name
from mail.text.letter_facts import EntrantFacts, GroupFacts, LetterGame, OwnGameFacts

_KEYWORDS = (
    *("draw", "draw_yes", "draw_no", "resign", "claim", "long_think"),
    *("leave", "leave_end", "status", "mails", "help"),
)


def start_letter(letter: StartLetter, words: Words, envelope: Envelope) -> b.LetterContent:
    """Numbers, names, clubs, ratings, addresses, colours, dates, rules, and what to write where."""
    group = letter.group
    lead = words(
        "letters.start.lead",
        tournament=plain(group.tournament),
        group=plain(group.name),
        day=words.weekday_day(group.start),
    )

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader.name)))
        yield b.LeadLine(lead)
        yield b.Para(words("letters.start.mails"))
        yield from help_blocks(letter.command_address, words)
        yield from _group(letter, words)
        yield from _rules(group, words)
        if group.url is not None:
            pdf = words("letters.start.pdf")
            yield b.LinkLine(pdf, f"{group.url}/start.pdf", is_second=True)

    return _assemble_letter(group, lead, tuple(blocks()), words)


def start_page(letter: StartLetter, words: Words) -> b.LetterContent:
    """The same on paper: the group first, then the rules, and last what to write where."""
    group = letter.group
    lead = words(
        "letters.start.lead",
        tournament=plain(group.tournament),
        group=plain(group.name),
        day=words.weekday_day(group.start),
    )
    blocks = (
        b.LeadLine(lead),
        *_group(letter, words),
        *_rules(group, words),
        *help_blocks(letter.command_address, words),
    )
    return _assemble_letter(group, lead, blocks, words)


def _assemble_letter(
    group: GroupFacts, lead: str, blocks: tuple[b.Block, ...], words: Words
) -> b.LetterContent:
    return b.LetterContent(
        subject=words("letters.start.subject", group=plain(group.name)),
        preview=lead,
        blocks=blocks,
        foot=foot(group.leader, group.zone, words),
    )


def _group(letter: StartLetter, words: Words) -> Iterator[b.Block]:
    """Numbers, names and addresses, the lots, his own games, and all colours (§ 6.5.2.1)."""
    group = letter.group
    is_postal = group.regulation is Regulation.POSTAL
    yield b.Heading(words("letters.start.players"))
    yield b.FactList(
        tuple((str(e.number), _entrant(e, words, is_postal=is_postal)) for e in letter.players)
    )
    if group.seed is not None:
        yield b.SmallPrint(words("letters.start.lots", seed=plain(group.seed)))
    if letter.pairings:
        yield b.Heading(words("letters.start.games"))
        yield b.FactList(tuple(_pairings(letter, words)))
    if letter.rounds:
        yield b.Heading(words("letters.start.plan"))
        rows = tuple(
            (words("letters.start.round", number=number), _round(games))
            for number, games in letter.rounds
        )
        head = (words("letters.start.round_head"), words("letters.start.plan_head"))
        yield b.Grid("", head, rows)


def _round(games: tuple[tuple[int, int], ...]) -> str:
    """``1–4, 2–3``: White's number first."""
    return ", ".join(f"{white}–{black}" for white, black in games)


def _entrant(entrant: EntrantFacts, words: Words, *, is_postal: bool) -> str:
    rating = words("letters.start.rating", rating=entrant.rating) if entrant.rating else ""
    first = [plain(entrant.person.name), plain(entrant.club or ""), rating]
    lines = [", ".join(part for part in first if part)]
    address = entrant.postal_address or ""
    if is_postal and not address:
        address = words("letters.start.no_address")
    lines += [plain(part) for part in (entrant.person.email, address) if part]
    return "\n".join(lines)


def _pairings(letter: StartLetter, words: Words) -> Iterator[tuple[str, str]]:
    names = {entrant.number: plain(entrant.person.name) for entrant in letter.players}
    for pairing in letter.pairings:
        color = side_name(pairing.side, words)
        opponent = f"{pairing.opponent} {names.get(pairing.opponent, '')}".strip()
        yield plain(pairing.game), words("letters.start.game", color=color, opponent=opponent)


_NAMED = frozenset({"cup", "league", "theme", "playoff"})
"""Not classes of the EMT; they have names of their own."""


def class_text(group: GroupFacts, words: Words) -> str:
    """What the group belongs to: an EMT class as written, or the cup with its round."""
    if group.class_title not in _NAMED:
        return plain(group.class_title)
    name = words(f"letters.class.{group.class_title}")
    if group.cup_round is None:
        return name
    return f"{name}, {words(f'cup.the.{group.cup_round}')}"


def _rules(group: GroupFacts, words: Words) -> Iterator[b.Block]:
    """The rules in force: rule set and editions; time, leave and holidays in short."""
    rules = rules_of(group.regulation)
    yield b.Heading(words("letters.start.rules"))
    rows = [
        (words("letters.start.class"), class_text(group, words)),
        (words("letters.game.rules"), words(f"letters.rules.{group.regulation.value}")),
        (words("letters.start.edition"), plain(group.edition)),
        (words("letters.game.laws"), words("letters.laws", year=group.laws)),
        (words("letters.start.leader"), f"{plain(group.leader.name)}, {group.leader.email}"),
    ]
    if group.fen is not None:
        rows.append((words("letters.start.fen"), plain(group.fen)))
    yield b.FactList(tuple(rows))
    yield b.Bullets(tuple(_in_short(group, rules, words)))
    if group.regulation_url is not None:
        yield b.LinkLine(words("letters.start.regulation"), group.regulation_url)
    else:
        yield b.Para(words("letters.start.regulation_from", leader=plain(group.leader.name)))
    if group.url is not None:
        yield b.LinkLine(words("letters.start.page"), group.url)


def _in_short(group: GroupFacts, rules: RuleSet, words: Words) -> Iterator[str]:
    """Time, leave, holidays, invalid moves, claims: a line each (§ 6.3.6, § 6.8.6)."""
    yield words(
        "letters.start.time",
        days=days(rules.control_limit(rules.moves_per_control), words),
        moves=rules.moves_per_control,
    )
    yield words(
        "letters.start.leave",
        days=days(rules.leave_days, words),
        notice=days(rules.leave_notice_days, words),
    )
    yield words(
        "letters.start.holidays",
        first=HOLIDAYS.december_first,
        last=HOLIDAYS.december_last,
        before=HOLIDAYS.easter_before,
        after=HOLIDAYS.easter_after,
    )
    faulty = days(rules.faulty_days, words)
    yield words(f"letters.start.invalid.{group.regulation.value}", days=faulty)
    claims = "server" if group.server_files_claims else "player"
    yield words(f"letters.start.claims.{claims}")
    yield words("letters.start.seen")


def help_blocks(command_address: str, words: Words) -> Iterator[b.Block]:
    """What to write where, by example, for a beginner."""
    knight = in_letters_of(words.lang, "Nf3")
    yield b.Heading(words("letters.help.heading"))
    yield b.Para(words("letters.help.reply"))
    yield b.Example(
        (
            ("5254", words("letters.help.numbers")),
            ("e4", words("letters.help.letters")),
            (knight, words("letters.help.pieces")),
            ("5171", words("letters.help.castling")),
            ("5758(1)", words("letters.help.promotion")),
            ("12. 2425 1625 13. 1118", words("letters.help.line")),
            (series_example(Side.WHITE, words), words("letters.help.series")),
        )
    )
    yield b.Para(words("letters.help.words"))
    yield b.Example(tuple(word_row(word, words) for word in _KEYWORDS))
    yield b.AddressLine(words("letters.help.address"), command_address)


def game_list(letter: GameListFacts, words: Words, envelope: Envelope) -> b.LetterContent:
    """The reader's running games, each with its address; and what to write, if he asked."""
    lead = words(f"letters.list.{letter.asked.value}")

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader.name)))
        yield b.LeadLine(lead)
        if not letter.games:
            yield b.Para(words("letters.list.none"))
        for game in letter.games:
            yield from _own_game(game, words)
        if letter.asked not in (GameListRequest.STATUS, GameListRequest.MAILS):
            yield from help_blocks(letter.command_address, words)

    return b.LetterContent(
        subject=words("letters.list.subject"),
        preview=lead,
        blocks=tuple(blocks()),
        foot=operator_foot(letter.official, words),
        cut_line=None,
    )


def _turn(own: OwnGameFacts) -> str:
    if own.rests:
        return "rests"
    return "own" if own.is_to_move else "theirs"


def _own_game(own: OwnGameFacts, words: Words) -> Iterator[b.Block]:
    game = own.game
    opponent = plain(game.player(own.side.other).name)
    yield b.Heading(f"{plain(game.name)}: {side_name(own.side, words)} - {opponent}")
    last = (
        write_move(own.last, words) if own.last is not None else words("letters.not_made.no_move")
    )
    rows = [
        (words("letters.list.last"), last),
        (
            words("letters.list.turn"),
            words(f"letters.turn.{_turn(own)}"),
        ),
        (
            words("letters.list.time"),
            words("letters.list.used", used=days(own.days_used, words), limit=own.limit),
        ),
    ]
    if own.answer_by is not None:
        rows.append((words("letters.list.answer_by"), words.weekday_day(own.answer_by)))
    rows.append((words("letters.start.leader"), f"{plain(game.leader.name)}, {game.leader.email}"))
    yield b.FactList(tuple(rows))
    if own.reply_to is not None:
        yield b.AddressLine(words("letters.list.write_to"), own.reply_to)


# The statement of a game that was taken over, and the answer to a late objection.


@dataclass(frozen=True, slots=True)
class TakeoverStatement:
    """To each player: his game as it was taken over, and how to object.

    ``leave``: days of leave used this year by White and by Black; ``command_address``: where
    to write when the game is over and has no address of its own.
    """

    game: LetterGame
    account: Account
    to: Side
    taken: TakenOver
    leave: tuple[int, int]
    command_address: str


@dataclass(frozen=True, slots=True)
class ObjectionLate:
    """To a player who objected too late: why it is not accepted, and whom to ask."""

    game: LetterGame
    account: Account
    to: Side
    refusal: CaseRefusal


TakeoverLetter = TakeoverStatement | ObjectionLate


def write(letter: TakeoverLetter, words: Words, envelope: Envelope) -> b.LetterContent:
    """The letter in words."""
    match letter:
        case TakeoverStatement():
            return statement(letter, words, envelope)
        case ObjectionLate():
            return objection_late(letter, words)
        case _:
            assert_never(letter)


def statement(letter: TakeoverStatement, words: Words, envelope: Envelope) -> b.LetterContent:
    """What was taken over, what to check, how to object, and how the game goes on."""
    game, account = letter.game, letter.account
    is_over = account.state.result is not None
    key = "takeovers.lead_over" if is_over else "takeovers.lead"
    lead = words(key, game=plain(game.name), day=words.day(letter.taken.on))
    on = account.live.total if account.live is not None else None

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.LeadLine(lead)
        yield b.Para(words("takeovers.look", leader=plain(game.leader.name)))
        yield b.FactList(tuple(_facts(letter, words)))
        yield from _describe_turn(letter, words)
        yield from _objecting(letter, words, envelope)
        yield board_view(account, letter.to, words)
        yield from account_blocks(account, words)
        if on is not None and account.running is not None:
            by = side_name(account.running.by, words)
            yield b.Para(words("takeovers.with_today", by=by, total=days(on, words)))
        yield from _going_on(letter, words, envelope)
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)


def _facts(letter: TakeoverStatement, words: Words) -> Iterator[tuple[str, str]]:
    game, state = letter.game, letter.account.state
    for side, leave in zip(Side, letter.leave, strict=True):
        name = plain(game.player(side).name)
        used = days(leave, words)
        yield side_name(side, words), words("takeovers.player", name=name, leave=used)
    if state.result is not None:
        yield words("takeovers.result"), state.result.value


def _describe_turn(letter: TakeoverStatement, words: Words) -> Iterator[b.Block]:
    """Whose move it is, and anything unusual: an overstep, time that stands still."""
    account = letter.account
    overstep = account.overstep
    if overstep is not None:
        yield from (b.Para(line) for line in overstep_lines(account, words))
        if overstep.finding is OverstepFinding.OPEN and account.state.result is None:
            is_postal = account.terms.regulation is Regulation.POSTAL
            yield b.Para(words("takeovers.overstep", paragraph="6.3.3.5" if is_postal else "6.8.7"))
            if overstep.by is not letter.to:
                yield b.Example(((words("letters.word.claim"), words("letters.means.claim")),))
    if account.state.to_move is None:
        return
    yield from deadline_facts(account, letter.to, words)
    if account.running is None and account.state.to_move is letter.to:
        yield b.Para(words("postal.report_receipt"))
    for booking in account.state.bookings:
        if isinstance(booking.booked, GamePaused) and booking.booked.last is None:
            yield b.Para(words("takeovers.still", day=words.day(booking.booked.first)))


def _objecting(letter: TakeoverStatement, words: Words, envelope: Envelope) -> Iterator[b.Block]:
    until = words.weekday_day(letter.taken.objections_until)
    yield b.Heading(words("takeovers.object_heading"))
    yield b.DueLine(words("takeovers.object_until", day=until))
    yield b.Para(words("takeovers.object_how"))
    yield b.Example(((words("takeovers.word"), words("takeovers.means")),))
    yield b.AddressLine(words("takeovers.address"), envelope.reply_to or letter.command_address)
    if letter.game.url is not None:
        yield b.LinkLine(words("takeovers.object_link"), f"{letter.game.url}/object?kind=takeover")
    yield b.SmallPrint(words("takeovers.object_then"))


def _going_on(letter: TakeoverStatement, words: Words, envelope: Envelope) -> Iterator[b.Block]:
    """How to play from now on; a postal game by cards as before (§ 6.2.1)."""
    account = letter.account
    if account.state.result is not None:
        return
    yield b.Heading(words("takeovers.on_heading"))
    is_postal = account.terms.regulation is Regulation.POSTAL
    yield b.Para(words("takeovers.on_postal" if is_postal else "takeovers.on"))
    yield b.Para(words("takeovers.silence"))
    if account.state.to_move is letter.to and not is_postal:
        yield from answer_blocks(account, envelope.reply_to, words)


def objection_late(letter: ObjectionLate, words: Words) -> b.LetterContent:
    """Why the objection is not accepted, and the alternative (reading of § 6.4.5)."""
    game: LetterGame = letter.game
    lead = case_refusal_text(letter.refusal, words)

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(game.player(letter.to).name)))
        yield b.LeadLine(lead)
        yield b.Para(words("takeovers.late"))
        yield b.Para(words("takeovers.no_move"))
        yield b.AddressLine(
            words("takeovers.leader", name=plain(game.leader.name)), game.leader.email
        )
        yield from web_link(game, words)

    return assemble_game_letter(game, lead, blocks(), words)
