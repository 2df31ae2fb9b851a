"""All entries of a random ledger that are not moves."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracle.players import Game

SIDES = ("white", "black")
OTHER = {"white": "black", "black": "white"}
REASONS = ("illegal", "illegal", "illegible", "wrong_repetition", "ambiguous", "damaged_in_post")


class Extras:
    """Writes leaves, pauses, notices, charges, claims and rulings into a game."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        self.rng = game.rng

    def chance(self, probability: float) -> bool:
        """True with a probability, more often in a rich game."""
        return self.rng.random() < probability * self.game.rich

    def near(self, day: date, back: int, forth: int) -> date:
        """A day around another."""
        return day + timedelta(self.rng.randint(-back, forth))

    def anywhere(self) -> None:
        """Leaves and pauses for the whole game, wherever they stand."""
        for _ in range(self.rng.choice((0, 0, 1, 2, 5)) if self.game.rich else 0):
            self.leave(self.near(self.game.start, 10, 420))
        if self.chance(0.4):
            self.pause(self.near(self.game.start, 5, 120))

    def leave(self, first: date) -> None:
        """A leave: in time or late, short or long, personal or special."""
        year = self.game.start + timedelta(365)
        if self.rng.random() < 0.1:
            first = self.near(year, 20, 2)
        last = first + timedelta(self.rng.choice((0, 3, 7, 13, 20, 36, 50)))
        by = self.rng.choice(SIDES)
        notified = first - timedelta(self.rng.choice((6, 6, 7, 30, 5, 3, 0, -4)))
        if self.rng.random() < 0.25:
            if self.rng.random() < 0.5:
                self.game.write("leave", by=by, from_=first, to=last, type="special")
            else:
                self.game.write(
                    "leave", by=by, from_=first, to=last, notified=notified, type="special"
                )
            return
        self.game.write("leave", by=by, from_=first, to=last, notified=notified)
        if self.rng.random() < 0.2:
            self.game.write(
                "leave",
                by=by,
                from_=self.near(first, 5, 5),
                to=last + timedelta(8),
                notified=first - timedelta(20),
                type="personal",
            )

    def pause(self, first: date) -> None:
        """A pause of any reason, a few still standing."""
        reason = self.rng.choice(("reserve", "reserve", "dispute", "outage", "bounce"))
        last: date | None = first + timedelta(self.rng.choice((0, 2, 5, 12, 13, 14, 20)))
        if self.rng.random() < 0.25:
            last = None
        self.game.write("pause", from_=first, to=last, reason=reason)

    def before_answer(self, base: date | None, sent: date | None) -> date | None:
        """What happens while somebody thinks; the date of a `resume`, if there was one."""
        game, mover = self.game, self.game.to_move
        first, last = base or game.day, sent or game.day + timedelta(30)
        if self.chance(0.12) or (sent is None and self.rng.random() < 0.7):
            self.receipt(mover, first)
        if (last - first).days > 12 or self.chance(0.02):
            self.silence(mover, first, last)
        if self.chance(0.06):
            game.write(
                "invalid",
                by=self.rng.choice(SIDES),
                on=self.near(first, 1, 2),
                reason=self.rng.choice(REASONS),
            )
        if self.chance(0.03):
            game.write(
                "charge",
                by=self.rng.choice(SIDES),
                on=self.near(first, 1, 3),
                days=self.rng.choice((-6, -3, 1, 3, 6, 12, 25)),
                paragraph="6.4.1",
                reason="ruling",
            )
        if self.chance(0.03) or (sent is None and self.rng.random() < 0.3):
            game.write("claim", by=self.rng.choice(SIDES), on=self.near(last, 3, 60))
        if self.chance(0.02):
            self.leave(self.near(first, 5, 20))
        if self.chance(0.01):
            self.pause(self.near(first, 5, 20))
        return self.ruling()

    def receipt(self, mover: str, first: date) -> None:
        """Notices of receipt, also by the wrong side and twice."""
        day = max(first, self.game.day) + timedelta(self.rng.choice((0, 0, 1, 3)))
        if self.rng.random() < 0.15:
            self.game.write("receipt", by=OTHER[mover], on=self.near(day, 9, 2))
            return
        self.game.write("receipt", by=mover, on=day)

    def silence(self, mover: str, first: date, last: date) -> None:
        """Reminder, notice and report, in and out of their window, by either side."""
        waiting = OTHER[mover] if self.rng.random() < 0.93 else mover
        days = (0, (last - first).days, self.rng.randint(-2, (last - first).days + 2))
        if self.rng.random() < 0.25:
            by = mover if self.rng.random() < 0.85 else OTHER[mover]
            self.game.write("long_think", by=by, on=first + timedelta(self.rng.choice(days)))
        if self.rng.random() < 0.8:
            self.game.write("reminder", by=waiting, on=first + timedelta(self.rng.choice(days)))
        if self.rng.random() < 0.5:
            self.game.write("tl_notified", by=waiting, on=first + timedelta(self.rng.choice(days)))

    def ruling(self) -> date | None:
        """Now and then totals are set or the game is resumed from a date."""
        game = self.game
        if self.chance(0.008):
            totals = {
                side: self.rng.choice((0, 7, 24, 28, 39, 52))
                for side in self.rng.choice((("white",), ("black",), SIDES))
            }
            game.write("set_time", **totals)
        if self.chance(0.012):
            day = self.near(game.day, 3, 9)
            game.write("resume", on=day)
            return day
        return None

    def at_the_end(self) -> None:
        """The end of the game by a person, and entries that come after it."""
        game = self.game
        day = game.day + timedelta(1)
        if not game.over and self.rng.random() < 0.2:
            kind = self.rng.choice(("resign", "draw"))
            game.write(kind, by=self.rng.choice(SIDES), on=day)
        if self.rng.random() < 0.12:
            for _ in range(self.rng.choice((1, 1, 2))):
                game.write(
                    "result",
                    result=self.rng.choice(("1-0", "0-1", "1/2-1/2", "0-0")),
                    on=day,
                    authority="TL",
                    ref="2",
                )
        if self.rng.random() < 0.4:
            game.write("claim", by=self.rng.choice(SIDES), on=self.near(day, 0, 60))
        if self.chance(0.15):
            game.write("set_time", white=12)
        if self.chance(0.1):
            game.write("charge", by="white", on=day, days=9, paragraph="6.4.1", reason="late")
        if self.chance(0.1):
            game.write("invalid", by="black", on=day, reason="illegal")
        if self.chance(0.1):
            self.leave(self.near(day, 60, 30))
