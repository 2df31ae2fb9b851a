"""A kind of letter is three files: its unit, what sends it, its words. One is added to a copy."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mail.compose import LETTERS
from mail.game_letters.letter_parts import GameLetter
from mail.office_letters.service_letters import Unwritten
from server.usecases.letter_facts import GAME_LOADERS, LOADERS
from server.usecases.letters import AREAS

ROOT = Path(__file__).parents[3]
UNIT = """

@letter("welcome")
class WelcomeLetter(ServerLetter):
    \"\"\"To a new member, from the club.\"\"\"

    club: str

    subject_key = "letters.welcome.subject"

    def lead(self, words: Words) -> str:
        return words("letters.welcome.lead", club=plain(self.club))

    def blocks(self, words: Words, envelope: Envelope) -> Blocks:
        yield words("letters.welcome.more")

    @classmethod
    def samples(cls) -> dict[str, Self]:
        return {"welcome": cls(cast.BLACK.name, cast.OPERATOR, "Ærø Skakklub")}
"""
SENDER = """

async def welcome(core: Core, conn: AsyncConnection, member: int, club: str) -> None:
    \"\"\"Greet a new member.\"\"\"
    letter = poster_of(core).to_person(WelcomeLetter, member, club, {"club": club})
    await outbox_rows.enqueue(conn, [letter])


@loads(WelcomeLetter)
async def _welcome(core: Core, reader: PersonRow, params: Params) -> WelcomeLetter:
    return WelcomeLetter(reader.name, official(core), text(params, "club"))
"""
IMPORTS = """
from mail.office_letters.service_letters import WelcomeLetter
from server.usecases.letter_facts import official
"""
WORDS = {
    "da": ("velkomst", "Velkommen", "Velkommen i {club}.", "Vi glæder os til at spille med dig."),
    "en": ("a welcome", "Welcome", "Welcome to {club}.", "We look forward to playing you."),
}
TEST = """
from mail.compose import compose_safely
from mail.game_letters.cast import ENVELOPE
from mail.samples import NOTICES
from mail.text.catalogue import Words
from server.usecases.groups.leader_letter import welcome
from tests.fakes.world import BO, World


async def test_a_new_member_is_welcomed(lite: World) -> None:
    async with lite.core.store.write() as conn:
        await welcome(lite.core, conn, (await lite.person(BO)).id, "Ærø Skakklub")
    await lite.pump()
    came = lite.letters(BO)[-1]
    assert "Welcome to Ærø Skakklub." in came.said and "playing you" in came.said


def test_its_sample_is_composed() -> None:
    raw, trouble = compose_safely(NOTICES["welcome"], Words.load("da"), ENVELOPE)
    assert b"Subject: Velkommen" in raw and not trouble
"""
TESTS = (
    "tests/scenarios/mail/test_welcome.py",
    "tests/house/test_words.py::test_every_key_is_used",
    "tests/house/test_words.py::test_danish_and_english_have_the_same_keys_and_no_empty_text",
    "tests/server/web/desks/test_maildesk.py::"
    "test_every_reason_and_letter_has_its_words_in_both_languages",
)


def _add(folder: Path) -> None:
    """A kind in its unit, beside what causes it, and in the catalogues."""
    unit = folder / "mail/office_letters/service_letters.py"
    unit.write_text(unit.read_text("utf-8") + UNIT, "utf-8")
    sender = folder / "server/usecases/groups/leader_letter.py"
    head, first, rest = sender.read_text("utf-8").partition("\nfrom mail.")
    sender.write_text(head + IMPORTS + first.lstrip("\n") + rest + SENDER, "utf-8")
    for lang, (name, subject, lead, more) in WORDS.items():
        words = folder / f"mail/words/{lang}/letters/letters.toml"
        said = f'subject = "{subject}"\nlead = "{lead}"\nmore = "{more}"'
        added = f'welcome = "{name}"\n\n[welcome]\n{said}\n'
        words.write_text(words.read_text("utf-8") + added, "utf-8")


@pytest.mark.timeout(330)
def test_a_kind_is_added_in_a_unit_a_sender_and_its_words(tmp_path: Path) -> None:
    for name in ("kskak", "mail", "server", "migrations", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "config.toml"):
        shutil.copy(ROOT / name, tmp_path)
    _add(tmp_path)
    (tmp_path / "tests/scenarios/mail/test_welcome.py").write_text(TEST, "utf-8")
    asked = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *TESTS]
    ran = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_every_kind_has_one_place_where_its_facts_are_read() -> None:
    assert AREAS
    games = {name for name, kind in LETTERS.items() if issubclass(kind, GameLetter)}
    assert GAME_LOADERS.keys() == games
    assert LOADERS.keys() == LETTERS.keys() - games - {Unwritten.kind}
