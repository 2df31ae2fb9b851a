"""Placing individuals and teams by a ladder of steps, from finished games.

Titles and shared prizes.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from kskak.regulation.editions import LEAGUE, Result
from kskak.values import FieldError

# A finished game as standings and ratings see it: the players and the result.

WIN, HALF, NOTHING = Fraction(1), Fraction(1, 2), Fraction(0)
POINTS = {one: tuple(map(Fraction, one.value.split("-"))) for one in Result}
"""White's points and Black's, by result."""
_UNPLAYED = {"+/-": Result.WHITE_WINS, "-/+": Result.BLACK_WINS, "-/-": Result.BOTH_LOSE}
_WANTED = "a game as [White, Black, result]"


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One finished game."""

    white: str
    black: str
    result: Result

    @property
    def scores(self) -> tuple[Fraction, Fraction]:
        """The points of White and of Black."""
        white, black = POINTS[self.result]
        return white, black

    @property
    def sides(self) -> Iterator[tuple[str, str, Fraction]]:
        """Each player with opponent and points."""
        white, black = self.scores
        yield self.white, self.black, white
        yield self.black, self.white, black


def points_of(names: Iterable[str], games: Iterable[ScoredGame]) -> dict[str, Fraction]:
    """The points of each of these players; 0 for those who have played nothing."""
    points = dict.fromkeys(names, NOTHING)
    for game in games:
        for name, _, score in game.sides:
            if name in points:
                points[name] += score
    return points


def count_games(names: Iterable[str], games: Iterable[ScoredGame]) -> dict[str, int]:
    """The number of finished games of each of these players."""
    count = dict.fromkeys(names, 0)
    for game in games:
        for name, _, _ in game.sides:
            if name in count:
                count[name] += 1
    return count


def percentage(points: Fraction, games: int) -> Fraction | None:
    """Points in percent of the games finished, unrounded; None before the first.

    Adjudicated games count as finished, and so do those that § 6.2.8 makes losses.
    """
    return points * 100 / games if games else None


def number(value: Fraction) -> int | float:
    """A figure for JSON: an int where it is whole."""
    return value.numerator if value.denominator == 1 else float(value)


def read_names(where: str, values: Sequence[object]) -> tuple[str, ...]:
    """Names, each once. Raises FieldError naming one that is not a name, or occurs twice."""
    names: dict[str, None] = {}
    for index, value in enumerate(values, 1):
        if not isinstance(value, str) or not value.strip() or len(value.splitlines()) > 1:
            raise FieldError(f"{where} {index}: write a name, on one line")
        if value in names:
            raise FieldError(
                f"{where} {index}: {value!r} stands there already; write each name once,"
                " with something that tells two people apart"
            )
        names[value] = None
    return tuple(names)


def read_played(where: str, value: object, names: Collection[str]) -> ScoredGame:
    """A game from ``[White, Black, result]``. Raises FieldError naming what is wrong in it."""
    if not isinstance(value, list) or len(value) != 3:
        raise FieldError(f"{where}: write {_WANTED}")
    white = _check_name(where, "White", value[0], names)
    black = _check_name(where, "Black", value[1], names)
    if white == black:
        raise FieldError(f"{where}: {white!r} can't play himself, write two different names")
    return ScoredGame(white, black, read_result(where, value[2]))


def read_result(where: str, value: object) -> Result:
    """A result, with ½ too, or of an unplayed game. Raises FieldError, for a running game too."""
    said = value.replace("½", "1/2").replace("–", "-") if isinstance(value, str) else ""
    if said in _UNPLAYED or said in set(Result):
        return _UNPLAYED.get(said) or Result(said)
    allowed = ", ".join((*Result, *_UNPLAYED))
    raise FieldError(
        f"{where}: result is wrong, write one of {allowed}; leave a game out until it is finished"
    )


def _check_name(where: str, side: str, value: object, names: Collection[str]) -> str:
    if not isinstance(value, str):
        raise FieldError(f"{where}: {side} is wrong, write a name")
    if value not in names:
        raise FieldError(f"{where}: {side} {value!r} is not in the list, write a name from there")
    return value


# Placing: a ladder of steps, each applied to those whom the steps before left level.


class RankingStep(StrEnum):
    """What separated a row from the one above, or why nothing did."""

    POINTS = "points"
    SONNEBORN_BERGER = "sonneborn_berger"
    OWN_GAME = "own_game"
    BOARD_WEIGHT = "board_weight"
    OWN_BOARD_WEIGHT = "own_board_weight"
    PLAYOFF = "playoff"
    LOTS = "lots"
    SHARED = "shared"


Measure = Callable[[Sequence[str]], Mapping[str, Fraction]]
"""The figures of those still level, by name; the higher ranks above."""


Margin = tuple[Fraction, Fraction]
Figures = tuple[tuple[str, Fraction], ...]
"""Names with what a step measured for each, the highest first."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of a ladder; ``again``: repeated on those left level, while it separates anyone.

    ``within``: measured in the games between those still level.
    """

    step: RankingStep
    measure: Measure
    again: bool = False
    within: bool = False


@dataclass(frozen=True, slots=True)
class RankingPlace:
    """A name with its place; equal rank shares the place.

    ``decided_by`` is the step that separated it from the row above; None for the first row.
    ``playoff`` or ``lots`` on a shared place: that step is still to be taken. ``margin`` has the
    figures of that step, the row above's and its own; None where nothing separates, or lots do.
    ``among``: for a step within the games of more than two, the figures of them all:
    those of just two say nothing about the game between the two.
    """

    place: int
    name: str
    decided_by: RankingStep | None
    margin: Margin | None = None
    among: Figures = ()


def place(
    names: Sequence[str], ladder: Sequence[Rung], last: Mapping[int, RankingStep]
) -> list[RankingPlace]:
    """Everyone in order; those level to the end stay in the order of ``names``.

    ``last`` gives the step named for a shared place; the key 0 stands for all other places.
    """
    rows: list[RankingPlace] = []
    for (separated_by, margin, among), level in _rank_blocks(names, tuple(ladder)):
        number = len(rows) + 1
        rows.append(RankingPlace(number, level[0], separated_by, margin, among))
        shared = last.get(number, last[0])
        rows += [RankingPlace(number, name, shared) for name in level[1:]]
    return rows


_Why = tuple[RankingStep | None, Margin | None, Figures]
_Block = tuple[_Why, Sequence[str]]
_NOTHING: _Why = (None, None, ())


def _rank_blocks(level: Sequence[str], ladder: tuple[Rung, ...]) -> Iterator[_Block]:
    """Blocks of equal rank from the top, each with the step that put it below the one above."""
    if len(level) == 1 or not ladder:
        yield _NOTHING, level
        return
    rung, further = ladder[0], ladder[1:]
    figures = rung.measure(level)
    blocks = _blocks(level, figures)
    if rung.again and len(blocks) > 1:
        further = ladder
    above: Fraction | None = None
    for block in blocks:
        own = figures[block[0]]
        inner = _rank_blocks(block, further)
        why, names = next(inner)
        if above is not None:
            margin = None if rung.step is RankingStep.LOTS else (above, own)
            why = rung.step, margin, _among(rung, blocks, figures)
        yield why, names
        yield from inner
        above = own


def _among(rung: Rung, blocks: Sequence[Sequence[str]], figures: Mapping[str, Fraction]) -> Figures:
    named = [name for block in blocks for name in block]
    return tuple((name, figures[name]) for name in named) if rung.within and len(named) > 2 else ()


def _blocks(level: Iterable[str], figures: Mapping[str, Fraction]) -> list[list[str]]:
    """Those with the same figure together, highest first, each block in the given order."""
    found: dict[Fraction, list[str]] = {}
    for name in level:
        found.setdefault(figures[name], []).append(name)
    return [found[figure] for figure in sorted(found, reverse=True)]


# Placing of individuals: EMT, DM class, cup and cup final (§ 6.5.2, § 6.5.4.1, § 6.6.1.4-6.6.1.5).


class RankingRules(StrEnum):
    """The ladder a table is placed by."""

    EMT = "emt"
    DM = "dm"
    CUP = "cup"
    CUP_FINAL = "cup-final"
    LEAGUE = "league"
    THEME = "theme"


@dataclass(frozen=True, slots=True)
class Table:
    """A group of individuals; ``playoff`` and ``agreed_to_share`` in the DM class only."""

    rules: RankingRules
    players: tuple[str, ...]
    games: tuple[ScoredGame, ...]
    playoff: tuple[ScoredGame, ...] = ()
    agreed_to_share: bool = False


def sonneborn_berger(players: Sequence[str], games: Sequence[ScoredGame]) -> dict[str, Fraction]:
    """The sum of the points of those beaten and half the points of those drawn with (§ 6.5.4.1).

    The one correction that K-skak names (§ 4.9.10). Game by game, so in a double round an opponent
    may count twice; a game that both lost counts nothing for either (§ 4.9.10.1 has the same rule).
    """
    points = points_of(players, games)
    sums = dict.fromkeys(players, NOTHING)
    for game in games:
        for name, opponent, score in game.sides:
            sums[name] += score * points[opponent]
    return sums


def placing(table: Table) -> list[RankingPlace]:
    """The order of a group of individuals by its rules.

    Points, Sonneborn-Berger, own game (§ 6.5.4.1, § 6.6.1.4, § 6.6.1.5), and in the DM class a
    play-off for first place unless all agree to share (§ 6.5.2). What stays level is shared.
    Reading: among three or more, the own games form a table of their own, and those it leaves
    level are separated again by their own games. Raises ValueError for the league's rules.
    """
    if table.rules is RankingRules.LEAGUE:
        raise ValueError("a league's teams are placed by § 6.7.4.5")
    points = points_of(table.players, table.games)
    sums = sonneborn_berger(table.players, table.games)
    ladder = [
        Rung(RankingStep.POINTS, lambda level: points),
        Rung(RankingStep.SONNEBORN_BERGER, lambda level: sums),
        Rung(
            RankingStep.OWN_GAME,
            lambda level: own_points(level, table.games),
            again=True,
            within=True,
        ),
    ]
    if table.playoff:
        ladder.append(Rung(RankingStep.PLAYOFF, lambda level: _playoff_points(level, table)))
    return place(table.players, ladder, {0: RankingStep.SHARED, 1: _first_shared(table)})


def own_points(level: Sequence[str], games: Sequence[ScoredGame]) -> dict[str, Fraction]:
    """The points from the games between those level (indbyrdes partier)."""
    mutual = (game for game in games if game.white in level and game.black in level)
    return points_of(level, tuple(mutual))


def _playoff_points(level: Sequence[str], table: Table) -> dict[str, Fraction]:
    """The points of the play-off between those level; nothing where not all of them play in it."""
    players = {name for game in table.playoff for name, _, _ in game.sides}
    return own_points(level, table.playoff if players >= set(level) else ())


def _first_shared(table: Table) -> RankingStep:
    """The step named for a shared first place: in the DM class a play-off to come (§ 6.5.2).

    Unless it has been played, or all have agreed to share the title.
    """
    is_open = table.rules is RankingRules.DM and not table.agreed_to_share and not table.playoff
    return RankingStep.PLAYOFF if is_open else RankingStep.SHARED


# Placing of teams: points, own games, board weights, own board weights, lots (§ 6.7.4.5).

BOARDS = LEAGUE.boards


@dataclass(frozen=True, slots=True)
class BoardTeam:
    """A club's team, its players in board order."""

    club: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardGame:
    """A finished game on a board, 1 to 4; ``played`` names the clubs, White's first."""

    board: int
    played: ScoredGame


@dataclass(frozen=True, slots=True)
class Division:
    """A division or a group of one; ``lots``: the clubs in the order drawn, if any."""

    teams: tuple[BoardTeam, ...]
    games: tuple[BoardGame, ...]
    lots: tuple[str, ...] = ()

    @property
    def clubs(self) -> tuple[str, ...]:
        """The clubs in the order of the list."""
        return tuple(team.club for team in self.teams)

    @property
    def played(self) -> tuple[ScoredGame, ...]:
        """The games without their boards."""
        return tuple(game.played for game in self.games)


def weight(board: int) -> int:
    """What a win on a board counts: 4, 3, 2, 1 (§ 6.7.4.5). ValueError for another board."""
    if not 1 <= board <= BOARDS:
        raise ValueError(f"a board has a number from 1 to {BOARDS}, not {board}")
    return BOARDS + 1 - board


def board_weights(clubs: Collection[str], games: Sequence[BoardGame]) -> dict[str, Fraction]:
    """The weighted points of these clubs (§ 6.7.4.5). Reading: a draw counts half the weight."""
    sums = dict.fromkeys(clubs, NOTHING)
    for game in games:
        for club, _, score in game.played.sides:
            if club in sums:
                sums[club] += score * weight(game.board)
    return sums


def league_placing(division: Division) -> list[RankingPlace]:
    """The order of a division's teams (§ 6.7.4.5).

    Reading: each step is applied once to those still level after the one before, as the text goes
    on to the next where it finds them level. Those level to the end share their place until lots
    are drawn.
    """
    points = points_of(division.clubs, division.played)
    weights = board_weights(division.clubs, division.games)
    ladder = [
        Rung(RankingStep.POINTS, lambda level: points),
        Rung(
            RankingStep.OWN_GAME,
            lambda level: points_of(level, [game.played for game in _own(level, division)]),
            within=True,
        ),
        Rung(RankingStep.BOARD_WEIGHT, lambda level: weights),
        Rung(
            RankingStep.OWN_BOARD_WEIGHT,
            lambda level: board_weights(level, _own(level, division)),
            within=True,
        ),
        Rung(RankingStep.LOTS, lambda level: _read_drawn_order(level, division.lots)),
    ]
    return place(division.clubs, ladder, {0: RankingStep.LOTS})


def _own(level: Collection[str], division: Division) -> tuple[BoardGame, ...]:
    return tuple(
        game for game in division.games if game.played.white in level and game.played.black in level
    )


def _read_drawn_order(level: Sequence[str], lots: Sequence[str]) -> dict[str, Fraction]:
    """The order drawn by lot, where it was drawn among all of these; else all are equal."""
    is_drawn = all(club in lots for club in level)
    return {club: Fraction(-lots.index(club) if is_drawn else 0) for club in level}


# Titles, names on the trophy, shared prizes (§ 6.5.2, § 6.6.1.5, § 6.7.4.6), from placed rows.

_OPEN = frozenset({RankingStep.PLAYOFF, RankingStep.LOTS})


class Title(StrEnum):
    """The titles of the regulation."""

    DANISH_CHAMPION = "danish_champion"
    CUP_CHAMPION = "cup_champion"
    TEAM_CHAMPION = "team_champion"


@dataclass(frozen=True, slots=True)
class Award:
    """Who has a title; ``awaits`` a play-off or lots, else None.

    Several holders share it; with none, nobody may bear it. While it awaits a play-off nobody has
    it yet: ``holders`` are those who may get it, ``between`` those who play. ``is_citizens``:
    it goes to the best placed citizen, as the winner is not one. ``asked``: of whom it must first
    be known whether they are citizens; nobody has it yet.
    """

    title: Title
    holders: tuple[str, ...]
    awaits: RankingStep | None
    paragraph: str
    between: tuple[str, ...] = ()
    is_citizens: bool = False
    asked: tuple[str, ...] = ()


def level_with(placed: Sequence[RankingPlace], place: int) -> tuple[RankingPlace, ...]:
    """The rows that share a place."""
    return tuple(row for row in placed if row.place == place)


def danish_champion(
    placed: Sequence[RankingPlace],
    citizens: Collection[str],
    unknown: Collection[str] = (),
    playoff: Sequence[ScoredGame] | None = None,
) -> Award:
    """The DM class's title, for Danish citizens only (§ 6.5.2).

    A play-off for first place is awaited, whoever takes part in it. Readings: the title can
    "fall to" a Danish citizen only, so it falls to the best placed of them; citizens who share
    first place, or the best place that a citizen has, share it; with no citizen in the group it
    falls to nobody. Of ``unknown`` nobody is taken for a citizen: who could have the title is
    asked. ``playoff``: the games of one ordered between the best placed citizens where a foreigner
    won, () while it is played; a citizen's second place is otherwise shared.
    """
    first = level_with(placed, 1)
    awaits = _awaited(first)
    if awaits is not None:
        may = tuple(row.name for row in first if row.name in {*citizens, *unknown})
        between = tuple(row.name for row in first)
        return Award(Title.DANISH_CHAMPION, may, awaits, "6.5.2", between)
    best = min((row.place for row in placed if row.name in {*citizens, *unknown}), default=1)
    level = tuple(row.name for row in level_with(placed, best))
    holders = tuple(name for name in level if name in citizens)
    if asked := tuple(name for name in level if name in unknown):
        return Award(Title.DANISH_CHAMPION, (), None, "6.5.2", asked=asked)
    if best > 1 and playoff is not None and len(holders) > 1:
        points = own_points(holders, playoff)
        between = holders
        holders = tuple(name for name in between if points[name] == max(points.values()))
        awaits = None if playoff else RankingStep.PLAYOFF
        return Award(Title.DANISH_CHAMPION, holders, awaits, "6.5.2", between, is_citizens=True)
    return Award(Title.DANISH_CHAMPION, holders, None, "6.5.2", is_citizens=best > 1)


def cup_champion(placed: Sequence[RankingPlace]) -> Award:
    """The cup's title: for all who share first place, with all names on the trophy (§ 6.6.1.5)."""
    names = tuple(row.name for row in level_with(placed, 1))
    return Award(Title.CUP_CHAMPION, names, None, "6.6.1.5")


def team_champion(placed: Sequence[RankingPlace]) -> Award:
    """Division 1's winner (§ 6.7.4.6); lots are awaited where they decide (§ 6.7.4.5)."""
    first = level_with(placed, 1)
    return Award(Title.TEAM_CHAMPION, tuple(row.name for row in first), _awaited(first), "6.7.4.6")


def shared_prizes(
    placed: Sequence[RankingPlace], prizes: Sequence[Fraction | int], without: Collection[str] = ()
) -> Mapping[str, Fraction]:
    """Money by name: those level share the total for their places (§ 6.5.4.1, § 6.6.1.4).

    ``prizes`` from first place down; ``without`` lost the right to one by withdrawing without
    valid reason (§ 6.2.8). Readings: the money for such a place is not passed on;
    that for places which a play-off decides waits for it (§ 6.5.2).
    """
    money: dict[str, Fraction] = {}
    for number in sorted({row.place for row in placed}):
        level = level_with(placed, number)
        if _awaited(level) is RankingStep.PLAYOFF:
            continue
        pot = sum(
            (Fraction(prize) for prize in prizes[number - 1 : number - 1 + len(level)]), NOTHING
        )
        for row in level:
            if pot and row.name not in without:
                money[row.name] = pot / len(level)
    return money


def _awaited(level: Sequence[RankingPlace]) -> RankingStep | None:
    return next((row.decided_by for row in level[1:] if row.decided_by in _OPEN), None)
