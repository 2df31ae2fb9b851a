"""The start letter and the list of games: who plays whom, and how to play by mail (§ 6.5.2.1).

And the statement of a game that was taken over.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Self

from kskak.board.shapes import in_letters_of
from kskak.cases.case import CaseReason, CaseRefusal
from kskak.game.game_events import GamePaused, PlayerResigned, TakenOver
from kskak.regulation.editions import (
    HOLIDAYS,
    OverstepFinding,
    PauseReason,
    Regulation,
    RuleSet,
    Side,
    rules_of,
)
from mail.game_letters import cast
from mail.game_letters.letter_parts import (
    Blocks,
    GroupLetter,
    PlayerLetter,
    ServerLetter,
    account_blocks,
    answer_blocks,
    board_view,
    deadline_facts,
    leader_row,
    letter,
    own_heading,
    plain,
    plays_by_card,
    quote_person,
    series_example,
    web_link,
    word_row,
    write_move,
)
from mail.office_letters.case_letters import case_refusal_text
from mail.outgoing import blocks as b
from mail.outgoing.envelope import Envelope
from mail.text.catalogue import Words
from mail.text.explanations import days, last_day_in_time, overstep_lines, side_name
from mail.text.letter_facts import (
    EntrantFacts,
    GroupFacts,
    OwnGameFacts,
    PairingFacts,
    Person,
    row_text,
)

_KEYWORDS = (
    *("draw", "draw_yes", "draw_no", "resign", "claim", "long_think"),
    *("leave", "leave_end", "status", "mails", "help"),
)


@letter("start")
class StartLetter(GroupLetter):
    """To each player of a group before its start: numbers, names, clubs, ratings, addresses,
    colours, dates, rules, and what to write where (§ 6.5.2.1).

    ``command_address``: where to write about leave and status. ``rounds``: the whole schedule, each
    round with its games, White's number first.
    """

    group: GroupFacts
    players: tuple[EntrantFacts, ...]
    pairings: tuple[PairingFacts, ...]
    command_address: str
    rounds: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = ()

    takes_commands = True

    def subject(self, words: Words) -> str:
        return words("letters.start.subject", group=plain(self.group.name))

    def lead(self, words: Words) -> str:
        group = self.group
        named = {"tournament": plain(group.tournament), "group": plain(group.name)}
        return words("letters.start.lead", **named, day=words.weekday_day(group.start))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("letters.start.mails")
        yield from help_blocks(self.command_address, words)
        yield from _group(self, words)
        yield from _rules(self.group, words)
        if self.group.url:
            pdf = words("letters.start.pdf")
            yield b.LinkLine(pdf, f"{self.group.url}/start.pdf", is_second=True)

    def on_paper(self, words: Words) -> b.LetterContent:
        """The same to print: the group first, then the rules, and last what to write where."""
        blocks = (
            b.LeadLine(self.lead(words)),
            *_group(self, words),
            *_rules(self.group, words),
            *help_blocks(self.command_address, words),
        )
        return b.LetterContent(self.subject(words), blocks, self.foot(words))

    @classmethod
    def samples(cls) -> dict[str, Self]:
        group = GroupFacts(
            "K-26-01", "K-skak-EMT 2026", cast.LEADER, cast.ZONE, "", "Kvalifikationsklassen",
            Regulation.EMAIL, 2018, "2011", date(2026, 11, 30),
            regulation_url=f"{cast.SITE}/reglement",
        )  # fmt: skip
        players = (
            EntrantFacts(1, cast.WHITE, "Skakklubben Nord", 1875),
            EntrantFacts(2, cast.BLACK, None, None),
            EntrantFacts(3, Person("Ida Ø. Berg", "relay-3@skak.example.org"), "Ærø", 2010),
        )
        games = (("K-26-01/3", Side.BLACK, 1), ("K-26-01/4", Side.WHITE, 3))
        pairings = tuple(PairingFacts(*game) for game in games)
        return {"start": cls(cast.BLACK.name, group, players, pairings, cast.COMMANDS)}


def _group(letter: StartLetter, words: Words) -> Blocks:
    """Numbers, names and addresses, the lots, his own games, and all colours (§ 6.5.2.1)."""
    group = letter.group
    is_postal = group.regulation is Regulation.POSTAL
    yield b.Heading(words("letters.start.players"))
    yield b.FactList(
        tuple((str(e.number), _entrant(e, words, is_postal=is_postal)) for e in letter.players)
    )
    lots = {} if group.seed is None else {"seed": plain(group.seed)}
    yield b.SmallPrint(words("letters.start.lots" if lots else "letters.start.given", **lots))
    if letter.pairings:
        yield b.Heading(words("letters.start.games"))
        yield b.FactList(tuple(_pairings(letter, words)))
    if letter.rounds:
        yield b.Heading(words("letters.start.plan"))
        rows = tuple(
            (words("letters.start.round", number=number), ", ".join(f"{w}–{b}" for w, b in games))
            for number, games in letter.rounds
        )
        head = (words("letters.start.round_head"), words("letters.start.plan_head"))
        yield b.Grid("", head, rows)


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


_NAMED = frozenset({"cup", "league", "theme", "playoff", "friendly"})
"""Not classes of the EMT; they have names of their own."""


def class_text(group: GroupFacts, words: Words) -> str:
    """What the group belongs to: an EMT class as written, or the cup with its round."""
    if group.class_title not in _NAMED:
        return plain(group.class_title)
    name = words(f"letters.class.{group.class_title}")
    if group.cup_round is None:
        return name
    return f"{name}, {words(f'cup.the.{group.cup_round}')}"


def _rules(group: GroupFacts, words: Words) -> Blocks:
    """The rules in force: rule set and editions; time, leave and holidays in short."""
    rules = rules_of(group.regulation)
    yield b.Heading(words("letters.start.rules"))
    rows = [
        (words("letters.start.class"), class_text(group, words)),
        (words("letters.game.rules"), words(f"letters.rules.{group.regulation.value}")),
        (words("letters.start.edition"), plain(group.edition)),
        (words("letters.game.laws"), words("letters.laws", year=group.laws)),
        arbiter_row(group, words),
    ]
    if group.fen is not None:
        rows.append((words("letters.start.fen"), plain(group.fen)))
    yield b.FactList(tuple(rows))
    yield b.Bullets(tuple(_in_short(group, rules, words)))
    if group.regulation_url is not None:
        yield b.LinkLine(words("letters.start.regulation"), group.regulation_url)
    if group.paper_url is not None:
        yield b.LinkLine(words("letters.start.paper"), group.paper_url, is_second=True)
    if group.url:
        yield b.LinkLine(words("letters.start.page"), group.url)


def arbiter_row(group: GroupFacts, words: Words) -> tuple[str, str]:
    """Who leads the group; of a friendly game, which nobody leads, who hears a dispute."""
    row = leader_row(group.leader, words)
    is_friendly = group.class_title == "friendly"
    return (words("letters.challenge.arbiter"), row[1]) if is_friendly else row


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
    if group.regulation is Regulation.POSTAL:
        yield words("letters.start.stamps")
    faulty = days(rules.faulty_days, words)
    invalid = f"letters.start.invalid.{group.regulation.value}"
    yield words(invalid, days=faulty, **rules.cited)
    claims = "server" if group.server_files_claims else "player"
    yield words(f"letters.start.claims.{claims}", **rules.cited)
    yield words("letters.start.seen")


def help_blocks(command_address: str, words: Words) -> Blocks:
    """What to write where, by example, for a beginner."""
    knight = in_letters_of(words.lang, "Nf3")
    yield b.Heading(words("letters.help.heading"))
    yield words("letters.help.reply")
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
    yield words("letters.help.words")
    yield b.Example(tuple(word_row(word, words) for word in _KEYWORDS))
    yield b.AddressLine(words("letters.help.address"), command_address)


class GameListRequest(StrEnum):
    """What a list of games is an answer to."""

    STATUS = "status"
    HELP = "help"
    MAILS = "mails"
    UNCLEAR = "unclear"


@letter("games")
class GameListFacts(ServerLetter):
    """A player's running games with fresh reply addresses; unless STATUS or MAILS, also what to
    write."""

    games: tuple[OwnGameFacts, ...]
    asked: GameListRequest
    command_address: str

    is_answer = takes_commands = True

    def subject(self, words: Words) -> str:
        return words(f"letters.list_subject.{self.asked.value}")

    def lead(self, words: Words) -> str:
        return words(f"letters.list.{self.asked.value}")

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if not self.games:
            yield words("letters.list.none")
        for game in self.games:
            yield from _own_game(game, words)
        if self.asked not in (GameListRequest.STATUS, GameListRequest.MAILS):
            yield from help_blocks(self.command_address, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        own = OwnGameFacts(cast.GAME, Side.BLACK, cast.so_far(), cast.KEY)
        waiting = OwnGameFacts(cast.GAME, Side.BLACK, cast.acc(), None)
        told = {"status": (own, waiting), "help": (), "unclear": (own,)}
        to, commands = (cast.BLACK.name, cast.OPERATOR), cast.COMMANDS
        return {
            name: cls(*to, games, GameListRequest(name), commands) for name, games in told.items()
        }


def _own_game(own: OwnGameFacts, words: Words) -> Blocks:
    account, state, running = own.account, own.account.state, own.account.running
    is_own = state.to_move is own.side
    yield own_heading(own, words)
    last = write_move(row_text(account.rows[-1]), words) if account.rows else None
    turn = "rests" if state.rests else "own" if is_own else "theirs"
    used = state.clock(own.side).total + (account.live.days if account.live and is_own else 0)
    spent = {"used": days(used, words), "limit": state.limit_of(own.side)}
    rows = [
        (words("letters.list.last"), last or words("letters.not_made.no_move")),
        (words("letters.list.turn"), words(f"letters.turn.{turn}")),
        (words("letters.list.time"), words("letters.list.used", **spent)),
    ]
    by = last_day_in_time(running) if running is not None and is_own else None
    if by is not None:
        rows.append((words("letters.list.answer_by"), words.weekday_day(by)))
    yield b.FactList((*rows, leader_row(own.game.leader, words)))
    if own.reply_to is not None and not plays_by_card(account):
        yield b.AddressLine(words("letters.list.write_to"), own.reply_to)


# The statement of a game that was taken over, and the answer to a late objection.


@letter("takeover")
class TakeoverStatement(PlayerLetter):
    """To each player: what was taken over of his game, what to check, how to object, and how the
    game goes on.

    ``leave``: days of leave used this year by White and by Black; ``command_address``: where
    to write when the game is over and has no address of its own.
    """

    taken: TakenOver
    leave: tuple[int, int]
    command_address: str

    @property
    def _is_postal(self) -> bool:
        return self.account.terms.regulation is Regulation.POSTAL

    def lead(self, words: Words) -> str:
        is_over = self.account.state.result is not None
        key = "takeovers.lead_over" if is_over else "takeovers.lead"
        return words(key, game=plain(self.game.name), day=words.day(self.taken.on))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        game, account = self.game, self.account
        yield words("takeovers.look", leader=plain(game.leader.name))
        yield b.FactList(tuple(self._facts(words)))
        yield from self._describe_turn(words)
        yield from self._objecting(words, envelope)
        yield board_view(account, self.to, words)
        yield from account_blocks(account, words)
        if account.live is not None and account.running is not None:
            by, total = side_name(account.running.by, words), days(account.live.total, words)
            yield words("takeovers.with_today", by=by, total=total)
        yield from self._going_on(words, envelope)
        yield from web_link(game, words)

    def _facts(self, words: Words) -> Iterator[tuple[str, str]]:
        for side, leave in zip(Side, self.leave, strict=True):
            told = {"name": self.name(side), "leave": days(leave, words)}
            yield side_name(side, words), words("takeovers.player", **told)
        result = self.account.state.result
        if result is not None:
            yield words("takeovers.result"), result.value

    def _describe_turn(self, words: Words) -> Blocks:
        """Whose move it is, and anything unusual: an overstep, time that stands still."""
        account, state, overstep = self.account, self.account.state, self.account.overstep
        if overstep is not None:
            yield from overstep_lines(account, words, self.to)
            if overstep.finding is OverstepFinding.OPEN and state.result is None:
                yield words("takeovers.overstep", **account.cited)
                if overstep.by is not self.to:
                    yield b.Example((word_row("claim", words),))
        if state.to_move is None:
            return
        yield from deadline_facts(account, self.to, words)
        if account.running is None and state.to_move is self.to:
            yield words("postal.report_receipt")
        for booking in state.bookings:
            if isinstance(booking.booked, GamePaused) and booking.booked.last is None:
                yield words("takeovers.still", day=words.day(booking.booked.first))

    def _objecting(self, words: Words, envelope: Envelope) -> Blocks:
        until, page = words.weekday_day(self.taken.objections_until), self.game.url
        yield b.Heading(words("takeovers.object_heading"))
        yield b.DueLine(words("takeovers.object_until", day=until))
        yield words("takeovers.object_how")
        yield b.Example(((words("takeovers.word"), words("takeovers.means")),))
        yield b.AddressLine(words("takeovers.address"), envelope.reply_to or self.command_address)
        if page is not None:
            yield b.LinkLine(words("takeovers.object_link"), f"{page}/object?kind=takeover")
        state = "running" if self.account.state.result is None else "over"
        yield b.SmallPrint(words(f"takeovers.object_then.{state}"))

    def _going_on(self, words: Words, envelope: Envelope) -> Blocks:
        """How to play from now on; a postal game by cards as before (§ 6.2.1)."""
        if self.account.state.result is not None:
            return
        yield b.Heading(words("takeovers.on_heading"))
        yield words("takeovers.on_postal" if self._is_postal else "takeovers.on")
        yield words("takeovers.silence")
        if self.account.state.to_move is self.to and not self._is_postal:
            yield from answer_blocks(self.account, envelope.reply_to, words, is_first=True)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        events, acc = cast.EVENTS[:3], cast.acc
        pause = GamePaused(date(2027, 1, 2), None, PauseReason.DISPUTE)
        over = acc(*events, PlayerResigned(Side.BLACK, date(2027, 1, 5)))
        white = cls(
            *(cast.GAME, acc(), Side.WHITE, TakenOver(date(2027, 1, 11)), (0, 0), cast.COMMANDS)
        )
        black = replace(white, to=Side.BLACK)
        still = acc(*events, pause, on=date(2027, 1, 11))
        return {
            "taken": replace(white, leave=(0, 7)),
            "taken_still": replace(black, account=still, leave=(1, 0)),
            "taken_over": replace(black, account=over),
            "taken_late": replace(black, account=acc(*events, on=date(2027, 6, 1))),
            "taken_postal": replace(white, account=cast.by_post()),
            "taken_card": replace(black, account=cast.by_post()),
        }


@letter("objection_late")
class ObjectionLate(PlayerLetter):
    """To a player who objected too late: why it is not accepted, and whom to ask (reading of
    § 6.4.5)."""

    refusal: CaseRefusal

    def lead(self, words: Words) -> str:
        return case_refusal_text(self.refusal, words)

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        leader = self.game.leader
        yield words("takeovers.late")
        yield words("takeovers.no_move")
        yield b.AddressLine(words("takeovers.leader", name=plain(leader.name)), leader.email)
        yield from web_link(self.game, words)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        late = cast.acc(*cast.EVENTS[:3], on=date(2027, 6, 1))
        refused = CaseRefusal(CaseReason.TAKEOVER_LATE, until=date(2027, 1, 25))
        return {"objection_late": cls(cast.GAME, late, Side.BLACK, refused)}


# What players do beside tournaments: challenges to friendly games, and whose games they follow.


class ChallengeStage(StrEnum):
    """What a letter says of a challenge: that there is one, that it was declined; and to who asks
    for one by mail, whether he means it, that it has gone out, or why it has not."""

    NEW = "new"
    NO = "no"
    ASKED = "asked"
    SENT = "sent"
    FAULT = "fault"


@letter("challenge")
class ChallengeLetter(ServerLetter):
    """About a challenge to a friendly game, or an invitation to one.

    ``by``: the other player, "" for everybody; ``colour``: the challenger's own (white, black,
    any); ``why``: which fault, with the ``most`` that one may make;
    ``url``: where it is answered on the web.
    """

    by: str
    stage: ChallengeStage
    regulation: Regulation
    colour: str
    fen: str | None
    word: str
    url: str
    why: str = ""
    most: int = 0
    answers: str = ""
    """Where a «ja» to this very letter goes."""

    @property
    def reply_to(self) -> str | None:
        """Its own address, if it asks something."""
        return self.answers or None

    def _key(self, part: str) -> str:
        return f"letters.challenge.{part}.{self.stage}{'' if self.by else '_all'}"

    def subject(self, words: Words) -> str:
        return words(self._key("subject"), by=plain(self.by))

    def lead(self, words: Words) -> str:
        if self.why:
            return words(f"friends.fault.{self.why}", most=self.most)
        return words(self._key("lead"), by=plain(self.by))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        if self.stage in (ChallengeStage.NEW, ChallengeStage.ASKED):
            yield from self._terms(words)
        else:
            yield b.LinkLine(words("letters.challenge.others"), self.url)

    def _terms(self, words: Words) -> Blocks:
        if self.word:
            yield b.Quote(quote_person(self.word))
        colour = words(f"letters.challenge.colour.{self.colour}")
        yield b.FactList(
            (
                (words("letters.game.rules"), words(f"letters.rules.{self.regulation.value}")),
                (words("letters.challenge.yours"), colour),
            )
        )
        if self.fen is not None:
            yield words("letters.challenge.fen", fen=plain(self.fen))
        yield words("letters.challenge.terms")
        yield words(f"letters.challenge.reply.{self.stage}")
        yield b.LinkLine(words("letters.challenge.answer"), self.url)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"
        new, terms = ChallengeStage.NEW, (Regulation.EMAIL, "black", fen, "Revanche?", cast.URL)
        first = cls(cast.WHITE.name, cast.OPERATOR, cast.BLACK.name, new, *terms)
        asked = replace(first, stage=ChallengeStage.ASKED, colour="any", fen=None, word="")
        sent = replace(asked, stage=ChallengeStage.SENT)
        fault = replace(sent, stage=ChallengeStage.FAULT, by="", why="too_often", most=5)
        return {
            "challenge": first,
            "challenge_open": replace(first, colour="any", fen=None, word=""),
            "challenge_no": replace(first, stage=ChallengeStage.NO),
            "challenge_asked": asked,
            "challenge_asked_all": replace(asked, by=""),
            "challenge_sent": sent,
            "challenge_sent_all": replace(sent, by=""),
            "challenge_fault": fault,
        }


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A finished game as a follower is told of it."""

    game: str
    white: str
    black: str
    result: str
    url: str


@letter("followed")
class FollowedLetter(ServerLetter):
    """To somebody who follows a player or a group: the games that have ended, once a day.

    ``url``: where he follows them no longer.
    """

    ended: tuple[EndedGame, ...]
    url: str

    series = "followed"

    def subject(self, words: Words) -> str:
        first = self.ended[0]
        named = {"white": plain(first.white), "black": plain(first.black), "result": first.result}
        more = "single" if len(self.ended) == 1 else "several"
        return words(f"letters.followed.subject.{more}", n=len(self.ended), **named)

    def lead(self, words: Words) -> str:
        return words("letters.followed.lead")

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        for one in self.ended:
            said = (
                f"{plain(one.white)} \N{EN DASH} {plain(one.black)} {one.result}, {plain(one.game)}"
            )
            yield b.LinkLine(said, one.url)
        yield b.LinkLine(words("letters.followed.stop"), self.url, is_second=True)

    @classmethod
    def samples(cls) -> dict[str, Self]:
        first = EndedGame("K-26-01/4", cast.WHITE.name, cast.BLACK.name, "1-0", cast.URL)
        other = EndedGame("V-7/1", "Ida Ø. Berg", cast.WHITE.name, "1/2-1/2", cast.URL)
        whose = (cast.BLACK.name, cast.OPERATOR)
        return {
            "followed": cls(*whose, (first,), cast.URL),
            "followed_more": cls(*whose, (first, other), cast.URL),
        }
