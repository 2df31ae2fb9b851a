"""The K-skak regulation as pure functions: no clock, no file, no database.

Other programs may build on the names in ``__all__``: they stand, with their arguments, while the
number before the first full stop of the version does. Each is loaded when it is first asked for.

Days of reflection, from receipt to sending, but for those that holidays and leave exempt (§ 6.3.6):

>>> from datetime import date
>>> from kskak import Calendar, Cause, Span, holidays
>>> Calendar.of(()).charged(date(2026, 3, 29), date(2026, 4, 10))
4
>>> leave = Span(date(2026, 4, 8), date(2026, 4, 14), Cause.LEAVE)
>>> Calendar.of((leave,)).charged(date(2026, 3, 29), date(2026, 4, 20))
7
>>> [(span.first.isoformat(), span.last.isoformat()) for span in holidays(2026)]
[('2026-03-31', '2026-04-07'), ('2026-12-20', '2026-12-31')]

A ledger, and the account of its days (§ 6.8.2):

>>> from kskak import Side, account, read_ledger
>>> moves = [{"kind": "move", "by": "white", "move": "5254", "sent": "2026-09-01"},
...          {"kind": "move", "by": "black", "move": "5755", "sent": "2026-09-04"}]
>>> ledger = read_ledger({"format": "kskak-ledger/1", "game": "K-1/1", "regulation": "email",
...     "start": "2026-09-01", "white": "Anna", "black": "Bent", "entries": moves})
>>> account(ledger.terms, ledger.events).state.clock(Side.BLACK).total
2

A schedule (§ 4.9.11), a final table (§ 6.5.4.1) and ratings (§ 4.5):

>>> from kskak import rate, read_group, read_standings, round_robin, rows_of
>>> [(game.white, game.black) for game in round_robin(4).rounds[0]]
[(1, 4), (2, 3)]
>>> table = read_standings({"format": "kskak-standings/1", "rules": "emt", "players": ["A", "B"],
...     "games": [["A", "B", "1-0"]]})
>>> [(row.name, row.place) for row in rows_of(table)]
[('A', 1), ('B', 2)]
>>> group = read_group({"format": "kskak-rating/1", "games": [["A", "B", "1-0"]],
...     "players": [{"name": "A", "rating": 1990}, {"name": "B", "rating": 1900}]})
>>> [(one.name, one.rating) for one in rate(group)]
[('A', 2001), ('B', 1888)]

A move in any notation (§ 6.2.2):

>>> from kskak import answer_move
>>> answer_move("start", "Sf3")["numeric"]
'7163'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kskak.board.notation import answer_move as answer_move
    from kskak.board.notation import read_move as read_move
    from kskak.game.game_events import LedgerEvent as LedgerEvent
    from kskak.groups.crosstables import read_standings as read_standings
    from kskak.groups.crosstables import rows_of as rows_of
    from kskak.groups.schedule import Pairing as Pairing
    from kskak.groups.schedule import Schedule as Schedule
    from kskak.groups.schedule import draw_lots as draw_lots
    from kskak.groups.schedule import round_robin as round_robin
    from kskak.ledger.ledger_files import LedgerError as LedgerError
    from kskak.ledger.ledger_files import ParsedLedger as ParsedLedger
    from kskak.ledger.ledger_files import clock_json as clock_json
    from kskak.ledger.ledger_files import ledger_json as ledger_json
    from kskak.ledger.ledger_files import read_ledger as read_ledger
    from kskak.play.game_state import GameState as GameState
    from kskak.play.game_state import Terms as Terms
    from kskak.rating.calculation import Calculation as Calculation
    from kskak.rating.calculation import RatedGroup as RatedGroup
    from kskak.rating.calculation import rate as rate
    from kskak.rating.calculation import rated_json as rated_json
    from kskak.rating.calculation import read_group as read_group
    from kskak.reflection import allowed_days as allowed_days
    from kskak.reflection import calendar_of as calendar_of
    from kskak.reflection import earliest_leave as earliest_leave
    from kskak.reflection import tournament_year as tournament_year
    from kskak.regulation.days import Calendar as Calendar
    from kskak.regulation.days import Cause as Cause
    from kskak.regulation.days import Span as Span
    from kskak.regulation.days import holidays as holidays
    from kskak.regulation.days import is_holiday as is_holiday
    from kskak.regulation.editions import Regulation as Regulation
    from kskak.regulation.editions import Result as Result
    from kskak.regulation.editions import RuleSet as RuleSet
    from kskak.regulation.editions import Side as Side
    from kskak.regulation.editions import rules_of as rules_of
    from kskak.statement.account import Account as Account
    from kskak.statement.account import account as account
    from kskak.statement.account import iccf_table as iccf_table

_OF = {
    "board.notation": "answer_move read_move",
    "game.game_events": "LedgerEvent",
    "groups.crosstables": "read_standings rows_of",
    "groups.schedule": "Pairing Schedule draw_lots round_robin",
    "ledger.ledger_files": "LedgerError ParsedLedger clock_json ledger_json read_ledger",
    "play.game_state": "GameState Terms",
    "rating.calculation": "Calculation RatedGroup rate rated_json read_group",
    "reflection": "allowed_days calendar_of earliest_leave tournament_year",
    "regulation.days": "Calendar Cause Span holidays is_holiday",
    "regulation.editions": "Regulation Result RuleSet Side rules_of",
    "statement.account": "Account account iccf_table",
}
"""Each module, and the public names that it has."""
_MODULES = {name: module for module, names in _OF.items() for name in names.split()}
__all__ = [*_MODULES]  # noqa: PLE0604 - the names are the table's


if not TYPE_CHECKING:  # a type checker knows the names by their imports above, and no others

    def __getattr__(name: str) -> object:
        """A public name, from its module."""
        if name not in _MODULES:
            raise AttributeError(f"module 'kskak' has no attribute {name!r}")
        return getattr(import_module(f"kskak.{_MODULES[name]}"), name)
