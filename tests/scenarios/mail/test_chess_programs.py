"""A game played with cmail or with Scid's e-mail manager.

The mails are as those programs write them, and come by SMTP. Not for the real programs
(test_real_cmail.py, test_real_scid.py) nor for forms that people fill in (test_pasted_forms.py).
"""

from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest

from server.store.play import notes_and_messages as note_rows
from tests.fakes.machinery.each import rows
from tests.fakes.machinery.player import Player
from tests.fakes.world import COMMANDS, World

RECORDED = Path(__file__).parents[2] / "mails_programs"
OWN, ALIAS = "application/x-chess", "application/x-chess-pgn"


def game(moves: str, result: str = "*") -> str:
    """A game as cmail files it."""
    return f"""[Event "Email correspondence game"]
[Site "NET"]
[Date "2026.09.01"]
[Round "-"]
[White "Ager, Anna"]
[Black "?"]
[Result "{result}"]
[WhiteNA "anna@example.dk"]
[BlackNA "parti+abcdefghijklmnopqrst@skak.example"]
[Mode "EM"]
[CmailGameName "K-26-01"]
{moves}
"""


@dataclass
class Program:
    """A player whose chess program writes his mails."""

    player: Player

    def head(self, subject: str = "") -> str:
        letter = self.player.newest
        self.player.world.mails += 1
        number = self.player.world.mails
        return (
            f"From: {self.player.email}\nTo: {letter.reply_to}\n"
            f"Subject: {subject or 'cmail 1 game <K-26-01>'}\n"
            f"Message-ID: <c{number}.{self.player.email}>\n"
            "Date: Tue, 01 Sep 2026 12:00:00 +0200\nMime-Version: 1.0\n"
        )

    async def sends(self, text: str, kind: str = f"{OWN};name=K-26-01.pgn") -> str:
        """A mail that is the game and nothing else: cmail through sendmail."""
        raw = f"{self.head()}Content-Type: {kind}\n\n{text}".replace("\n", "\r\n")
        return await self.player.send(raw.encode(), str(self.player.newest.reply_to))

    async def attaches(self, said: str, text: str, kind: str = ALIAS, *, subject: str = "") -> str:
        """A mail with the game attached: Scid, or a player's own mail program."""
        mail = EmailMessage()
        mail.set_content(said)
        main, _, sub = kind.partition("/")
        mail.add_attachment(text.encode(), main, sub, filename="K-26-01.pgn")
        raw = self.head(subject).replace("Mime-Version: 1.0\n", "") + mail.as_string()
        return await self.player.send(
            raw.replace("\n", "\r\n").encode(), str(self.player.newest.reply_to)
        )

    def file(self) -> str:
        """The game that came with a letter last."""
        files = [file for one in self.player.letters for file in one.mail.iter_attachments()]
        return str(files[-1].get_content().decode())

    async def sends_back(self, said: str, subject: str = "") -> str:
        """A reply by a mail program that sends our file back."""
        return await self.attaches(said, self.file(), subject=subject)


@pytest.fixture
def white(anna: Player) -> Program:
    return Program(anna)


@pytest.fixture
def black(bo: Player) -> Program:
    return Program(bo)


async def _offers(world: World) -> list[bool]:
    return [bool(row.event.offers_draw) for row in await world.events()]  # type: ignore[union-attr]


async def _said(world: World) -> list[str]:
    row = await world.row()
    async with world.core.store.read() as conn:
        return [one.text for one in await note_rows.messages_of_game(conn, row.id)]


def _recorded(name: str, player: Player) -> bytes:
    """A mail of the real cmail, for the position the player has before him."""
    (path,) = RECORDED.glob(f"cmail_?_{name}.eml")
    return path.read_bytes().replace(b"parti+abcdefghijklmnopqrst234567@skak.example", _to(player))


def _to(player: Player) -> bytes:
    return str(player.newest.reply_to).encode()


async def test_the_game_recorded_with_cmail_is_played_to_mate(world, anna, bo):
    async def sends(name: str) -> str:
        return await anna.send(_recorded(name, anna), _to(anna).decode())

    assert await sends("move") == "moved"
    assert await bo.reply("e5") == "moved"
    assert await sends("offer") == "moved"
    assert await _said(world) == ["Remis, Bo?"]
    assert await _offers(world) == [False, False, True]
    assert await bo.reply("Nc6\nremis?") == "moved"
    assert await sends("agree") == "asked_back"
    assert await sends("resign") == "asked_back"
    before = len(anna.letters)
    assert await sends("comment_before") == "moved"
    assert "Mit svar" in anna.letters[before].said, "shown to him, as it may be his analysis"
    assert await _said(world) == ["Remis, Bo?"]
    assert await bo.reply("Nf6") == "moved"
    assert await sends("mate") == "moved"
    assert (await world.row()).result == "1-0"


@rows(
    "name yes outcome result",
    ("agree", "ja", "drawn", "1/2-1/2"),
    ("resign", "opgiver", "resigned", "0-1"),
)
async def test_an_ending_from_cmail_counts_after_one_question(
    world: World, anna: Player, bo: Player, name: str, yes: str, outcome: str, result: str
) -> None:
    """With a draw offered as well, «ja» alone would not say which."""
    for move, answer in (("e4", "e5"), ("Lc4", "Nc6\nremis?")):
        await anna.reply(move)
        await bo.reply(answer)
    assert await anna.send(_recorded(name, anna), _to(anna).decode()) == "asked_back"
    assert (await world.row()).result is None
    assert await anna.reply(yes) == outcome
    assert (await world.row()).result == result


async def test_an_old_offer_in_the_record_is_not_made_again(world, white, black):
    offer = "{\nWhite offers a draw\n}"
    await white.sends(game(f"1. e4\n{offer}\n*"))
    assert await black.sends(game(f"1. e4\n{offer}\n1. ... e5\n*")) == "moved"
    assert await white.sends(game(f"1. e4\n{offer}\n1. ... e5\n2. Nf3\n*")) == "moved"
    assert await _offers(world) == [True, False, False]


@rows("kind", OWN, ALIAS, "application/x-pgn", "text/plain", "text/plain; name=K.pgn")
async def test_a_game_of_any_type_is_read(white: Program, kind: str) -> None:
    assert await white.sends(game("1. e4\n*"), kind) == "moved"


@pytest.mark.parametrize("kind", [ALIAS, "text/plain", "application/octet-stream"])
async def test_an_attached_game_is_known_by_its_type_or_its_name(white: Program, kind: str) -> None:
    assert await white.attaches("", game("1. e4 *"), kind) == "moved"


async def test_scids_mail_with_the_game_as_text_and_as_a_file(world: World, white: Program) -> None:
    assert await white.attaches(game("1. e4 *"), game("1. e4 *")) == "moved"
    assert await _said(world) == []


@pytest.mark.parametrize("said", ["e5", "1... e5", "5755", "1. e4 e5", "Hi Anna\n\n1... e5\n\nBo"])
async def test_a_reply_with_our_own_file_sent_back_plays_the_move(world, white, black, said):
    await white.player.reply("e4\nremis?")
    assert await black.sends_back(said) == "moved"
    assert await _offers(world) == [True, False]


async def test_a_move_in_the_subject_is_played_beside_our_own_file(white, black):
    await white.player.reply("e4")
    assert await black.sends_back("", "1... e5") == "moved"


@rows("said", "resign", "draw yes", "draw?", "Ke7", "Se7 or e5", "e9", "I like e5, but think on")
async def test_our_own_file_sent_back_changes_nothing_of_what_is_said(white, black, said):
    await white.player.reply("e4\nremis?")
    plain = await black.player.reply(said)
    again = {"resign": "resigned"}.get(said, plain)  # in answer to the question it is confirmed
    assert await black.sends_back(said) == again


async def test_our_file_of_an_earlier_letter_is_no_question(world, white, black):
    await white.player.reply("e4")
    old = black.file()
    await black.player.reply("e5")
    await white.player.reply("Nf3")
    assert await black.attaches("2... Nc6", old) == "moved"
    assert (await world.row()).ply == 4


async def test_a_file_that_says_nothing_new_is_answered_as_a_mail_that_says_nothing(white, black):
    await white.player.reply("e4")
    before = len(black.player.letters)
    plain = await black.player.reply("")
    answers = len(black.player.letters) - before
    assert await black.sends_back("") == plain
    assert len(black.player.letters) - before == 2 * answers


async def test_a_whole_mail_piped_to_cmail_comes_without_a_key_and_is_answered(world, anna):
    before = len(anna.letters)
    raw = _recorded("move", anna).replace(_to(anna), COMMANDS.encode())
    assert await anna.send(raw, COMMANDS) != "moved"
    assert len(anna.letters) == before + 1 and (await world.row()).ply == 0


async def test_what_is_written_below_a_game_counts(world: World, white: Program) -> None:
    text = game("1. e4") + "\nremis?\n\nHeld og lykke!\n"
    assert await white.sends(text, "text/plain") == "moved"
    assert await _offers(world) == [True]
    assert await _said(world) == ["Held og lykke!"]


@pytest.mark.parametrize("said", ["", "Hej Bo, her er mit træk.", "Final FEN: 8/8 w\n\n"])
async def test_an_attached_game_is_read_where_he_says_no_move(white: Program, said: str) -> None:
    assert await white.attaches(said, game("1. e4 *")) == "moved"


async def test_scids_mail_with_its_list_of_moves(world: World, white: Program) -> None:
    said = "Final FEN: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\n"
    assert await white.attaches(f"{said}Move List: 1.e4\n\n", game("1. e4 *")) == "moved"
    assert await _said(world) == []


async def test_what_he_writes_counts_before_what_is_attached(world: World, white: Program) -> None:
    assert await white.attaches("1. d4", game("1. e4 *")) == "moved"
    (row,) = await world.events()
    assert row.event.plies[0].uci() == "d2d4"  # type: ignore[union-attr]


DOUBTFUL = (
    ("1. d4 d5 2. c4", "*"),  # another game
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5", "*"),  # three new moves
    ("1. e4 e5 2. Ke4", "*"),  # an illegal one
    ("1. e4 e5 2. Nf3", "0-1"),  # a result that nothing explains
    ("1. e4 e5", "0-1"),
)


@pytest.mark.parametrize(("moves", "result"), DOUBTFUL)
async def test_a_game_that_does_not_fit_is_asked_about_and_costs_nothing(
    world: World, white: Program, black: Program, moves: str, result: str
) -> None:
    """§ 6.8.6: the player did not write the record; his program did."""
    await white.sends(game("1. e4\n*"))
    await black.sends(game("1. e4 e5\n*"))
    before = len(white.player.letters)
    await white.sends(game(f"{moves} {result}", result))
    assert (await world.row()).ply == 2
    assert await world.kinds() == ["MoveSent", "MoveSent"]
    assert len(white.player.letters) == before + 1


async def test_a_quoted_game_is_not_the_writers(world: World, white: Program) -> None:
    quoted = "\n".join(f"> {line}" for line in game("1. e4 *").split("\n"))
    await white.sends(f"Tak for sidst.\n\nDen 1. september skrev Bo:\n{quoted}", "text/plain")
    assert (await world.row()).ply == 0
