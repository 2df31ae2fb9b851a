"""What a letter is, and what many share: subject, moves, board, account, deadline, foot."""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import ClassVar, TypeVar, cast, dataclass_transform

import chess
from babel import Locale
from babel.dates import get_timezone_location

from kskak.archive.past_game import assemble_pgn, movetext, write_move_text
from kskak.board.shapes import MoveNotation, numeric, write_for_reader
from kskak.regulation.editions import OverstepFinding, Regulation, Side
from kskak.statement.account import Account, align_cells, iccf_cells
from mail.outgoing import blocks as b
from mail.outgoing.blocks import TextAttachment
from mail.outgoing.envelope import Envelope, in_ascii
from mail.outgoing.picture import list_pieces
from mail.text.catalogue import Words
from mail.text.explanations import days, side_name, write_charge, write_deadline, write_move_number
from mail.text.letter_facts import (
    LedGroup,
    LetterGame,
    LetterTopic,
    MoveText,
    OfficialContact,
    OwnGameFacts,
    last_move,
    move_texts,
    row_text,
)

# The game as a small PGN file, which cmail and Scid file under its name and answer (ADR 145).

_NAME, _NAMELESS = "CmailGameName", "K-skak"
_NUMBER = re.compile(r" (?=\d+\.)")
"""Before a new move's number: cmail finds who is to move by the last line only."""


def record(
    game: LetterGame,
    account: Account,
    reader: Side,
    envelope: Envelope,
    *,
    is_offered: bool = False,
) -> TextAttachment | None:
    """The game's file for a reader who can answer; ``is_offered``: with the opponent's offer."""
    if envelope.reply_to is None or account.state.result is not None or plays_by_card(account):
        return None
    name = in_ascii(re.sub(r"[./ ]", "-", game.name)) or _NAMELESS
    head = assemble_pgn(
        (*_tags(game, account, reader, envelope, envelope.reply_to), (_NAME, name)), ()
    )
    offer = f"{{{reader.other.value.capitalize()} offers a draw}}" if is_offered else ""
    lines = (
        head.strip(),
        "",
        *filter(None, (_NUMBER.sub("\n", movetext(account)), offer)),
        "*",
        "",
    )
    return TextAttachment(f"{name}.pgn", "\n".join(lines))


def _tags(
    game: LetterGame, account: Account, reader: Side, envelope: Envelope, reply_to: str
) -> Iterator[tuple[str, str]]:
    """Event, Site and Mode word for word as the programs want them."""
    address = {reader: envelope.to, reader.other: reply_to}
    yield "Event", "Email correspondence game"
    yield "Site", "NET"
    yield "Date", f"{account.terms.start:%Y.%m.%d}"
    yield "Round", "-"
    for side in Side:
        yield side.value.capitalize(), in_ascii(game.player(side).name) or side.value.capitalize()
    yield "Result", "*"
    for side in Side:
        yield f"{side.value.capitalize()}NA", address[side]
    yield "Mode", "EM"
    if account.terms.fen is not None:
        yield from (("SetUp", "1"), ("FEN", account.terms.fen))


# What many letters share: subject, moves, board, account, deadline, who is responsible.

_CASE = re.compile(r"\d{4}/\d+")
_KEYED = re.compile(r"[^\s@<>\"]+\+[a-z0-9.-]{8,60}@[^\s@<>\"]+", re.IGNORECASE)
_NAME_COMMON, _IN_SUBJECT, _ABOUT = 60, 40, 60
"""Maximum characters in a subject: the game's name, a player's name, the letter's topic."""
_LINES, _LONGEST = 40, 2000
"""Maximum lines and characters of a person's own words that are passed on."""
_MOVES_WIDTH = 56
"""Narrow enough that no mail program wraps the end of a line of moves."""


def game_subject(game: LetterGame, about: str, reader: Side | None) -> str:
    """The subject of a game letter: the reader's opponent, what it is about, which game.

    What a list of mails on a phone has room for comes first. Who doesn't play reads both names.
    The name in brackets identifies the game (docs/decisions/0017-letters.md says what threads it).
    """
    white, black = (plain(person.name)[:_IN_SUBJECT] for person in (game.white, game.black))
    others = {Side.WHITE: black, Side.BLACK: white, None: f"{white} \N{EN DASH} {black}"}
    return f"{others[reader]}: {about[:_ABOUT]} [{plain(game.name)[:_NAME_COMMON]}]"


def plain(text: str) -> str:
    """Text on one line without control characters (names with them are refused at entry)."""
    if text.isprintable():
        return " ".join(text.split())
    kept = (char if unicodedata.category(char)[0] not in "CZ" else " " for char in text)
    return " ".join("".join(kept).split())


def quote_person(text: str) -> str:
    """A person's words, safe to pass on: printable, bounded, without any keyed address.

    A reply address in them is someone's key to a position (M2), so it is left out.
    """
    lines = [plain(_KEYED.sub("[...]", line)) for line in text[:_LONGEST].splitlines()]
    return "\n".join(lines[:_LINES]).strip("\n")


def write_reason(text: str, words: Words) -> str:
    """A reason as a person gave it; where a ruling is the reason, its case is kept, and named."""
    is_case = _CASE.fullmatch(text) is not None
    return words("rulings.by_case", case=text) if is_case else quote_person(text)


def foot(leader: OfficialContact, zone: str, words: Words) -> tuple[str, ...]:
    """Who is responsible and how to reach him; whose calendar counts."""
    return (
        words("letters.foot.leader", name=plain(leader.name), email=leader.email),
        words("letters.foot.server", zone=_city(zone, words.locale)),
    )


@lru_cache(maxsize=64)
def _city(zone: str, locale: Locale) -> str:
    """What readers call a time zone: its city in their language."""
    return get_timezone_location(zone, locale=locale, return_city=True)


def operator_foot(official: OfficialContact, words: Words) -> tuple[str, ...]:
    """For letters that concern no tournament: who runs the server."""
    named = name_official(official, words)
    return (words("letters.foot.operator", name=named, email=official.email),)


def name_official(official: OfficialContact, words: Words) -> str:
    """Who runs the server, by name if there is one."""
    return plain(official.name) if official.name else words("letters.foot.unnamed")


def write_move(move: MoveText, words: Words) -> str:
    """``12. 2425 (b5)``: numeric, then the reader's notation if that is different.

    ``12. b5 (2425)`` for a reader who has chosen a notation.
    """
    number = write_move_number(move.number, move.by)
    if words.writing is MoveNotation.NUMERIC:
        return f"{number} {move.numeric}"
    return f"{number} {_in_order(move.numeric, move.written(words.writing, words.lang), words)}"


def _in_order(digits: str, letters: str, words: Words) -> str:
    """Both forms; the reader's own comes first if he has chosen one."""
    first, second = (letters, digits) if words.leads else (digits, letters)
    return f"{first} ({second})"


def in_one_form(move: MoveText, words: Words) -> str:
    """``12. b5`` or ``12. 2425``, where there is room for only one: the reader's notation."""
    return f"{write_move_number(move.number, move.by)} {move.written(words.writing, words.lang)}"


def write_line_to_send(moves: Sequence[MoveText], words: Words) -> str:
    """Moves as the reader would write them: numeric, unless he has chosen otherwise."""
    return write_numbered_line(moves, words if words.leads else None)


def in_letters(move: MoveText, words: Words) -> str:
    """A move shown beside its numeric form, so never numeric itself."""
    is_numeric = words.writing is MoveNotation.NUMERIC
    return move.written(MoveNotation.LETTERS if is_numeric else words.writing, words.lang)


def write_numbered_line(moves: Sequence[MoveText], words: Words | None = None) -> str:
    """``12. 2425 1625 13. 1118``: a line as it is written in a mail (§ 6.8.2); with ``words`` in
    the reader's notation."""
    parts: list[str] = []
    for index, move in enumerate(moves):
        if move.by is Side.WHITE or index == 0:
            parts.append(write_move_number(move.number, move.by))
        parts.append(move.numeric if words is None else move.written(words.writing, words.lang))
    return " ".join(parts)


def both_forms(moves: Sequence[MoveText], words: Words) -> str:
    """One or more moves, numeric and in the reader's notation."""
    if len(moves) == 1:
        return write_move(moves[0], words)
    if words.writing is MoveNotation.NUMERIC:
        return write_numbered_line(moves)
    return _in_order(write_numbered_line(moves), write_numbered_line(moves, words), words)


def board_view(account: Account, side: Side | None, words: Words) -> b.BoardView:
    """The position on the board, seen from the reader's side (the leader: White's)."""
    board, last = account.state.board, last_move(account)
    by = Side.WHITE if board.turn == chess.WHITE else Side.BLACK
    turn = _turn_of(by, side, words)
    if account.state.result is not None:
        caption = words("letters.board.final")
    elif last is None:
        caption = words("letters.board.start", turn=turn)
    else:
        row = account.rows[-1]
        text = write_for_reader(row.san, numeric(row.move), words.writing, words.lang)
        move = f"{write_move_number(row.number, row.by)} {text}"
        caption = words("letters.board.after", move=move, turn=turn)
    seen = side or Side.WHITE
    legend = words("letters.board.legend")
    return b.BoardView(board, last, seen, caption, describe_position(board, words), legend)


def describe_position(board: chess.Board, words: Words) -> tuple[str, str]:
    """Both sides' pieces by name and square, for readers who see no picture.

    The pawns begin a line of their own with a word: no line is squares alone, which an answer
    that quotes it without marks would have read as moves.
    """

    def of(side: Side) -> str:
        pieces, pawns = list_pieces(board, side, words.lang)
        told = f"{side_name(side, words)}: {pieces}"
        return f"{told},\n{words('letters.board.pawns')} {pawns}" if pawns else told

    return of(Side.WHITE), of(Side.BLACK)


def _turn_of(by: Side, reader: Side | None, words: Words) -> str:
    """Whose turn it is, as worded for the reader."""
    if by is reader:
        return words("letters.turn_own")
    return words("letters.turn_of", by=side_name(by, words))


def account_blocks(account: Account, words: Words, *, is_short: bool = False) -> Iterator[b.Block]:
    """Both totals, the record in the ICCF layout, the moves, the days added (§ 6.8.2).

    ``is_short``: the totals and the moves alone.
    """
    if not is_short:
        yield b.Heading(words("letters.account.heading"))
    used = ((side_name(side, words), write_days_used(account, side, words)) for side in Side)
    yield b.FactList(tuple(used))
    if account.rows:
        if not is_short:
            yield b.RecordTable(cells := iccf_cells(account), align_cells(cells))
        yield b.Moves(write_move_text(account, words.lang, _MOVES_WIDTH, words.writing))
    if account.charges and not is_short:
        yield b.Bullets(tuple(plain(write_charge(charge, words)) for charge in account.charges))


def write_days_used(account: Account, side: Side, words: Words) -> str:
    """Days a side has used, and its limit at the next control."""
    state = account.state
    used = days(state.clock(side).total, words)
    if state.result is not None:
        return words("letters.account.used", used=used)
    limit, control = days(state.limit_of(side), words), state.next_control(side)
    return words("letters.account.standing", used=used, limit=limit, control=control)


def deadline_facts(account: Account, to: Side | None, words: Words) -> Iterator[b.Block]:
    """Whose turn it is and the last day in time, if known; ``to``: the reader.

    A day counted that is later than the sending is said to be (§ 6.3.2.1, § 6.8.6).
    """
    running = account.running
    if running is not None:
        key = "running_later" if _is_day_after(account, running.since) else "running"
        since = words(f"letters.account.{key}", since=words.day(running.since), **account.cited)
        deadline = write_deadline(account, running, words)
        yield b.DueLine(f"{_turn_of(running.by, to, words)} {since} {deadline}")


def _is_day_after(account: Account, since: date) -> bool:
    """Whether time runs from the day after the opponent's sending, which nobody reported."""
    state = account.state
    turn, rules = state.turn, state.terms.rules
    if turn.opponent_sent is None or turn.fixed is not None:
        return False
    is_electronic = rules.regulation is Regulation.EMAIL or state.means.is_agreed
    return is_electronic and (since - turn.opponent_sent).days == rules.transit_days


def _waiting(envelope: Envelope, words: Words) -> Iterator[b.Block]:
    """What still waits for the reader's yes, in letters that came after."""
    if envelope.waits:
        yield words("letters.waits.lead")
        said = (words(f"letters.waits.{kind}", day=words.day(on)) for kind, on in envelope.waits)
        yield b.Bullets(tuple(dict.fromkeys(said)))


def web_link(game: LetterGame, words: Words) -> Iterator[b.Block]:
    """The game's page, if there is one."""
    if game.url is not None:
        yield b.LinkLine(words("letters.on_the_web"), game.url)


def own_heading(own: OwnGameFacts, words: Words) -> b.Heading:
    """Which of his games, in a letter about several: his colour and his opponent."""
    opponent = plain(own.game.player(own.side.other).name)
    sides = {"color": side_name(own.side, words), "opponent": opponent}
    return b.Heading(words("letters.start.against", game=plain(own.game.name), **sides))


def leader_row(leader: OfficialContact, words: Words) -> tuple[str, str]:
    """Who leads, as a row of facts."""
    return words("letters.start.leader"), f"{plain(leader.name)}, {leader.email}"


def unread_blocks(unread: Sequence[str], words: Words) -> Iterator[b.Block]:
    """What was not understood, quoted back."""
    rest = quote_person("\n".join(unread))
    if rest:
        yield words("letters.unread")
        yield b.Quote(rest)


def paragraphs(numbers: tuple[str, ...]) -> str:
    """Paragraph numbers as readers know them."""
    return ", ".join(f"§ {number}" if number[:1].isdigit() else number for number in numbers)


# How to answer, by example: what to write where, in the position at hand (issue: First steps).

_SERIES = {
    Side.WHITE: (("12. ", "2425", "b5"), (" 0", "1625", "axb5"), (" 13. ", "1118", "Rxa8")),
    Side.BLACK: (("12... ", "1625", "axb5"), (" 13. 0", "1118", "Rxa8"), (" ", "4818", "Qxa8")),
}
"""The 0 goes before the first move expected of the opponent (§ 6.2.5)."""
Rows = Iterator[tuple[str, str]]


_SHOWN_HOW = 2
"""Own moves in a game after which its player has been shown what to write: his first letters did,
by whatever channel he then sent them, and «hjælp» shows it again."""


def answer_blocks(
    account: Account, reply_to: str | None, words: Words, *, is_first: bool = False
) -> Iterator[b.Block]:
    """How the side to move answers this mail: in full in the first letters of a game, then in a
    line, with what only this position has. ``is_first``: in full however far the game is. By card
    where the game is played by post (§ 6.2.1)."""
    yield b.Heading(words("letters.answer.heading"))
    if plays_by_card(account):
        yield words("postal.answer")
        yield from list_line_examples(account, words)
        return
    if is_first or account.state.clock(account.state.mover).moves < _SHOWN_HOW:
        yield words("letters.answer.intro")
        yield b.Example(tuple(_answer_rows(account, words)))
        yield from address_blocks(reply_to, words)
        yield b.SmallPrint(words("letters.answer.secret"))
        yield b.SmallPrint(words("letters.answer.binding", **account.cited))
        return
    yield words("letters.answer.short")
    yield from list_line_examples(account, words)
    yield from address_blocks(reply_to, words)


def plays_by_card(account: Account) -> bool:
    """Whether moves go by post: a postal game, and the players have not agreed on e-mail."""
    terms = account.terms
    return terms.regulation is Regulation.POSTAL and not account.state.means.is_agreed


def list_line_examples(account: Account, words: Words) -> Iterator[b.Block]:
    """The lines that this position has for the side to move, with what each means."""
    rows = (
        *_series_rows(account, words),
        *_draw_rows(account, words),
        *_claim_rows(account, words),
    )
    if rows:
        yield b.Example(rows)


def may_agree(account: Account, after: int = 0) -> bool:
    """Whether a draw may be agreed now, or ``after`` so many plies more (FIDE 5.2)."""
    state = account.state
    return state.position.ply + after >= state.terms.laws.agreement_plies


def address_blocks(reply_to: str | None, words: Words) -> Iterator[b.Block]:
    """The address the answer goes to, spelled out."""
    if reply_to is not None:
        yield b.AddressLine(words("letters.answer.address"), reply_to)


def series_example(side: Side, words: Words) -> str:
    """The regulation's example of a series, numeric or in the notation the reader has chosen."""
    writing = words.writing if words.leads else MoveNotation.NUMERIC
    return "".join(
        before + write_for_reader(english, digits, writing, words.lang)
        for before, digits, english in _SERIES[side]
    )


def word_row(word: str, words: Words) -> tuple[str, str]:
    """A word a player can write, and what it does."""
    return words(f"letters.word.{word}"), words(f"letters.means.{word}")


def _answer_rows(account: Account, words: Words) -> Rows:
    state = account.state
    yield words("letters.answer.own"), words("letters.answer.own_means")
    if account.rows:
        line = _with_own((row_text(account.rows[-1]),), words)
        yield line, words("letters.answer.repeated_means")
    if state.proposal:
        yield from _series_rows(account, words)
    else:
        yield series_example(state.mover, words), words("letters.answer.series_means")
    yield from _draw_rows(account, words)
    if state.draw_offer is not state.mover.other and may_agree(account, 1):
        yield word_row("draw", words)
    yield word_row("resign", words)
    yield from _claim_rows(account, words)
    yield word_row("help", words)


def _draw_rows(account: Account, words: Words) -> Rows:
    """How to answer the standing offer; yes only where the laws let a draw be agreed."""
    if account.state.draw_offer is account.state.mover.other:
        if may_agree(account):
            yield word_row("draw_yes", words)
        yield word_row("draw_no", words)


def _claim_rows(account: Account, words: Words) -> Rows:
    """How to claim, if the opponent's time is up."""
    overstep = account.overstep
    is_open = overstep is not None and overstep.finding is OverstepFinding.OPEN
    if overstep is not None and is_open and overstep.by is not account.state.mover:
        yield word_row("claim", words)


def _with_own(moves: tuple[MoveText, ...], words: Words) -> str:
    """The moves as a line, followed by a placeholder for the reader's own move."""
    last = moves[-1]
    number = "" if last.by is Side.WHITE else f" {last.number + 1}."
    return f"{write_line_to_send(moves, words)}{number} {words('letters.answer.own')}"


def _series_rows(account: Account, words: Words) -> Rows:
    """How to accept the standing series in part or in full, if there is one (§ 6.2.5)."""
    state = account.state
    series = move_texts(state.board, state.proposal)
    if not series:
        return
    bound = write_move(series[1], words)
    yield write_line_to_send(series[:1], words), words("letters.answer.part_means", bound=bound)
    yield _with_own(series, words), words("letters.answer.whole_means")


# What a letter is: its facts, its words and samples of it, under its name in the outbox.

Blocks = Iterator[b.Block]
KINDS: dict[str, type["Letter"]] = {}
"""Every kind of letter by its name in the outbox (``mail.compose`` imports them all)."""
_L = TypeVar("_L", bound="Letter")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def letter(kind: str) -> Callable[[type[_L]], type[_L]]:
    """Make a frozen dataclass of a letter and register it as the kind of that name.

    ValueError for a name that another kind has.
    """

    def register(cls: type[_L]) -> type[_L]:
        cls.kind = kind
        made = dataclass(frozen=True, slots=True)(cls)
        if KINDS.setdefault(kind, made) is not made:
            raise ValueError(f"two kinds of letters are called {kind}")
        return made

    return register


@dataclass(frozen=True, slots=True)
class Letter(ABC):
    """One letter to one reader: its fields are the facts, its methods say them in words.

    A kind is a class under ``@letter``. What the server knows of it beside that, which event sends
    it to whom and where its facts are read, stands there under ``@loads``.
    """

    kind: ClassVar[str]
    subject_key: ClassVar[str] = ""
    is_answer: ClassVar[bool] = False
    """It answers a mail (RFC 3834)."""
    takes_commands: ClassVar[bool] = False
    """What its reader answers goes to the address for commands, unless it has a ``reply_to``."""
    is_anybodys: ClassVar[bool] = False
    """Anybody can cause it without an account: it leaves after all others."""
    topic_at: ClassVar[str] = ""
    series: ClassVar[str | None] = None
    """Those that a reader may end with one press (RFC 8058), never what is the game (§ 6.8.2)."""

    @property
    def reply_to(self) -> str | None:
        """Where an answer goes, if the letter itself knows."""
        return None

    @property
    def sender_name(self) -> str | None:
        """Whose name it has on it, if not the server's."""
        return None

    @property
    def thread(self) -> str | None:
        """What letters to the same reader are shown together with it; None: with no other."""
        return None

    def subject(self, words: Words) -> str:
        """The subject."""
        return words(self.subject_key)

    @abstractmethod
    def greeting(self, words: Words) -> Blocks:
        """Who is spoken to."""

    @abstractmethod
    def lead(self, words: Words) -> str:
        """The one sentence that matters most."""

    @abstractmethod
    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        """What follows it."""

    @property
    def topic(self) -> LetterTopic | None:
        """What it is about, if somebody leads that."""
        return getattr(self, self.topic_at) if self.topic_at else None

    def foot(self, words: Words) -> tuple[str, ...]:
        """Who is responsible and how to reach him: whoever leads it."""
        of = cast(LetterTopic, self.topic)
        return foot(of.leader, of.zone, words)

    @classmethod
    @abstractmethod
    def samples(cls) -> Mapping[str, "Letter"]:
        """Some of them by name, with made-up players: for `kskak letters` and the tests."""

    def write(self, words: Words, envelope: Envelope) -> b.LetterContent:
        """The letter in words."""
        return b.LetterContent(self.subject(words), self._body(words, envelope), self.foot(words))

    def _body(self, words: Words, envelope: Envelope) -> tuple[b.Block, ...]:
        lead = b.LeadLine(self.lead(words))
        waits = _waiting(envelope, words)
        return (*self.greeting(words), lead, *self.blocks(words, envelope), *waits)


@dataclass(frozen=True, slots=True)
class NamedLetter(Letter):
    """To somebody by name."""

    reader: str

    def greeting(self, words: Words) -> Blocks:
        """The reader by name."""
        yield words("letters.greeting", name=plain(self.reader))


@dataclass(frozen=True, slots=True)
class ServerLetter(NamedLetter):
    """A letter for which whoever runs the server answers."""

    official: OfficialContact

    def foot(self, words: Words) -> tuple[str, ...]:
        """Who runs the server."""
        return operator_foot(self.official, words)


@dataclass(frozen=True, slots=True)
class LeaderFootLetter(NamedLetter):
    """A letter for which a tournament leader answers; ``zone``: whose calendar counts."""

    leader: OfficialContact
    zone: str

    @property
    def topic(self) -> LetterTopic:
        """Itself."""
        return self


@dataclass(frozen=True, slots=True)
class GroupLetter(NamedLetter):
    """A letter about a group, for which its leader answers."""

    group: LedGroup

    topic_at = "group"


@dataclass(frozen=True, slots=True)
class GameNote(NamedLetter):
    """A letter about one game, without how it stands. ``side``: the reader's, if he has one now."""

    game: LetterGame
    side: Side | None

    @abstractmethod
    def about(self, words: Words) -> str:
        """What the subject says it is about."""

    def subject(self, words: Words) -> str:
        """Whom the reader plays, what it is about, the game's name."""
        return game_subject(self.game, self.about(words), self.side)

    topic_at = "game"


@dataclass(frozen=True, slots=True)
class GameLetter(Letter):
    """A letter about one game, as it stands in ``account``. ``to``: a player, None: the leader."""

    game: LetterGame
    account: Account
    to: Side | None

    by_mail: ClassVar[bool] = True
    """Whether a move can be the answer."""

    def name(self, side: Side) -> str:
        """A player's name."""
        return plain(self.game.player(side).name)

    def about(self, words: Words) -> str:
        """What the subject says it is about."""
        return words(f"letters.subject.{self.kind}")

    def subject(self, words: Words) -> str:
        """Whom the reader plays, both for the leader; what it is about; the game's name."""
        return game_subject(self.game, self.about(words), self.to)

    def greeting(self, words: Words) -> Blocks:
        """The player or the leader by name."""
        name = self.game.leader.name if self.to is None else self.game.player(self.to).name
        yield words("letters.greeting", name=plain(name))

    topic_at = "game"

    def attached(self, envelope: Envelope) -> TextAttachment | None:
        """The game for the reader's chess program, if he is to answer with a move."""
        return None

    def write(self, words: Words, envelope: Envelope) -> b.LetterContent:
        """The letter in words, to be answered above its first line if a move can be the answer."""
        can_answer = self.by_mail and envelope.reply_to is not None
        return b.LetterContent(
            self.subject(words),
            self._body(words, envelope),
            self.foot(words),
            words("letters.cut_line") if can_answer else None,
            self.attached(envelope),
        )


@dataclass(frozen=True, slots=True)
class PlayerLetter(GameLetter):
    """A letter about a game to one of its players."""

    to: Side


@dataclass(frozen=True, slots=True)
class LeaderReport(GameLetter):
    """A letter about a game to its leader."""

    to: None = field(init=False, default=None)
