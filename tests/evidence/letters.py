"""Every sample letter, in each language and notation; relays of long games."""

import hashlib
import io
import re
from dataclasses import replace

from PIL import Image

from kskak.board.shapes import MoveNotation
from kskak.play.evolve_game import replay
from kskak.statement.account import account
from mail.compose import Letter, compose
from mail.game_letters.cast import ENVELOPE, GAME, KEY
from mail.game_letters.move_letters import Relay
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import LANGUAGES, Words
from mail.text.letter_facts import dispatch_of
from tests.evidence.documents import LONG_GAMES, long_game

_BOUNDARY = re.compile(r"={3,}\d+={2}")


def letters() -> dict[str, str]:
    """The octets of each letter by its name, MIME boundaries masked."""
    made = {}
    for lang in LANGUAGES:
        for notation in MoveNotation:
            words = Words.load(lang).wishing(notation)
            for name, letter in (GAME_LETTERS | NOTICES).items():
                for key in (None, KEY):
                    place = f"letters/{lang}/{notation}/{name}{'-key' if key else ''}.eml"
                    made[place] = _octets(letter, words, key)
    for number in range(LONG_GAMES):
        terms, events = long_game(number)
        for ply in range(4, len(events) + 1, 31):
            sent = dispatch_of(replay(terms, events[: ply - 1]).position, events[ply - 1])
            relay = Relay(GAME, account(terms, events[:ply], None), sent, "Hej")
            made[f"letters/long/{number}-{ply}.eml"] = _octets(relay, Words.load("da"), KEY)
    return made


def _octets(letter: Letter, words: Words, key: str | None) -> str:
    """A letter's octets, its pictures by their pixels: how they are packed is nobody's business."""
    mail = compose(letter, words, replace(ENVELOPE, reply_to=key))
    for part in mail.walk():
        if part.get_content_maintype() == "image":
            file = io.BytesIO(part.get_payload(decode=True))
            pixels = Image.open(file).convert("RGB").tobytes()
            part.set_payload(hashlib.sha256(pixels).hexdigest())
    return _BOUNDARY.sub("=B=", mail.as_string())
