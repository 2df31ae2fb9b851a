"""Answers in words: the account of reflection time, ratings, access, composition, placed tables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from kskak.board.shapes import numeric, write_for_reader
from kskak.entries.access import AccessFile
from kskak.entries.emt import EmtClass
from kskak.entries.rights import ClassEligibility, Right
from kskak.groups.crosstables import CrossCell, CrossRow, Crosstable, board_tables, crosstable
from kskak.groups.placing import Division, RankingRules, RankingStep, Table
from kskak.league.composition import Composition, PlacedTeam, PlacementReason
from kskak.play.game_state import AccountCharge, AccountLine, RunningClock
from kskak.rating.calculation import FLOOR, Calculation, Method
from kskak.regulation.days import CAUSE_PARAGRAPH, Cause, Span
from kskak.regulation.editions import EMAIL, POSTAL, OverstepFinding, Regulation, Side
from kskak.statement.account import Account
from mail.text.catalogue import Words, columns, decimal, halves, hundredths, write_signed

# The account of reflection time in words: what was charged, what was not and why, what is left.

_INDENT = "  "


def explain(account: Account, words: Words) -> tuple[str, ...]:
    """Every dispatch, exemption, charge and remark, then totals and running time, one line each."""
    lines: list[str] = []
    for row in account.rows:
        lines.append(write_row(row, words))
        lines += [_INDENT + write_span(span, words) for span in row.dates.exempt]
        if row.ruling is not None:
            lines.append(_INDENT + words("statement.ruled", ref=row.ruling))
    lines += [write_charge(charge, words) for charge in account.charges]
    lines += [
        words(f"statement.warning.{warning.code.value}", entry=warning.entry + 1)
        for warning in account.warnings
    ]
    causes = {span.cause for row in account.rows for span in row.dates.exempt}
    if Cause.HOLIDAY in causes and account.terms.regulation is Regulation.EMAIL:
        lines.append(words("statement.reading.holidays"))
    if EMAIL.paragraphs.faulty in (one.paragraph for one in account.charges if not one.ruling):
        lines.append(words("statement.reading.never_came"))
    lines.append(write_totals(account, words))
    lines += overstep_lines(account, words)
    lines += running_lines(account, words)
    return tuple(lines)


def days(count: int, words: Words) -> str:
    """``1 dag``, ``2 dage``."""
    return words("statement.days", n=count)


def side_name(side: Side, words: Words) -> str:
    """Hvid, Sort."""
    return words(f"statement.{side.value}")


def write_move_number(row_number: int, by: Side) -> str:
    """A move's number as PGN writes it: ``12.`` for White, ``12...`` for Black."""
    return f"{row_number}." if by is Side.WHITE else f"{row_number}..."


def write_row(row: AccountLine, words: Words) -> str:
    """One ply: dates, days and total (§ 6.8.2)."""
    named = {
        "number": write_move_number(row.number, row.by),
        "by": side_name(row.by, words),
        "move": _write_move(row, words),
    }
    if row.dates.received is None or row.dates.sent is None:
        return words("statement.row_in_series", **named)
    return words(
        "statement.row",
        **named,
        received=words.short_day(row.dates.received),
        sent=words.short_day(row.dates.sent),
        days=days(row.dates.days, words),
        total=row.total,
    )


def _write_move(row: AccountLine, words: Words) -> str:
    """The move in numbers (§ 6.2.2), or as the reader has chosen; (=) where a draw was offered."""
    said = numeric(row.move)
    if words.leads:
        said = write_for_reader(row.san, said, words.writing, words.lang)
    return f"{said} (=)" if row.offers_draw else said


def write_span(span: Span, words: Words) -> str:
    """Days that were not counted, and by which paragraph (§ 6.3.6.3)."""
    first, last = words.short_day(span.first), words.short_day(span.last)
    return words(
        "statement.exempt",
        span=first if span.first == span.last else f"{first}-{last}",
        days=days((span.last - span.first).days + 1, words),
        cause=words(f"statement.cause.{span.cause.value}"),
        paragraph=CAUSE_PARAGRAPH[span.cause],
    )


def write_charge(charge: AccountCharge, words: Words) -> str:
    """Days added or annulled, why, by which paragraph and by which ruling, if any.

    An official's reason is kept as written.
    """
    known = f"statement.reason.{charge.reason}"
    line = words(
        "statement.charge_added" if charge.days >= 0 else "statement.charge_taken",
        on=words.short_day(charge.on),
        by=side_name(charge.by, words),
        days=days(abs(charge.days), words),
        reason=words(known) if known in words else charge.reason,
        paragraph=charge.paragraph,
    )
    if charge.ruling is not None:
        line = f"{line} {words('statement.ruled_charge', ref=charge.ruling)}"
    again = POSTAL.paragraphs.faulty, POSTAL.faulty_again_days
    is_again = (charge.paragraph, charge.days) == again
    read = f"statement.reading.{'repeated' if is_again else charge.reason}"
    return f"{line} {words(read)}" if read in words else line


def write_totals(account: Account, words: Words) -> str:
    """Both totals."""
    white, black = account.state.white.total, account.state.black.total
    return words("statement.totals", white=days(white, words), black=days(black, words))


def overstep_lines(account: Account, words: Words, reader: Side | None = None) -> Iterator[str]:
    """What is known of an overstep, if there is one (§ 6.3.3); to the ``reader`` as his own."""
    overstep = account.overstep
    if overstep is not None:
        told = "undecided" if account.state.awaits_decision else overstep.finding.value
        yield words(
            f"statement.overstep.{told}",
            by=words("letters.you") if overstep.by is reader else side_name(overstep.by, words),
            on=words.day(overstep.on),
            used=days(overstep.used, words),
            limit=days(overstep.limit, words),
            move=overstep.move,
            **account.cited,
        )
        yield from overstep_readings(account, words)


def overstep_readings(account: Account, words: Words) -> Iterator[str]:
    """The readings that decide what an overstep costs, each with the other (§ 6.3.3.3, § 6.3.3.4).

    Under § 6.8 whether both lose who play on; by either rule set a loss to a bare king.
    """
    late, is_mailed = account.overstep, account.terms.regulation is Regulation.EMAIL
    if late is None:
        return
    if is_mailed and late.finding in (OverstepFinding.OPEN, OverstepFinding.CONTINUED):
        yield words("statement.reading.both_lose")
    cannot_mate = account.state.board.has_insufficient_material(late.by.other is Side.WHITE)
    if cannot_mate and late.finding is not OverstepFinding.CONTINUED:
        name = side_name(late.by.other, words)
        yield words("statement.reading.bare_king", name=name, **account.cited)


def last_day_in_time(running: RunningClock) -> date | None:
    """The last day on which sending is within the limit; None when time stands still."""
    return None if running.flag_on is None else running.flag_on - timedelta(days=1)


def days_left(account: Account, running: RunningClock) -> int:
    """Days the side to move may still use: as of the account's day, else as of receipt.

    Below 0 when overstepped.
    """
    live = account.live
    return running.limit - (live.total if live else account.state.clock(running.by).total)


def running_lines(account: Account, words: Words) -> Iterator[str]:
    """Whose turn it is, since when, the limit, and the last day in time (§ 6.3.3.1)."""
    running, mover = account.running, account.state.to_move
    if running is None:
        if mover is not None and account.terms.regulation is Regulation.POSTAL:
            yield words("statement.unknown_receipt", by=side_name(mover, words))
        return
    named = {
        "by": side_name(running.by, words),
        "since": words.day(running.since),
        "limit": days(running.limit, words),
    }
    control = account.state.next_control(running.by)
    if running.limit > account.terms.rules.control_limit(control):
        yield words("statement.running_series", **named)
    else:
        yield words("statement.running", **named, control=control)
    yield write_deadline(account, running, words)
    if account.live is not None:
        spent, total = days(account.live.days, words), days(account.live.total, words)
        yield words("statement.live", on=words.day(account.live.on), days=spent, total=total)
        yield from (write_span(span, words) for span in account.live.exempt)


def write_deadline(account: Account, running: RunningClock, words: Words) -> str:
    """The last day in time and the days left, or that it is too late, or that time stands still."""
    left, overstep = days_left(account, running), account.overstep
    if overstep is not None and overstep.by is running.by:
        return words("statement.too_late", day=words.day(overstep.on))
    last = last_day_in_time(running)
    if last is None:
        return words("statement.still")
    if account.live is not None and last == account.live.on:
        return words("statement.last_today", day=words.weekday_day(last))
    now = running.since if account.live is None else max(running.since, account.live.on)
    skipped = (last - now).days - left  # leave and holidays on the way: 39 days that last 51
    key = "last_day_skips" if skipped > 0 else "last_day"
    named = {"left": days(left, words), "skipped": skipped}
    return words(f"statement.{key}", day=words.weekday_day(last), **named)


# A rating calculation as lines of text: the table, then every step of every player (§ 4.5.2).

_COLUMNS = ("name", "before", "games", "score", "expected", "bonus", "k", "rating")


def rating_lines(rows: Sequence[Calculation], words: Words) -> tuple[str, ...]:
    """The table, the steps of each player, and a note on what is a reading."""
    head = [words(f"rating.column.{name}") for name in _COLUMNS]
    lines = columns([head, *(_row(row, words) for row in rows)])
    for row in rows:
        lines += ["", *step_lines(row, words)]
    return (*lines, "", words("rating.reading"))


def step_lines(row: Calculation, words: Words) -> tuple[str, ...]:
    """One player's steps, from his rating before to the new one (§ 4.5.2)."""
    lines = [words("rating.new", name=row.name, before=row.before, rating=row.rating)]
    if not row.games:
        return (*lines, "  " + words("rating.none"))
    figures = {
        "score": halves(row.score),
        "expected": hundredths(row.expected.score, words),
        "bonus": decimal(row.bonus, words),
    }
    lines.append("  " + _write_expected_score(row, words))
    if row.method is Method.AVERAGE and row.expected.cycles > 1:
        lines.append("  " + words("rating.cycles", n=decimal(row.expected.cycles, words)))
    bonus = "rating.bonus" if row.bonus else "rating.no_bonus"
    lines.append("  " + words(bonus, threshold=halves(row.threshold), **figures))
    lines += ["  " + line for line in _gain(row, words, figures)]
    return tuple(lines)


def _gain(row: Calculation, words: Words, figures: dict[str, str]) -> list[str]:
    if row.is_held:
        lines = [words("rating.held")]
    else:
        lines = [words("rating.gain", k=row.k, gain=write_signed(row.gain, words), **figures)]
    if row.crossed is not None:
        lines.append(
            words(
                "rating.crossed",
                limit=row.crossed.limit,
                beyond=decimal(row.crossed.beyond, words),
                factor=row.crossed.factor,
                after=decimal(row.crossed.after, words),
            )
        )
    if row.is_raised:
        lines.append(words("rating.raised", floor=FLOOR))
    return lines


def _write_expected_score(row: Calculation, words: Words) -> str:
    expected = row.expected
    raw, rounded = hundredths(expected.raw, words), hundredths(expected.score, words)
    if expected.method is Method.DIFFERENCE:
        chances = ", ".join(
            f"{chance.opponent} {_difference(chance.difference)}: {hundredths(chance.score, words)}"
            for chance in expected.chances
        )
        return words("rating.difference", chances=chances, raw=raw, expected=rounded)
    (chance,) = expected.chances
    formula = f"{expected.field} × {hundredths(chance.score, words)} − ½"
    if expected.cycles != 1:
        formula = f"{decimal(expected.cycles, words)} × ({formula})"
    return words(
        "rating.average",
        mean=decimal(chance.against, words),
        difference=_difference(chance.difference),
        chance=hundredths(chance.score, words),
        formula=formula,
        raw=raw,
        expected=rounded,
    )


def _difference(value: int) -> str:
    return f"+{value}" if value > 0 else str(value).replace("-", "−")


def _row(row: Calculation, words: Words) -> list[str]:
    return [
        row.name,
        str(row.before),
        str(row.games),
        halves(row.score),
        hundredths(row.expected.score, words),
        decimal(row.bonus, words),
        str(row.k),
        str(row.rating),
    ]


# Which classes a player may enter, in words: the human form of ``kskak access`` (§ 6.5.3.2).


def access_lines(
    file: AccessFile, answers: Mapping[EmtClass, ClassEligibility], words: Words
) -> Iterator[str]:
    """One line per class, below it every rule for and against, then what people may decide."""
    yield words("access.head", name=file.player.name, day=words.day(file.record.on))
    for name, answer in answers.items():
        yield words(f"access.class.{'yes' if answer.is_allowed else 'no'}", name=name.value)
        for right in answer.by:
            yield _INDENT + _right_line(right, words)
        for bar in answer.against:
            text = words(f"access.against.{_key(bar.rule)}")
            yield _INDENT + text + _rests_on(bar.results, words) + f" (§ {bar.paragraph})."
        if not answer.by and not answer.against:
            yield _INDENT + words("access.nothing")
    yield words("access.persons")


def _right_line(right: Right, words: Words) -> str:
    text = words(f"access.by.{_key(right.paragraph)}") + _rests_on(right.results, words)
    until = "" if right.until is None else words("access.until", day=words.day(right.until))
    return f"{text} (§ {right.paragraph}){until}."


def _rests_on(results: tuple[int, ...], words: Words) -> str:
    """Which of his results, by their place in the file; nothing for a rating."""
    if not results:
        return ""
    numbers = ", ".join(map(str, results))
    return words("access.results", n=len(results), numbers=numbers)


def _key(paragraph: str) -> str:
    return paragraph.replace(".", "_").replace(" ", "_")


# Next season's divisions in words: the human form of ``kskak compose`` (§ 6.7.5).


def compose_lines(composition: Composition, words: Words) -> Iterator[str]:
    """Each division, one team per line with its reason; teams without a place; dispensations."""
    for number, rows in ((1, composition.first), (2, composition.second)):
        if rows:
            yield words("compose.division", number=number)
            yield from _team_lines(rows, words)
    for group, rows in enumerate(composition.third, 1):
        has_one = len(composition.third) == 1
        yield words("compose.division" if has_one else "compose.group", number=3, group=group)
        yield from _team_lines(rows, words)
    if left := composition.without_opponents:
        yield words("compose.unplaced")
        for row in left:
            yield from _team_lines([row], words)
            for way in composition.ways_for(row.team):
                yield _INDENT * 2 + way_text(way.division, way.reason, words)
    if composition.dispensations:
        yield words("compose.dispensations", n=len(composition.dispensations))


def reason_text(by: str, words: Words) -> str:
    """A reason in words, given its name in kskak-compose/1."""
    name = PlacementReason(by).name.lower().removeprefix("first_").removeprefix("second_")
    full = name if name == "dispensation" else PlacementReason(by).name.lower()
    return words(f"compose.reason.{full}")


def way_text(division: int, by: str, words: Words) -> str:
    """A place that the leader can give a team without one: the division, and by what."""
    place = words("compose.division", number=division)
    return words("compose.way", division=place, why=reason_text(by, words))


def _team_lines(rows: Iterable[PlacedTeam], words: Words) -> Iterator[str]:
    for row in rows:
        why = reason_text(row.reason, words)
        if row.team.score is not None:
            why = words("compose.scored", score=words.number(row.team.score), why=why)
        mean = words.number(row.team.mean)
        yield _INDENT + words("compose.team", club=row.team.club, mean=mean, why=why)


# Placed tables and crosstables as lines of text (§ 6.5.4.1, § 6.7.4.5).


def write_standings(table: Table | Division, words: Words) -> tuple[str, ...]:
    """The crosstable in order of place, the boards of a division, and the rules applied."""
    is_league = isinstance(table, Division)
    lines = crosstable_lines(crosstable(table), words, is_league=is_league)
    rules = RankingRules.LEAGUE if isinstance(table, Division) else table.rules
    lines += ["", words(f"placing.rules.{rules.value}")]
    if isinstance(table, Division):
        for board, cross in enumerate(board_tables(table), 1):
            lines += ["", words("placing.board", board=board)]
            lines += crosstable_lines(cross, words, is_league=False, is_placed=False)
    return tuple(lines)


def crosstable_lines(
    cross: Crosstable, words: Words, *, is_league: bool, is_placed: bool = True
) -> list[str]:
    """A header and one line per row; a club's cells show total points, a player's each game.

    ``is_placed`` False: the places mean nothing, so what decided them is left out.
    """
    numbers = [str(number) for number in range(1, len(cross.rows) + 1)]
    head = [
        words("placing.column_place"),
        words("placing.column_club" if is_league else "placing.column_name"),
        *numbers,
        words("placing.column_points"),
        *([] if is_league else [words("placing.column_sums")]),
        words("placing.column_percent"),
        words("placing.column_decided") if is_placed else "",
    ]
    body: list[list[str]] = []
    above: CrossRow | None = None
    for row in cross.rows:
        note = explain_separation(row, above, words) if is_placed else ""
        body.append([*_figures(row, words, is_league), note])
        above = row
    return columns([head, *body])


def explain_separation(row: CrossRow, above: CrossRow | None, words: Words) -> str:
    """What separated a row from the one above, with both figures; nothing for plain points."""
    if row.decided_by is None:
        return ""
    if above is not None and above.place == row.place:
        return words(f"placing.level.{row.decided_by.value}")
    if row.decided_by is RankingStep.POINTS:
        return ""
    step = words(f"placing.decided.{row.decided_by.value}")
    if row.margin is None:
        return step
    if row.among:
        names = ", ".join(name for name, _ in row.among)
        figures = "–".join(decimal(figure, words) for _, figure in row.among)
        return words("placing.margin_among", step=step, names=names, figures=figures)
    ahead, own = (decimal(figure, words) for figure in row.margin)
    return words("placing.margin", step=step, ahead=ahead, own=own)


def _figures(row: CrossRow, words: Words, is_league: bool) -> list[str]:
    sums = row.sonneborn_berger
    return [
        f"{row.place}.",
        row.name,
        *(_cell(cell, words, is_league) for cell in row.cells),
        halves(row.points),
        *([] if is_league else ["" if sums is None else decimal(sums, words)]),
        "" if row.percent is None else decimal(row.percent, words, 1),
    ]


def _cell(cell: CrossCell, words: Words, is_league: bool) -> str:
    if cell.is_own:
        return words("placing.own")
    if cell.total is None:
        return words("placing.open")
    return halves(cell.total) if is_league else " ".join(halves(point) for point in cell.points)
