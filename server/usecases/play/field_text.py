"""Reads the field for a move where the move is decided, in the locked state.

For a form that is sent now and for one that waited (delayed_moves.py). Not for what a page shows.
"""

from dataclasses import dataclass, replace
from datetime import date

from kskak.game.commands import SendMoves
from kskak.play.state import GameState
from kskak.regulation.quantities import Side
from mail.grammar.understood import Problem, ProblemKind
from server.usecases.play.reading import TextProblem, command_from_text, read_words

LONGEST = 60
"""Characters of what is quoted back."""
MOST_WORDS = 24
"""Words of a text among which the end of a dispatch is looked for."""


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
        if self.ply != state.position.ply:
            return read
        if isinstance(read, TextProblem):
            is_unread = read.problem.kind is ProblemKind.NOT_UNDERSTOOD
            return self._apart(state, side, read) if is_unread else read
        reading = read_words(state, side, text, lang=lang, today=today)
        if reading.rest or reading.keywords:
            left = reading.rest[0] if reading.rest else text
            problem = Problem(ProblemKind.NOT_UNDERSTOOD, left[:LONGEST])
            return self._apart(state, side, TextProblem(problem, reading))
        return read

    def _apart(self, state: GameState, side: Side, found: TextProblem) -> TextProblem:
        """Where the beginning is a dispatch it is the rest that is not understood."""
        words = self.text.split()
        if found.problem.token.startswith("0") and found.reading.moves:
            return found  # a series that was marked as one
        for count in range(min(len(words) - 1, MOST_WORDS), 0, -1):
            head, rest = " ".join(words[:count]), " ".join(words[count:])
            if self._is_clean(state, side, head):
                series = f"{head} 0{rest}"
                if not self._is_clean(state, side, series, proposes=True):
                    series = ""
                problem = replace(found.problem, token=rest[:LONGEST])
                return TextProblem(problem, found.reading, head[:LONGEST], rest[:LONGEST], series)
        whole = " ".join(words)[:LONGEST]
        return replace(found, problem=replace(found.problem, token=whole))

    def _is_clean(self, state: GameState, side: Side, text: str, *, proposes: bool = False) -> bool:
        """Whether a text is a dispatch and nothing else, with a series if there is to be one."""
        reading = read_words(state, side, text, lang=self.reads, today=self.today)
        is_whole = not (reading.problem or reading.rest or reading.keywords)
        return is_whole and bool(reading.moves) and bool(reading.proposes) == proposes
