"""A bulletin in words: the same for the page, the PDF and the mail (§ 6.4.5.1).

NOT for what happened in the period (server) nor for layout (``mail.outgoing.rendering``,
``mail.outgoing.pdf``).
"""

from collections.abc import Iterator
from typing import assert_never

from mail.game_letters.common import operator_foot, plain
from mail.office_letters.bulletin_facts import (
    Bulletin,
    BulletinDue,
    BulletinLetter,
    BulletinMail,
    FinishedGroup,
    GroupName,
    PeriodResult,
    RunningGroup,
    StartedGroup,
)
from mail.office_letters.divisions import division_blocks
from mail.office_letters.tables import cross_grid, marks_used, separations, standing_blocks
from mail.outgoing import blocks as b
from mail.text.words import Words

_LINES, _LONGEST = 200, 20_000
"""Maximum lines and characters of the official's own words."""
_LEAGUE = "league"


def write(letter: BulletinLetter, words: Words) -> b.Written:
    """The letter in words."""
    match letter:
        case BulletinMail():
            return bulletin_mail(letter, words)
        case BulletinDue():
            return bulletin_due(letter, words)
        case _:
            assert_never(letter)


def bulletin_title(bulletin: Bulletin, words: Words) -> str:
    """The bulletin's name, with its number."""
    return words("bulletin.title", number=bulletin.number)


def bulletin_page(bulletin: Bulletin, words: Words) -> b.Written:
    """The bulletin as a page or a PDF shows it."""
    lead = _lead(bulletin, words)
    blocks = (b.Lead(lead), *_body(bulletin, words))
    title = bulletin_title(bulletin, words)
    return b.Written(title, lead, blocks, operator_foot(bulletin.official, words))


def bulletin_mail(letter: BulletinMail, words: Words) -> b.Written:
    """The bulletin as a mail, with how to stop it at the end."""
    bulletin = letter.bulletin
    lead = _lead(bulletin, words)

    def blocks() -> Iterator[b.Block]:
        yield b.Lead(lead)
        yield from _body(bulletin, words)
        yield b.Link(words("bulletin.on_the_web"), bulletin.url)
        yield b.Link(words("bulletin.as_pdf"), letter.pdf_url, is_second=True)
        yield b.Small(words("bulletin.stop", url=letter.stop_url))

    title = bulletin_title(bulletin, words)
    return b.Written(title, lead, tuple(blocks()), operator_foot(bulletin.official, words))


def bulletin_due(letter: BulletinDue, words: Words) -> b.Written:
    """To the controller: the period is over (§ 6.4.5.1)."""
    days = {"first": words.day(letter.first), "last": words.day(letter.last)}
    lead = words("bulletin.due_lead", **days)
    blocks = (
        b.Para(words("letters.greeting", name=plain(letter.reader))),
        b.Lead(lead),
        b.Due(words("bulletin.due_day", day=words.day(letter.due))),
        b.Para(words("bulletin.due_how")),
        b.Link(words("bulletin.due_link"), letter.url),
    )
    subject = words("bulletin.due_subject")
    return b.Written(subject, lead, blocks, operator_foot(letter.official, words))


def _lead(bulletin: Bulletin, words: Words) -> str:
    days = {"first": words.day(bulletin.first), "last": words.day(bulletin.last)}
    return words("bulletin.lead", **days)


def own_text(text: str) -> tuple[str, ...]:
    """An official's words as paragraphs of plain lines, bounded."""
    lines = [plain(line) for line in text[:_LONGEST].splitlines()][:_LINES]
    parts = "\n".join(lines).split("\n\n")
    return tuple(part.strip("\n") for part in parts if part.strip())


def _body(bulletin: Bulletin, words: Words) -> Iterator[b.Block]:
    if bulletin.issued is not None and bulletin.objections_until is not None:
        until = words.day(bulletin.objections_until)
        yield b.Due(words("bulletin.objections", issued=words.day(bulletin.issued), until=until))
    else:
        yield b.Due(words("bulletin.objections_draft"))
    yield from (b.Para(part) for part in own_text(bulletin.foreword))
    if not any((bulletin.started, bulletin.finished, bulletin.running)):
        yield b.Para(words("bulletin.nothing"))
    if bulletin.finished:
        yield b.Heading(words("bulletin.finished"))
        for finished in bulletin.finished:
            yield from _finished(finished, words)
    if bulletin.running:
        yield b.Heading(words("bulletin.running"))
        for running in bulletin.running:
            yield from _running(running, words)
    if bulletin.started:
        yield b.Heading(words("bulletin.started"))
        for started in bulletin.started:
            yield from _started(started, words)
    yield from _decisions(bulletin, words)


def _name(group: GroupName, words: Words) -> str:
    tournament, name = plain(group.tournament), plain(group.name)
    return words("bulletin.group", tournament=tournament, name=name)


def _finished(one: FinishedGroup, words: Words) -> Iterator[b.Block]:
    if one.group.group_class == _LEAGUE:
        yield from _division(one, words)
        return
    yield cross_grid(one.standing.table, words, _name(one.group, words))
    yield from standing_blocks(one.standing, words)
    yield from _results(one.results, words)


def _division(one: FinishedGroup | RunningGroup, words: Words) -> Iterator[b.Block]:
    """A division: clubs are placed, not players (§ 6.7.4.5), with matches and boards.

    A bulletin from before divisions were shown this way has only the results.
    """
    yield b.Heading(_name(one.group, words), 3)
    if one.division is not None:
        caption = words("league.page.division", number=one.division.division)
        yield from division_blocks(one.division, words, caption)
    yield from _results(one.results, words)
    yield b.Link(words("bulletin.division"), one.group.url)


def _running(one: RunningGroup, words: Words) -> Iterator[b.Block]:
    if one.group.group_class == _LEAGUE:
        yield from _division(one, words)
        return
    yield cross_grid(one.table, words, _name(one.group, words))
    notes = (*separations(one.table, words), *marks_used(one.table, words))
    if notes:
        yield b.Small("\n".join(notes))
    yield from _results(one.results, words)


def _results(results: tuple[PeriodResult, ...], words: Words) -> Iterator[b.Block]:
    """The period's results in one paragraph: White, Black, the result and how it came about."""
    if results:
        said = "; ".join(_result(one, words) for one in results)
        yield b.Para(words("bulletin.results", results=said))


def _result(one: PeriodResult, words: Words) -> str:
    names = f"{plain(one.white)} – {plain(one.black)}"
    text = one.result.replace("1/2", "½").replace("-", "–")
    how = "" if one.how is None else f" ({words(f'tables.how.{one.how.value}')})"
    return f"{names} {text}{how}"


def _started(one: StartedGroup, words: Words) -> Iterator[b.Block]:
    players = ", ".join(f"{n}. {plain(name)}" for n, name in enumerate(one.players, 1))
    yield b.Heading(_name(one.group, words), 3)
    began = words("bulletin.began", day=words.day(one.start), leader=plain(one.leader))
    yield b.Para(f"{began} {players}.")


def _decisions(bulletin: Bulletin, words: Words) -> Iterator[b.Block]:
    if not bulletin.decisions:
        return
    yield b.Heading(words("bulletin.decisions"))
    for note in bulletin.decisions:
        cited = ", ".join(f"§ {number}" for number in note.paragraphs)
        yield b.Heading(words("bulletin.decision", number=note.number, paragraphs=cited), 3)
        yield from (b.Para(part) for part in own_text(note.text))
