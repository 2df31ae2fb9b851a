"""Reads the field for a move where the move is decided, in the locked state.

For a form that is sent now and for one that waited (delaying.py). Not for what a page shows.
"""

from dataclasses import dataclass
from datetime import date

from kskak.commands import SendMoves
from kskak.quantities import Side
from kskak.state import GameState
from mail.reading import Problem, ProblemKind
from server.usecases.texts import TextProblem, command_from_text, read_words


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads the field where the move is decided, in the locked state.

    Stricter than a mail is read (reading): here everything in the field must be understood,
    since a refusal costs nobody a day and nothing may be dropped that was not shown.
    """

    text: str
    ply: int
    offers_draw: bool
    today: date
    reads: str
    """The language whose letters come first (texts.py)."""

    def __call__(self, state: GameState, side: Side) -> SendMoves | TextProblem:
        """The dispatch, or what is not understood."""
        text, lang, today = self.text, self.reads, self.today
        read = command_from_text(
            state, side, text, ply=self.ply, offers_draw=self.offers_draw, today=today, lang=lang
        )
        if isinstance(read, TextProblem) or self.ply != state.position.ply:
            return read
        reading = read_words(state, side, text, lang=lang, today=today)
        if reading.rest or reading.keywords:
            left = reading.rest[0] if reading.rest else text
            return TextProblem(Problem(ProblemKind.NOT_UNDERSTOOD, left[:60]), reading)
        return read
