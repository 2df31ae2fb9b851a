"""1,220 everyday mails, written by people who saw no code: none plays another move than it says.

``*.jsonl``: a position, whose turn it is, the mail as it came, and what a
wise leader would make of it (``right``): ``play`` a move, ``ask`` whether that is meant or, out of
turn, whether it is a ``series``, or something else that is told or asked and is not counted here.
``{LETTER}`` in it is the letter that is answered.
"""

import json
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import chess
import pytest

from kskak.board.shapes import numeric
from server.usecases.play.game_requests import FieldReader, GameRequest, ask
from tests.fakes.machinery.clock import ZONE
from tests.fakes.world import ANNA, BO, NAMES, World, world_of

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(1800)]
FOLDER = Path(__file__).parent
SETS = {
    "mails.jsonl": ([184], 5),
    "more_mails.jsonl": ([45, 48], 1),
    "hard_mails.jsonl": ([203, 261], 8),
    "worded_mails.jsonl": ([], 5),
}
"""Which mails of each are charged, and how many at most have a move that is neither played nor
asked about: «I take what hangs». The law charges «4.Sf4», «Ld4» or «Sxd5» alone, where no such
piece can go (§ 6.8.6)."""


def _before(after: chess.Board, san: str) -> chess.Board | None:
    """A position in which that move leads to the one given; None where none is found."""
    if san.startswith("O-O"):
        board, rank = after.copy(stack=False), "18"[after.turn]
        start, stands = ("a", "cd") if "O-O-O" in san else ("h", "gf")
        board.set_piece_map(after.piece_map() | {
            chess.parse_square(f"e{rank}"): chess.Piece(chess.KING, not after.turn),
            chess.parse_square(f"{start}{rank}"): chess.Piece(chess.ROOK, not after.turn),
        })  # fmt: skip
        for file in stands:
            board.remove_piece_at(chess.parse_square(f"{file}{rank}"))
        board.turn, board.ep_square = not after.turn, None
        board.castling_rights |= chess.BB_SQUARES[chess.parse_square(f"{start}{rank}")]
        board.fullmove_number -= after.turn is chess.WHITE
        return board if board.is_valid() and _leads(board, san, after) else None
    for to in chess.SquareSet(after.occupied_co[not after.turn]):
        for start in chess.SquareSet(~after.occupied):
            for victim in (None, *chess.PIECE_TYPES[:-1]):
                board = after.copy(stack=False)
                piece = board.remove_piece_at(to)
                assert piece is not None
                is_promoted = "=" in san
                kind = chess.PAWN if is_promoted else piece.piece_type
                board.set_piece_at(start, chess.Piece(kind, piece.color))
                if victim is not None:
                    board.set_piece_at(to, chess.Piece(victim, after.turn))
                board.turn, board.ep_square = piece.color, None
                board.fullmove_number -= after.turn is chess.WHITE
                if board.is_valid() and _leads(board, san, after):
                    return board
    return None


def _leads(board: chess.Board, san: str, after: chess.Board) -> bool:
    try:
        move = board.parse_san(san)
    except ValueError:
        return False
    made = board.copy(stack=False)
    made.push(move)
    is_same = made.board_fen() == after.board_fen()
    return is_same and after.ep_square in (None, made.ep_square)


async def _answer(world: World, mail: dict[str, Any]) -> tuple[list[str], list[Any], str]:
    """What a mail does in a game of its own: kinds and bodies of its events, what he is told."""
    after = chess.Board(mail["fen"])
    start = _before(after, mail["last_move"]) if mail["last_move"] else None
    began = start or after
    is_usual = began.board_fen() == chess.STARTING_BOARD_FEN
    fen = "" if is_usual else began.fen()
    await world.begin(f"K-26-{mail['id']}", bo_lang="da", fen=fen)
    sender = ANNA if mail["sender"] == "w" else BO
    if start is not None:
        row, text = await world.row(), start.parse_san(mail["last_move"]).uci()
        offers = mail["open_offer"] and mail["senders_turn"]
        build = FieldReader(text, row.ply, offers, world.clock.today, "en")
        asked = GameRequest(row.id, row.person_of(row.state().mover), "web", build)
        await ask(world.core, asked)
        await world.pump()
    letter = next(one for one in reversed(world.letters(sender)) if one.reply_to)
    assert letter.reply_to is not None
    kinds, told = len(await world.kinds()), len(world.letters(sender))
    await world.smtp(_octets(mail, letter, sender, world), letter.reply_to, sender=sender)
    await world.pump()
    events = (await world.events())[kinds:]
    said = " ".join(f"{one.subject} {one.said}" for one in world.letters(sender)[told:])
    return (await world.kinds())[kinds:], [json.loads(str(one.body)) for one in events], said


def _octets(mail: dict[str, Any], letter: Any, sender: str, world: World) -> bytes:
    plain = letter.text.replace("\r\n", "\n")
    quoted = "\n".join(f"> {line}" for line in plain.splitlines())

    def filled(text: str) -> str:
        return text.replace("{LETTER_PLAIN}", plain).replace("{LETTER}", quoted)

    made = EmailMessage(policy=SMTP)
    made["From"] = f"{NAMES[sender]} <{sender}>"
    made["To"] = f"<{letter.reply_to}>"
    made["Subject"] = mail["subject"]
    made["Message-ID"] = f"<m{mail['id']}@mail.example>"
    made["Date"] = format_datetime(world.clock.at.astimezone(ZONE))
    made["In-Reply-To"] = made["References"] = letter.message_id
    if mail.get("body"):
        made.set_content(filled(mail["body"]))
        if mail.get("html"):
            made.add_alternative(filled(mail["html"]), subtype="html")
    else:
        subtype = "html" if mail.get("html") else "plain"
        made.set_content(filled(mail.get("html", "")), subtype=subtype)
    return made.as_bytes()


@pytest.mark.parametrize("name", SETS)
async def test_everyday_mails_play_what_they_say_or_are_asked_about(name, sqlite_url, tmp_path):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    mails, (by_law, most_unheard) = [json.loads(line) for line in lines], SETS[name]
    async with world_of(sqlite_url, str(tmp_path)) as world:
        answers = [(mail, await _answer(world, mail)) for mail in mails]
    wrong, charged, silent, unheard = [], [], [], []
    for mail, (kinds, bodies, said) in answers:
        board, right = chess.Board(mail["fen"]), mail["right"]
        meant = {
            numeric(board.parse_san(san))
            for san in (right.get("play"), right.get("ask"), *right.get("also", []))
            if san and san[0] in "KQRBNOabcdefgh" and " " not in san
        }
        played = {
            one["move"] for kind, one in zip(kinds, bodies, strict=True) if kind == "MoveSent"
        }
        number = mail["id"]
        wrong += [number] if not played <= meant else []
        charged += [number] if "FaultySent" in kinds and not right.get("charge") else []
        silent += [number] if not said and "automati" not in mail["note"] + str(right) else []
        is_heard = played or any(one in said for one in meant)
        is_move = mail["senders_turn"] and meant and not right.get("told")
        unheard += [number] if is_move and not is_heard else []
        unheard += [number] if "series" in right and "trækserie?" not in said else []
    assert (wrong, charged, silent) == ([], by_law, [])
    assert len(unheard) <= most_unheard, unheard
