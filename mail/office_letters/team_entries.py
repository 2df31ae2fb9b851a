"""Letters about a team entry, and the lines shared by page and letter (§ 6.7.4.1).

NOT for letters to teams already playing (``mail.office_letters.league``).
"""

from collections.abc import Iterator

from kskak.league.team_entry import TeamFault, TeamFinding
from mail.game_letters.common import foot, own_words, plain
from mail.office_letters.cases import money
from mail.office_letters.league_facts import TeamEntryLetter, TeamNews
from mail.outgoing import blocks as b
from mail.text.words import Words


def finding_text(one: TeamFinding, words: Words) -> str:
    """A fault of a team entry with the players it concerns and its paragraph."""
    who = f" {', '.join(plain(name) for name in one.players)}." if one.players else ""
    return f"{words(f'teams.fault.{one.fault.value}')} (§ {one.paragraph}).{who}"


def write(letter: TeamEntryLetter, words: Words) -> b.Written:
    """The letter in words."""
    says_valid = letter.is_valid and letter.news in (
        TeamNews.ENTERED,
        TeamNews.FEE,
        TeamNews.LEAVE,
    )
    key = letter.news.value + ("_valid" if says_valid else "")
    named = {"club": plain(letter.club), "season": letter.season}
    lead = words(f"teams.news.{key}", day=words.day(letter.day), **named)
    subject = words("teams.subject", tournament=plain(letter.tournament), **named)
    blocks = tuple(_blocks(letter, lead, words))
    return b.Written(subject, lead, blocks, foot(letter.leader, letter.zone, words))


def _blocks(letter: TeamEntryLetter, lead: str, words: Words) -> Iterator[b.Block]:
    yield b.Para(words("letters.greeting", name=plain(letter.reader)))
    yield b.Lead(lead)
    if letter.findings:
        yield b.Bullets(tuple(finding_text(one, words) for one in letter.findings))
    if letter.fee and any(one.fault is TeamFault.NO_FEE for one in letter.findings):
        yield b.Para(words("entries.fee", fee=money(letter.fee, words)))
    if letter.news is TeamNews.REFUSED:
        told = {"reason": plain(own_words(letter.reason)), "paragraph": plain(letter.paragraph)}
        yield b.Para(words("entries.reason", **told))
    if letter.news not in (TeamNews.REFUSED, TeamNews.WITHDRAWN):
        yield b.Heading(words("teams.lineup"))
        yield b.Para(words("teams.captain", name=plain(letter.captain)))
        yield b.Bullets(
            tuple(
                words("league.seat", board=board, name=plain(name), rating=rating)
                for board, (name, rating) in enumerate(letter.players, 1)
            )
        )
    yield b.Para(words("entries.ask_leader", leader=plain(letter.leader.name)))
    yield b.Link(words("teams.own_page"), letter.url)
