"""The start letter and the list of games: who plays whom, and how to play by mail (§ 6.5.2.1).

NOT for letters about one game.
"""

from collections.abc import Iterator

from kskak.board.printing import in_letters_of
from kskak.regulation.editions import HOLIDAYS, RuleSet, rules_of
from kskak.regulation.quantities import Regulation, Side
from mail.game_letters.common import foot, operator_foot, plain, shown
from mail.game_letters.how_to_answer import series_example, word_row
from mail.office_letters.notice_facts import Asked, GameList, StartLetter
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.explain import days, side_name
from mail.text.facts import Entrant, Group, OwnGame
from mail.text.words import Words

_WORDS = (
    *("draw", "draw_yes", "draw_no", "resign", "claim", "long_think"),
    *("leave", "leave_end", "status", "mails", "help"),
)


def start_letter(letter: StartLetter, words: Words, envelope: Envelope) -> b.Written:
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
        yield b.Lead(lead)
        yield b.Para(words("letters.start.mails"))
        yield from help_blocks(letter.command_address, words)
        yield from _group(letter, words)
        yield from _rules(group, words)
        if group.url is not None:
            pdf = words("letters.start.pdf")
            yield b.Link(pdf, f"{group.url}/start.pdf", is_second=True)

    return _written(group, lead, tuple(blocks()), words)


def start_page(letter: StartLetter, words: Words) -> b.Written:
    """The same on paper: the group first, then the rules, and last what to write where."""
    group = letter.group
    lead = words(
        "letters.start.lead",
        tournament=plain(group.tournament),
        group=plain(group.name),
        day=words.weekday_day(group.start),
    )
    blocks = (
        b.Lead(lead),
        *_group(letter, words),
        *_rules(group, words),
        *help_blocks(letter.command_address, words),
    )
    return _written(group, lead, blocks, words)


def _written(group: Group, lead: str, blocks: tuple[b.Block, ...], words: Words) -> b.Written:
    return b.Written(
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
    yield b.Facts(
        tuple((str(e.number), _entrant(e, words, is_postal=is_postal)) for e in letter.players)
    )
    if group.seed is not None:
        yield b.Small(words("letters.start.lots", seed=plain(group.seed)))
    if letter.pairings:
        yield b.Heading(words("letters.start.games"))
        yield b.Facts(tuple(_pairings(letter, words)))
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


def _entrant(entrant: Entrant, words: Words, *, is_postal: bool) -> str:
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


def class_text(group: Group, words: Words) -> str:
    """What the group belongs to: an EMT class as written, or the cup with its round."""
    if group.class_title not in _NAMED:
        return plain(group.class_title)
    name = words(f"letters.class.{group.class_title}")
    if group.cup_round is None:
        return name
    return f"{name}, {words(f'cup.the.{group.cup_round}')}"


def _rules(group: Group, words: Words) -> Iterator[b.Block]:
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
    yield b.Facts(tuple(rows))
    yield b.Bullets(tuple(_in_short(group, rules, words)))
    if group.regulation_url is not None:
        yield b.Link(words("letters.start.regulation"), group.regulation_url)
    else:
        yield b.Para(words("letters.start.regulation_from", leader=plain(group.leader.name)))
    if group.url is not None:
        yield b.Link(words("letters.start.page"), group.url)


def _in_short(group: Group, rules: RuleSet, words: Words) -> Iterator[str]:
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
    yield b.Example(tuple(word_row(word, words) for word in _WORDS))
    yield b.Mailbox(words("letters.help.address"), command_address)


def game_list(letter: GameList, words: Words, envelope: Envelope) -> b.Written:
    """The reader's running games, each with its address; and what to write, if he asked."""
    lead = words(f"letters.list.{letter.asked.value}")

    def blocks() -> Iterator[b.Block]:
        yield b.Para(words("letters.greeting", name=plain(letter.reader.name)))
        yield b.Lead(lead)
        if not letter.games:
            yield b.Para(words("letters.list.none"))
        for game in letter.games:
            yield from _own_game(game, words)
        if letter.asked not in (Asked.STATUS, Asked.MAILS):
            yield from help_blocks(letter.command_address, words)

    return b.Written(
        subject=words("letters.list.subject"),
        preview=lead,
        blocks=tuple(blocks()),
        foot=operator_foot(letter.official, words),
        cut_line=None,
    )


def _turn(own: OwnGame) -> str:
    if own.rests:
        return "rests"
    return "own" if own.is_to_move else "theirs"


def _own_game(own: OwnGame, words: Words) -> Iterator[b.Block]:
    game = own.game
    opponent = plain(game.player(own.side.other).name)
    yield b.Heading(f"{plain(game.name)}: {side_name(own.side, words)} - {opponent}")
    last = shown(own.last, words) if own.last is not None else words("letters.not_made.no_move")
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
    yield b.Facts(tuple(rows))
    if own.reply_to is not None:
        yield b.Mailbox(words("letters.list.write_to"), own.reply_to)
