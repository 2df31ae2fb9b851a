"""The account of reflection time in words: what was charged, what was not and why, what is left.

One wording for letters, the statement page and the command line's human form. Every figure
comes from the account; none is calculated here. NOT for the table (``kskak.statement.iccf_table``).
"""

from collections.abc import Iterator
from datetime import date, timedelta

from kskak.board.printing import numeric, written
from kskak.play.account_log import Charge, Row
from kskak.play.state import Running
from kskak.regulation.days import CAUSE_PARAGRAPH, Span
from kskak.regulation.quantities import Regulation, Side
from kskak.statement.account import Account
from mail.text.words import Words

_INDENT = "  "


def explain(account: Account, words: Words) -> tuple[str, ...]:
    """Every dispatch, exemption, charge and remark, then totals and running time, one line each."""
    lines: list[str] = []
    for row in account.rows:
        lines.append(row_line(row, words))
        lines += [_INDENT + span_line(span, words) for span in row.dates.exempt]
        if row.ruling is not None:
            lines.append(_INDENT + words("statement.ruled", ref=row.ruling))
    lines += [charge_line(charge, words) for charge in account.charges]
    lines += [
        words(f"statement.warning.{warning.code.value}", entry=warning.entry + 1)
        for warning in account.warnings
    ]
    lines.append(totals_line(account, words))
    lines += overstep_lines(account, words)
    lines += running_lines(account, words)
    return tuple(lines)


def days(count: int, words: Words) -> str:
    """``1 dag``, ``2 dage``."""
    return words("statement.days", n=count)


def side_name(side: Side, words: Words) -> str:
    """Hvid, Sort."""
    return words(f"statement.{side.value}")


def number_of(row_number: int, by: Side) -> str:
    """A move's number as PGN writes it: ``12.`` for White, ``12...`` for Black."""
    return f"{row_number}." if by is Side.WHITE else f"{row_number}..."


def row_line(row: Row, words: Words) -> str:
    """One ply: dates, days and total (§ 6.8.2)."""
    named = {
        "number": number_of(row.number, row.by),
        "by": side_name(row.by, words),
        "move": _written(row, words),
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


def _written(row: Row, words: Words) -> str:
    """The move in numbers (§ 6.2.2), or in the notation the reader has chosen."""
    digits = numeric(row.move)
    return written(row.san, digits, words.writing, words.lang) if words.leads else digits


def span_line(span: Span, words: Words) -> str:
    """Days that were not counted, and by which paragraph (§ 6.3.6.3)."""
    first, last = words.short_day(span.first), words.short_day(span.last)
    return words(
        "statement.exempt",
        span=first if span.first == span.last else f"{first}-{last}",
        days=days((span.last - span.first).days + 1, words),
        cause=words(f"statement.cause.{span.cause.value}"),
        paragraph=CAUSE_PARAGRAPH[span.cause],
    )


def charge_line(charge: Charge, words: Words) -> str:
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
    if charge.ruling is None:
        return line
    ruled = words("statement.ruled_charge", ref=charge.ruling)
    return f"{line} {ruled}"


def totals_line(account: Account, words: Words) -> str:
    """Both totals."""
    white, black = account.state.white.total, account.state.black.total
    return words("statement.totals", white=days(white, words), black=days(black, words))


def overstep_lines(account: Account, words: Words) -> Iterator[str]:
    """What is known of an overstep, if there is one (§ 6.3.3)."""
    overstep = account.overstep
    if overstep is not None:
        told = "undecided" if account.state.awaits_decision else overstep.finding.value
        yield words(
            f"statement.overstep.{told}",
            by=side_name(overstep.by, words),
            on=words.day(overstep.on),
            used=days(overstep.used, words),
            limit=days(overstep.limit, words),
            move=overstep.move,
        )


def last_day_in_time(running: Running) -> date | None:
    """The last day on which sending is within the limit; None when time stands still."""
    return None if running.flag_on is None else running.flag_on - timedelta(days=1)


def days_left(account: Account, running: Running) -> int:
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
    yield deadline_line(account, running, words)
    if account.live is not None:
        spent, total = days(account.live.days, words), days(account.live.total, words)
        yield words("statement.live", on=words.day(account.live.on), days=spent, total=total)
        yield from (span_line(span, words) for span in account.live.exempt)


def deadline_line(account: Account, running: Running, words: Words) -> str:
    """The last day in time and the days left, or that it is too late, or that time stands still."""
    left, overstep = days_left(account, running), account.overstep
    if overstep is not None and overstep.by is running.by:
        return words("statement.too_late", day=words.day(overstep.on))
    last = last_day_in_time(running)
    if last is None:
        return words("statement.still")
    if account.live is not None and last == account.live.on:
        return words("statement.last_today", day=words.weekday_day(last))
    return words("statement.last_day", day=words.weekday_day(last), left=days(left, words))
